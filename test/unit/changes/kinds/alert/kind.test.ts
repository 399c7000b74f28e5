import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import { createKinds } from '../../../../../src/changes/kinds/kinds.ts';
import type { Charges } from '../../../../../src/platform/billing/charge-rows.ts';
import { PlatformError } from '../../../../../src/platform/errors.ts';
import { charges } from '../../../features/alert/scenario.ts';
import { platformOf } from '../../forms/harness.ts';
import { NOW } from '../any-account.ts';
import { memoryIdentities } from '../../../../support/identities.ts';

const UNREAD =
  'What this month has cost so far could not be read: if it comes to the amount, the alert fires at the next check.';
const IN_PART =
  'Not all that this month has cost so far could be counted: if it comes to the amount, the alert fires at the next check.';
const at = (said: string) => `This month is already at ${said}: it fires at the next check.`;

/** What is said of an alert of 500, where this month has cost that. */
async function met(spend: Charges | Error, currency = 'USD'): Promise<readonly string[]> {
  const platform = platformOf({ spend });
  const order = { kind: 'alert.create', amount: 500, enabled: true } as const;
  const { plan } = await createKinds(
    currency,
    { now: () => NOW },
    memoryIdentities(),
  )(order).plan(platform, order);
  expect(plan.consequences.slice(1)).toEqual(plan.passing ?? []);
  return plan.consequences.slice(1);
}

const cost = (total: number, currency = 'USD') => charges({ org: 'acme', total, currency });

describe('what this month has cost, on an alert of 500', () => {
  test.each([
    ['less', cost(499.99), ['This month is at $499.99 so far, about $500 by 31 October.']],
    ['as much', cost(500), [at('$500.00')]],
    ['more', cost(4604.1), [at('$4,604.10')]],
    ['more, and some rows cannot be read', { ...cost(600), skipped: 2 }, [at('$600.00')]],
    ['less, and some rows cannot be read', { ...cost(400), skipped: 2 }, [IN_PART]],
    ['more in another currency', cost(600, 'EUR'), [IN_PART]],
    ['nobody knows', new PlatformError('timeout', 'no answer'), [UNREAD]],
  ] as const)('%s', async (_, spent, said) => {
    expect(await met(spent)).toEqual(said);
  });

  test('is said in the account’s currency', async () => {
    expect(await met(cost(650, 'JPY'), 'JPY')).toEqual([at('¥650')]);
  });

  test('is counted without losing digits', async () => {
    const [group] = charges({ org: 'acme', total: 0.1 }, { org: 'b', total: 499.9 }).periods;

    expect(new BigNumber(0.1).plus(499.9).eq(500)).toBe(true);
    expect(await met({ ...cost(0), periods: group ? [group] : [] })).toEqual([at('$500.00')]);
  });

  test('is no cover for a mistake of our own', async () => {
    await expect(met(new TypeError('a mistake'))).rejects.toThrow('a mistake');
  });
});
