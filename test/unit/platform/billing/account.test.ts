import { describe, expect, test } from 'vitest';
import type { Account } from '../../../../src/platform/billing/account.ts';
import { answering, createRecords, failureOf } from './support.ts';

const VISA = { brand: 'visa', last4: '4242' };
const AMEX = { brand: 'amex', last4: '0005' };
const NUMBER_LOOKALIKE = { _isBigNumber: true, s: 1, e: 0, c: [5] };

describe('the account', () => {
  test.each<[name: keyof Account, said: unknown, read: unknown]>([
    ['address', '1 Main St', ['1 Main St']],
    ['address', { street: '1 Main St', city: 'Springfield' }, ['1 Main St', 'Springfield']],
    ['address', ['1 Main St', 'Apt 2'], ['1 Main St', 'Apt 2']],
    ['address', { lines: ['1 Main St'], code: 62704, verified: true }, ['1 Main St', '62704']],
    ['address', true, []],
    ['paymentMethods', VISA, [VISA]],
    ['paymentMethods', { data: [VISA], hasMore: false }, [VISA]],
    ['paymentMethods', { data: [] }, []],
    ['paymentMethods', { pm1: VISA, pm2: { card: AMEX } }, [VISA, AMEX]],
    [
      'paymentMethods',
      [VISA, { card: { last4: '1881' } }, null, 'cash'],
      [VISA, { brand: '', last4: '1881' }],
    ],
    ['paymentMethods', [{ brand: 'visa', last4: 42 }], [{ brand: 'visa', last4: '0042' }]],
    ['paymentMethods', [{ brand: 'visa', last4: 4242.5 }], [{ brand: 'visa', last4: '' }]],
    ['paymentMethods', [], []],
    ['paymentMethods', null, []],
    ['paymentMethods', {}, undefined],
    ['paymentMethods', 'card', undefined],
    ['paymentMethods', ['visa 4242'], undefined],
    ['paymentMethods', undefined, undefined],
    ['tou', { accepted: true, at: '2026-01-01T00:00:00Z' }, true],
    ['tou', { accepted: false }, false],
    ['tou', { accepted: 'yes' }, undefined],
    ['tou', {}, undefined],
    ['tou', '2026-01-01T00:00:00Z', undefined],
    ['orgQuota', '10', 10],
    ['orgQuota', 10, 10],
    ['orgQuota', 'ten', undefined],
    ['orgQuota', '-1', undefined],
    ['orgQuota', NUMBER_LOOKALIKE, undefined],
  ])('has a member %s that reads %j', async (name, said, read) => {
    expect((await answering({ id: 'a1', [name]: said }).getAccount()).value[name]).toEqual(read);
  });

  test.each([[{}], [true], [{ amount: '100 USD' }], [{ amount: -1 }], ['soon']])(
    'has an alert that reads %j: it is not "no alert", and costs nothing else',
    async (said) => {
      const { value } = await answering({ id: 'a1', fullName: 'Ada', alert: said }).getAccount();

      expect(value).toMatchObject({ id: 'a1', fullName: 'Ada', alert: { amount: undefined } });
    },
  );

  test('has an alert that may lie one member deeper, or not be there', async () => {
    const { value } = await answering({
      items: [
        { id: 'a1', alert: { alert: { amount: 100, enabled: true } } },
        { id: 'a2', alert: null },
      ],
    }).listAccounts();

    expect(value.items.map(({ alert }) => alert?.enabled)).toEqual([true, undefined]);
    expect(value.items[1]?.alert).toBeUndefined();
  });

  test.each([[{ items: [{ id: 'a1' }] }], [[{ id: 'a1' }]], [{ account: { id: 'a1' } }]])(
    'that pays for an org is read from %j',
    async (document) => {
      expect((await answering(document).getPayerOf('acme')).value.id).toBe('a1');
    },
  );
});

describe('the alert', () => {
  const LAST = '2026-11-05T06:20:00Z';
  const LAST_MS = Date.parse(LAST);
  const BEFORE = '2026-10-05T06:20:00Z';
  const HAS_FIRED = { hasFired: true };

  test.each<[document: unknown, read: readonly unknown[] | undefined]>([
    [{ alert: { amount: 250.75, enabled: true } }, [250.75, true]],
    [{ items: [{ amount: '250.75', enabled: true }] }, [250.75, true]],
    [[{ alert: { amount: 250.75, enabled: true } }], [250.75, true]],
    [{ amount: 1 }, [1, false]],
    [{ amount: 1, enabled: 'yes' }, [1, undefined]],
    [[], undefined],
    [null, undefined],
    [{ alert: null }, undefined],
  ])('may read %j', async (document, read) => {
    const { value } = await answering(document).getAlert();

    expect(value && [value.amount?.toNumber(), value.enabled]).toEqual(read);
  });

  test.each([{}, { amount: '$250' }, { amount: -1 }, { amount: null }, { alert: {} }])(
    'that reads %j exists, can be removed, and has no values',
    async (document) => {
      const { value } = await answering(document).getAlert();

      expect(value).toMatchObject({ amount: undefined, enabled: undefined });
      expect(await answering(document).removeAlert()).toEqual({ removed: true });
    },
  );

  test.each<[said: object, read: object]>([
    [
      { lastTriggered: LAST, alertedTimes: 3 },
      { lastTriggered: LAST_MS, alertedTimes: 3 },
    ],
    [
      { lastTriggered: LAST, alertedTimes: '3' },
      { lastTriggered: LAST_MS, alertedTimes: 3 },
    ],
    [{ lastTriggered: LAST_MS }, { lastTriggered: LAST_MS }],
    [{ lastTriggered: String(LAST_MS) }, { lastTriggered: LAST_MS }],
    [{ lastTriggered: [BEFORE, LAST] }, { lastTriggered: LAST_MS }],
    [{ alertedTimes: LAST }, { lastTriggered: LAST_MS }],
    [{ alertedTimes: LAST_MS }, { lastTriggered: LAST_MS }],
    [{ alertedTimes: [LAST, BEFORE] }, { lastTriggered: LAST_MS, alertedTimes: 2 }],
    [{ alertedTimes: [LAST_MS, 'soon', null] }, { lastTriggered: LAST_MS, alertedTimes: 3 }],
    [
      { lastTriggered: BEFORE, alertedTimes: [BEFORE, LAST] },
      { lastTriggered: Date.parse(BEFORE), alertedTimes: 2 },
    ],
    [
      { lastTriggered: 'yesterday', alertedTimes: [LAST] },
      { lastTriggered: LAST_MS, alertedTimes: 1 },
    ],
    // It has fired, and when is unknown.
    [{ lastTriggered: 'yesterday' }, HAS_FIRED],
    [{ lastTriggered: LAST_MS / 1000 }, HAS_FIRED],
    [{ lastTriggered: LAST_MS * 1000 }, HAS_FIRED],
    [{ lastTriggered: LAST_MS + 0.5 }, HAS_FIRED],
    [{ lastTriggered: { at: LAST } }, HAS_FIRED],
    [{ lastTriggered: true }, HAS_FIRED],
    [{ alertedTimes: 'often' }, HAS_FIRED],
    [{ alertedTimes: 1.5 }, HAS_FIRED],
    [{ alertedTimes: {} }, HAS_FIRED],
    [
      { lastTriggered: 'yesterday', alertedTimes: 0 },
      { alertedTimes: 0, hasFired: true },
    ],
    // It has not.
    [{}, {}],
    [{ lastTriggered: null, alertedTimes: null }, {}],
    [{ lastTriggered: 0, alertedTimes: 0 }, { alertedTimes: 0 }],
    [{ lastTriggered: '', alertedTimes: '0' }, { alertedTimes: 0 }],
    [{ lastTriggered: [], alertedTimes: [] }, { alertedTimes: 0 }],
    [{ lastTriggered: false }, {}],
  ])('reads %j: whether, when and how often it has fired', async (said, read) => {
    const { value } = await answering({ amount: 5, ...said }).getAlert();

    const { lastTriggered, alertedTimes, hasFired } = value ?? {};
    expect({ lastTriggered, alertedTimes, hasFired }).toEqual(read);
  });

  const ALERT = JSON.stringify({ kind: 'alert', amount: 250.75 });

  test('is gone when a 500 answers its removal and it can no longer be read', async () => {
    let isThere = true;
    const records = createRecords(({ method }) => {
      if (method === 'GET') return isThere ? { text: ALERT } : { status: 404 };
      isThere = false;
      return { status: 500 };
    });

    expect(await records.removeAlert()).toEqual({ removed: true });
  });

  test.each([200, 401])(
    'may still be there when a 500 answers its removal and then its reading %i',
    async (status) => {
      let reads = 0;
      const records = createRecords(({ method }) => {
        if (method === 'DELETE') return { status: 500 };
        reads += 1;
        return { text: ALERT, status: reads === 1 ? 200 : status };
      });

      expect((await failureOf(records.removeAlert())).status).toBe(500);
    },
  );
});
