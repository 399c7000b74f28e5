import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  differenceOf,
  linesOf,
  type Options,
  type PlayLine,
  type Shown,
} from '../../stories/watch/story.ts';
import { OTHERWISE, STORIES } from '../../stories/watch/table.ts';

type Play = (lines: Iterable<PlayLine>, options?: Options) => Shown[];

const ENGINE = new URL('../../../src/rollouts/play.ts', import.meta.url);
const isThere = existsSync(ENGINE);
// A computed address, so that the types hold before the engine is there.
const engine = isThere ? ((await import(ENGINE.href)) as { play: Play }) : undefined;

describe('the table of stories', () => {
  it('has a story of every finding', () => {
    const found = new Set(STORIES.flatMap(({ of }) => /finding (\d+)/.exec(of)?.[1] ?? []));
    const all = Array.from({ length: 33 }, (_, index) => index + 1);
    expect(all.filter((n) => !found.has(String(n)) && !(n in OTHERWISE))).toEqual([]);
  });

  it('has a story of every open case', () => {
    const found = new Set(STORIES.flatMap(({ of }) => /case (\d+)/.exec(of)?.[1] ?? []));
    expect([...found].toSorted()).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('has no two stories of one title', () => {
    const titles = STORIES.map(({ of, title }) => `${of}: ${title}`);
    expect(titles.length).toBe(new Set(titles).size);
  });
});

(isThere ? describe : describe.skip)('the watch plays its stories', () => {
  for (const story of STORIES) {
    it(`${story.of}: ${story.title}`, () => {
      const shown = engine?.play(linesOf(story), story.options) ?? [];
      expect(differenceOf(story, shown)).toBe('');
    });
  }
});
