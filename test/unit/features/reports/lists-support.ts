import type { Present } from '../../../../src/features/reports/answer.ts';
import { parseTags } from '../../../../src/features/reports/grammar.ts';
import { createLists } from '../../../../src/features/reports/lists.ts';
import type { State } from '../../../../src/features/reports/question.ts';
import type { Source, TagValuesFound } from '../../../../src/features/reports/source.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import type { ChargeableItem } from '../../../../src/platform/billing/charge-rows.ts';
import type { Person } from '../../../../src/slack/routing/routes.ts';
import { visitorOf, wordsIn } from '../../../support/answer.ts';
import { keptHere } from '../../../support/kept.ts';

export const NOW = Date.parse('2026-11-20T10:00:00Z');
export const ANN: Person = { userId: 'U-ANN', teamId: 'T-1' };

interface Settings {
  readonly found?: Partial<TagValuesFound>;
  readonly items?: readonly ChargeableItem[];
  readonly skippedItems?: number;
  /** Why people may ask for single orgs alone; they then have to name one. */
  readonly orgsOnly?: string;
}

type Asked = Parameters<Source['tagValues']> extends [unknown, ...infer Rest] ? Rest : never;

/** The lists of `/charges` over values that a test names; queries are recorded. */
export function startLists({ found = {}, items = [], skippedItems = 0, orgsOnly }: Settings = {}) {
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
    items: () => Promise.resolve({ value: { items, skipped: skippedItems }, readAt: NOW }),
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
