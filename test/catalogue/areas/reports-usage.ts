import { KNOWN_METRICS } from '../../../src/reporting/query-words.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { explainUsage } from '../../../src/platform/usage.ts';
import { MINUTE, refusal, type Area } from '../entry.ts';
import { DOWN, startReports, typed } from './reports-bot.ts';
import { METERS, item, meter } from './reports-data.ts';

/** A metric of every kind, with a few digits. */
const EVERY_METRIC = KNOWN_METRICS.map((metric, at) =>
  meter(metric, 12_345.6 * 10 ** (at % 5) * (metric === 'memory' ? 2 ** 30 : 1)),
);
const OF_ACME = METERS.filter(({ tags }) => tags['org'] === 'acme');
const VOLUME_CPU = meter('cpu', 900, { feature: 'volume-sets' });

/** An org's key that the usage API does not take. */
function refusedKey(org: string, status: 401 | 403): PlatformError {
  const sentence = status === 401 ? 'invalid token' : 'permission denied';
  const seen = { status, sentence, body: sentence, path: '/', nowMs: 0 };
  const { reason, ...facts } = explainUsage(org, 'bearer')(seen);
  const said = reason ?? (status === 401 ? 'unauthorized' : 'forbidden');
  return new PlatformError(said, sentence, { status, ...facts });
}

export const usage: Area = {
  id: 'usage',
  title: '/usage',
  entries: [
    typed('usage-this-month', 'A person types /usage and nothing else.', '/usage'),
    typed(
      'usage-of-item',
      'Only usage of one chargeable item.',
      '/usage last month item egress org acme',
    ),
    typed('usage-last-month', 'The range is over.', '/usage last month org acme'),
    typed('usage-of-one-org', 'There is a key for one org only.', '/usage last month by gvc', {
      world: { orgs: ['acme'] },
    }),
    ...['Org', 'GVC', 'Workload', 'Metric'].map((tag) =>
      typed(
        `usage-by-${tag.toLowerCase()}`,
        `"By ${tag}" was chosen in the select.`,
        '/usage last month',
        { press: [`By ${tag}`] },
      ),
    ),
    typed(
      'usage-filtered',
      'Some metrics and some workloads are asked for.',
      '/usage last 7 days by workload of cpu,memory where gvc=shop org acme',
    ),
    typed(
      'usage-one-metric',
      'One metric is asked for.',
      '/usage last month by gvc of cpu org acme',
    ),
    typed(
      'usage-per-day',
      'A person asks for the course.',
      '/usage by gvc of cpu org acme step day',
    ),
    typed(
      'usage-per-day-of-many',
      'The course of several metrics: one of them has a chart.',
      '/usage last 7 days by gvc org acme step day',
    ),
    typed(
      'usage-many-metrics',
      'There are more metrics than the first lines of a notification have room for.',
      '/usage last month org acme',
      {
        world: {
          meters: EVERY_METRIC.flatMap((one) => [
            one,
            { ...one, tags: { ...one.tags, workload: 'web' } },
          ]),
        },
      },
    ),
    typed(
      'usage-per-month-cut',
      'The range cuts a month.',
      '/usage 2026-09-10..2026-11-10 by gvc of cpu org acme step month',
    ),
    typed(
      'usage-every-metric',
      'Every metric that is known.',
      '/usage last month by metric org acme',
      { world: { meters: EVERY_METRIC } },
    ),
    typed(
      'usage-unknown-metric',
      'A metric is new to Purser, and one row has none.',
      '/usage last month org acme',
      {
        world: { meters: [meter('quantum-bits', 42), meter('', 7), VOLUME_CPU] },
      },
    ),
    typed(
      'usage-unit-of-item',
      'Metrics are new to Purser, and chargeable items have their units.',
      '/usage last month by workload org acme',
      {
        world: {
          meters: [meter('object-storage', 6e11), meter('api-calls', 1_234)],
          items: [
            item('object-storage', { metric: 'object-storage' }, 'bytes * hours'),
            item('api-calls', { metric: 'api-calls' }, 'requests'),
          ],
        },
      },
    ),
    typed(
      'usage-unit-disputed',
      'Two chargeable items contradict one another about the unit of a metric.',
      '/usage last month by workload org acme',
      {
        world: {
          meters: [meter('object-storage', 6e11)],
          items: ['bytes * hours', 'gigabytes * hours'].map((unit) =>
            item(unit, { metric: 'object-storage' }, unit),
          ),
        },
      },
    ),
    typed(
      'usage-unit-in-odd-words',
      'A chargeable item states a unit that Purser does not understand.',
      '/usage last month by workload org acme',
      {
        world: {
          meters: [meter('seats', 3)],
          items: [item('seats', { metric: 'seats' }, 'seats / quarter <!here>')],
        },
      },
    ),
    typed(
      'usage-features-apart',
      'One metric is used by workloads and by volumes.',
      '/usage last month by metric org acme',
      {
        world: { meters: [...OF_ACME.slice(0, 6), VOLUME_CPU] },
      },
    ),
    typed(
      'usage-features-named',
      'The same, grouped by something else.',
      '/usage last month by gvc org acme',
      {
        world: { meters: [...OF_ACME.slice(0, 6), VOLUME_CPU] },
      },
    ),
    typed(
      'usage-measured-twice',
      'The same volumes are measured in two ways.',
      '/usage last month org acme',
      {
        world: {
          meters: ['volume-set-capacity-bytes', 'volume_set_capacity'].map((metric) =>
            meter(metric, 36_000, { feature: 'volume-sets' }),
          ),
        },
      },
    ),
    typed(
      'usage-still-revised',
      'Figures of the last two days can change.',
      '/usage this week org acme',
      {
        world: {
          meters: [
            meter('snapshot-storage', 7_200, { feature: 'volume-sets' }),
            meter('load-balancer-processed-bytes', 4e9, { feature: 'custom-ingress' }),
          ],
        },
      },
    ),
    typed(
      'usage-unread-rows',
      'Rows could not be read.',
      '/usage last month by gvc of cpu org acme',
      {
        world: { skipped: 2 },
      },
    ),
    typed(
      'usage-old-reading',
      'The figures were read a while ago.',
      '/usage last month by gvc of cpu org acme',
      {
        world: { age: 3 * MINUTE },
      },
    ),
  ],
};

export const usageGaps: Area = {
  id: 'usage-gaps',
  title: '/usage: orgs that do not answer, nothing found',
  entries: [
    typed('usage-org-missing', 'One org does not answer.', '/usage last month by org', {
      world: { failing: { globex: DOWN } },
    }),
    typed(
      'usage-orgs-missing',
      'Two orgs do not answer, for two reasons.',
      '/usage last month by org',
      {
        world: { failing: { globex: DOWN, initech: refusedKey('initech', 401) } },
      },
    ),
    typed(
      'usage-before-not-kept',
      'Nothing is kept of the span before.',
      '/usage 2025-11-01..2025-11-07 by org',
    ),
    ...([401, 403] as const).map((status) =>
      refusal(
        `usage-key-refused-${status}`,
        `The usage API refuses the key of an org, with ${status}.`,
        () =>
          startReports({ failing: { globex: refusedKey('globex', status) } }).type(
            '/usage org globex',
          ),
      ),
    ),
    refusal('usage-platform-down', 'No org answers.', () =>
      startReports({ failing: { acme: DOWN, globex: DOWN, initech: DOWN } }).type('/usage'),
    ),
    typed('usage-none', 'There is no usage in the range.', '/usage last month', {
      world: { meters: [] },
    }),
    typed(
      'usage-none-org-missing',
      'There is no usage, and one org does not answer.',
      '/usage last month',
      {
        world: { meters: [], failing: { globex: DOWN } },
      },
    ),
    typed('usage-none-filtered', 'Nothing matches the filters.', '/usage where workload=cartt'),
    typed('usage-not-kept', 'The range begins too early.', '/usage 2025-10-20..2025-11-10'),
  ],
};
