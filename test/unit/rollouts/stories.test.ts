import { describe, expect, it } from 'vitest';
import { play } from '../../../src/rollouts/play.ts';
import { differenceOf, linesOf, type Shown } from '../../stories/watch/story.ts';
import { STORIES } from '../../stories/watch/table.ts';

it('no two stories have one title', () => {
  const titles = STORIES.map(({ of, title }) => `${of}: ${title}`);
  expect(titles.length).toBe(new Set(titles).size);
});

describe('the difference between a story and its messages', () => {
  const story = {
    of: 'rule',
    title: 'lima is down',
    polls: [],
    messages: ['3 post cart/11/unhealthy "🔴 Outage … lima"', '(5 reply cart/11/crashloop)'],
  };
  const shown = (minute: number, more: Partial<Shown>): Shown => ({
    at: new Date(Date.UTC(2026, 10, 2, 12, minute)).toISOString(),
    how: 'post',
    key: 'acme/shop/cart/11/unhealthy',
    text: '🔴 *Outage* · shop/cart v11 unhealthy in lima',
    blocks: [],
    ...more,
  });

  it('is empty where all agrees, and ignores edits that no line names', () => {
    expect(differenceOf(story, [shown(3, {}), shown(4, { how: 'edit' })])).toBe('');
  });

  it('accepts a text without its sign', () => {
    expect(differenceOf(story, [shown(3, { text: 'Outage · lima' })])).toBe('');
  });

  it.each([
    ['too late', shown(4, {})],
    ['in the thread', shown(3, { how: 'reply' })],
    ['of another version', shown(3, { key: 'acme/shop/cart/12/unhealthy' })],
    ['with another sign', shown(3, { text: '🟠 Outage · lima' })],
    ['with other words', shown(3, { text: '🔴 No impact · lima' })],
  ])('shows missing and additional lines: %s', (_, one) => {
    expect(differenceOf(story, [one]).match(/^[-+]/gm)?.toSorted()).toEqual(['+', '-']);
  });

  it('shows a text that may never appear', () => {
    const never = { ...story, never: /unhealthy/ };
    expect(differenceOf(never, [shown(3, {})])).toContain('! 3 post cart/11/unhealthy');
  });
});

describe('the watch plays its stories', () => {
  for (const story of STORIES) {
    it(`${story.of}: ${story.title}`, () => {
      const shown = play(linesOf(story), story.options);
      expect(differenceOf(story, shown)).toBe('');
    });
  }
});
