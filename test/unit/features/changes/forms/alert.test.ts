import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { fieldOf, formHouse, labelsOf, startOf, wordsOf } from './house.ts';

describe('The form that sets the spend alert', () => {
  it('starts anew, enabled, where there is none, and asks for one', async () => {
    const house = formHouse();

    const form = await house.open('alert.set', { amount: '500' });

    expect(labelsOf(form)).toEqual(['Amount', 'Enabled']);
    expect(startOf(form, 'Amount')).toBe('500');
    expect(startOf(form, 'Enabled')).toEqual(['The alert is on']);
    expect(wordsOf(form)).toContain('There is no spend alert yet.');
    expect(wordsOf(form)).not.toContain('Replacing');
    await house.submit('alert.set', form);
    expect(house.orders).toEqual([{ kind: 'alert.create', amount: 500, enabled: true }]);
  });

  it('starts with what is there, and says that replacing arms it again', async () => {
    const house = formHouse({
      alert: {
        amount: new BigNumber('99.5'),
        enabled: false,
        lastTriggered: Date.UTC(2026, 10, 5, 12, 30),
      },
    });

    const form = await house.open('alert.set');

    expect(startOf(form, 'Amount')).toBe('99.5');
    expect(startOf(form, 'Enabled')).toBeUndefined();
    expect(wordsOf(form)).toContain(
      'The spend alert is 99.50 USD, off. It last fired on 2026-11-05 at 12:30 UTC.',
    );
    expect(wordsOf(form)).toContain('Replacing sets both values, and arms an alert again');
    await house.submit('alert.set', form, { Amount: '120.25', Enabled: ['The alert is on'] });
    expect(house.orders).toEqual([{ kind: 'alert.replace', amount: 120.25, enabled: true }]);
  });

  it('takes the amount that was typed with the command, if it is one', async () => {
    const house = formHouse({ alert: {} });

    expect(startOf(await house.open('alert.set', { amount: '750' }), 'Amount')).toBe('750');
    expect(startOf(await house.open('alert.set', { amount: '-1' }), 'Amount')).toBe('400');
    expect(startOf(await house.open('alert.set', { amount: 'lots' }), 'Amount')).toBe('400');
  });

  it.each([
    ['0', 0],
    [' 500 ', 500],
    ['0.005', 0.005],
    ['.5', 0.5],
    ['12.', 12],
    ['123456789012.34', 123456789012.34],
  ])('takes %j as an amount', async (text, amount) => {
    const order = await formHouse().order('alert.set', {}, { Amount: text });

    expect(order).toEqual({ kind: 'alert.create', amount, enabled: true });
  });

  it.each(['', '-1', '1,000', '1e3', 'NaN', 'Infinity', '0x10', '--', '<!channel>', '½'])(
    'says under the field that %j is no amount',
    async (text) => {
      const house = formHouse();

      const { errors } = await house.submit('alert.set', await house.open('alert.set'), {
        Amount: text,
      });

      expect(errors).toEqual({ Amount: 'Type a number of 0 or more, such as 500 or 99.5.' });
      expect(house.orders).toEqual([]);
    },
  );

  it.each(['9007199254740993', '0.12345678901234567890123', '9'.repeat(400)])(
    'sends no other amount than the one that was typed: %s',
    async (text) => {
      const house = formHouse();

      const { errors } = await house.submit('alert.set', await house.open('alert.set'), {
        Amount: text,
      });

      expect(errors).toEqual({
        Amount: 'These are more digits than can be sent exactly: type a shorter number.',
      });
    },
  );
});

describe('The form that switches the spend alert off', () => {
  it('keeps the amount and has the box empty', async () => {
    const house = formHouse({ alert: {} });

    const form = await house.open('alert.off');

    expect(startOf(form, 'Amount')).toBe('400');
    expect(startOf(form, 'Enabled')).toBeUndefined();
    expect(fieldOf(form, 'Enabled').optional).toBe(true);
    await house.submit('alert.off', form);
    expect(house.orders).toEqual([{ kind: 'alert.replace', amount: 400, enabled: false }]);
  });
});

describe('A spend alert that is off', () => {
  const off = (lastTriggered: number | undefined) =>
    formHouse({ alert: { enabled: false, lastTriggered } }).open('alert.off');

  it.each([undefined, Date.UTC(2026, 9, 31, 23, 59), Date.UTC(2025, 10, 5)])(
    'is not switched off again when it fired last at %j',
    async (lastTriggered) => {
      await expect(off(lastTriggered)).rejects.toThrow(
        'The spend alert is off already: /alert shows it.',
      );
    },
  );

  it('can be armed again when it fired this month', async () => {
    expect(labelsOf(await off(Date.UTC(2026, 10, 1)))).toEqual(['Amount', 'Enabled']);
  });

  it('may be one of which the platform does not say so', async () => {
    const house = formHouse({ alert: { enabled: undefined } });

    expect(labelsOf(await house.open('alert.off'))).toEqual(['Amount', 'Enabled']);
  });
});

describe('The amount of a spend alert', () => {
  it.each([
    ['1000.555', 'USD', '1,000.555 USD'],
    ['1000', 'JPY', '1,000 JPY'],
  ])('%s is never rounded, and is said as on the card', async (amount, currency, said) => {
    const house = formHouse({ alert: { amount: new BigNumber(amount) } }, { currency });

    expect(wordsOf(await house.open('alert.delete'))).toContain(`The spend alert is ${said},`);
  });
});

describe('The form that deletes the spend alert', () => {
  it('has no field, and says what is there', async () => {
    const house = formHouse({ alert: {} });

    const form = await house.open('alert.delete');

    expect(labelsOf(form)).toEqual([]);
    expect(wordsOf(form)).toContain('The spend alert is 400.00 USD, enabled.');
    await house.submit('alert.delete', form);
    expect(house.orders).toEqual([{ kind: 'alert.delete' }]);
  });
});

describe('Without a spend alert', () => {
  it.each(['alert.off', 'alert.delete'] as const)('%s says how to ask for one', async (name) => {
    await expect(formHouse().open(name)).rejects.toThrow(
      'There is no spend alert on the account: /alert set AMOUNT asks for one.',
    );
  });
});
