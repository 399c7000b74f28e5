import { BigNumber } from 'bignumber.js';
import { beforeEach, expect, test } from 'vitest';
import { formatMoney } from '../../../../src/reporting/amounts.ts';
import { readSpend } from '../../../../src/reporting/spend.ts';
import { startKinds, type Harness } from './kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const CREATE = { kind: 'alert.create', amount: 500, enabled: true } as const;
const REPLACE = { kind: 'alert.replace', amount: 750.5, enabled: false } as const;
const DELETE = { kind: 'alert.delete' } as const;

test('an alert is created, replaced and deleted, each by one call', async () => {
  for (const input of [CREATE, REPLACE, DELETE]) {
    const order = harness.order(input);
    const { plan } = await order.look();

    expect(await order.send()).toEqual({});

    expect((await order.look()).now).toEqual(plan.after);
  }

  expect(await harness.writes()).toMatchObject([
    { method: 'POST', body: { alert: { amount: 500, enabled: true } } },
    { method: 'PUT', body: { alert: { amount: 750.5, enabled: false } } },
    { method: 'DELETE' },
  ]);
  expect(await harness.order(DELETE).send()).toEqual({ ended: 'nothing' });
});

test('a second alert, or the change of none, is refused as the plan says', async () => {
  expect((await harness.order(REPLACE).look()).conflict).toMatchObject({
    ...(await harness.order(REPLACE).refusal()),
  });

  await harness.order(CREATE).send();

  expect((await harness.order(CREATE).look()).conflict).toMatchObject({
    ...(await harness.order(CREATE).refusal()),
  });
});

test('an alert that this month has reached already says so, and fires at the next check', async () => {
  const now = harness.platform.clock.now();
  const { total } = await readSpend(harness.client.charges, 'USD', now);
  const amount = total.dp(2, BigNumber.ROUND_FLOOR).toNumber();
  const order = harness.order({ ...CREATE, amount });
  const further = await order.further();

  await order.send();
  await harness.advance(10 * 60);

  expect(further).toEqual([
    `This month is already at ${formatMoney(total, 'USD')}: it fires at the next check.`,
  ]);
  expect((await harness.mails()).some(({ kind }) => kind === 'spend-alert')).toBe(true);
});

test('a call without an answer is settled by the state of the platform', async () => {
  for (const input of [CREATE, REPLACE, DELETE]) {
    await harness.advance(1);
    expect(await harness.order(input).settled()).toEqual({ kind: 'done' });
  }
});

test.each([
  [
    'saved by another person as it was',
    'unclear',
    () => harness.client.replaceAlert({ amount: 500, enabled: true }),
  ],
  // Firing writes the record, too.
  ['fired since', 'not done', () => harness.control('alert/fire', {})],
])('the time of saving shows that an alert was %s: %s', async (_, kind, between) => {
  await harness.order(CREATE).send();
  const order = harness.order(REPLACE);
  await harness.advance(1);

  expect(await order.settled(between)).toEqual({ kind });
});
