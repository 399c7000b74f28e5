import { BigNumber } from 'bignumber.js';
import { describe, expect, it, vi } from 'vitest';
import { charges } from '../../features/alert/scenario.ts';
import {
  formHarness,
  labelsOf,
  startOf,
  UNSAID,
  wordsOf,
  type PlatformData,
} from '../forms/harness.ts';

describe('The form that sets the spend alert', () => {
  it('does not ask about the amount that it shows itself', async () => {
    const harness = formHarness();
    const form = await harness.open('alert.set', { amount: '1.234' });

    expect(JSON.stringify(form)).toContain('"initial_value":"1.2340"');
    expect(await formHarness().order('alert.set', {}, { Amount: '1.2340' })).toMatchObject({
      amount: 1.234,
    });
  });

  it.each([
    ['0', 0],
    [' 500 ', 500],
    ['0.005', 0.005],
    ['.5', 0.5],
    ['12.', 12],
    ['123456789012.34', 123456789012.34],
  ])('takes %j as an amount', async (text, amount) => {
    const order = await formHarness().order('alert.set', {}, { Amount: text });

    expect(order).toEqual({ kind: 'alert.create', amount, enabled: true });
  });

  it.each(['', '-1', '1,000', '1e3', 'NaN', 'Infinity', '0x10', '--', '<!channel>', '½'])(
    'says under the field that %j is no amount',
    async (text) => {
      const harness = formHarness();

      const { errors } = await harness.submit('alert.set', await harness.open('alert.set'), {
        Amount: text,
      });

      expect(errors).toEqual({ Amount: 'Type a number of 0 or more, such as 500 or 99.5.' });
      expect(harness.orders).toEqual([]);
    },
  );

  it.each(['9007199254740993', '0.12345678901234567890123', '9'.repeat(400)])(
    'sends no other amount than the one that was typed: %s',
    async (text) => {
      const harness = formHarness();

      const { errors } = await harness.submit('alert.set', await harness.open('alert.set'), {
        Amount: text,
      });

      expect(errors).toEqual({
        Amount: 'These are more digits than can be sent exactly: type a shorter number.',
      });
    },
  );
});

describe('The form that sets the spend alert, where this month costs something', () => {
  const openedAt = (projected: number) =>
    formHarness({ spend: charges({ org: 'acme', total: 0.5, projected }) }).open('alert.set');

  it.each([
    ['is not at the amount yet', {}, { amount: '355.01' }, undefined],
    [
      'is above the amount of an alert that is off',
      { enabled: false },
      { amount: '300' },
      undefined,
    ],
    ['is not known', {}, { amount: '300' }, UNSAID],
  ])('omits that where the spend %s', async (_, alert, given, spend) => {
    const harness = formHarness({ alert, ...(spend && { spend }) });

    expect(wordsOf(await harness.open('alert.set', given))).not.toContain(
      'fires at the next check',
    );
  });

  it.each([
    [465, '520'],
    [4604.1, '5100'],
    [90.9, '100'],
    [91, '110'],
    [5, '5.5'],
    [0.5, '1'],
    [0, '1'],
    [123456789.87, '140000000'],
  ])('a projection of %d proposes 110%%, rounded up to %s', async (projected, amount) => {
    const form = await openedAt(projected);

    expect(startOf(form, 'Amount')).toBe(amount);
    expect(wordsOf(form)).toContain('The amount below is 110% of the projection, rounded up.');
  });

  const rowsLeftOut = { ...charges({ org: 'acme', total: 80 }), skipped: 1 };
  const itemsUnread = { ...charges({ org: 'acme', total: 80 }), mayBeTooLow: true };
  const otherCurrency = charges({ org: 'acme', total: 80, currency: 'EUR' });
  it.each([
    ['cannot be read', UNSAID, 'What this month has cost so far could not be read.'],
    ['is in another currency', otherCurrency, '$0.00 so far'],
    [
      'can be read in part',
      rowsLeftOut,
      ', about $80 by 30 November, as far as it could be counted.',
    ],
    [
      'may be too low for want of the chargeable items',
      itemsUnread,
      ', about $80 by 30 November, as far as it could be counted.',
    ],
  ] as const)('proposes nothing where that %s, and says so', async (_, spend, words) => {
    const form = await formHarness({ spend }).open('alert.set');

    expect(startOf(form, 'Amount')).toBeUndefined();
    expect(wordsOf(form)).toContain(words);
    expect(wordsOf(form)).not.toContain('110%');
  });

  it('does not wait for it for long', async () => {
    vi.useFakeTimers();
    try {
      const opening = formHarness({ alert: {}, spend: 'silence' }).open('alert.set');
      await vi.advanceTimersByTimeAsync(2_500);

      expect(startOf(await opening, 'Amount')).toBe('400');
      expect(wordsOf(await opening)).toContain('could not be read.');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('The form that switches the spend alert off', () => {
  it.each([
    ['the platform omits it', undefined, undefined],
    ['cannot be sent exactly', new BigNumber('9007199254740993'), '9007199254740993'],
  ])('asks for an amount that %s, since the platform would make it 0', async (_, amount, start) => {
    const harness = formHarness({ alert: { amount } });

    const form = await harness.open('alert.off');

    expect(labelsOf(form)).toEqual(['Amount']);
    expect(startOf(form, 'Amount')).toBe(start);
    expect(await harness.submit('alert.off', form, { Amount: '' })).toEqual({
      errors: { Amount: 'Type a number of 0 or more, such as 500 or 99.5.' },
    });
    await harness.submit('alert.off', form, { Amount: '300' });
    expect(harness.orders).toEqual([{ kind: 'alert.replace', amount: 300, enabled: false }]);
  });

  it('keeps the amount of the moment in which it is sent', async () => {
    const platformData: PlatformData = { alert: {} };
    const harness = formHarness(platformData);
    const form = await harness.open('alert.off');

    platformData.alert = { amount: new BigNumber(700) };
    await harness.submit('alert.off', form);

    expect(harness.orders).toEqual([{ kind: 'alert.replace', amount: 700, enabled: false }]);
  });

  it.each([
    ['was switched off', { enabled: false }, 'The spend alert is off already: /alert shows it.'],
    [
      'has lost its amount',
      { amount: undefined },
      'The amount of this form is no longer known: please open it again.',
    ],
  ])('asks for nothing where the alert %s meanwhile', async (_, alert, refusal) => {
    const platformData: PlatformData = { alert: {} };
    const harness = formHarness(platformData);
    const form = await harness.open('alert.off');

    Object.assign(platformData, { alert });

    await expect(harness.submit('alert.off', form)).rejects.toThrow(refusal);
    expect(harness.orders).toEqual([]);
  });

  it('asks for the amount that was typed, whatever is there by then', async () => {
    const platformData: PlatformData = { alert: { amount: undefined } };
    const harness = formHarness(platformData);
    const form = await harness.open('alert.off');

    platformData.alert = {};
    await harness.submit('alert.off', form, { Amount: '300' });

    expect(harness.orders).toEqual([{ kind: 'alert.replace', amount: 300, enabled: false }]);
  });
});
