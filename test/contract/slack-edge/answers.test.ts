import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createScrubber } from '../../../src/lib/scrub.ts';
import { startRedis } from '../../../src/sandbox/redis.ts';
import type { SandboxRedis } from '../../../src/sandbox/redis.ts';
import { createAnswers } from '../../../src/slack/answers.ts';
import type { Answers } from '../../../src/slack/answers.ts';
import type { SendDirectly } from '../../../src/slack/direct.ts';
import { button, mrkdwn, section } from '../../../src/slack/kit/index.ts';
import type { Answer } from '../../../src/slack/routes.ts';
import { createKeys } from '../../../src/store/keys.ts';
import { connectRedis, redisReady } from '../../../src/store/redis.ts';
import type { RedisConnection } from '../../../src/store/redis.ts';
import { until } from '../../support/until.ts';
import { freshPrefix, leash, listeningLogger } from './support.ts';
import type { Leash } from './support.ts';

interface Post {
  text: string;
  blocks?: { type: string; block_id: string; elements?: { value?: string }[] }[];
  response_type: string;
  replace_original: boolean;
}

let redis: SandboxRedis;
let line: Leash;
let connection: RedisConnection;
let slack: Server;
let url: string;
let posts: Post[];
/** Whether Slack takes a post. */
let takes: (post: Post) => boolean;
/** Direct messages, with the person they went to. */
let directs: Parameters<SendDirectly>[];
let answers: Answers;
let lines: () => string;

beforeAll(async () => {
  redis = await startRedis(process.env['REDIS_URL']);
  slack = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => void (body += bytes.toString()));
    request.on('end', () => {
      const post = JSON.parse(body) as Post;
      posts.push(post);
      if (takes(post)) response.end('ok');
      else response.writeHead(400).end('{"ok":false,"error":"invalid_blocks"}');
    });
  });
  await new Promise<void>((resolve) => {
    slack.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(slack.address() as AddressInfo).port}`;
});
afterAll(async () => {
  slack.close();
  slack.closeAllConnections();
  await redis.close();
});

beforeEach(async () => {
  posts = [];
  directs = [];
  takes = () => true;
  const log = listeningLogger();
  lines = log.lines;
  line = await leash(redis.url);
  const { hostname, port } = new URL(line.url);
  const node = { host: hostname, port: Number(port), db: 0, tls: false };
  connection = connectRedis([node], 'commands', log.logger);
  await redisReady(connection, 5_000);
  answers = createAnswers({
    redis: connection,
    keys: createKeys(freshPrefix()),
    apiUrl: `${url}/api/`,
    scrub: createScrubber(['top-secret']),
    direct: async (...message) => directs.push(message) > 0,
    logger: log.logger,
  });
});
afterEach(async () => {
  connection.disconnect();
  await line.close();
});

const asker = (userId = 'U0ADA') => ({ userId, responseUrl: `${url}/r` });
const clicker = () => ({ ...asker(), clicked: { messageId: undefined, lasting: false } });
const answer: Answer = {
  text: 'All is well',
  blocks: [section(mrkdwn`All is well`)],
  shareable: true,
};
const permit = () => Promise.resolve(undefined);

/** The id behind the Share button of the last post. */
const shareId = (): string | undefined => posts.at(-1)?.blocks?.at(-1)?.elements?.[0]?.value;

describe('an answer', () => {
  it('is private and comes at once', async () => {
    await answers.reply(asker(), () => Promise.resolve({ answer }));

    expect(posts).toMatchObject([{ text: 'All is well', response_type: 'ephemeral' }]);
  });

  it.each([
    ['a command', asker, true],
    ['a button', clicker, false],
  ])(
    'that takes long shows progress first; to %s it replaces its own message only',
    async (_, who, replaces) => {
      await answers.reply(who(), async () => {
        await until('a word in between', () => posts.length > 0);
        return { answer };
      });

      expect(posts.map(({ text }) => text)).toEqual(['Still working on it …', 'All is well']);
      expect(posts.map((post) => post.replace_original)).toEqual([false, replaces]);
    },
  );

  it('that takes the place of an ordinary message stays one', async () => {
    const clicked = { messageId: undefined, lasting: true };

    await answers.reply({ ...asker(), clicked, inPlace: true }, () => Promise.resolve({ answer }));

    expect(posts).toMatchObject([{ response_type: 'in_channel', replace_original: true }]);
  });

  it('that Slack does not take comes once more as plain text', async () => {
    takes = ({ blocks }) => blocks === undefined;

    await answers.reply(asker(), () => Promise.resolve({ answer }));

    expect(posts.at(-1)).toMatchObject({ text: 'All is well' });
    expect(posts.at(-1)).not.toHaveProperty('blocks');
  });

  it.each([
    ['a command', asker],
    ['a button', clicker],
  ])('to %s of which Slack takes nothing comes as a direct message, once', async (_, who) => {
    takes = () => false;

    await answers.reply(who(), async () => {
      await until('a word in between', () => posts.length > 0);
      return { answer };
    });

    expect(directs.map(([userId, { text }]) => [userId, text])).toEqual([['U0ADA', 'All is well']]);
  });

  it('of which Slack takes at least the text comes nowhere else', async () => {
    takes = ({ blocks }) => blocks === undefined;

    await answers.reply(asker(), () => Promise.resolve({ answer }));

    expect(directs).toEqual([]);
  });

  it('has no secret in it, neither in its text nor in its blocks', async () => {
    const leaky = { text: 'top-secret', blocks: [section(mrkdwn`is top-secret`)] };

    await answers.reply(asker(), () => Promise.resolve({ answer: leaky }));

    expect(JSON.stringify(posts)).not.toContain('top-secret');
  });

  it('comes without the Share button while Redis is away', async () => {
    await line.cut();
    await until('the loss', () => connection.status !== 'ready');

    await answers.reply(asker(), () => Promise.resolve({ answer }));

    expect(posts).toMatchObject([{ text: 'All is well', blocks: [{ type: 'section' }] }]);
  });

  it('goes to no address that is not Slack’s but to the person, and the address is not logged', async () => {
    const elsewhere = url.replace('127.0.0.1', 'localhost');

    await answers.reply({ ...asker(), responseUrl: `${elsewhere}/r` }, () =>
      Promise.resolve({ answer }),
    );

    expect(posts).toEqual([]);
    expect(directs).toEqual([['U0ADA', { text: 'All is well', blocks: answer.blocks }]]);
    expect(lines()).toContain('not Slack’s was not used');
    expect(lines()).not.toContain(elsewhere);
  });
});

describe('sharing', () => {
  beforeEach(async () => {
    await answers.reply(asker(), () => Promise.resolve({ answer }));
  });

  it('posts once, says who it was, and takes the button away', async () => {
    const id = shareId();

    await Promise.all(Array.from({ length: 10 }, () => answers.share(asker(), id, permit)));

    const shared = posts.filter((post) => post.response_type === 'in_channel');
    expect(shared).toHaveLength(1);
    expect(JSON.stringify(shared)).toContain('Shared by <@U0ADA>');
    expect(posts.filter((post) => post.replace_original)).toMatchObject([
      { blocks: [{ type: 'section' }] },
    ]);
    expect(posts.filter(({ text }) => text.includes('shared already'))).toHaveLength(9);
  });

  it('is for the person who asked: nobody else can do it, or use it up', async () => {
    const id = shareId();

    await answers.share(asker('U0BEN'), id, permit);
    expect(posts.at(-1)?.text).toContain('shared already or is too old');

    await answers.share(asker(), id, permit);
    expect(posts.some((post) => post.response_type === 'in_channel')).toBe(true);
  });

  it('does not happen with an answer that asks first and names no right', async () => {
    const careless = { ...answer, shareable: { question: 'Really?' } };
    const buttons = [button({ action: 'turn', text: 'Next' })];
    await answers.reply(asker(), () => Promise.resolve({ answer: { ...careless, buttons } }));
    const id = posts.at(-1)?.blocks?.at(-1)?.block_id.split(':')[0];

    await answers.share(asker(), id, permit);

    expect(posts.some((post) => post.response_type === 'in_channel')).toBe(false);
    expect(posts.at(-1)?.text).toContain('run the command again');
  });

  it.each([undefined, '', 'no-such-id'])('of %j tells what to do', async (id) => {
    await answers.share(asker(), id, permit);

    expect(posts.at(-1)?.text).toContain('run the command again');
  });

  it('that Slack does not confirm keeps the private answer and says what to look for', async () => {
    const id = shareId();
    takes = (post) => post.response_type !== 'in_channel';

    await answers.share(asker(), id, permit);

    expect(posts.at(-1)?.text).toContain('if it is not in the channel');
    expect(posts.some((post) => post.replace_original)).toBe(false);
  });

  it('of which Slack takes nothing at all is told in a direct message', async () => {
    const id = shareId();
    takes = () => false;

    await answers.share(asker(), id, permit);

    expect(directs).toMatchObject([['U0ADA', { text: expect.stringContaining('not confirm') }]]);
  });

  it('does not repeat the answer elsewhere when only the button could not be taken away', async () => {
    const id = shareId();
    takes = (post) => post.response_type === 'in_channel';

    await answers.share(asker(), id, permit);

    expect(posts.some((post) => post.response_type === 'in_channel')).toBe(true);
    expect(directs).toEqual([]);
  });

  it('while Redis is away says that nothing was done', async () => {
    const id = shareId();
    await line.cut();
    await until('the loss', () => connection.status !== 'ready');

    await answers.share(asker(), id, permit);

    expect(posts.at(-1)?.text).toContain('nothing was done');
  });
});
