import { describe, expect, it } from 'vitest';
import type { Present } from '../../../../src/features/reports/answer.ts';
import { createReportGrammar, parseTags } from '../../../../src/features/reports/grammar.ts';
import { createLists } from '../../../../src/features/reports/lists.ts';
import type { State } from '../../../../src/features/reports/question.ts';
import type { Source, TagValuesFound } from '../../../../src/features/reports/source.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import type { ChargeableItem } from '../../../../src/platform/billing/charge-rows.ts';
import type { Person } from '../../../../src/slack/routing/routes.ts';
import { proseOf, tableOf, visitorOf, wordsIn } from '../../../support/answer.ts';
import { keptHere } from '../../../support/kept.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const ANN: Person = { userId: 'U-ANN', teamId: 'T-1' };

interface Settings {
  readonly found?: Partial<TagValuesFound>;
  readonly items?: readonly ChargeableItem[];
  /** Why people may ask for single orgs alone; they then have to name one. */
  readonly orgsOnly?: string;
}

type Asked = Parameters<Source['tagValues']> extends [unknown, ...infer Rest] ? Rest : never;

/** The lists of `/charges` over values that a test names; queries are recorded. */
function startLists({ found = {}, items = [], orgsOnly }: Settings = {}) {
  const asked: Asked[] = [];
  const authorized: string[] = [];
  const source: Source = {
    help: { command: '/charges', summary: '', usages: [], examples: [] },
    name: 'charges',
    needs: () => 'billing',
    by: ['org'],
    async authorize({ userId }) {
      authorized.push(userId);
      return { userId, ...(orgsOnly && { orgsOnly }) };
    },
    orgs: () => Promise.resolve(['acme', 'globex']),
    usualOrgs() {
      if (orgsOnly !== undefined) throw new UsageError('Name an org.');
      return [];
    },
    items: () => Promise.resolve({ value: { items, skipped: 0 }, readAt: NOW }),
    ask: () => Promise.reject(new Error('no figures are asked for')),
    tagValues(_asker, ...question) {
      asked.push(question);
      return Promise.resolve({ values: [], readAt: NOW, ...found });
    },
  };
  const kept = keptHere();
  const opened: State[] = [];
  const present: Present = async (_, state) => {
    opened.push(state);
    return { blocks: [] };
  };
  const lists = createLists(source, present, { clock: { now: () => NOW }, kept });
  return {
    source,
    lists,
    asked,
    authorized,
    ask: async (line: string) => lists.showTag(ANN, parseTags(wordsIn(line), source.help.command)),
    opened,
    ...visitorOf(lists, ANN, kept),
  };
}

function refused(line: string): UsageError {
  try {
    parseTags(wordsIn(line), '/usage');
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`${line} was read`);
}

describe('tags TAG [query]', () => {
  it('reads a tag in any spelling, and a query after it', () => {
    const { tag, query } = parseTags(
      wordsIn('PERFORMANCECLASS last month of cpu where gvc=shop org acme'),
      '/usage',
    );
    expect(tag).toBe('performanceClass');
    expect(query).toMatchObject({
      range: 'last month',
      of: ['cpu'],
      where: { gvc: 'shop' },
      orgs: ['acme'],
    });
  });

  it('knows the tag org from the word org', () => {
    expect(parseTags(wordsIn('org org acme'), '/usage')).toMatchObject({
      tag: 'org',
      query: { orgs: ['acme'] },
    });
  });

  it.each(['', 'last month', 'where gvc=shop', '""', '2026-10'])('asks for a tag: %s', (line) => {
    expect(refused(line).message).toMatch(
      /^`TAG` is missing after `tags`: usual are org, gvc, workload, /,
    );
  });

  it.each([
    ['worklod last month', '/usage tags workload last month'],
    ['gvc lst month', '/usage tags gvc last month'],
    ['gvc last month by org', '/usage tags gvc last month'],
    ['gvc step day where gvc=a', '/usage tags gvc this month where gvc=a'],
    ['"Team" by org', '/usage tags "Team" this month'],
    ['gvc last month item cpu org acme', '/usage tags gvc last month org acme'],
    ["'gvc' 'last month'", '/usage tags gvc last month'],
  ])('suggests the whole command: %s', (line, suggestion) => {
    expect(refused(line).suggestion).toBe(suggestion);
  });

  it('names the usual tags where there is no such one, and suggests nothing', () => {
    expect(refused('Team')).toMatchObject({
      message:
        '"Team" is not a tag: usual are org, gvc, workload, location, metric, feature, locationType, performanceClass.',
      suggestion: undefined,
    });
  });

  it('says that grouping and steps make no sense here', () => {
    expect(refused('gvc by org').message).toBe('"tags" takes no "by": leave it out.');
    expect(refused('gvc step day').message).toBe('"tags" takes no "step": leave it out.');
  });
});

/** The lists themselves are in the catalogue. */
describe('The values of a tag', () => {
  it('open the charges of one value, by the next finer tag', async () => {
    const { ask, step, opened } = startLists({ found: { values: ['shop', '/odd/'] } });
    const answer = await ask('gvc last month of cpu');

    await step(answer, 'shop');
    await step(answer, '/odd/');

    expect(opened.map(({ query }) => [query.by, query.where, query.of, query.range])).toEqual([
      [['workload'], { gvc: 'shop' }, ['cpu'], 'last month'],
      [['workload'], { gvc: '/^(/odd/)$/' }, ['cpu'], 'last month'],
    ]);
  });

  it('suggest a grouping by the same tag, as it can be typed', async () => {
    const { ask } = startLists();

    expect(proseOf(await ask('"My tag"'))).toContain(String.raw`/charges by \"My tag\".`);
  });

  it('are refused to a member limited to single orgs, before the org is resolved', async () => {
    const { ask, asked } = startLists({ orgsOnly: 'This takes a billing role.' });

    await expect(ask('gvc')).rejects.toThrow('This takes a billing role.');
    await expect(ask('gvc org nope')).rejects.toThrow('This takes a billing role.');
    expect(asked).toEqual([]);
  });
});

function item(name: string, changes: Partial<ChargeableItem> = {}): ChargeableItem {
  return {
    id: `id-${name}`,
    name,
    description: '',
    consumptionTags: { metric: 'cpu', feature: 'workloads' },
    unit: 'cores * seconds',
    type: undefined,
    ...changes,
  };
}

function mistakeOf(line: string, name: 'charges' | 'usage' = 'charges'): unknown {
  try {
    return createReportGrammar(name, 'USD').parse(wordsIn(line));
  } catch (error) {
    return error;
  }
}

describe('The chargeable items', () => {
  it('leave in every row a tag that one of them lacks', async () => {
    const { lists } = startLists({
      items: [
        item('a-disk', { consumptionTags: { performanceClass: 'ssd' } }),
        item('b-disk', { consumptionTags: { performanceClass: 'ssd' } }),
        item('cpu'),
      ],
    });

    const answer = await lists.showItems(ANN);

    expect(tableOf(answer).filter((row) => row[2] === 'performanceClass=ssd')).toHaveLength(2);
    expect(answer.notes).toEqual([]);
  });

  it('take no more words', () => {
    expect(mistakeOf('items now')).toMatchObject({
      message: '`now` is too much here.',
      suggestion: '/charges item now',
      other: '/charges items',
    });
  });

  it('are no filter, and a name after it gets the word for that', () => {
    expect(mistakeOf('items cpu, "my disk" last month')).toMatchObject({
      suggestion: '/charges item cpu, "my disk" last month',
    });
  });
});
