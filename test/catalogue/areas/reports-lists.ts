import { MINUTE, refusal, type Area } from '../entry.ts';
import { DOWN, startReports, typed } from './reports-bot.ts';
import { ITEMS, METERS, item } from './reports-data.ts';

/** Items of which none says more than its tags, more than one page holds. */
const MANY_ITEMS = Array.from({ length: 210 }, (_, at) =>
  item(
    `gpu-${String(at + 1).padStart(2, '0')}`,
    { metric: 'gpu', feature: 'workloads', locationType: 'hosted', gpuModel: `model-${at + 1}` },
    'gpus * seconds',
  ),
);
/** Items as real catalogues have them: with random ids, and one without its type. */
const IDENTIFIED = ITEMS.map((one, at) => ({
  ...one,
  id: `3f8c2b${at}0-51d7-4a9e-9c06-7be4d1f0a2${at}1`,
  type: at === 1 ? undefined : one.type,
}));
/** The types are as many as the items. */
const TYPED = ITEMS.map((one, at) => ({
  ...one,
  type: [undefined, 'consumption', 'subscription', 'support'][at],
}));
const MANY_VALUES = Array.from({ length: 210 }, (_, at) => `preview-${at + 1}`);

export const chargesItems: Area = {
  id: 'chargeable-items',
  title: '/charges items: the price list',
  entries: [
    typed('charges-items', 'A person types /charges items.', '/charges items'),
    typed('charges-items-one', 'There is one chargeable item.', '/charges items', {
      world: { items: ITEMS.slice(0, 1) },
    }),
    typed(
      'charges-items-ids',
      'The ids of the items are long, and one item has no type.',
      '/charges items',
      { world: { items: IDENTIFIED } },
    ),
    typed('charges-items-types', 'The items differ in their types.', '/charges items', {
      world: { items: TYPED },
    }),
    typed('charges-items-none', 'There are no chargeable items.', '/charges items', {
      world: { items: [] },
    }),
    typed('charges-items-none-readable', 'No item could be read.', '/charges items', {
      world: { items: [], skipped: 2 },
    }),
    ...[1, 2].map((page) =>
      typed(`charges-items-page-${page}`, `Page ${page} of many items.`, '/charges items', {
        world: { items: MANY_ITEMS },
        page,
      }),
    ),
    typed('charges-items-unread', 'Some items could not be read.', '/charges items', {
      world: { skipped: 2, age: 2 * MINUTE },
    }),
    refusal('charges-items-down', 'The platform does not answer.', () =>
      startReports({ items: 'down' }).type('/charges items'),
    ),
  ],
};

export const tags: Area = {
  id: 'tags',
  title: '/charges tags and /usage tags: the values that a tag has',
  entries: [
    typed('tags-of-charges', 'A person asks for the values of a tag.', '/charges tags gvc'),
    typed(
      'tags-of-usage',
      'The same of usage, with a filter.',
      '/usage tags workload last month where gvc=shop org acme',
    ),
    typed('tags-lacked', 'Some usage lacks the tag.', '/charges tags performanceClass last month'),
    typed(
      'tags-quoted',
      'The tag is one that Purser does not know.',
      '/charges tags "team" last month',
      {
        world: { values: { team: ['blue'] } },
      },
    ),
    typed('tags-none', 'Nothing has the tag.', '/charges tags gpuModel yesterday', {
      world: { values: { gpuModel: [] } },
    }),
    typed(
      'tags-none-filtered',
      'No row that matches the filters has the tag.',
      '/usage tags gpuModel of cpu where gvc=shop',
      {
        world: { values: { gpuModel: [] }, orgs: ['acme'] },
      },
    ),
    ...[1, 2].map((page) =>
      typed(
        `tags-page-${page}`,
        `Page ${page} of many values.`,
        '/charges tags workload last 3 months',
        {
          world: { values: { workload: MANY_VALUES } },
          page,
        },
      ),
    ),
    typed('tags-unread', 'Some values could not be read.', '/charges tags gvc last month', {
      world: { skipped: 3, age: 6 * MINUTE },
    }),
    typed(
      'tags-none-org-missing',
      'One does not answer, and the others have no value.',
      '/usage tags gvc last month',
      {
        world: { failing: { globex: DOWN }, meters: [] },
      },
    ),
    typed('tags-org-missing', 'One org does not answer.', '/usage tags gvc last month', {
      world: { failing: { globex: DOWN }, meters: METERS },
    }),
  ],
};
