import { expect, it } from 'vitest';
import {
  readScheduleForm,
  SCHEDULE_FIELDS,
} from '../../../../src/features/reports/saved-routes.ts';
import type { Saved } from '../../../../src/features/reports/saved.ts';
import { parseQuery } from '../../../../src/reporting/query.ts';

const answer: Saved['trigger'] = {
  kind: 'answer',
  every: 'daily',
  at: '09:00',
  zone: 'Asia/Tokyo',
};
const budget: Saved['trigger'] = { kind: 'over', amount: '500', unit: 'GiB-hours', size: '3600' };
const raw: Saved['trigger'] = { kind: 'over', amount: '500' };

it.each<[string, Saved['trigger'], string, string, object]>([
  ['the zone of a time', answer, '9:00', '', { ...answer, every: 'weekly' }],
  ['no zone of another time', answer, '9:30', '', { every: 'weekly', at: '09:30' }],
  ['the unit of an amount', budget, '', '500.0', budget],
  ['raw units of an amount', raw, '', '500', raw],
  ['no unit of another amount', budget, '', '600', { over: '600' }],
])('a changed question keeps %s', (_, trigger, at, over, kept) => {
  const values = {
    [SCHEDULE_FIELDS.every]: over === '' ? 'weekly' : 'never',
    [SCHEDULE_FIELDS.at]: at,
    [SCHEDULE_FIELDS.over]: over,
  };
  const read = readScheduleForm(values, { query: parseQuery([]), currency: undefined, trigger });
  expect(read).toEqual({ query: parseQuery([]), channel: '', trigger: kept });
});

it('asks whether it is the amount or the cadence', () => {
  const values = { [SCHEDULE_FIELDS.every]: 'daily', [SCHEDULE_FIELDS.over]: '500' };
  expect(
    readScheduleForm(values, { query: parseQuery([]), currency: 'USD', trigger: undefined }),
  ).toEqual({
    errors: { [SCHEDULE_FIELDS.over]: expect.stringContaining('posted only when it is crossed') },
  });
});

it('asks under the field which amount 1.500 is', () => {
  const values = { [SCHEDULE_FIELDS.every]: 'daily', [SCHEDULE_FIELDS.over]: '1.500' };
  expect(
    readScheduleForm(values, { query: parseQuery([]), currency: 'USD', trigger: undefined }),
  ).toEqual({
    errors: { [SCHEDULE_FIELDS.over]: '1.500 can be read in two ways. Type 1500 or 1.5.' },
  });
});
