import { describe, expect, it } from 'vitest';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import { workload } from '../../../stories/watch/records.ts';
import { at, known, until, type Story } from '../../../stories/watch/story.ts';
import { STORIES } from '../../../stories/watch/table.ts';
import { isActiveAfter, messagesFor } from './audience.ts';

/** Every third story, without those of days and of twenty workloads. */
const SOME = STORIES.filter(
  ({ of, polls }, index) =>
    index % 3 === 0 && of !== 'finding 29' && (polls.at(-1)?.minute ?? 0) <= 90,
);

describe('the watch', () => {
  it('posts the same when it restarts between any two polls', () => {
    for (const story of SOME) {
      const all = messagesFor(story);
      expect([story.title, messagesFor(story, { restarts: true })]).toEqual([story.title, all]);
    }
  }, 120_000);
});

describe('the pace of the polls', () => {
  const cart = workload('cart').in('lima');
  const rolling = cart.v(12).deploying(0, 2).old(11, 2);

  it.each<[boolean, string, Story['polls']]>([
    [false, 'all is ready', [until(5)]],
    [false, 'it was suspended', [at(0, cart.v(11).suspended()), until(5)]],
    [false, 'it was scaled to zero', [at(0, cart.v(11).zero()), until(5)]],
    [false, 'an outage was posted', [at(0, cart.v(11).down(0, 2)), until(20)]],
    [true, 'it was not ready in one poll', [at(0, cart.v(11).down(0, 2))]],
    [
      true,
      'it is lacking in one list',
      [at(0, workload('pay').in('lima').v(1).ready(1), cart.gone())],
    ],
    [true, 'a rollout goes on', [at(0, rolling), until(30)]],
    [false, 'a rollout has gone on for more than an hour', [at(0, rolling), until(75)]],
    [false, 'a rollout is ready', [at(0, rolling), at(3, cart.v(12).ready(2)), until(30)]],
    [true, 'an outage is nearly over', [at(0, cart.v(11).down(0, 2)), at(9, cart.v(11).ready(2))]],
  ])('is fast: %j, when %s', (isFast, _, polls) => {
    expect(isActiveAfter({ polls: [known(cart.v(11).ready(2)), ...polls] })).toBe(isFast);
  });
});

const LONG = 'w'.repeat(300);
const MANY = Array.from({ length: 60 }, (_, index) => `${index}-${'o'.repeat(200)}`);
const HOSTILE = '<!channel>`x`*y*\u202Egnp.exe&__proto__';

const stopped = (names: readonly string[], where: readonly string[], message: string): Story => {
  const all = names.map((name) => workload(name).in(...where));
  return {
    of: 'limits',
    title: 'All of them stop',
    polls: [
      known(...all.map((one) => one.v(11).ready(2))),
      at(0, ...all.map((one) => one.v(12).deploying(0, 2))),
      at(2, ...all.map((one) => one.v(12).down(0, 2).says(message))),
      until(12),
    ],
    messages: [],
  };
};

describe('messages that Slack takes', () => {
  const checker = createBlockChecker();
  const LINKS = [{ name: 'Logs ↗', template: 'https://logs.example.com/{workload}' }];

  it.each([
    ['many locations with long names', stopped([LONG], MANY, `a ${'& '.repeat(2_000)}`)],
    ['many workloads', stopped(MANY, [LONG], 'b'.repeat(9_000))],
    ['hostile names', stopped([HOSTILE], [HOSTILE, '__proto__'], HOSTILE)],
  ])('are those of %s', (_, story) => {
    const all = messagesFor(story, { links: LINKS });
    expect(all.length).toBeGreaterThan(2);
    for (const { text, blocks } of all) {
      expect(checker.blocks(blocks, 'message')).toEqual([]);
      expect(text.length).toBeLessThanOrEqual(LIMITS.messageText);
    }
  });

  it('have no mention, no turned writing and no code that ends too early', () => {
    for (const { text, blocks } of messagesFor(stopped([HOSTILE], [HOSTILE], HOSTILE))) {
      const read = blocks.filter(({ type }) => type !== 'table' && type !== 'actions');
      const sent = JSON.stringify({ text, read }, (key, value: unknown) =>
        key === 'block_id' ? undefined : value,
      );
      expect(sent.replaceAll(/<!date\^[^>]*>/g, '')).not.toMatch(/[<>\u202E]/);
      expect(sent).toContain('&lt;!channel&gt;');
    }
  });

  it('have a row for a location called __proto__', () => {
    const all = messagesFor(stopped(['cart'], ['lima', '__proto__'], 'a'));
    expect(JSON.stringify(all)).toContain('__proto__');
  });
});
