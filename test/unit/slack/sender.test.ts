import { describe, expect, it } from 'vitest';
import { createSlackSender, tokenRefusal, type ChannelPost } from '../../../src/slack/sender.ts';
import { nativeBlocks } from '../../support/native-blocks.ts';
import { type Answer, inOrder, networkError, refusing, slackSaying } from './answering.ts';

const POST: ChannelPost = {
  channel: 'C0DEPLOYS',
  text: 'v7 ready',
  blocks: [{ type: 'divider' }],
  metadata: { event_type: 'purser_event', event_payload: { key: 'acme/shop/api/7/ready' } },
  broadcast: true,
};

/** The sender before a Slack that answers so. */
function sendTo(...answers: Answer[]) {
  const { client, calls } = slackSaying(inOrder(...answers));
  return { sender: createSlackSender(client, nativeBlocks()), calls };
}

const http = (status: number, retryAfter?: string): Answer => {
  const headers: Record<string, string> = retryAfter ? { 'retry-after': retryAfter } : {};
  return Response.json({ ok: false, error: 'ratelimited' }, { status, headers });
};
const ok: Answer = { ts: '1.0001' };
const LIMITED = { kind: 'limited', retryAfterMs: 60_000 };

describe('the end of a call', () => {
  it.each<[string, Answer, object]>([
    ['accepted', ok, { kind: 'sent', ts: '1.0001' }],
    ['accepted without a timestamp', {}, { kind: 'unclear' }],
    ['HTTP 429', http(429, '7'), { kind: 'limited', retryAfterMs: 7_000 }],
    ['HTTP 429 for a day', http(429, '86400'), { kind: 'limited', retryAfterMs: 900_000 }],
    ['HTTP 429 that is over', http(429, '0'), { kind: 'limited', retryAfterMs: 1_000 }],
    ['HTTP 429 without a time', http(429), { kind: 'unclear' }],
    ['rate_limited', refusing('rate_limited'), { kind: 'limited', retryAfterMs: 30_000 }],
    ...[
      'token_revoked',
      'account_inactive',
      'team_added_to_org',
      'missing_scope',
      'no_permission',
      'ekm_access_denied',
      'access_denied',
      'accesslimited',
      'message_limit_exceeded',
    ].map((code): [string, Answer, object] => [code, refusing(code), LIMITED]),
    ['HTTP 500', http(500), { kind: 'unclear', error: 'http 500' }],
    ['HTTP 403 of a proxy', http(403), { kind: 'unclear' }],
    ['fatal_error', refusing('fatal_error'), { kind: 'unclear', error: 'fatal_error' }],
    ['an archived channel', refusing('is_archived'), { kind: 'refused', error: 'is_archived' }],
    ['an answer that was cut off', new Response('{"ok":true,"ts":"1.0'), { kind: 'unclear' }],
    ['an empty answer', new Response(''), { kind: 'unclear' }],
    ['a page of a proxy', new Response('<html>Please log in</html>'), { kind: 'unclear' }],
    ['a refused connection', networkError('ECONNREFUSED'), { kind: 'unsent' }],
    ['an unknown name', networkError('ENOTFOUND'), { kind: 'unsent', error: 'ENOTFOUND' }],
    ['a connection that broke', networkError('ECONNRESET'), { kind: 'unclear' }],
    ['no answer in time', new DOMException('late', 'TimeoutError'), { kind: 'unclear' }],
  ])('%s', async (_title, answer, expected) => {
    const { sender } = sendTo(answer);
    expect(await sender.post(POST, undefined)).toMatchObject(expected);
  });

  it('by a refused connection to a name with several addresses is distinguished, too', async () => {
    const first = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });
    const cause = new AggregateError([first]);
    const { sender } = sendTo(new TypeError('fetch failed', { cause }));

    expect(await sender.post(POST, undefined)).toMatchObject({ kind: 'unsent' });
  });
});

describe('a post', () => {
  it('goes into a thread and shows itself in the channel only if it is meant to', async () => {
    const { sender, calls } = sendTo(ok, ok, ok);

    await sender.post(POST, '1.0');
    await sender.post({ ...POST, broadcast: false }, '1.0');
    await sender.post(POST, undefined);

    expect(calls.map(({ args }) => [args['thread_ts'], args['reply_broadcast']])).toEqual([
      ['1.0', 'true'],
      ['1.0', undefined],
      [undefined, undefined],
    ]);
  });

  it('whose thread is gone and whose blocks Slack refuses still goes out', async () => {
    const { sender, calls } = sendTo(refusing('thread_not_found'), refusing('invalid_blocks'), ok);

    expect(await sender.post(POST, '1.0')).toEqual({ kind: 'sent', ts: '1.0001' });

    expect(calls.at(-1)?.args).toMatchObject({ text: 'v7 ready' });
    expect(calls.at(-1)?.args).not.toHaveProperty('blocks');
    expect(calls.at(-1)?.args).not.toHaveProperty('thread_ts');
  });

  it('that is refused without blocks as well is given up', async () => {
    const refusal = refusing('invalid_blocks');
    const { sender, calls } = sendTo(refusal, refusal);

    expect(await sender.post(POST, undefined)).toMatchObject({ kind: 'refused' });
    expect(calls.map(({ args }) => typeof args['blocks'])).toEqual(['string', 'undefined']);
  });

  it('keeps no blocks of before where an edit has none that Slack takes', async () => {
    const { sender, calls } = sendTo(refusing('invalid_blocks'), ok);

    expect(await sender.update(POST, '1.0001')).toMatchObject({ kind: 'sent' });
    expect(calls[1]?.args['blocks']).toBe('[]');
  });

  it('never carries links that Slack unfolds', async () => {
    const { sender, calls } = sendTo(ok);
    await sender.post(POST, undefined);
    expect(calls[0]?.args).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false' });
  });
});

describe('a start', () => {
  it.each<[boolean, string, Answer]>([
    ...[
      'invalid_auth',
      'not_authed',
      'not_allowed_token_type',
      'token_revoked',
      'token_expired',
      'account_inactive',
      'team_access_not_granted',
      'org_login_required',
    ].map((code): [boolean, string, Answer] => [true, code, refusing(code)]),
    [false, 'Slack is ill', refusing('internal_error')],
    [false, 'the workspace is on the move', refusing('team_added_to_org')],
    [false, 'Slack asks to wait', refusing('ratelimited')],
    [false, 'a proxy refuses', http(403)],
    [false, 'Slack is away', networkError('ECONNREFUSED')],
  ])('has nothing to wait for (%s): %s', async (isRefused, _, answer) => {
    const { client } = slackSaying(inOrder(answer));
    const thrown: unknown = await client.auth.test().catch((error: unknown) => error);

    expect(thrown).toBeInstanceOf(Error);
    expect(tokenRefusal('SLACK_BOT_TOKEN', thrown) !== undefined).toBe(isRefused);
  });
});
