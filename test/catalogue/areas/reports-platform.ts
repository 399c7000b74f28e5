import { checkEmail, checkHour, checkTime } from '../../../src/platform/errors.ts';
import {
  checkChargeQuery,
  checkTagValuesQuery,
  checkUsageQuery,
  type ConsumptionQuery,
} from '../../../src/platform/consumption/query.ts';
import { refusal, type Area } from '../entry.ts';

const OCTOBER = { startTime: '2026-10-01T00:00:00Z', endTime: '2026-11-01T00:00:00Z' };
const QUERY: ConsumptionQuery = {
  ...OCTOBER,
  timeStep: 'month',
  groupBy: ['org'],
  consumptionQueries: [{ aggregateBy: ['org', 'metric', 'feature'] }],
};

/** Questions that the clients of the platform do not send, by their mistake. */
const UNASKED: Readonly<Record<string, readonly [when: string, ask: () => unknown]>> = {
  'no-time': ['A time is not written as one.', () => checkTime('expiresAt', 'tomorrow')],
  'no-hour': ['A time is within an hour.', () => checkHour('start', '2026-10-01T10:30:00Z')],
  'no-address': ['An e-mail address is not one.', () => checkEmail('ada@example')],
  'no-orgs': ['Charges of no org at all are asked for.', () => checkChargeQuery(QUERY, [])],
  unpriced: [
    'Charges are asked for in a way in which nothing has a price.',
    () => checkChargeQuery(QUERY),
  ],
  'no-tag': ['Values of no tag are asked for.', () => checkTagValuesQuery({ ...OCTOBER, tag: '' })],
  'no-length': [
    'A range ends before it begins.',
    () => checkUsageQuery({ ...QUERY, endTime: OCTOBER.startTime }),
  ],
  'no-step': [
    'The step does not exist.',
    () => checkUsageQuery({ ...QUERY, timeStep: 'year' as never }),
  ],
  nothing: ['Nothing is selected.', () => checkUsageQuery({ ...QUERY, consumptionQueries: [] })],
  'no-group': [
    'Usage is grouped by a tag over which it is added up.',
    () => checkUsageQuery({ ...QUERY, groupBy: ['gvc'] }),
  ],
};

export const questionsUnasked: Area = {
  id: 'questions-unasked',
  title: 'Questions about charges and usage that Purser does not even ask the platform',
  entries: Object.entries(UNASKED).map(([id, [when, ask]]) =>
    refusal(`question-unasked-${id}`, `${when} Forms and commands say so before.`, ask),
  ),
};
