import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/lib/logger.ts';
import { clientOptions } from '../../../src/slack/client.ts';
import { createOwnPosts, type OwnPosts, type ReadResult } from '../../../src/slack/own-posts.ts';

const EVENT = 'purser_event';
const SILENT = createLogger({ level: 'silent', secrets: [] });

type Answer = object | Error | Response;
interface Call {
  method: string;
  args: Record<string, string>;
}

/** A workspace that answers as it is reported, after it has said who the bot is. */
function workspaceWith(...answers: Answer[]): { own: OwnPosts; calls: Call[] } {
  const calls: Call[] = [];
  const client = new WebClient('xoxb-test', {
    ...clientOptions('https://slack.test/api/', SILENT),
    fetch: async (url, init) => {
      const method = String(url).split('/').at(-1) ?? '';
      if (method === 'auth.test') return Response.json(BOT);
      calls.push({ method, args: Object.fromEntries(new URLSearchParams(init?.body as string)) });
      const answer = answers.shift();
      if (answer === undefined) throw new Error(`one call too many: ${method}`);
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer : Response.json({ ok: true, ...answer });
    },
  });
  return { own: createOwnPosts(client), calls };
}

const BOT = { ok: true, bot_id: 'B0PURSER', user_id: 'U0PURSER', team_id: 'T0ACME' };
const error = (code: string): Answer => ({ ok: false, error: code });
const metadataOf = (key: string) => ({ event_type: EVENT, event_payload: { key } });
const post = (ts: string, key: string, more = {}) => ({
  ts,
  user: 'U0PURSER',
  bot_id: 'B0PURSER',
  metadata: metadataOf(key),
  ...more,
});
const page = (messages: object[], cursor = ''): Answer => ({
  messages,
  response_metadata: { next_cursor: cursor },
});
const read = (own: OwnPosts, threadTs?: string): Promise<ReadResult> =>
  own.read('C0DEPLOYS', EVENT, 1_500, threadTs);

describe('the bot’s own posts', () => {
  it('are read page after page', async () => {
    const { own, calls } = workspaceWith(page([post('2', 'b')], 'next'), page([post('1', 'a')]));
    expect(await read(own)).toEqual({
      kind: 'read',
      posts: [
        { ts: '2', key: 'b', covers: [], hidden: false },
        { ts: '1', key: 'a', covers: [], hidden: false },
      ],
      whole: true,
    });
    expect(calls.map(({ method, args }) => [method, args['cursor'], args['oldest']])).toEqual([
      ['conversations.history', undefined, '1.500000'],
      ['conversations.history', 'next', '1.500000'],
    ]);
  });

  it('are not all of them where there is no end', async () => {
    const endless = Array.from({ length: 20 }, () => page([post('1', 'a')], 'more'));
    expect(await read(workspaceWith(...endless).own)).toMatchObject({ kind: 'read', whole: false });
  });

  it.each([
    ['another app, whatever name it has', { bot_id: 'B0OTHER' }],
    ['another app as the same user', { bot_id: 'B0OTHER', user: 'U0PURSER' }],
    ['a person', { bot_id: undefined, user: 'U0BEN' }],
    ['no one', { bot_id: undefined, user: undefined }],
  ])('are not those of %s with the same metadata', async (_title, author) => {
    const { own } = workspaceWith(page([post('1', 'a', author), post('2', 'b')]));
    expect(await read(own)).toMatchObject({ posts: [{ ts: '2' }] });
  });

  it('are not those with other metadata, or without', async () => {
    const odd = [
      { metadata: undefined },
      { metadata: { event_type: 'other', event_payload: { key: 'a' } } },
      { metadata: { event_type: EVENT } },
      { metadata: { event_type: EVENT, event_payload: { key: 7 } } },
    ];
    const { own } = workspaceWith(page(odd.map((more) => post('1', 'a', more))));
    expect(await read(own)).toMatchObject({ kind: 'read', posts: [], whole: true });
  });

  it('list the messages that they stand for', async () => {
    const metadata = { event_type: EVENT, event_payload: { key: 'a', covers: 'b c' } };
    const { own } = workspaceWith(page([post('1', 'a', { metadata })]));
    expect(await read(own)).toMatchObject({ posts: [{ covers: ['b', 'c'] }] });
  });

  it.each(['thread_not_found', 'message_not_found'])(
    'are empty for a thread that does not exist: %s',
    async (code) => {
      const { own, calls } = workspaceWith(error(code));
      expect(await read(own, '1.0')).toEqual({ kind: 'read', posts: [], whole: true });
      expect(calls).toMatchObject([{ method: 'conversations.replies', args: { ts: '1.0' } }]);
    },
  );

  const refused = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });
  it.each([
    ['a missing right is final', error('missing_scope'), { kind: 'unknown' }],
    ['denied access is final', error('access_denied'), { kind: 'unknown' }],
    ['a foreign network waits', error('accesslimited'), { kind: 'limited' }],
    ['an error of Slack’s is asked again', Response.json({}, { status: 503 }), { kind: 'unclear' }],
    [
      'a refused connection is asked again',
      new TypeError('fetch failed', { cause: refused }),
      { kind: 'unsent' },
    ],
    ['a revoked token waits', error('token_revoked'), { kind: 'limited', retryAfterMs: 60_000 }],
    ['half an answer is asked again', new Response('{"ok":tr'), { kind: 'unclear' }],
  ])('%s', async (_title, answer, expected) => {
    expect(await read(workspaceWith(answer).own)).toMatchObject(expected);
  });
});
