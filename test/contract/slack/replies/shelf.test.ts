import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../../src/lib/logger.ts';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { createKept } from '../../../../src/slack/replies/shelf.ts';
import { createKeys } from '../../../../src/store/redis.ts';
import { useConnection } from '../../../support/redis.ts';
import { until } from '../../../support/until.ts';
import { type Message, openSlackHarness } from '../harness.ts';
import { freshPrefix } from '../support.ts';

const connection = useConnection();
const quiet = createLogger({ level: 'silent', secrets: [] });
const DAY_MS = 86_400_000;

describe('the unfinished forms of a person', () => {
  const keys = createKeys(freshPrefix());
  const shelf = (personLimit = 30) =>
    createKept({ ...connection, keys, logger: quiet, config: { personLimit } }).forms;
  const left = async (user: string): Promise<string[]> => {
    const base = keys.kept(`${user}:`);
    return (await connection.redis.keys(`${base}*`)).map((key) => key.slice(base.length));
  };

  it('are the newest hundred things, and what belongs to an older one goes with it', async () => {
    const other = (await shelf().put('U0BEN', 'his')) ?? '';
    const ids: string[] = [];
    for (let count = 0; count < 101; count += 1) {
      ids.push((await shelf().put('U0ADA', count)) ?? '');
      if (count === 0) await shelf().claim('U0ADA', ids[0] ?? '');
    }

    expect((await left('U0ADA')).toSorted()).toEqual(ids.slice(1).toSorted());
    expect(await shelf().get('U0ADA', ids[0] ?? '')).toBeUndefined();
    expect(await shelf().get('U0ADA', ids[1] ?? '')).toBe(1);
    expect(await shelf().get('U0BEN', other)).toBe('his');
    expect(await connection.redis.zcard(keys.keptOf('U0ADA'))).toBe(100);
  });

  it('is gone after a day, with its index', async () => {
    const id = await shelf().put('U0CLEO', 'a');

    for (const key of [keys.kept(`U0CLEO:${id}`), keys.keptOf('U0CLEO')]) {
      const ttl = await connection.redis.pttl(key);
      expect(ttl).toBeGreaterThan(DAY_MS - 60_000);
      expect(ttl).toBeLessThanOrEqual(DAY_MS);
    }
  });

  it('is of no use to another person, and its ids cannot be guessed', async () => {
    const [one, other] = [await shelf().put('U0DAN', 1), await shelf().put('U0DAN', 1)];

    expect(await shelf().get('U0BEN', one ?? '')).toBeUndefined();
    expect(await shelf().get('U0DAN', 'made-up')).toBeUndefined();
    expect(one).not.toBe(other);
  });

  it('can be claimed once', async () => {
    const id = (await shelf().put('U0EVE', 1)) ?? '';

    expect(await Promise.all([1, 2].map(() => shelf().claim('U0EVE', id)))).toEqual([true, false]);
  });

  it('is not kept while the store is away: putting says so, and asking fails', async () => {
    const harness = await openSlackHarness({});
    const { forms } = harness.kept;
    const id = (await forms.put('U0ADA', 1)) ?? '';
    await harness.loseStore();

    expect(await forms.put('U0ADA', 2)).toBeUndefined();
    expect(harness.lines()).toContain('What a button stands for was not kept');
    await expect(forms.get('U0ADA', id)).rejects.toThrow(/close|writeable/);
  });
});

describe('the buttons of an answer', () => {
  const SHARE = 'Share';
  const isOpen = ({ ephemeral_to: reader }: Message): boolean => reader === null;
  const open = (personLimit: number) => {
    const answer = async (): Promise<Answer> => ({
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
    const shared = await harness.untilMessage('a shared answer', isOpen);
    expect(shared.text).toBe('A sum\nShared by <@U0ADA>');
  });

  it('work for a day with PERSON_LIMIT=0', async () => {
    const harness = await open(0);
    const oldest = await harness.ask();
    await askOften(harness, 50);

    await harness.press(oldest, SHARE);
    const shared = await harness.untilMessage('a shared answer', isOpen);
    expect(shared.text).toBe('A sum\nShared by <@U0ADA>');
  });
});
