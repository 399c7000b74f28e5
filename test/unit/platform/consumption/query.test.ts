import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  checkChargeQuery,
  checkItems,
  checkTagValuesQuery,
  checkUsageQuery,
  tagValuesBodyOf,
  TIME_STEPS,
  type ConsumptionQuery,
  type ConsumptionSelection,
} from '../../../../src/platform/consumption/query.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import * as fc from '../../../support/fast-check.ts';

const RANGE = { startTime: '2026-09-01T00:00:00Z', endTime: '2026-10-01T00:00:00Z' };
const SELECTION: ConsumptionSelection = { aggregateBy: ['metric', 'locationType', 'gvc'] };
const QUERY: ConsumptionQuery = {
  ...RANGE,
  timeStep: 'day',
  groupBy: ['gvc'],
  consumptionQueries: [SELECTION],
};
const CATALOGUE = { items: [{ name: 'Volume' }, { name: 'CPU' }], skipped: 0 };

/** The sentence of the refusal; undefined when it is let through. Anything but a `bad-request` fails the test. */
function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof PlatformError && error.reason === 'bad-request') return error.message;
    throw error;
  }
}

const asCharges = (changes: object) => refusalOf(() => checkChargeQuery({ ...QUERY, ...changes }));
const asUsage = (changes: object) => refusalOf(() => checkUsageQuery({ ...QUERY, ...changes }));
const withItems = (names: string[]) =>
  refusalOf(() =>
    checkItems(
      { ...QUERY, consumptionQueries: [{ aggregateBy: [], chargeableItems: names }] },
      CATALOGUE,
    ),
  );

test.each([
  [
    'an offset',
    { startTime: '2026-09-01T00:00:00+02:00' },
    'startTime must be an RFC 3339 time in UTC',
  ],
  ['a day', { endTime: '2026-10-01' }, 'endTime must be an RFC 3339 time in UTC'],
  [
    'a day that does not exist',
    { startTime: '2026-02-30T00:00:00Z' },
    'startTime must be an RFC 3339',
  ],
  ['an end at the start', { endTime: RANGE.startTime }, 'endTime must be after startTime'],
  [
    'an end before the start',
    { endTime: '2026-08-01T00:00:00Z' },
    'endTime must be after startTime',
  ],
  ['an unknown step', { timeStep: 'year' }, 'timeStep must be one of hour, day, week, month'],
  ['no consumption query', { consumptionQueries: [] }, 'at least one consumption query'],
  [
    'a group that is not aggregated by',
    {
      groupBy: ['gvc', 'org'],
      consumptionQueries: [{ aggregateBy: [...SELECTION.aggregateBy, 'org'] }, SELECTION],
    },
    'groups by org, but consumption query 2 does not aggregate by org',
  ],
  [
    'a volume index as a word',
    { consumptionQueries: [{ ...SELECTION, filterBy: { volumeIndex: '0' } }] },
    'volumeIndex is matched by a regular expression only',
  ],
  [
    'a volume index as an expression that is not closed',
    { consumptionQueries: [{ ...SELECTION, filterBy: { volumeIndex: '/^0$' } }] },
    'volumeIndex is matched by a regular expression only',
  ],
])('%s is refused in charges and usage alike, by name', (_what, changes, sentence) => {
  expect([asCharges(changes), asUsage(changes)]).toEqual([
    expect.stringContaining(sentence),
    expect.stringContaining(sentence),
  ]);
});

test.each(['/api', '/', 'api/', '/^web$/'])('the filter %s is sent as it is', (customIngress) => {
  const changes = { consumptionQueries: [{ ...SELECTION, filterBy: { customIngress } }] };

  expect([asCharges(changes), asUsage(changes)]).toEqual([undefined, undefined]);
});

test('a fraction of a second that no clock here keeps is no hour boundary', () => {
  expect(asCharges({ startTime: '2026-09-01T00:00:00.0001Z' })).toContain('on an hour boundary');
});

test('charges begin and end on the hour; the usage API aligns by itself', () => {
  const halfPast = { startTime: '2026-09-01T00:30:00Z' };

  expect(asCharges(halfPast)).toContain('startTime must be on an hour boundary');
  expect(asUsage(halfPast)).toBeUndefined();
});

test.each(['metric', 'locationType'])('charges are aggregated by %s, usage need not be', (tag) => {
  const aggregateBy = SELECTION.aggregateBy.filter((other) => other !== tag);
  const changes = { consumptionQueries: [SELECTION, { aggregateBy }] };

  expect(asCharges(changes)).toContain(`consumption query 2 does not aggregate by ${tag}`);
  expect(asUsage(changes)).toBeUndefined();
});

test('no org at all is not the same as all orgs', () => {
  expect(refusalOf(() => checkChargeQuery(QUERY, []))).toContain('at least one org');
  expect(refusalOf(() => checkChargeQuery(QUERY, ['acme']))).toBeUndefined();
});

describe('chargeable items', () => {
  test('that there are can be asked for', () => {
    expect(withItems(['CPU', 'Volume'])).toBeUndefined();
  });

  test('that no one knows are refused with the name that was meant', () => {
    expect(withItems(['Volumme'])).toBe(
      'there is no chargeable item "Volumme"; did you mean Volume?',
    );
    expect(withItems(['Something else'])).toBe('there is no chargeable item "Something else"');
  });

  test('that are unknown are left to the platform, when not all of the catalogue could be read', () => {
    const query = { ...QUERY, consumptionQueries: [{ aggregateBy: [], chargeableItems: ['New'] }] };

    expect(refusalOf(() => checkItems(query, { ...CATALOGUE, skipped: 1 }))).toBeUndefined();
  });
});

test('the values of a tag are asked for at any time in UTC, of a tag with a name', () => {
  const check = (changes: object) =>
    refusalOf(() => checkTagValuesQuery({ ...RANGE, tag: 'gvc', ...changes }));

  expect(check({ startTime: '2026-09-01T00:30:12.5Z' })).toBeUndefined();
  expect(check({ tag: '' })).toContain('a tag must be named');
  expect(check({ endTime: RANGE.startTime })).toContain('endTime must be after startTime');
  expect(check({ filterBy: { volumeIndex: '1' } })).toContain('volumeIndex');
});

/** Queries that are right, of every kind. */
const tags = fc.uniqueArray(fc.constantFrom('gvc', 'org', 'workload', 'volumeIndex', '__proto__'));
const hour = fc.integer({ min: 0, max: 20_000 });
const rightQuery = fc
  .record({
    timeStep: fc.constantFrom(...TIME_STEPS),
    hours: fc.tuple(hour, hour).filter(([a, b]) => a !== b),
    groupBy: tags,
    more: fc.array(tags, { minLength: 1, maxLength: 3 }),
    filterBy: fc.dictionary(fc.constantFrom('gvc', 'org'), fc.constantFrom('a', 'a/', '/^a$/', '')),
  })
  .map(({ timeStep, hours, groupBy, more, filterBy }): ConsumptionQuery => {
    const [start = 0, end = 0] = hours.toSorted((a, b) => a - b);
    const time = (hour: number) => new Date(Date.UTC(2025, 0, 1, hour)).toISOString();
    const aggregateBy = ['metric', 'locationType', ...groupBy];
    return {
      startTime: time(start),
      endTime: time(end),
      timeStep,
      groupBy,
      consumptionQueries: more.map((tags) => ({
        filterBy,
        aggregateBy: [...aggregateBy, ...tags],
      })),
    };
  });

test('a valid query is accepted, and without one of its tags it is not', () => {
  fc.assert(
    fc.property(rightQuery, (query) => {
      const [first, ...others] = query.consumptionQueries;
      const needed = ['metric', 'locationType', ...query.groupBy];
      const without = needed.map((tag) =>
        asCharges({
          ...query,
          consumptionQueries: [
            ...others,
            { ...first, aggregateBy: first?.aggregateBy.filter((other) => other !== tag) },
          ],
        }),
      );

      expect(asCharges(query)).toBeUndefined();
      expect(asUsage(query)).toBeUndefined();
      expect(without).toEqual(needed.map((tag) => expect.stringContaining(`aggregate by ${tag}`)));
    }),
  );
});

describe('the body of a query', () => {
  test('has the specified members, groupBy always, and nothing else', () => {
    const query = { ...QUERY, groupBy: [], orgs: ['acme'], token: 'secret' };

    expect(bodyOf(query)).toEqual({
      ...RANGE,
      timeStep: 'day',
      aggregateByTimeStep: false,
      groupBy: [],
      consumptionQueries: [{ filterBy: {}, aggregateBy: ['metric', 'locationType', 'gvc'] }],
    });
  });

  test('is the same for the same question, in whatever order its filters were written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (filterBy) => {
        const turned = Object.fromEntries(Object.entries(filterBy).toReversed());
        const bodies = [filterBy, turned].map((filter) =>
          JSON.stringify([
            bodyOf({ ...QUERY, consumptionQueries: [{ ...SELECTION, filterBy: filter }] }),
            tagValuesBodyOf({ ...RANGE, tag: 'gvc', filterBy: filter }),
          ]),
        );

        expect(bodies[0]).toBe(bodies[1]);
      }),
    );
  });
});
