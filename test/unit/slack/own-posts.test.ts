import { describe, expect, it } from 'vitest';
import { createOwnPosts, type OwnPosts, type ReadResult } from '../../../src/slack/own-posts.ts';
import { type Answer, inOrder, networkError, refusing, slackSaying } from './answering.ts';

const EVENT = 'purser_event';
const BOT = { bot_id: 'B0PURSER', user_id: 'U0PURSER', team_id: 'T0ACME' };

/** A workspace that answers so, after it has said who the bot is. */
function workspaceWith(...answers: Answer[]) {
  const { client, calls } = slackSaying(inOrder(BOT, ...answers));
  return { own: createOwnPosts(client), reads: () => calls.slice(1) };
}

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
    const { own, reads } = workspaceWith(page([post('2', 'b')], 'next'), page([post('1', 'a')]));
    expect(await read(own)).toEqual({
      kind: 'read',
      posts: [
        { ts: '2', key: 'b', covers: [], hidden: false },
        { ts: '1', key: 'a', covers: [], hidden: false },
      ],
      whole: true,
    });
    expect(reads().map(({ method, args }) => [method, args['cursor'], args['oldest']])).toEqual([
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
      const { own, reads } = workspaceWith(refusing(code));
      expect(await read(own, '1.0')).toEqual({ kind: 'read', posts: [], whole: true });
      expect(reads()).toMatchObject([{ method: 'conversations.replies', args: { ts: '1.0' } }]);
    },
  );

  it.each<[string, Answer, object]>([
    ['a missing right is final', refusing('missing_scope'), { kind: 'unknown' }],
    ['denied access is final', refusing('access_denied'), { kind: 'unknown' }],
    ['a foreign network waits', refusing('accesslimited'), { kind: 'limited' }],
    ['an error of Slack’s is asked again', Response.json({}, { status: 503 }), { kind: 'unclear' }],
    ['a refused connection is asked again', networkError('ECONNREFUSED'), { kind: 'unsent' }],
    ['a revoked token waits', refusing('token_revoked'), { kind: 'limited', retryAfterMs: 60_000 }],
    ['half an answer is asked again', new Response('{"ok":tr'), { kind: 'unclear' }],
  ])('%s', async (_title, answer, expected) => {
    expect(await read(workspaceWith(answer).own)).toMatchObject(expected);
  });
});
