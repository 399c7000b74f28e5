import { resolveRange } from '../../figures/range.ts';
import type { Clock } from '../../lib/clock.ts';
import { PlatformError } from '../../platform/errors.ts';
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
      await source.authorize(person);
      const { query, askedAt, detailed } = readState(
        await keep.get(person.userId, value),
        source.name,
      );
      const form = (orgs: Choices, values: Readonly<Record<string, Choices>>) =>
        customizeForm({
          command: source.name,
          query,
          detailed,
          by: source.by,
          orgs,
          values,
          state: value,
          withDetailed: source.detail !== undefined,
        });
      await show(form(undefined, {}));

      const range = resolveRange(query.range, askedAt);
      // Every value of the span is offered, also what the present filter hides.
      const open = { of: [], where: {}, orgs: query.orgs };
      const [orgs, ...values] = await Promise.all([
        source.orgs().catch(orUnread),
        ...filterTags(query).map(async (tag) => {
          const read = await source.tagValues(tag, range, open).catch(orUnread);
          return [tag, read === 'unread' ? read : read.values] as const;
        }),
      ]);
      await show(form(orgs, Object.fromEntries(values)));
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

/** A list that cannot be read takes nothing from the rest of the form. */
function orUnread(error: unknown): 'unread' {
  if (error instanceof PlatformError) return 'unread';
  throw error;
}
