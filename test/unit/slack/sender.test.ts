import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/lib/logger.ts';
import { nativeBlocks } from '../../support/native-blocks.ts';
import { clientOptions } from '../../../src/slack/client.ts';
import {
  createSlackSender,
  isTokenRefused,
  type ChannelPost,
  type SlackSender,
} from '../../../src/slack/sender.ts';

const POST: ChannelPost = {
  channel: 'C0DEPLOYS',
  text: 'v7 ready',
  blocks: [{ type: 'divider' }],
  metadata: { event_type: 'purser_event', event_payload: { key: 'acme/shop/api/7/ready' } },
  broadcast: true,
};

interface Call {
  method: string;
  args: Record<string, string>;
}

type Answer = (call: Call) => Response;

/** The sender before a Slack that answers as it is reported; calls beyond that are a defect. */
function sendTo(...answers: (Answer | Error)[]): { sender: SlackSender; calls: Call[] } {
  const { client, calls } = clientOf(...answers);
  return { sender: createSlackSender(client, nativeBlocks()), calls };
}

function clientOf(...answers: (Answer | Error)[]): { client: WebClient; calls: Call[] } {
  const calls: Call[] = [];
  const client = new WebClient('xoxb-test', {
    ...clientOptions('https://slack.test/api/', createLogger({ level: 'silent', secrets: [] })),
    fetch: async (url, init) => {
      const method = String(url).split('/').at(-1) ?? '';
      const args = Object.fromEntries(new URLSearchParams(init?.body as string));
      const call = { method, args };
      calls.push(call);
      const answer = answers.shift();
      if (answer === undefined) throw new Error(`one call too many: ${method}`);
      if (answer instanceof Error) throw answer;
      return answer(call);
    },
  });
  return { client, calls };
}

const json =
  (body: object, status = 200, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json(body, { status, headers });
const ok = json({ ok: true, ts: '1.0001' });
const error = (code: string): Answer => json({ ok: false, error: code });
const text =
  (body: string): Answer =>
  () =>
    new Response(body);

function networkError(code: string): TypeError {
  const cause = Object.assign(new Error('connect failed'), { code });
  return new TypeError('fetch failed', { cause });
}

describe('the end of a call', () => {
  it.each([
    ['accepted', ok, { kind: 'sent', ts: '1.0001' }],
    ['accepted without a timestamp', json({ ok: true }), { kind: 'unclear' }],
    [
      'HTTP 429',
      json({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': '7' }),
      { kind: 'limited', retryAfterMs: 7_000 },
    ],
    [
      'HTTP 429 for a day',
      json({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': '86400' }),
      { kind: 'limited', retryAfterMs: 900_000 },
    ],
    ['HTTP 429 without a time', json({}, 429), { kind: 'unclear' }],
    ['rate_limited', error('rate_limited'), { kind: 'limited', retryAfterMs: 30_000 }],
    ['a revoked token', error('token_revoked'), { kind: 'limited', retryAfterMs: 60_000 }],
    ['a removed app', error('account_inactive'), { kind: 'limited', retryAfterMs: 60_000 }],
    ['a workspace on the move', error('team_added_to_org'), { kind: 'limited' }],
    ['a missing right', error('missing_scope'), { kind: 'limited', retryAfterMs: 60_000 }],
    ['no permission', error('no_permission'), { kind: 'limited', retryAfterMs: 60_000 }],
    ['a withdrawn key', error('ekm_access_denied'), { kind: 'limited', retryAfterMs: 60_000 }],
    ['denied access', error('access_denied'), { kind: 'limited', retryAfterMs: 60_000 }],
    ['a foreign network', error('accesslimited'), { kind: 'limited', retryAfterMs: 60_000 }],
    ['a full workspace', error('message_limit_exceeded'), { kind: 'limited' }],
    ['HTTP 500', json({}, 500), { kind: 'unclear', error: 'http 500' }],
    ['HTTP 403 of a proxy', json({}, 403), { kind: 'unclear' }],
    ['fatal_error', error('fatal_error'), { kind: 'unclear', error: 'fatal_error' }],
    ['an archived channel', error('is_archived'), { kind: 'refused', error: 'is_archived' }],
    ['an answer that was cut off', text('{"ok":true,"ts":"1.0'), { kind: 'unclear' }],
    ['an empty answer', text(''), { kind: 'unclear' }],
    ['a page of a proxy', text('<html>Please log in</html>'), { kind: 'unclear' }],
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
    const { sender, calls } = sendTo(error('thread_not_found'), error('invalid_blocks'), ok);

    expect(await sender.post(POST, '1.0')).toEqual({ kind: 'sent', ts: '1.0001' });

    expect(calls.at(-1)?.args).toMatchObject({ text: 'v7 ready' });
    expect(calls.at(-1)?.args).not.toHaveProperty('blocks');
    expect(calls.at(-1)?.args).not.toHaveProperty('thread_ts');
  });

  it('that is refused without blocks as well is given up', async () => {
    const refusal = error('invalid_blocks');
    const { sender, calls } = sendTo(refusal, refusal);

    expect(await sender.post(POST, undefined)).toMatchObject({ kind: 'refused' });
    expect(calls.map(({ args }) => typeof args['blocks'])).toEqual(['string', 'undefined']);
  });

  it('keeps no blocks of before where an edit has none that Slack takes', async () => {
    const { sender, calls } = sendTo(error('invalid_blocks'), ok);

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
  const thrownBy = (answer: Answer | Error): Promise<unknown> =>
    clientOf(answer)
      .client.auth.test()
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );

  it.each([
    'invalid_auth',
    'not_authed',
    'not_allowed_token_type',
    'token_revoked',
    'token_expired',
    'account_inactive',
    'team_access_not_granted',
    'org_login_required',
  ])('has nothing to wait for when Slack says %s', async (code) => {
    expect(isTokenRefused(await thrownBy(error(code)))).toBe(true);
  });

  it.each([
    ['Slack is ill', error('internal_error')],
    ['the workspace is on the move', error('team_added_to_org')],
    ['Slack asks to wait', error('ratelimited')],
    ['a proxy refuses', json({}, 403)],
    ['Slack is away', networkError('ECONNREFUSED')],
  ])('waits when %s', async (_title, answer) => {
    const thrown = await thrownBy(answer);
    expect(thrown).toBeInstanceOf(Error);
    expect(isTokenRefused(thrown)).toBe(false);
  });
});
