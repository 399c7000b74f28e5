import { BigNumber } from 'bignumber.js';
import { describe, expect, it, test } from 'vitest';
import { createKinds } from '../../../../src/changes/kinds/kinds.ts';
import type { Alert } from '../../../../src/platform/billing/alert.ts';
import type { Charges } from '../../../../src/platform/billing/charge-rows.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { memoryIdentities } from '../../../support/identities.ts';
import { charges } from '../../features/alert/scenario.ts';
import { NOW, platformOf } from '../forms/harness.ts';
import { kindOf, planOn, read, settledOn } from './planned.ts';

const CREATE = { kind: 'alert.create', amount: 500, enabled: true } as const;
const REPLACE = { kind: 'alert.replace', amount: 750.5, enabled: true } as const;
const OFF = { ...REPLACE, amount: 400, enabled: false };
const DELETE = { kind: 'alert.delete' } as const;

const DAY = 86_400_000;
/** The account has an alert of $400.00, which is on. */
const alert = (more: Partial<Alert> = {}) => ({ alert: { created: 1, lastModified: 1, ...more } });
const NONE = {};

describe('the plan of an alert', () => {
  it('never rounds an amount, however small', async () => {
    const { now } = await planOn(alert({ amount: new BigNumber('0.30000000000000004') }), REPLACE);

    expect(read(now)[0]).toBe('Amount: $0.30000000000000004');
    expect(kindOf(OFF).title({ ...OFF, amount: 1_234_567 })).toBe(
      'Set the spend alert to $1,234,567.00, switched off',
    );
  });
});

describe('saving an alert that has fired', () => {
  it('last month has no such consequence: it is armed already', async () => {
    const { plan } = await planOn(alert({ lastTriggered: NOW - 25 * DAY }), REPLACE);

    expect(plan.consequences).toHaveLength(1);
  });
});

const UNREAD =
  'What this month has cost so far could not be read: if it comes to the amount, the alert fires at the next check.';
const IN_PART =
  'Not all that this month has cost so far could be counted: if it comes to the amount, the alert fires at the next check.';
const reached = (total: string) => `This month is already at ${total}: it fires at the next check.`;
const cost = (total: number, currency = 'USD') => charges({ org: 'acme', total, currency });

/** The further consequences of an alert of 500. */
function further(spend: Charges | Error, currency = 'USD', enabled = true) {
  const kind = createKinds(currency, memoryIdentities())(CREATE);
  return kind.consequences(platformOf({ spend }), undefined, { ...CREATE, enabled }, NOW);
}

describe('the spend of this month, for an alert of 500', () => {
  test.each([
    ['less', cost(499.99), ['This month is at $499.99 so far, about $500 by 30 November.']],
    ['as much', cost(500), [reached('$500.00')]],
    ['more', cost(4604.1), [reached('$4,604.10')]],
    ['more, and some rows cannot be read', { ...cost(600), skipped: 2 }, [reached('$600.00')]],
    ['less, and some rows cannot be read', { ...cost(400), skipped: 2 }, [IN_PART]],
    ['more in another currency', cost(600, 'EUR'), [IN_PART]],
    ['unknown', new PlatformError('timeout', 'no answer'), [UNREAD]],
  ] as const)('%s', async (_, spend, sentences) => {
    expect(await further(spend)).toEqual(sentences);
  });

  test('is in the account’s currency', async () => {
    expect(await further(cost(650, 'JPY'), 'JPY')).toEqual([reached('¥650')]);
  });

  test('is counted without losing digits', async () => {
    const spend = charges({ org: 'acme', total: 0.1 }, { org: 'b', total: 499.9 });

    expect(await further(spend)).toEqual([reached('$500.00')]);
  });

  test('does not matter to an alert that is off', async () => {
    expect(await further(cost(600), 'USD', false)).toEqual([]);
  });

  test('does not hide a defect of our own', async () => {
    await expect(further(new TypeError('a mistake'))).rejects.toThrow('a mistake');
  });
});

/** The consequences about the projection, which is $465.00, of a change of an alert. */
async function paceLines(
  was: Partial<Alert>,
  input: typeof CREATE | typeof DELETE | (Omit<typeof REPLACE, 'amount'> & { amount: number }),
  spend?: Charges | Error,
): Promise<readonly string[]> {
  const kind = kindOf(input);
  const platform = platformOf({ alert: was, ...(spend && { spend }) });
  const state = await kind.read(platform, input);
  const lines = await kind.consequences(platform, state, input, NOW);
  return lines.filter((line) => line.includes('projected'));
}

describe('the alert that this month is projected to reach', () => {
  const amount = (value: number) => ({ amount: new BigNumber(value) });
  const setTo = (value: number) => ({ ...REPLACE, amount: value });
  const unheard =
    '⚠ This month is projected to reach the $400.00 alert about 26 November, and no one is e-mailed then.';

  test.each([
    [
      'is raised out of reach',
      amount(400),
      setTo(500),
      ['⚠ This month is projected to reach the $400.00 alert, not the $500.00 one.'],
    ],
    [
      'is lowered into reach',
      amount(500),
      setTo(400),
      ['This month is projected to reach the $400.00 alert, not the $500.00 one.'],
    ],
    ['is deleted', amount(400), DELETE, [unheard]],
    ['is switched off', amount(400), { ...OFF, enabled: false }, [unheard]],
    ['stays within reach', amount(400), setTo(450), []],
    ['stays out of reach', amount(500), setTo(600), []],
    ['was off', { ...amount(400), enabled: false }, setTo(500), []],
    ['was reached already', amount(300), setTo(500), []],
    ['is out of reach, and deleted', amount(500), DELETE, []],
  ] as const)('%s', async (_, was, input, lines) => {
    expect(await paceLines(was, input as typeof DELETE)).toEqual(lines);
  });

  test('is not known without all of the spend', async () => {
    const part = { ...cost(355), skipped: 1 };

    expect(await paceLines(amount(400), setTo(500), part)).toEqual([]);
    expect(await paceLines(amount(400), DELETE, part)).toEqual([]);
    expect(await paceLines(amount(400), DELETE, new PlatformError('timeout', '-'))).toEqual([]);
  });
});

test('an alert that the platform has already is no typing error', () => {
  const error = new PlatformError('conflict', 'already exists', { status: 409 });

  expect(kindOf(REPLACE).explain(REPLACE, error)).toEqual({
    code: 'conflict',
    sentence: 'The platform has a spend alert already: look at it with /alert, then ask again.',
    again: true,
  });
});

describe('a call without an answer', () => {
  const saved = { lastModified: 2 };
  const asWanted = { amount: new BigNumber(750.5) };
  test.each([
    [CREATE, 'none', NONE, NONE, 'not done'],
    [CREATE, 'one as requested', NONE, alert({ amount: new BigNumber(500) }), 'done'],
    [CREATE, 'another one', NONE, alert(), 'unclear'],
    [REPLACE, 'the new values', alert(), alert({ ...asWanted, ...saved }), 'done'],
    [REPLACE, 'the old values', alert(), alert(), 'not done'],
    [REPLACE, 'other values', alert(), alert({ amount: new BigNumber(1), ...saved }), 'unclear'],
    [REPLACE, 'the old values, saved again', alert(), alert(saved), 'unclear'],
    [REPLACE, 'nothing', alert(), NONE, 'unclear'],
    [REPLACE, 'one that fired', alert(), alert({ ...saved, lastTriggered: 2 }), 'not done'],
    [DELETE, 'none', alert(), NONE, 'done'],
    [DELETE, 'the same one', alert(), alert(), 'not done'],
    [DELETE, 'a later one', alert(), alert({ created: 9 }), 'done'],
  ] as const)('of $kind that finds %s', async (input, _, before, after, kind) => {
    expect(await settledOn(input, before, after)).toEqual({ kind });
  });

  test.each([
    ['saved since', saved, 'done'],
    ['not saved since', {}, 'not done'],
    // Firing writes the record, too.
    ['fired since', { ...saved, lastTriggered: 2 }, 'unclear'],
    ['without a time', { lastModified: undefined }, 'unclear'],
  ])('for an alert with these values before, %s', async (_, more, kind) => {
    const after = alert({ ...asWanted, ...more });

    expect(await settledOn(REPLACE, alert(asWanted), after)).toEqual({ kind });
  });

  test.each([
    [undefined, undefined, 'unclear'],
    [1, 1, 'not done'],
    [1, 2, 'unclear'],
  ])('for an alert of unknown amount, saved at %s and %s', async (before, after, kind) => {
    const [was, is] = [before, after].map((lastModified) =>
      alert({ amount: undefined, enabled: undefined, lastModified }),
    );

    expect(await settledOn(REPLACE, was!, is!)).toEqual({ kind });
  });
});
