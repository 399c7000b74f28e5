import * as fc from '../../support/fast-check.ts';

/** A replaced member of an invoice; without a value it is left out. */
interface Patch {
  readonly at: readonly (string | number)[];
  readonly value?: unknown;
}

type Any = fc.Arbitrary<unknown>;
const any = (...values: unknown[]): Any => fc.constantFrom(...values);
const mostly = (arbitrary: Any, ...others: Any[]): Any =>
  fc.oneof({ weight: 3, arbitrary }, ...others);

/** Changed cents, or something that is not a number. */
const amount = mostly(
  fc.integer({ min: 1, max: 2_000_000 }),
  any(undefined, null, 0, 95.5, -0.25, 'much', true, [], {}),
);
/** The total of an invoice can also be negative. */
const total = mostly(amount, fc.integer({ min: -2_000_000, max: -1 }));

const line = fc.record({
  description: fc.constantFrom(
    'acme: cpu (cores * seconds), Quantity: 7200, Rate: 0.00001',
    'globex: memory (bytes * seconds), Quantity: 7200, Rate: 0.0000000000068',
    'Support surcharge',
  ),
  quantity: fc.constant(7_200),
  charge: amount,
});
/** Of the org that it names, or of the whole account. */
const otherLine = line.map((one) => ({
  ...one,
  org: /^(?<org>\w+):/.exec(one.description)?.groups?.['org'] ?? '',
}));
/** Not a line, or one of an org that cannot be read. */
const unreadLine = fc.oneof(
  any(null, 'x', 5),
  fc.tuple(line, any(7, {}, true)).map(([one, org]) => ({ ...one, org })),
);

const credit = fc.record({
  description: fc.constant('Goodwill'),
  // -9,000,000 is more than any invoice is of.
  charge: fc.oneof(fc.integer({ min: -300_000, max: 0 }), any(-9_000_000), any(-0.5, 7, undefined)),
  org: any('', undefined, 7),
});

const says = (at: Patch['at'], values: Any) => values.map((value): Patch[] => [{ at, value }]);
/** Every invoice has more lines than this in its first period. */
const place = fc.nat({ max: 5 });
const items = ['periods', 0, 'items'];
const inLine = (values: Any, ...names: string[]) =>
  place.chain((at) => says([...items, at, ...names], values));

const statuses = 'paid payment-failed partially-paid partially-failed void'.split(' ');
const oddity: fc.Arbitrary<Patch[]> = fc.oneof(
  says(['totalCharge'], total),
  says(['periods', 0, 'totalCharge'], amount),
  inLine(amount, 'charge'),
  place.map((at) => [{ at: [...items, at] }]),
  inLine(unreadLine),
  // In the place of another line, or of two.
  fc
    .tuple(place, otherLine, fc.boolean())
    .map(([at, value, isTwice]) =>
      (isTwice ? [at, at + 1] : [at]).map((place) => ({ at: [...items, place], value })),
    ),
  says(['status'], any(...statuses, ' paid ', '', undefined, 7)),
  says(['credits'], mostly(fc.array(credit, { maxLength: 3 }), any('none'))),
);

/** Up to four things that are odd of one invoice; the same for the same seed. */
export function oddities(seed: number): Patch[] {
  return fc
    .sample(fc.array(oddity, { minLength: 1, maxLength: 4 }), { seed, numRuns: 1 })[0]!
    .flat();
}
