import { describe, expect, test } from 'vitest';

import { answering, createRecords, failureOf } from './billing-context.ts';

describe('the alert', () => {
  const alert = JSON.stringify({ kind: 'alert', amount: 250.75 });

  test('is off when it does not say that it is on', async () => {
    const { value } = await createRecords(() => ({ text: alert })).getAlert();

    expect(value).toMatchObject({ enabled: false, lastTriggered: undefined });
    expect(value?.amount?.toNumber()).toBe(250.75);
  });

  test.each([
    { alert: { amount: 250.75, enabled: true } },
    { items: [{ amount: '250.75', enabled: true }] },
    [{ alert: { amount: 250.75, enabled: true } }],
  ])('may be wrapped as %j', async (document) => {
    const { value } = await answering(document).getAlert();

    expect([value?.amount?.toNumber(), value?.enabled]).toEqual([250.75, true]);
  });

  test.each([{}, { amount: '$250' }, { amount: -1 }, { amount: null }, { alert: {} }])(
    'that reads %j is there, can be removed, and says nothing',
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

  test.each([[[]], [null], [{ alert: null }]])(
    'is not there where it reads %j',
    async (document) => {
      expect((await answering(document).getAlert()).value).toBeUndefined();
    },
  );

  test.each(['soon', 5, true])('cannot be %j', async (document) => {
    expect((await failureOf(answering(document).getAlert())).reason).toBe('malformed');
  });

  test.each(['{"alert":{}}', 'OK', '<h1>Done</h1>', ''])(
    'is set whatever is said to it: %j',
    async (text) => {
      const records = createRecords(() => ({ text }));

      await records.createAlert({ amount: 5, enabled: true });
      await records.replaceAlert({ amount: 6, enabled: false });

      expect(records.sent.map(({ method }) => method)).toEqual(['POST', 'PUT']);
    },
  );

  test('is not removed twice: where none is there, no DELETE is sent', async () => {
    const records = createRecords(() => ({ status: 404 }));

    expect(await records.removeAlert()).toEqual({ removed: false });
    expect(records.sent.map(({ method }) => method)).toEqual(['GET']);
  });

  test('is gone when a 500 answers its removal and it cannot be read any more', async () => {
    let isThere = true;
    const records = createRecords(({ method }) => {
      if (method === 'GET') return isThere ? { text: alert } : { status: 404 };
      isThere = false;
      return { status: 500 };
    });

    expect(await records.removeAlert()).toEqual({ removed: true });
  });

  test('is still there when a 500 answers its removal and it can be read', async () => {
    const records = createRecords(({ method }) =>
      method === 'GET' ? { text: alert } : { status: 500 },
    );

    expect((await failureOf(records.removeAlert())).status).toBe(500);
  });
});
