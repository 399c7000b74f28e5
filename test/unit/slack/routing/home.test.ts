import { EventEmitter, once } from 'node:events';
import type { HomeView, KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../../src/lib/logger.ts';
import { context, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { createHome, homeView } from '../../../../src/slack/routing/home.ts';
import * as fc from '../../../support/fast-check.ts';
import { NO_VERSIONS, nativeBlocks } from '../../../support/native-blocks.ts';
import { hostile } from '../hostile.ts';

/** The home tab with one part that is read once for each text, and the published views. */
function openHome(texts: readonly Promise<string>[]) {
  const left = [...texts];
  const published: string[] = [];
  const publish = ({ view }: { view: HomeView }) => {
    published.push(JSON.stringify(view.blocks));
    return Promise.resolve({ ok: true });
  };
  const home = createHome(
    {
      slack: { views: { publish } } as never,
      authorize: () => Promise.resolve(),
      principal: () => Promise.resolve({}),
      scrub: (text) => text,
      native: nativeBlocks(),
      versions: NO_VERSIONS,
      clock: { now: () => 0 },
      explain: () => undefined,
      stopping: new AbortController().signal,
      logger: createLogger({ level: 'silent', secrets: [] }),
    },
    [
      {
        title: 'Sums',
        rank: 1,
        fill: async () => [section(mrkdwn`${(await left.shift()) ?? 'asked too often'}`)],
      },
    ],
  );
  return { home, published };
}

it('the home tab of a person whose organization has several workspaces is one, although a visit and a click name different ones', async () => {
  const slow = new EventEmitter();
  const old = once(slow, 'read').then(() => 'the old sum');
  const { home, published } = openHome([old, Promise.resolve('the new sum')]);

  const visit = home.show({ userId: 'U0ADA', teamId: 'T0ACME' });
  await home.refresh({ userId: 'U0ADA', teamId: 'T0SALES' });
  slow.emit('read');
  await visit;

  expect(published.at(-1)).toContain('the new sum');
  expect(published.join('\n')).not.toContain('the old sum');
});

const AT = Date.UTC(2026, 10, 21, 4);
const textOf = (view: ReturnType<typeof homeView>): string => JSON.stringify(view.blocks);

const block = hostile.map((text) => section(mrkdwn`${text}`));
const part = fc.record({
  title: hostile,
  blocks: fc.option(fc.array(block, { maxLength: 20 }), { nil: undefined }),
});
const home = fc.record({
  parts: fc.array(part, { maxLength: 9 }),
  troubles: fc.array(hostile, { maxLength: 9 }),
  isReading: fc.boolean(),
});

describe('the home tab', () => {
  it('gives each part 15 blocks', () => {
    const blocks = Array.from({ length: 40 }, (_, index) => context(mrkdwn`line ${index}`));
    const text = textOf(
      homeView({ parts: [{ title: 'Sums', blocks }], troubles: [], asOf: AT, isReading: true }),
    );

    expect(text).toContain('line 14');
    expect(text).not.toContain('line 15');
  });

  it("keeps within Slack's limits, whatever the parts hold, and keeps its button", () => {
    fc.assert(
      fc.property(home, (state) => {
        const { blocks } = homeView({ ...state, asOf: AT });
        const headings = (blocks as KnownBlock[]).flatMap((one) =>
          one.type === 'header' ? one.text.text : [],
        );

        expect(blocks.length).toBeLessThanOrEqual(100);
        expect(headings.every((text) => text.length >= 1 && text.length <= 150)).toBe(true);
        expect(JSON.stringify(blocks.at(-1))).toContain('home.refresh');
      }),
      { numRuns: 300 },
    );
  });
});
