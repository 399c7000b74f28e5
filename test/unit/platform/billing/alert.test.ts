import { describe, expect, test } from 'vitest';
import { answering, createRecords, failureOf } from './support.ts';

describe('the alert', () => {
  const alert = JSON.stringify({ kind: 'alert', amount: 250.75 });

  test.each([
    { alert: { amount: 250.75, enabled: true } },
    { items: [{ amount: '250.75', enabled: true }] },
    [{ alert: { amount: 250.75, enabled: true } }],
  ])('may be wrapped as %j', async (document) => {
    const { value } = await answering(document).getAlert();

    expect([value?.amount?.toNumber(), value?.enabled]).toEqual([250.75, true]);
  });

  test.each([{}, { amount: '$250' }, { amount: -1 }, { amount: null }, { alert: {} }])(
    'that reads %j exists, can be removed, and has no values',
    async (document) => {
      const { value } = await answering(document).getAlert();

      expect(value).toMatchObject({ amount: undefined, enabled: undefined });
      expect(await answering(document).removeAlert()).toEqual({ removed: true });
    },
  );

  test('that has a switch of another kind is neither on nor off', async () => {
    const { value } = await answering({ amount: 1, enabled: 'yes' }).getAlert();

    expect(value?.enabled).toBeUndefined();
  });

  const LAST = '2026-11-05T06:20:00Z';
  const LAST_MS = Date.parse(LAST);
  const BEFORE = '2026-10-05T06:20:00Z';

  test.each<[said: object, lastTriggered: number, alertedTimes: number | undefined]>([
    [{ lastTriggered: LAST, alertedTimes: 3 }, LAST_MS, 3],
    [{ lastTriggered: LAST_MS }, LAST_MS, undefined],
    [{ lastTriggered: String(LAST_MS) }, LAST_MS, undefined],
    [{ lastTriggered: [BEFORE, LAST] }, LAST_MS, undefined],
    [{ alertedTimes: LAST }, LAST_MS, undefined],
    [{ alertedTimes: LAST_MS }, LAST_MS, undefined],
    [{ alertedTimes: [LAST, BEFORE] }, LAST_MS, 2],
    [{ alertedTimes: [LAST_MS, 'soon', null] }, LAST_MS, 3],
    [{ lastTriggered: BEFORE, alertedTimes: [BEFORE, LAST] }, Date.parse(BEFORE), 2],
    [{ lastTriggered: 'yesterday', alertedTimes: [LAST] }, LAST_MS, 1],
  ])('that reads %j has fired, and when is known', async (said, lastTriggered, alertedTimes) => {
    const { value } = await answering({ amount: 5, ...said }).getAlert();

    expect(value).toMatchObject({ lastTriggered, alertedTimes });
    expect(value?.hasFired).toBeUndefined();
  });

  test.each([
    { lastTriggered: 'yesterday' },
    { lastTriggered: 'yesterday', alertedTimes: 0 },
    { lastTriggered: LAST_MS / 1000 },
    { lastTriggered: LAST_MS * 1000 },
    { lastTriggered: LAST_MS + 0.5 },
    { lastTriggered: { at: LAST } },
    { lastTriggered: true },
    { alertedTimes: 'often' },
    { alertedTimes: 1.5 },
    { alertedTimes: {} },
  ])('that reads %j has fired, no one says when', async (said) => {
    const { value } = await answering({ amount: 5, ...said }).getAlert();

    expect(value).toMatchObject({ lastTriggered: undefined, hasFired: true });
  });

  test.each([
    {},
    { lastTriggered: null, alertedTimes: null },
    { lastTriggered: 0, alertedTimes: 0 },
    { lastTriggered: '', alertedTimes: '0' },
    { lastTriggered: [], alertedTimes: [] },
    { lastTriggered: false },
  ])('that reads %j has not fired', async (said) => {
    const { value } = await answering({ amount: 5, ...said }).getAlert();

    expect(value?.lastTriggered).toBeUndefined();
    expect([0, undefined]).toContain(value?.alertedTimes);
    expect(value).not.toHaveProperty('hasFired');
  });

  test.each([[[]], [null], [{ alert: null }]])(
    'is not there where it reads %j',
    async (document) => {
      expect((await answering(document).getAlert()).value).toBeUndefined();
    },
  );

  test.each(['soon', 5, true])('cannot be %j', async (document) => {
    expect((await failureOf(answering(document).getAlert())).reason).toBe('malformed');
  });

  test('is gone when a 500 answers its removal and it can no longer be read', async () => {
    let isThere = true;
    const records = createRecords(({ method }) => {
      if (method === 'GET') return isThere ? { text: alert } : { status: 404 };
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
        return { text: alert, status: reads === 1 ? 200 : status };
      });

      expect((await failureOf(records.removeAlert())).status).toBe(500);
    },
  );
});
