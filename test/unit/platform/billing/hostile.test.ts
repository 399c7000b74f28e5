import { inspect } from 'node:util';
import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import { PlatformError } from '../../../../src/platform/errors.ts';
import * as fc from '../../../support/fast-check.ts';
import { ADDED_USER, ALL_CALLS, NEW_ORG, type Clients } from '../../../contract/platform/calls.ts';
import { pathsOf, replaced, type Path } from '../replaced.ts';
import { answering, createRecords } from './support.ts';

/** Everything that a record of the API may have, so that one document has something for every call. */
const RECORD = {
  id: 'i1',
  name: NEW_ORG,
  email: ADDED_USER,
  roles: ['billing_admin'],
  amount: 500,
  enabled: true,
  lastTriggered: '2026-10-05T12:00:00Z',
  alertedTimes: 1,
  totalCharge: 9500,
  periods: [{ totalCharge: 9500, items: [{ charge: 9500, quantity: 1.5, org: 'acme' }] }],
  credits: [{ charge: -500 }],
  token: 'svc-bsat-canary',
  expiresAt: '2027-01-01T00:00:00Z',
  superuserServiceAccountToken: 'canary',
  paymentMethods: [{ brand: 'visa', last4: '4242' }],
  address: { city: 'Springfield' },
  alert: { amount: 500, enabled: true },
  recipientEmail: 'ada@acme.example',
  status: 'delivered',
  externalUrl: 'https://pay.example/i1',
};
const DOCUMENT = {
  ...RECORD,
  items: [RECORD],
  invoices: [RECORD],
  users: [{ user: RECORD }],
  deliveries: [RECORD],
  invoicePeriods: [RECORD],
};

const ODD = [null, 0, -1, 1.5, '', 'x', '500', true, [], {}, [[]], [null], [{}], 2 ** 60];
const hostileKey = fc.constantFrom('__proto__', 'constructor', 'items', 'user', 'id', 'alert');
const anything = fc.oneof(
  fc.constantFrom<unknown>(...ODD),
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(hostileKey, fc.jsonValue({ maxDepth: 1 })),
);

const mutated = fc
  .tuple(fc.constantFrom(...pathsOf(DOCUMENT)), anything)
  .map(([path, by]) => replaced(DOCUMENT, path, by));
const status = fc.constantFrom(200, 201);
/** The calls about records: all of billing but charges and documents. */
const CALLS = Object.keys(ALL_CALLS).filter((name) =>
  /^billing\.(?!charges|downloadInvoicePdf)/.test(name),
);
const KNOWN = { invoiceId: 'i1', tokenId: 't1', recipientId: 'r1' };

/** Either what the call gives, or the PlatformError that it ends with; anything else is thrown on. */
async function outcomeOf(name: string, document: unknown, code: number): Promise<unknown> {
  try {
    const clients = { billing: answering(document, code) } as unknown as Clients;
    return await ALL_CALLS[name]!(clients, KNOWN);
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
}

/** What is wrong with a result: a number that is none, or an own secret in plain sight. */
function faultOf(value: unknown): string | undefined {
  if (BigNumber.isBigNumber(value)) return value.isFinite() ? undefined : 'not a number';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'not a number';
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.values(value)
    .map(faultOf)
    .find((fault) => fault !== undefined);
}

describe('any answer to any call', () => {
  test('gives a well-formed result or a PlatformError', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CALLS),
        fc.oneof(anything, mutated),
        status,
        async (name, document, code) => {
          const outcome = await outcomeOf(name, document, code);

          expect(faultOf(outcome instanceof PlatformError ? undefined : outcome)).toBeUndefined();
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test('of the right shape is a result', async () => {
    const failed = [];
    for (const name of CALLS) {
      const outcome = await outcomeOf(name, DOCUMENT, 201);
      if (outcome instanceof PlatformError) failed.push(name);
    }

    expect(failed).toEqual([]);
  });

  test('never shows the secret that was said in it, neither as a result nor as an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('billing.createToken', 'billing.createOrg', 'billing.listTokens'),
        mutated,
        status,
        async (name, document, code) => {
          const outcome = await outcomeOf(name, document, code);

          expect(`${JSON.stringify(outcome)}${inspect(outcome, { depth: 9 })}`).not.toContain(
            'svc-bsat-canary',
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a changed invoice', () => {
  /** Where it says an amount, in the order of `amountsOf`. */
  const PLACES: Path[] = [
    ['totalCharge'],
    ['periods', 0, 'totalCharge'],
    ['periods', 0, 'items', 0, 'charge'],
    ['credits', 0, 'charge'],
  ];
  const list = fc.constantFrom<Path>(['periods', 0, 'items'], ['credits'], ['periods']);

  async function amountsOf(document: unknown): Promise<(string | undefined)[]> {
    const text = JSON.stringify(document);
    const { value } = await createRecords(() => ({ text })).getInvoice('i1');
    const { totalCharge, periods, credits } = value;
    return [
      totalCharge,
      ...periods.flatMap((period) => [
        period.totalCharge,
        ...period.items.map(({ charge }) => charge),
      ]),
      ...credits.map(({ charge }) => charge),
    ].map((amount) => amount?.toFixed());
  }

  /** What somebody reads in it who sees no more than whole numbers, of at most 61 digits (`exact-json.ts`). */
  function wholeIn(by: unknown): string | undefined {
    const text = typeof by === 'number' ? JSON.stringify(by) : by;
    const isNumber =
      typeof text === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
    const number = new BigNumber(isNumber ? text : Number.NaN);
    return number.isInteger() && number.abs().lt('1e61')
      ? number
          .abs()
          .times(number.lt(0) ? -1 : 1)
          .toFixed()
      : undefined;
  }

  test('is shown with the amount that it says, or without one, and keeps the others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 3 }), anything, async (place, by) => {
        const document = replaced(RECORD, PLACES[place]!, by);
        const whole = wholeIn(by);
        // What would raise the amount due is no credit.
        const said = place === 3 && Number(whole) > 0 ? undefined : whole;

        expect(await amountsOf(document)).toEqual(
          ['9500', '9500', '9500', '-500'].map((amount, at) => (at === place ? said : amount)),
        );
      }),
      { numRuns: 1_000, examples: [-1e50, 1e60, 1e61].map((by): [number, unknown] => [0, by]) },
    );
  });

  test('tells of a list that is none no amount at all', async () => {
    await fc.assert(
      fc.asyncProperty(list, anything, async (path, by) => {
        fc.pre(!Array.isArray(by) && by !== null);

        const shown = await amountsOf(replaced(RECORD, path, by));

        expect(shown).toHaveLength(path[0] === 'periods' && path.length === 1 ? 3 : 4);
        expect(shown.filter((amount) => amount === undefined)).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });
});
