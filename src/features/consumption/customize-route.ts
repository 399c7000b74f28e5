import { resolveRange } from '../../figures/range.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/refusal.ts';
import { compareNames } from '../../lib/text.ts';
import type { Catalogue } from '../../platform/billing/items.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Reading } from '../../platform/read-cache.ts';
import type { Keep } from '../../slack/keep.ts';
import type { FormRoute } from '../../slack/routes.ts';
import { actionId } from './controls.ts';
import { customizeForm, filterTags, readCustomize } from './customize.ts';
import type { Choices } from './customize.ts';
import type { Present } from './present.ts';
import type { Source } from './source.ts';
import { newState, readState } from './state.ts';

/** **Customize**: the query of an answer as a form, and the answer to what becomes of it. */
export function createCustomize(
  source: Source,
  present: Present,
  { keep, clock }: { keep: Keep; clock: Clock },
): FormRoute {
  return {
    actionId: actionId(source.name, 'customize'),
    callbackId: actionId(source.name, 'customized'),
    title: `Customize ${source.name}`,
    inPlace: true,
    async fill({ person, value = '' }, show) {
      const asker = await source.authorize(person);
      const { query, askedAt, detailed } = readState(
        await keep.get(person.userId, value),
        source.name,
      );
      const form = (orgs: Choices, items: Choices, values: Readonly<Record<string, Choices>>) =>
        customizeForm({
          command: source.name,
          query,
          detailed,
          by: source.by,
          orgs,
          items,
          values,
          state: value,
          withDetailed: source.hasTiers === true,
        });
      await show(form(undefined, source.items ? undefined : [], {}));

      const range = resolveRange(query.range, askedAt);
      // Every value of the span is offered, also what the present filter hides.
      const open = { of: [], where: {}, orgs: query.orgs };
      const [orgs, items, ...values] = await Promise.all([
        source.orgs(asker).catch(orUnread),
        source.items?.(asker).then(namesIn).catch(orUnread) ?? [],
        ...filterTags(query).map(async (tag) => {
          const read = await source.tagValues(asker, tag, range, open).catch(orUnread);
          return [tag, read === 'unread' ? read : read.values] as const;
        }),
      ]);
      await show(form(orgs, items, Object.fromEntries(values)));
    },
    async submit({ person, values, state: id }) {
      const before = readState(await keep.get(person.userId, id), source.name);
      const read = readCustomize(values, before.query, source.by);
      if ('errors' in read) return read;
      const { query, detailed } = read;
      return { answer: () => present(person, newState(source.name, query, clock.now(), detailed)) };
    },
  };
}

/** The names of chargeable items, of which several may share one. */
function namesIn({ value }: Reading<Catalogue>): readonly string[] {
  return [...new Set(value.items.map(({ name }) => name))].toSorted(compareNames);
}

/** A list that cannot be read, or not by this person, takes nothing from the rest of the form. */
function orUnread(error: unknown): 'unread' {
  if (error instanceof PlatformError || error instanceof Refusal) return 'unread';
  throw error;
}
