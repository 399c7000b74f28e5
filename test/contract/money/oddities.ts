import * as fc from '../../support/fast-check.ts';

/** A member of an invoice that is said otherwise; without a value it is left out. */
export interface Patch {
  readonly at: readonly (string | number)[];
  readonly value?: unknown;
}

/** Cents that are not what they were, or nothing that can be counted. */
const amount = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 2_000_000 }) },
  fc.constantFrom<unknown>(undefined, null, 0, 95.5, -0.25, 'much', true, [], {}),
);
/** What an invoice comes to as a whole can also be less than nothing. */
const total = fc.oneof({ weight: 3, arbitrary: amount }, fc.integer({ min: -2_000_000, max: -1 }));
/** Every invoice has more lines than this in its first period. */
const place = fc.nat({ max: 5 });
const inFirst = (...names: (string | number)[]) => ['periods', 0, ...names];

const line = fc.record({
  description: fc.constantFrom(
    'acme: cpu (cores * seconds), Quantity: 7200, Rate: 0.00001',
    'globex: memory (bytes * seconds), Quantity: 7200, Rate: 0.0000000000068',
    'Support surcharge',
  ),
  quantity: fc.constant(7_200),
  charge: amount,
});

/** A line in the place of another one, or of two: with the org that it names, or of the whole account. */
const otherLines = fc.tuple(place, line, fc.boolean()).map(([at, one, isTwice]): Patch[] => {
  const org = /^(?<org>\w+):/.exec(one.description)?.groups?.['org'] ?? '';
  const places = isTwice ? [at, at + 1] : [at];
  return places.map((place) => ({ at: inFirst('items', place), value: { ...one, org } }));
});

/** What is no line, or one of an org that cannot be read. */
const unreadLine = fc.oneof(
  fc.constantFrom<unknown>(null, 'x', 5),
  fc.tuple(line, fc.constantFrom<unknown>(7, {}, true)).map(([one, org]) => ({ ...one, org })),
);

const credit = fc.record({
  description: fc.constant('Goodwill'),
  charge: fc.oneof(
    fc.integer({ min: -300_000, max: 0 }),
    // More than any invoice is of.
    fc.constant(-9_000_000),
    fc.constantFrom<unknown>(-0.5, 7, undefined),
  ),
  org: fc.constantFrom<unknown>('', undefined, 7),
});

const oddity: fc.Arbitrary<Patch[]> = fc.oneof(
  total.map((value) => [{ at: ['totalCharge'], value }]),
  amount.map((value) => [{ at: inFirst('totalCharge'), value }]),
  fc.tuple(place, amount).map(([at, value]) => [{ at: inFirst('items', at, 'charge'), value }]),
  place.map((at) => [{ at: inFirst('items', at) }]),
  fc.tuple(place, unreadLine).map(([at, value]) => [{ at: inFirst('items', at), value }]),
  otherLines,
  fc
    .constantFrom<unknown>(
      'paid',
      'payment-failed',
      'partially-paid',
      'partially-failed',
      'void',
      ' paid ',
      '',
      undefined,
      7,
    )
    .map((value) => [{ at: ['status'], value }]),
  fc
    .oneof({ weight: 5, arbitrary: fc.array(credit, { maxLength: 3 }) }, fc.constant('none'))
    .map((value) => [{ at: ['credits'], value }]),
);

/** Up to four things that are odd of one invoice; the same for the same seed. */
export function oddities(seed: number): Patch[] {
  return fc
    .sample(fc.array(oddity, { minLength: 1, maxLength: 4 }), { seed, numRuns: 1 })[0]!
    .flat();
}
