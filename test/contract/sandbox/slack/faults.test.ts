import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOT_TOKEN, startWorkspace, webClient, type TestWorkspace } from './support.ts';

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
  it('answer with an error as often as asked, then no more', async () => {
    await fault({ kind: 'error', error: 'fatal_error', times: 2 });
    expect(await post()).toMatchObject({ data: { error: 'fatal_error' } });
    expect(await post()).toMatchObject({ data: { error: 'fatal_error' } });
    expect(await post()).toMatchObject({ ok: true });
    expect(await workspace.messages(CHANNEL)).toHaveLength(1);
  });

  it('say how often they still happen', async () => {
    await fault({ kind: 'error', error: 'fatal_error', times: 2 });
    await post();
    expect(await workspace.read('/_sandbox/faults')).toEqual({
      faults: [
        { method: 'chat.postMessage', kind: 'error', error: 'fatal_error', times: 2, left: 1 },
      ],
    });
  });

  it('answer with a status', async () => {
    await fault({ kind: 'http', status: 502 });
    const failure = await post();
    expect(failure).toBeInstanceOf(WebAPIHTTPError);
    expect(failure).toMatchObject({ statusCode: 502 });
  });

  it('limit the rate and say for how long', async () => {
    await fault({ kind: 'ratelimit', retryAfter: 7 });
    const failure = await post();
    expect(failure).toBeInstanceOf(WebAPIRateLimitedError);
    expect(failure).toMatchObject({ retryAfter: 7 });
  });

  it('cut the connection before anything happened, or after it did', async () => {
    await fault({ kind: 'reset-before', times: 1 });
    expect(await post('lost')).toBeInstanceOf(WebAPIRequestError);
    expect(await workspace.messages(CHANNEL)).toHaveLength(0);
    await fault({ kind: 'reset-after', times: 1 });
    expect(await post('kept')).toBeInstanceOf(WebAPIRequestError);
    expect(await workspace.messages(CHANNEL)).toMatchObject([{ text: 'kept' }]);
  });

  it('answer with a status after the message was accepted', async () => {
    await fault({ kind: 'http-after', status: 500, times: 1 });
    expect(await post('kept')).toMatchObject({ statusCode: 500 });
    expect(await workspace.messages(CHANNEL)).toMatchObject([{ text: 'kept' }]);
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

  it('delay an answer beyond what the caller waits for', async () => {
    await fault({ kind: 'delay-after', delayMs: 500, times: 1 });
    const hasty = webClient(workspace.slack.url, undefined, { timeout: 100 });
    const call = hasty.chat.postMessage({ channel: CHANNEL, text: 'slow' });
    await expect(call).rejects.toBeInstanceOf(WebAPIRequestError);
    expect(await workspace.messages(CHANNEL)).toMatchObject([{ text: 'slow' }]);
  });

  it('hit one channel and leave the others alone', async () => {
    await fault({ kind: 'error', error: 'fatal_error', channel: 'C0OPS' });
    expect(await post('here', 'C0OPS')).toMatchObject({ data: { error: 'fatal_error' } });
    expect(await post('there')).toMatchObject({ ok: true });
  });
});

describe('the request log', () => {
  it('tells calls with their arguments but never a token', async () => {
    await post('logged');
    await fetch(`${workspace.slack.url}/api/auth.test?token=${BOT_TOKEN}`);
    const { requests } = await workspace.read<{ requests: Record<string, unknown>[] }>(
      '/_sandbox/requests',
    );
    expect(requests).toMatchObject([
      { method: 'chat.postMessage', args: { channel: CHANNEL, text: 'logged' }, ok: true },
      { method: 'auth.test', ok: true },
    ]);
    expect(JSON.stringify(requests)).not.toContain('xoxb');
    await fetch(`${workspace.slack.url}/_sandbox/requests`, { method: 'DELETE' });
    expect(await workspace.read('/_sandbox/requests')).toEqual({ requests: [] });
  });
});
