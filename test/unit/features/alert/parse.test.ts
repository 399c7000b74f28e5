import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';

import { parseAlert } from '../../../../src/features/alert/feature.ts';
import { wordsIn } from '../../../support/answer.ts';
import { mistakeIn, readsAnyWords } from '../../../support/mistakes.ts';

const opens = (form: string, given = {}) => ({ kind: 'open', form: `alert.${form}`, given });
const read = (text: string, currency = 'USD') => parseAlert(wordsIn(text), currency);

const unreadable = (text: string) => mistakeIn((words) => parseAlert(words, 'USD'), text);

describe('/alert', () => {
  it.each([
    ['', { kind: 'show' }],
    ['OFF', opens('off')],
    ['delete', opens('delete')],
    ['set', opens('set')],
  ])('"%s" is read', (text, command) => {
    expect(read(text)).toEqual(command);
  });

  it.each([
    ['500', '500'],
    ['0', '0'],
    ['0500', '500'],
    ['1,000.50', '1000.5'],
    ['1,000,000', '1000000'],
    ['500 USD', '500'],
    ['500usd', '500'],
    ['USD 500', '500'],
    ['$500', '500'],
    ['$ 500', '500'],
    ['9007199254740991', '9007199254740991'],
  ])('"set %s" is %s', (text, amount) => {
    expect(read(`set ${text}`)).toEqual(opens('set', { amount }));
  });

  it.each([
    ['€500', 'EUR'],
    ['500 CA$', 'CAD'],
    ['$500', 'CAD'],
    ['500 credits', 'credits'],
  ])('"set %s" is an amount in %s', (text, currency) => {
    expect(read(`set ${text}`, currency)).toEqual(opens('set', { amount: '500' }));
  });

  it.each([
    '-5',
    '$-5',
    '1.000,50',
    '1,00',
    'lots',
    '5m',
    '1e3',
    '5k',
    '5 0',
    '.',
    'NaN',
    '9007199254740992',
    '"',
  ])('"set %s" is no amount', (text) => {
    expect(() => read(`set ${text}`.replaceAll('"', '“”'))).toThrow(
      'the form of /alert set asks for it',
    );
  });

  it('knows one currency', () => {
    expect(unreadable('set €500').message).toBe('The spend alert is in USD.');
    expect(unreadable('set 500 EUR').suggestion).toBe('/alert set 500');
  });

  it.each([
    ['500', '/alert set 500'],
    ['$1,000', '/alert set $1,000'],
    ['on', '/alert set'],
    ['remove', '/alert delete'],
    ['sett 500', '/alert set 500'],
    ['off now', '/alert off'],
    ['delete it', '/alert delete'],
    ['deltee', '/alert delete'],
  ])('"%s" is near to %s', (text, suggestion) => {
    expect(unreadable(text).suggestion).toBe(suggestion);
  });

  it.each(['set 1.500', '1.500', 'set $12.000 USD'])('"%s" is asked about', (text) => {
    const { suggestion = '', other = '' } = unreadable(text);
    const amounts = [suggestion, other].map((line) => read(line.replace('/alert ', '')));

    expect(amounts).toEqual([
      opens('set', { amount: text.includes('12') ? '12' : '1.5' }),
      opens('set', { amount: text.includes('12') ? '12000' : '1500' }),
    ]);
  });

  it.each(['0.500', '1,000.500', '1000.500', '1.50'])('"set %s" has one reading', (text) => {
    expect(read(`set ${text}`)).toMatchObject({ form: 'alert.set' });
  });

  it('is near to nothing for anything else', () => {
    expect(unreadable('constructor').suggestion).toBeUndefined();
    expect(unreadable('"off"').suggestion).toBe('/alert off');
  });

  it.each(['USD', 'credits', ''])('reads any words in "%s", or says that it cannot', (currency) => {
    const known = 'set off delete 500 $ -1 1,000.00 USD'.split(' ');
    expect(readsAnyWords((words) => parseAlert(words, currency), ...known)).toBe(true);
  });

  it('reads every amount that it shows', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000_000 }),
        fc.integer({ min: 0, max: 99 }),
        (whole, cents) => {
          const text = `${whole.toLocaleString('en-US')}.${String(cents).padStart(2, '0')}`;
          expect(read(`set $${text}`)).toEqual(
            opens('set', { amount: String(Number(`${whole}.${String(cents).padStart(2, '0')}`)) }),
          );
        },
      ),
    );
  });
});
