import { BigNumber } from 'bignumber.js';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Plan } from '../../../../../src/changes/kinds/kind.ts';
import { formatMoney } from '../../../../../src/reporting/amounts.ts';
import { readSpend } from '../../../../../src/reporting/spend.ts';
import { read, startKinds, type Harness } from '../kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const CREATE = { kind: 'alert.create', amount: 500, enabled: true } as const;
const REPLACE = { kind: 'alert.replace', amount: 750.5, enabled: true } as const;
const OFF = { ...REPLACE, amount: 500, enabled: false };
const DELETE = { kind: 'alert.delete' } as const;

const set = (amount = 500, enabled = true) => harness.client.createAlert({ amount, enabled });
const put = (amount: number, enabled = true) => harness.client.replaceAlert({ amount, enabled });
const fire = () => harness.control('alert/fire', {});

/** What follows from it as long as nobody changes anything. */
const lasting = ({ consequences, passing = [] }: Plan) =>
  consequences.filter((one) => !passing.includes(one));

describe('an alert where there is none', () => {
  test('is created with both settings, by one call', async () => {
    const order = harness.order(CREATE);
    const { conflict, plan, now } = await order.look();

    const sent = await order.send();

    expect(order.title).toBe('Set the spend alert to $500.00');
    expect({ conflict, before: plan.before, now }).toEqual({
      conflict: undefined,
      before: [],
      now: [],
    });
    expect(read(plan.after)).toEqual(['Amount: $500.00', 'Enabled: yes']);
    expect(lasting(plan)).toEqual([
      'Every billing_admin is e-mailed once in a month in which the spend reaches $500.00.',
    ]);
    expect(sent).toEqual({});
    expect((await order.look()).now).toEqual(plan.after);
    expect((await harness.writes()).map(({ method, body }) => ({ method, body }))).toEqual([
      { method: 'POST', body: { alert: { amount: 500, enabled: true } } },
    ]);
  });

  test('is neither replaced nor deleted', async () => {
    expect((await harness.order(REPLACE).look()).conflict).toBe(
      'There is no spend alert any more: set one with /alert set.',
    );
    expect((await harness.order(DELETE).look()).conflict).toMatch(/nothing is left to delete\.$/);
    expect(await harness.order(REPLACE).refusal()).toMatch(/^There is no spend alert any more/);
  });
});

test('a second alert is refused, before it is sent and after', async () => {
  await set(300);
  const order = harness.order(CREATE);

  expect((await order.look()).conflict).toBe(
    'There is a spend alert already: replace it with /alert set.',
  );
  expect(await order.refusal()).toBe((await order.look()).conflict);
});

describe('replacing an alert', () => {
  test('shows both settings before and after, and sends both', async () => {
    await set();
    const order = harness.order(REPLACE);
    const { plan } = await order.look();

    await order.send();

    expect(read(plan.before)).toEqual(['Amount: $500.00', 'Enabled: yes']);
    expect(read(plan.after)).toEqual(['Amount: $750.50', 'Enabled: yes']);
    expect((await order.look()).now).toEqual(plan.after);
    expect((await harness.writes()).at(-1)).toMatchObject({
      method: 'PUT',
      body: { alert: { amount: 750.5, enabled: true } },
    });
  });

  test('with an alert that fired meanwhile is another plan, which says that it is armed again', async () => {
    await set();
    const order = harness.order(REPLACE);
    const armed = lasting((await order.look()).plan);
    await fire();

    const fired = lasting((await order.look()).plan);

    expect(armed).toHaveLength(1);
    expect(fired).toEqual([
      ...armed,
      'The alert fired on 15 October, and saving it arms it again, so every billing_admin can be e-mailed a second time this month.',
    ]);
  });

  test('that fired last month is armed already', async () => {
    await set();
    await fire();
    await harness.advance(17 * 86_400);

    expect(lasting((await harness.order(REPLACE).look()).plan)).toHaveLength(1);
  });

  test('with itself is said, and so is that nobody is warned by one that is off', async () => {
    await set();
    const off = await harness.order(OFF).look();
    await harness.order(OFF).send();

    expect(harness.order(OFF).title).toBe('Set the spend alert to $500.00, switched off');
    expect(off.plan.consequences).toEqual([
      'The alert is switched off, so nobody is warned when the spend reaches the amount.',
    ]);
    expect((await harness.order(OFF).look()).plan.consequences).toEqual([
      'The amount and the switch stay as they are.',
    ]);
    expect((await harness.order({ ...OFF, amount: 9 }).look()).plan.consequences).toEqual([
      'The alert stays off, so nobody is warned when the spend reaches the amount.',
    ]);
  });

  test('that says nothing of itself is possible, and so is deleting it', async () => {
    const silent = (created?: string) =>
      harness.fault({
        method: 'GET',
        path: '/alert',
        body: { amount: null, lastModified: created },
      });
    await silent();
    const [replace, remove] = [harness.order(REPLACE), harness.order(DELETE)];

    const plans = [(await replace.look()).plan, (await remove.look()).plan];
    const settled = [await replace.settled(), await remove.settled()];
    await silent('2026-10-15T12:00:00Z');
    settled.push(await replace.settled());
    settled.push(await replace.settled(() => silent('2026-10-15T12:00:01Z')));

    for (const { before } of plans) {
      expect(read(before)).toEqual(['Amount: not said', 'Enabled: not said']);
    }
    expect((await replace.look()).conflict).toBeUndefined();
    expect((await remove.look()).conflict).toBeUndefined();
    expect(settled.map(({ kind }) => kind)).toEqual(['unclear', 'not done', 'not done', 'unclear']);
  });

  test('never rounds an amount, however small', async () => {
    await set(0.1 + 0.2);

    const { now } = await harness.order(REPLACE).look();

    expect(read(now)[0]).toBe('Amount: $0.30000000000000004');
    expect(harness.order({ ...REPLACE, amount: 1_234_567 }).title).toBe(
      'Set the spend alert to $1,234,567.00',
    );
  });
});

test('deleting an alert leaves none', async () => {
  await set();
  const order = harness.order(DELETE);
  const { plan } = await order.look();

  const [sent, again] = [await order.send(), await order.send()];

  expect(read(plan.before)).toEqual(['Amount: $500.00', 'Enabled: yes']);
  expect(plan.after).toEqual([]);
  expect(sent).toEqual({});
  expect(again.note).toBe('The alert was gone already when it was to be deleted.');
  expect((await order.look()).now).toEqual([]);
});

describe('an alert that meets what this month has cost', () => {
  const ALREADY = /^This month is already at (\$[\d,]+\.\d\d): it fires at the next check\.$/;
  const spent = async () => {
    const now = harness.platform.clock.now();
    return (await readSpend(harness.client.charges, 'USD', now)).total;
  };
  const fired = async () => {
    await harness.advance(10 * 60);
    return (await harness.mails()).some(({ kind }) => kind === 'spend-alert');
  };

  test.each(['alert.create', 'alert.replace'] as const)(
    'says so before %s, and fires at the next check',
    async (kind) => {
      const total = await spent();
      if (kind === 'alert.replace') await set(total.times(9).toNumber());
      const amount = total.dp(2, BigNumber.ROUND_FLOOR).toNumber();
      const order = harness.order({ kind, amount, enabled: true });
      const { plan } = await order.look();

      await order.send();

      expect(plan.consequences.at(-1)).toMatch(ALREADY);
      expect(ALREADY.exec(plan.consequences.at(-1) ?? '')?.[1]).toBe(formatMoney(total, 'USD'));
      expect(await fired()).toBe(true);
    },
  );

  test('says nothing of it where it is switched off', async () => {
    await set();

    expect((await harness.order({ ...OFF, amount: 1 }).look()).plan).not.toHaveProperty('passing');
  });
});

describe('when the answer is lost', () => {
  const nothing = async () => undefined;

  test.each([
    ['created', 'done', () => harness.losing(harness.order(CREATE).send)],
    ['not there', 'not done', nothing],
    ['another one', 'unclear', () => set(300)],
  ])('an alert that is %s is %s', async (_what, kind, between) => {
    expect(await harness.order(CREATE).settled(between)).toEqual({ kind });
  });

  test.each([
    ['has the new values', 'done', () => harness.losing(harness.order(REPLACE).send)],
    ['has the old values', 'not done', nothing],
    ['has those of somebody else', 'unclear', () => put(1)],
    ['was saved by somebody else as it was', 'unclear', () => put(500)],
    ['is gone', 'unclear', () => harness.client.removeAlert()],
    ['has fired with the old values', 'not done', fire],
  ])('a replaced alert that %s is %s', async (_what, kind, between) => {
    await set();
    const order = harness.order(REPLACE);

    const settled = await order.settled(async () => {
      await harness.advance(1);
      await between();
    });

    expect(settled).toEqual({ kind });
  });

  test.each([
    ['saved since', 'done', () => put(750.5)],
    ['not saved since', 'not done', nothing],
    // Firing writes the record, too.
    ['fired since', 'unclear', fire],
    [
      'without a time',
      'unclear',
      () =>
        harness.fault({ method: 'GET', path: '/alert', body: { amount: 750.5, enabled: true } }),
    ],
  ])('an alert that had the values before, %s, is %s', async (_what, kind, between) => {
    await set(750.5);

    const settled = await harness.order(REPLACE).settled(async () => {
      await harness.advance(1);
      await between();
    });

    expect(settled).toEqual({ kind });
  });

  test.each([
    ['gone', 'done', () => harness.losing(harness.order(DELETE).send)],
    ['still there', 'not done', nothing],
    [
      'another one by now',
      'done',
      async () => {
        await harness.client.removeAlert();
        await set(9);
      },
    ],
  ])('a deleted alert that is %s is %s', async (_what, kind, between) => {
    await set();

    const settled = await harness.order(DELETE).settled(async () => {
      await harness.advance(1);
      await between();
    });

    expect(settled).toEqual({ kind });
  });
});
