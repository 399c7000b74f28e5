import { describe, expect, it } from 'vitest';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { createShelve } from '../../../../src/slack/replies/shelf.ts';
import { createKeys } from '../../../../src/store/redis.ts';
import { useConnection } from '../../../support/redis.ts';
import { until } from '../../../support/until.ts';
import { openSlackHarness } from '../harness.ts';
import { freshPrefix } from '../support.ts';

const connection = useConnection();
const DAY_MS = 86_400_000;

describe('what is kept of a person', () => {
  const keys = createKeys(freshPrefix());
  const put = (user: string, id: string) =>
    createShelve(
      connection.redis,
      3,
    )({
      key: keys.answer(`${user}:${id}`),
      id,
      value: id,
      forMs: DAY_MS,
      index: keys.answersOf(user),
    });
  const left = async (user: string): Promise<string[]> => {
    const base = keys.answer(`${user}:`);
    return (await connection.redis.keys(`${base}*`))
      .map((key) => key.slice(base.length))
      .toSorted();
  };

  it('are the newest, and what stands beside an older one goes with it', async () => {
    await put('U0BEN', 'a');
    await put('U0ADA', 'a');
    await connection.redis.set(keys.answer('U0ADA:a:shared'), '1');
    for (const id of ['b', 'c', 'd', 'e', 'e']) await put('U0ADA', id);

    expect(await left('U0ADA')).toEqual(['c', 'd', 'e']);
    expect(await left('U0BEN')).toEqual(['a']);
    expect(await connection.redis.zrange(keys.answersOf('U0ADA'), '0', '-1')).toEqual([
      'c',
      'd',
      'e',
    ]);
  });

  it('is gone after a day, with its index', async () => {
    await put('U0CLEO', 'a');

    for (const key of [keys.answer('U0CLEO:a'), keys.answersOf('U0CLEO')]) {
      const ttl = await connection.redis.pttl(key);
      expect(ttl).toBeGreaterThan(DAY_MS - 60_000);
      expect(ttl).toBeLessThanOrEqual(DAY_MS);
    }
  });
});

describe('the buttons of an answer', () => {
  const SHARE = 'Share with the channel';
  const open = (personLimit: number) => {
    const answer = async (): Promise<Answer> => ({
      text: 'A sum',
      blocks: [section(mrkdwn`*A sum*`)],
      shareable: true,
      buttons: [button({ action: 'next', text: 'Next' })],
    });
    return openSlackHarness({ personLimit, answer });
  };
  async function askOften(harness: Awaited<ReturnType<typeof open>>, times: number) {
    const before = (await harness.messages()).length;
    await Promise.all(Array.from({ length: times }, () => harness.type('/charges')));
    await until('all answers', async () => (await harness.messages()).length === before + times);
  }

  it('say that it is too old once 50 newer ones are kept, and work before', async () => {
    const harness = await open(30);
    const [oldest, next] = [await harness.ask(), await harness.ask()];
    await askOften(harness, 49);

    await harness.press(oldest, SHARE);
    await harness.untilMessage('a sentence', ({ text }) =>
      text.endsWith('This answer was shared already or is too old: run the command again.'),
    );
    await harness.press(next, SHARE);
    await harness.untilMessage('a shared answer', ({ ephemeral_to: reader }) => reader === null);
  });

  it('work for a day with PERSON_LIMIT=0', async () => {
    const harness = await open(0);
    const oldest = await harness.ask();
    await askOften(harness, 50);

    await harness.press(oldest, SHARE);
    await harness.untilMessage('a shared answer', ({ ephemeral_to: reader }) => reader === null);
  });

  it('stand for the newest hundred things, which those of another person do not count as', async () => {
    const { interactions } = await open(30);
    const other = (await interactions.put('U0BEN', 'his')) ?? '';
    const ids: string[] = [];
    for (let count = 0; count < 101; count += 1) {
      ids.push((await interactions.put('U0ADA', count)) ?? '');
    }

    expect(await interactions.get('U0ADA', ids[0] ?? '')).toBeUndefined();
    expect(await interactions.get('U0ADA', ids[1] ?? '')).toBe(1);
    expect(await interactions.get('U0BEN', other)).toBe('his');
  });
});
