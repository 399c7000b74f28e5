import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOT_TOKEN, startWorkspace, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0DEPLOYS';
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await startWorkspace();
});
afterEach(() => workspace.close());

const post = (text = 'hello', channel = CHANNEL) =>
  workspace.client.chat.postMessage({ channel, text }).catch((error: unknown) => error);
const fault = (one: Record<string, unknown>) =>
  workspace.control('faults', { faults: [{ method: 'chat.postMessage', ...one }] });

describe('faults', () => {
  it('answer with an error as often as asked, then no longer', async () => {
    const error = { kind: 'error', error: 'fatal_error', times: 2 };
    await fault(error);
    expect(await post()).toMatchObject({ data: { error: 'fatal_error' } });
    expect(await workspace.read('/_sandbox/faults')).toEqual({
      faults: [{ method: 'chat.postMessage', ...error, left: 1 }],
    });
    expect(await post()).toMatchObject({ data: { error: 'fatal_error' } });
    expect(await post()).toMatchObject({ ok: true });
    expect(await workspace.messages(CHANNEL)).toHaveLength(1);
  });

  it.each([
    [{ kind: 'http', status: 502 }, WebAPIHTTPError, { statusCode: 502 }, 0],
    [{ kind: 'http-after', status: 500 }, WebAPIHTTPError, { statusCode: 500 }, 1],
    [{ kind: 'ratelimit', retryAfter: 7 }, WebAPIRateLimitedError, { retryAfter: 7 }, 0],
    [{ kind: 'reset-before' }, WebAPIRequestError, {}, 0],
    [{ kind: 'reset-after' }, WebAPIRequestError, {}, 1],
  ])('%j: the client of Slack throws the error of its kind', async (one, kind, about, posted) => {
    await fault({ ...one, times: 1 });

    const failure = await post();

    expect(failure).toBeInstanceOf(kind);
    expect(failure).toMatchObject(about);
    expect(await workspace.messages(CHANNEL)).toHaveLength(posted);
  });

  it('hit a share of the calls, the same ones with the same seed', async () => {
    const hit = async (seed: number) => {
      const faults = [{ method: '*', kind: 'error', error: 'fatal_error', chance: 0.4 }];
      await workspace.control('faults', { seed, faults });
      const answers: boolean[] = [];
      for (let call = 0; call < 20; call += 1) answers.push('ok' in Object(await post()));
      return answers;
    };
    const [once, again, other] = [await hit(7), await hit(7), await hit(8)];

    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
    expect(new Set(once)).toEqual(new Set([true, false]));
  });
});

it('the request log has calls with their arguments but never a token', async () => {
  await post('logged');
  await fetch(`${workspace.slack.url}/api/auth.test?token=${BOT_TOKEN}`);

  const { requests } = await workspace.read<{ requests: object[] }>('/_sandbox/requests');

  expect(requests).toMatchObject([
    { method: 'chat.postMessage', args: { channel: CHANNEL, text: 'logged' }, ok: true },
    { method: 'auth.test', ok: true },
  ]);
  expect(JSON.stringify(requests)).not.toContain('xoxb');
  await fetch(`${workspace.slack.url}/_sandbox/requests`, { method: 'DELETE' });
  expect(await workspace.read('/_sandbox/requests')).toEqual({ requests: [] });
});
