import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startApp } from './bolt-app.ts';
import { startRecorder, type Recorder } from './recorder.ts';
import {
  APP_TOKEN,
  handClock,
  SIGNING_SECRET,
  startWorkspace,
  type TestWorkspace,
} from './support.ts';

const CHANNEL = 'C0DEPLOYS';
const ADA = { user: 'U0ADA', channel: CHANNEL };
const clock = handClock();
let workspace: TestWorkspace;
let recorder: Recorder;

beforeEach(async () => {
  recorder = await startRecorder();
  workspace = await startWorkspace({ clock, requestUrl: recorder.url });
});
afterEach(async () => {
  await workspace.close();
  await recorder.close();
});

const command = (text: string, who = ADA) => workspace.act('command', { ...who, text });
const fields = (index = 0) =>
  Object.fromEntries(new URLSearchParams(recorder.received[index]?.body ?? ''));

describe('signed requests', () => {
  it('carry a command as a form that is signed as a whole', async () => {
    await command('/deployments shop');
    const [{ headers, body } = { headers: {}, body: '' }] = recorder.received;
    const seconds = Math.floor(clock.now() / 1000);
    const signature = createHmac('sha256', SIGNING_SECRET)
      .update(`v0:${seconds}:${body}`)
      .digest('hex');
    expect(headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(seconds),
      'x-slack-signature': `v0=${signature}`,
    });
    expect(fields()).toMatchObject({
      command: '/deployments',
      text: 'shop',
      team_id: 'T0ACME',
      team_domain: 'acme',
      channel_id: CHANNEL,
      channel_name: 'deployments',
      user_id: 'U0ADA',
      user_name: 'ada',
      is_enterprise_install: 'false',
      response_url: expect.stringContaining(`${workspace.slack.url}/response/`),
    });
  });

  it('escape mentions only where the manifest asks for it, and entities always', async () => {
    await command('/deployments @ada @platform-team @who #ops https://a.example/?x=1&y=2 a<b');
    await command('/plain @ada a&b');
    expect(fields(0)['text']).toBe(
      '<@U0ADA|ada> <!subteam^S0PLATFORM|@platform-team> @who <#C0OPS|ops> ' +
        '<https://a.example/?x=1&amp;y=2> a&lt;b',
    );
    expect(fields(1)['text']).toBe('@ada a&amp;b');
  });

  it.each([
    ['U0ADA', 'D0ADA', { channel_name: 'directmessage' }],
    ['U0ADA', 'C0FINANCE', { channel_name: 'privategroup' }],
    ['U0SAM', CHANNEL, { user_id: 'U0SAM', team_id: 'T0OTHER' }],
  ])('of %s in %s have %j', async (user, channel, expected) => {
    await command('/deployments', { user, channel });
    expect(fields()).toMatchObject(expected);
  });

  it.each([
    ['not answered with 200', undefined, 1],
    ['not answered at all', 'http://127.0.0.1:9/slack/events', 0],
  ])('%s fail in front of the person, and are not repeated', async (_how, url, count) => {
    recorder.answer({ status: 500 });
    if (url !== undefined) await workspace.control('request-url', { url });
    const page = await workspace.page('U0ADA');
    await command('/deployments');
    const { text } = await page.until('failure');
    expect(text).toBe('/deployments failed with the error "dispatch_failed"');
    expect(recorder.received).toHaveLength(count);
  });
});

describe('events', () => {
  const openHome = () => workspace.act('home', { user: 'U0ADA' });
  const retryHeaders = () =>
    recorder.received.map(({ headers }) => [
      headers['x-slack-retry-num'],
      headers['x-slack-retry-reason'],
    ]);

  it('that the app refuses come again: at once by themselves, after a minute and after five', async () => {
    recorder.answer({ status: 500 });
    await openHome();
    await expect.poll(() => recorder.received.length).toBe(2);
    await expect
      .poll(async () => {
        await workspace.control('retries');
        return recorder.received.length;
      })
      .toBe(4);
    expect(await workspace.control('retries')).toMatchObject({ sent: 0 });
    expect(retryHeaders()).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
      ['2', 'http_error'],
      ['3', 'http_error'],
    ]);
    const ids = recorder.received.map(
      ({ body }) => (JSON.parse(body) as { event_id: string }).event_id,
    );
    expect(new Set(ids).size).toBe(1);
  });

  it('stay away when the app asks for no repetition', async () => {
    recorder.answer({ status: 500, headers: { 'x-slack-no-retry': '1' } });
    await openHome();
    expect(await workspace.control('retries')).toMatchObject({ sent: 0 });
    expect(recorder.received).toHaveLength(1);
  });

  it('are sent only when the manifest subscribes to them', async () => {
    await workspace.act('message', { user: 'U0ADA', channel: CHANNEL, text: 'plain talk' });
    expect(recorder.received).toHaveLength(0);
    await workspace.act('message', { user: 'U0ADA', channel: CHANNEL, text: 'hi @purser' });
    expect(JSON.parse(recorder.received[0]?.body ?? '')).toMatchObject({
      type: 'event_callback',
      event: { type: 'app_mention', text: 'hi <@U0PURSER|purser>', channel: CHANNEL },
    });
  });
});

describe('deliveries with something wrong', () => {
  it('Bolt refuses a bad signature and an old time stamp', async () => {
    const real = await startWorkspace();
    const running = await startApp(real, 'http');
    running.app.command('/deployments', ({ ack }) => ack());
    const raw = (skew: Record<string, unknown>) =>
      real.control('raw-delivery', { text: '/deployments', ...skew });
    expect(await raw({})).toMatchObject({ answer: { ok: true } });
    expect(await raw({ timestampSkew: -301 })).toMatchObject({ answer: { status: 401 } });
    expect(await raw({ signature: 'v0=00' })).toMatchObject({ answer: { status: 401 } });
    await running.stop();
    await real.close();
  });
});

describe('Socket Mode', () => {
  const connect = async () => {
    const running = await startApp(workspace, 'socket');
    const seen: string[] = [];
    running.app.command('/deployments', async ({ ack, command: { text } }) => {
      seen.push(text);
      await ack();
    });
    return { seen, stop: () => running.stop() };
  };

  it('takes precedence over HTTP, and each envelope goes to one connection', async () => {
    const [one, two] = [await connect(), await connect()];
    for (const text of ['1', '2', '3', '4']) await command(`/deployments ${text}`);
    expect(recorder.received).toHaveLength(0);
    expect([...one.seen, ...two.seen].sort()).toEqual(['1', '2', '3', '4']);
    expect(one.seen).toHaveLength(2);
    await Promise.all([one.stop(), two.stop()]);
    await expect
      .poll(async () => {
        await command('/deployments 5');
        return recorder.received.length;
      })
      .toBeGreaterThan(0);
  });

  it('admits a connection once per ticket', async () => {
    const answer = await fetch(`${workspace.slack.url}/api/apps.connections.open`, {
      method: 'POST',
      headers: { authorization: `Bearer ${APP_TOKEN}` },
    });
    const { url } = (await answer.json()) as { url: string };
    const knock = () =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(url);
        socket.addEventListener('error', () => resolve('refused'));
        socket.addEventListener('message', ({ data }) => {
          resolve((JSON.parse((data as Buffer).toString()) as { type: string }).type);
          socket.close();
        });
      });
    expect(await knock()).toBe('hello');
    expect(await knock()).toBe('refused');
  });
});
