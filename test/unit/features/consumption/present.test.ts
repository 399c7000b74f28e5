import { describe, expect, it } from 'vitest';
import { createPresent } from '../../../../src/features/consumption/present.ts';
import type { Detail, Found, Source } from '../../../../src/features/consumption/source.ts';
import { newState } from '../../../../src/features/consumption/state.ts';
import type { State } from '../../../../src/features/consumption/state.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { later, line, found, openQuery } from './support.ts';

const ann = { userId: 'U1', teamId: 'T1' };
const nothing = found([], { skipped: 2 });

/** Presents states of a source that answers what a test says; what is kept is written down. */
function startPresent(answer: Found | Error, changes: Partial<Source> = {}) {
  const kept: State[] = [];
  const source: Source = {
    help: { command: '/charges', summary: '', usages: [], examples: [] },
    name: 'charges',
    needs: 'billing',
    by: ['org'],
    authorize: () => Promise.resolve(),
    orgs: () => Promise.resolve([]),
    find: async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    },
    tagValues: () => Promise.reject(new Error('is not asked')),
    ...changes,
  };
  const present = createPresent(source, {
    clock: { now: () => later },
    keep: {
      put: async (_, state) => `kept-${kept.push(state as State)}`,
      get: () => Promise.reject(new Error('is not asked')),
    },
  });
  const show = async (state: Partial<State> = {}) => {
    const { blocks, text } = await present(ann, {
      ...newState('charges', openQuery, later),
      ...state,
    });
    return { text, said: JSON.stringify(blocks) };
  };
  return { show, kept };
}

describe('an answer', () => {
  it('of which nothing could be read is not one without figures', async () => {
    const { text, said } = await startPresent(nothing).show();

    expect(text).not.toContain('No charges found');
    expect(said).toContain('⚠ 2 rows of the platform’s answer could not be read');
  });

  it('in detail of which nothing could be read is not one either', async () => {
    const detail = { ...nothing, tiersOf: () => [], caveatsOf: async () => [] } satisfies Detail;
    const { show } = startPresent(nothing, { detail: () => Promise.resolve(detail) });

    const { text, said } = await show({ detailed: true });

    expect(text).toContain('There is nothing that has pricing tiers.');
    expect(said).toContain('⚠ 2 rows of the platform’s answer could not be read');
  });

  it('remembers the page that is shown, not the one that was asked for', async () => {
    const { show, kept } = startPresent(
      found(Array.from({ length: 40 }, (_, at) => line(`${at}`, '1'))),
    );

    await show({ page: 9 });

    expect(kept.map(({ page }) => page)).toEqual([3]);
  });

  it('beyond what is kept begins again with the first page', async () => {
    const earliestStart = Date.parse('2026-10-05T00:00:00Z');
    const expired = new PlatformError('bad-request', 'retained for 12 months', { earliestStart });
    const { show, kept } = startPresent(expired);

    await show({ page: 4 });

    expect(kept).toMatchObject([{ page: 1, query: { range: '2026-10-05..2026-10-31' } }]);
  });
});
