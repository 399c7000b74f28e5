import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createScrubber } from '../../../../src/lib/secret.ts';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { createAnswers, type Answers } from '../../../../src/slack/replies/answers.ts';
import { createKept } from '../../../../src/slack/replies/shelf.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { createKeys } from '../../../../src/store/redis.ts';
import { listen } from '../../../support/http.ts';
import { useRedis } from '../../../support/redis.ts';
import { until } from '../../../support/until.ts';
import { connectThroughProxy, freshPrefix, listeningLogger } from '../support.ts';
import { nativeBlocks } from '../../../support/native-blocks.ts';

interface Post {
  text: string;
  blocks?: { type: string; block_id: string; elements?: { value?: string }[] }[];
  response_type: string;
  replace_original: boolean;
}

let store: Awaited<ReturnType<typeof connectThroughProxy>>;
let slack: Awaited<ReturnType<typeof listen>>;
let url: string;
let posts: Post[];
/** Whether Slack takes a post. */
let takes: (post: Post) => boolean;
/** Answers of Slack before those; an end is the body of an answer with the status 200. */
let first: ({ status: number; retryAfter?: string } | { end: string })[];
/** Direct messages, with the person they went to. */
let directs: [person: string, message: { text?: string; blocks?: string }][];
let answers: Answers;
let lines: () => string;

beforeAll(async () => {
  slack = await listen((_request, response, body) => {
    const post = JSON.parse(body) as Post;
    posts.push(post);
    const fault = first.shift();
    if (fault !== undefined && 'end' in fault) response.end(fault.end);
    else if (fault !== undefined) {
      response.writeHead(fault.status, { 'retry-after': fault.retryAfter ?? '' }).end();
    } else if (takes(post)) response.end('ok');
    else response.writeHead(400).end('{"ok":false,"error":"invalid_blocks"}');
  });
  url = slack.url;
});
afterAll(() => slack.close());

beforeEach(async () => {
  posts = [];
  first = [];
  directs = [];
  takes = () => true;
  const log = listeningLogger();
  lines = log.lines;
  store = await connectThroughProxy(useRedis().url, log.logger);
  answers = createAnswers({
    kept: createKept({
      redis: store.connection,
      keys: createKeys(freshPrefix()),
      config: { personLimit: 0 },
      logger: log.logger,
    }),
    native: nativeBlocks(),
    slack: {
      slackApiUrl: `${url}/api/`,
      conversations: { open: async ({ users: id }: { users: string }) => ({ channel: { id } }) },
      chat: {
        postMessage: async ({
          channel,
          text,
          blocks,
        }: Record<'channel' | 'text' | 'blocks', string>) =>
          void directs.push([channel, { text, blocks }]),
      },
    } as never,
    scrub: createScrubber(['top-secret']),
    logger: log.logger,
  });
});
afterEach(() => store.close());

const viewer = (userId = 'U0ADA') => ({ userId, responseUrl: `${url}/r` });
const clicker = () => ({ ...viewer(), clicked: { messageId: undefined, lasting: false } });
const answer: Answer = {
  blocks: [section(mrkdwn`All is well`)],
  shareable: true,
};
const permit = () => Promise.resolve(undefined);

/** The id behind the Share button of the last post. */
const shareId = (): string | undefined => posts.at(-1)?.blocks?.at(-1)?.elements?.[0]?.value;

describe('an answer', () => {
  it.each([
    ['a command', viewer, true],
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

  it.each([
    ['a command', viewer],
    ['a button', clicker],
  ])('to %s of which Slack takes nothing comes as a direct message, once', async (_, who) => {
    takes = () => false;

    await answers.reply(who(), async () => {
      await until('a word in between', () => posts.length > 0);
      return { answer };
    });

    expect(directs.map(([userId, { text }]) => [userId, text])).toEqual([['U0ADA', 'All is well']]);
  });

  it('that takes the place of an ordinary message stays one', async () => {
    const clicked = { messageId: undefined, lasting: true };
    const recipient = { ...viewer(), clicked, replaceable: true };

    await answers.reply(recipient, () => Promise.resolve({ answer }), true);

    expect(posts).toMatchObject([{ response_type: 'in_channel', replace_original: true }]);
  });

  it('that Slack does not take comes once more as plain text, and nowhere else', async () => {
    takes = ({ blocks }) => blocks === undefined;

    await answers.reply(viewer(), () => Promise.resolve({ answer }));

    expect(posts.at(-1)).toMatchObject({ text: 'All is well', response_type: 'ephemeral' });
    expect(posts.at(-1)).not.toHaveProperty('blocks');
    expect(directs).toEqual([]);
  });

  it('waits for a limit of Slack that is over soon, and comes whole', async () => {
    first = [{ status: 429, retryAfter: '1' }];

    await answers.reply(viewer(), () => Promise.resolve({ answer }));

    expect(posts).toHaveLength(2);
    expect(posts[1]).toEqual(posts[0]);
    expect(directs).toEqual([]);
  });

  it.each([{ status: 429, retryAfter: '30' }, { status: 404 }, { status: 500 }])(
    'comes once, whole and as a direct message after %j',
    async (fault) => {
      first = [fault];

      await answers.reply(viewer(), () => Promise.resolve({ answer }));

      expect(posts).toHaveLength(1);
      expect(directs).toEqual([['U0ADA', { text: 'All is well', blocks: answer.blocks }]]);
    },
  );

  it('that Slack refuses with the status 200 comes as plain text, too', async () => {
    first = [{ end: '{"ok":false,"error":"invalid_blocks"}' }];

    await answers.reply(viewer(), () => Promise.resolve({ answer }));

    expect(posts.at(-1)).toMatchObject({ text: 'All is well' });
    expect(posts.at(-1)).not.toHaveProperty('blocks');
  });

  it('has no secret in it, neither in its text nor in its blocks', async () => {
    const leaky = { text: 'top-secret', blocks: [section(mrkdwn`is top-secret`)] };

    await answers.reply(viewer(), () => Promise.resolve({ answer: leaky }));

    expect(JSON.stringify(posts)).not.toContain('top-secret');
  });

  it('goes to no address that is not Slack’s but to the person, and the address is not logged', async () => {
    const elsewhere = url.replace('127.0.0.1', 'localhost');

    await answers.reply({ ...viewer(), responseUrl: `${elsewhere}/r` }, () =>
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
    await answers.reply(viewer(), () => Promise.resolve({ answer }));
  });

  it('posts once, says who it was, and takes the button away', async () => {
    const id = shareId();

    await Promise.all(Array.from({ length: 10 }, () => answers.share(viewer(), id, permit)));

    const shared = posts.filter((post) => post.response_type === 'in_channel');
    expect(shared).toHaveLength(1);
    expect(JSON.stringify(shared)).toContain('Shared by <@U0ADA>');
    expect(posts.filter((post) => post.replace_original)).toMatchObject([
      { blocks: [{ type: 'section' }] },
    ]);
    expect(posts.filter(({ text }) => text.includes('shared already'))).toHaveLength(9);
  });

  it('is for the person who asked: no other person can do it, or use it up', async () => {
    const id = shareId();

    await answers.share(viewer('U0BEN'), id, permit);
    expect(posts.at(-1)?.text).toContain('shared already or is too old');

    await answers.share(viewer(), id, permit);
    expect(posts.some((post) => post.response_type === 'in_channel')).toBe(true);
  });

  it('does not happen with an answer that asks first and names no right', async () => {
    const careless = { ...answer, shareable: { question: 'Really?' } };
    const buttons = [button({ action: 'turn', text: 'Next' })];
    await answers.reply(viewer(), () => Promise.resolve({ answer: { ...careless, buttons } }));
    const id = posts.at(-1)?.blocks?.at(-1)?.block_id.split(':')[0];

    await answers.share(viewer(), id, permit);

    expect(posts.some((post) => post.response_type === 'in_channel')).toBe(false);
    expect(posts.at(-1)?.text).toContain('run the command again');
  });

  it.each([undefined, '', 'no-such-id'])('of %j shows the next step', async (id) => {
    await answers.share(viewer(), id, permit);

    expect(posts.at(-1)?.text).toContain('run the command again');
  });

  it('that Slack does not confirm keeps the private answer and asks to check the channel', async () => {
    const id = shareId();
    takes = (post) => post.response_type !== 'in_channel';

    await answers.share(viewer(), id, permit);

    expect(posts.at(-1)?.text).toContain('if it is not in the channel');
    expect(posts.some((post) => post.replace_original)).toBe(false);
  });

  it('that Slack does not take at all is reported in a direct message', async () => {
    const id = shareId();
    takes = () => false;

    await answers.share(viewer(), id, permit);

    expect(directs).toMatchObject([['U0ADA', { text: expect.stringContaining('not confirm') }]]);
  });

  it('does not repeat the answer elsewhere when only the button could not be taken away', async () => {
    const id = shareId();
    takes = (post) => post.response_type === 'in_channel';

    await answers.share(viewer(), id, permit);

    expect(posts.some((post) => post.response_type === 'in_channel')).toBe(true);
    expect(directs).toEqual([]);
  });

  it('while Redis is away says that nothing was done', async () => {
    const id = shareId();
    await store.proxy.cut();
    await until('the loss', () => store.connection.status !== 'ready');

    await answers.share(viewer(), id, permit);

    expect(posts.at(-1)?.text).toContain('nothing was done');
  });
});
