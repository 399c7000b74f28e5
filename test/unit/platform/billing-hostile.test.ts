import { inspect } from 'node:util';

import { BigNumber } from 'bignumber.js';
import * as fc from '../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';

import { PlatformError } from '../../../src/platform/errors.ts';
import { answering, CALLS, createRecords } from './billing-context.ts';

/** Everything that a record of the API may have, so that one document has something for every call. */
const RECORD = {
  id: 'i1',
  name: 'hooli',
  email: 'ada@acme.example',
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

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Object.entries(value);
  return [path, ...members.flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

/** A copy in which the value at the path is another one. */
function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const mutated = fc
  .tuple(fc.constantFrom(...pathsOf(DOCUMENT)), anything)
  .map(([path, by]) => replaced(DOCUMENT, path, by));
const status = fc.constantFrom(200, 201);
const call = fc.constantFrom(...Object.keys(CALLS));

/** Either what the call gives, or the PlatformError that it ends with; anything else is thrown on. */
async function outcomeOf(name: string, document: unknown, code: number): Promise<unknown> {
  try {
    return await CALLS[name]?.(answering(document, code));
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
      fc.asyncProperty(call, fc.oneof(anything, mutated), status, async (name, document, code) => {
        const outcome = await outcomeOf(name, document, code);

        expect(faultOf(outcome instanceof PlatformError ? undefined : outcome)).toBeUndefined();
      }),
      { numRuns: 3_000 },
    );
  });

  test('of the right shape is a result', async () => {
    const failed = [];
    for (const name of Object.keys(CALLS)) {
      const outcome = await outcomeOf(name, DOCUMENT, 201);
      if (outcome instanceof PlatformError) failed.push(name);
    }

    expect(failed).toEqual([]);
  });

  test('never shows the secret that was said in it, neither as a result nor as an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('createToken', 'createOrg', 'listTokens'),
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
  const money = fc.constantFrom<Path>(
    ['totalCharge'],
    ['periods', 0, 'totalCharge'],
    ['periods', 0, 'items', 0, 'charge'],
    ['periods', 0, 'items'],
    ['credits', 0, 'charge'],
    ['credits'],
    ['periods'],
  );

  test('is never shown with another amount than it says', async () => {
    await fc.assert(
      fc.asyncProperty(money, anything, async (path, by) => {
        const document = replaced(RECORD, path, by) as typeof RECORD;
        const text = JSON.stringify(document);
        const reading = await createRecords(() => ({ text }))
          .getInvoice('i1')
          .catch(() => undefined);

        if (reading === undefined) return;
        expect(amountsOf(reading.value)).toEqual(amountsOf(JSON.parse(text)));
      }),
      { numRuns: 1_000 },
    );
  });
});

interface Money {
  totalCharge: BigNumber.Value;
  periods: readonly BilledPeriod[] | null;
  credits: readonly Charged[] | null;
}
interface BilledPeriod {
  totalCharge?: BigNumber.Value | null | undefined;
  items: readonly Charged[] | null;
}
interface Charged {
  charge: BigNumber.Value;
}

/** Every amount of an invoice in its order, as text. */
function amountsOf({ totalCharge, periods, credits }: Money): string[] {
  const amounts = [
    totalCharge,
    ...(periods ?? []).flatMap((period) => [
      period.totalCharge,
      ...(period.items ?? []).map(({ charge }) => charge),
    ]),
    ...(credits ?? []).map(({ charge }) => charge),
  ];
  return amounts.map((amount) => new BigNumber(amount ?? Number.NaN).toFixed());
}
