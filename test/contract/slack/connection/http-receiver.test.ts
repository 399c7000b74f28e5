import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSlackClient } from '../../../../src/slack/client.ts';
import {
  createSlackConnection,
  type SlackConnection,
} from '../../../../src/slack/connection/connection.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { createKeys } from '../../../../src/store/redis.ts';
import { signedHeaders } from '../../../support/http.ts';
import { useRedis } from '../../../support/redis.ts';
import { commandBody, connectThroughProxy, freshPrefix, listeningLogger } from '../support.ts';

const SECRET = 'a-signing-secret';
const signingSecret = new Secret(SECRET);
/** After this Slack shows the person that the bot has failed. */
const ACKNOWLEDGE_MS = 3_000;
/** The clock stands still; Bolt reads the real one, which is only seconds away. */
const NOW_S = Math.floor(Date.now() / 1000);
const { logger } = listeningLogger();

let store: Awaited<ReturnType<typeof connectThroughProxy>>;
let edge: SlackConnection;
let effects: string[];

/** The edge as the bot has it, with one command that leaves a trace. */
async function open(): Promise<void> {
  store = await connectThroughProxy(useRedis().url, logger);
  edge = createSlackConnection(
    { kind: 'http', signingSecret, port: 0 },
    {
      slack: createSlackClient(new Secret('xoxb-token'), 'http://127.0.0.1:1/api/', logger),
      identity: { now: () => ({ botId: 'B1', botUserId: 'UBOT', teamId: 'T1' }) },
      redis: store.connection,
      keys: createKeys(freshPrefix()),
      clock: { now: () => NOW_S * 1000 },
      logger,
    },
  );
  effects = [];
  edge.app.command('/purser', async ({ ack, body }) => {
    await ack();
    effects.push(body.text);
  });
  await edge.start();
}

async function close(): Promise<void> {
  await edge.stop();
  await store.close();
}

const address = (): string => `http://127.0.0.1:${edge.port()}/slack/events`;

const signed = (body: string, at = NOW_S, secret = SECRET) => signedHeaders(secret, body, at);
const send = (body: string, headers: Record<string, string> = signed(body)): Promise<Response> =>
  fetch(address(), { method: 'POST', body, headers });

describe('the door that Slack comes in by', () => {
  beforeAll(open);
  afterAll(close);
  beforeEach(() => void (effects = []));

  it('opens for a signed request', async () => {
    const answer = await send(commandBody());

    expect(answer.status).toBe(200);
    expect(effects).toHaveLength(1);
  });

  it('takes a form whose type names a charset', async () => {
    const body = commandBody();
    const type = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

    expect((await send(body, { ...signed(body), ...type })).status).toBe(200);
    expect(effects).toHaveLength(1);
  });

  it('takes two commands without a trigger for two', async () => {
    await send(commandBody({ trigger_id: '' }));
    await send(commandBody({ trigger_id: '' }));

    expect(effects).toHaveLength(2);
  });

  it.each([-270, 300])('takes a clock that is %i s off', async (skew) => {
    const body = commandBody();

    expect((await send(body, signed(body, NOW_S + skew))).status).toBe(200);
  });

  it.each([-100_000, -301, 301, 3_600, 100_000_000])(
    'refuses a request from %i s away from now',
    async (skew) => {
      const body = commandBody();

      expect((await send(body, signed(body, NOW_S + skew))).status).toBe(401);
      expect(effects).toEqual([]);
    },
  );

  it.each([
    ['no signature', { 'x-slack-signature': undefined }],
    ['an empty signature', { 'x-slack-signature': '' }],
    ['a bare version', { 'x-slack-signature': 'v0=' }],
    ['a wrong signature', { 'x-slack-signature': `v0=${'0'.repeat(64)}` }],
    ['another version', { 'x-slack-signature': `v1=${'0'.repeat(64)}` }],
    ['no timestamp', { 'x-slack-request-timestamp': undefined }],
    ['an empty timestamp', { 'x-slack-request-timestamp': '' }],
    ['a timestamp that is no number', { 'x-slack-request-timestamp': 'NaN' }],
    ['a timestamp without end', { 'x-slack-request-timestamp': 'Infinity' }],
  ])('refuses %s', async (_, changes) => {
    const body = commandBody();
    const headers = Object.entries({ ...signed(body), ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );

    expect((await send(body, Object.fromEntries(headers))).status).toBe(401);
    expect(effects).toEqual([]);
  });

  it('refuses a signature of NaN, should anyone be able to make one', async () => {
    const body = commandBody();

    expect((await send(body, signed(body, Number.NaN))).status).toBe(401);
  });

  it('refuses a request that another secret signed, and a body that was altered on the way', async () => {
    const body = commandBody();

    expect((await send(body, signed(body, NOW_S, 'another-secret'))).status).toBe(401);
    expect((await send(`${body}&text=altered`, signed(body))).status).toBe(401);
    expect(effects).toEqual([]);
  });

  it('takes a request that any secret of its current list has signed', async () => {
    const body = commandBody();
    signingSecret.renew(new Secret('a-newer-secret', SECRET));
    onTestFinished(() => void signingSecret.renew(new Secret(SECRET)));

    expect((await send(body, signed(body, NOW_S, 'a-newer-secret'))).status).toBe(200);
    expect((await send(commandBody())).status).toBe(200);
    expect(effects).toHaveLength(2);

    signingSecret.renew(new Secret('a-newer-secret'));
    expect((await send(commandBody())).status).toBe(401);
  });

  it('refuses the same request a second time', async () => {
    const body = commandBody();

    expect((await send(body)).status).toBe(200);
    expect((await send(body)).status).toBe(401);
    expect(effects).toHaveLength(1);
  });

  it.each([
    ['signature', (headers: Record<string, string>) => `${headers['x-slack-signature']}=x`],
    ['timestamp', (headers: Record<string, string>) => `0${headers['x-slack-request-timestamp']}`],
  ])('refuses it also with the %s written in another way', async (name, rewrite) => {
    // It has no trigger_id: nothing else would notice.
    const body = commandBody({ trigger_id: '' }).replace('trigger_id=&', '');
    await send(body);

    const headers = { ...signed(body), [`x-slack-${name}`]: rewrite(signed(body)) };
    if (name === 'timestamp') headers['x-slack-request-timestamp'] = rewrite(signed(body));

    expect((await send(body, headers)).status).toBe(401);
    expect(effects).toHaveLength(1);
  });

  it('takes one of ten copies that arrive at once', async () => {
    const body = commandBody();

    const answers = await Promise.all(Array.from({ length: 10 }, () => send(body)));

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 401),
    ]);
    expect(effects).toHaveLength(1);
  });

  it('acknowledges a delivery that Slack repeats with new signatures, and does it once', async () => {
    const body = commandBody();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => send(body, signed(body, NOW_S - index))),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(effects).toHaveLength(1);
    // Each of its requests is Slack's once.
    const again = await Promise.all([0, 9].map((index) => send(body, signed(body, NOW_S - index))));
    expect(again.map(({ status }) => status)).toEqual([401, 401]);
  });

  it('asks Redis once for a request', async () => {
    const commands = vi.spyOn(store.connection, 'sendCommand');

    await send(commandBody());

    expect(commands).toHaveBeenCalledTimes(1);
    commands.mockRestore();
  });

  it('takes 256 KB and not a byte more', async () => {
    const frame = commandBody({ text: '' });
    const room = 256 * 1024 - frame.length;
    const most = frame.replace('text=', `text=${'x'.repeat(room)}`);

    expect((await send(most)).status).toBe(200);
    expect((await send(`${most}x`)).status).toBe(413);
    expect(effects).toHaveLength(1);
  });

  it.each([
    ['no JSON', 'application/json', '{"type":'],
    ['null', 'application/json', 'null'],
    ['a list', 'application/json', '[1]'],
    ['a number', 'application/json', '5'],
    ['nothing', 'application/json', ''],
    ['a form with a broken payload', 'application/x-www-form-urlencoded', 'payload=%7B'],
    ['a form with an empty payload', 'application/x-www-form-urlencoded', 'payload=null'],
  ])('refuses a signed body that is %s', async (_, type, body) => {
    const headers = { ...signed(body), 'content-type': type };

    expect((await send(body, headers)).status).toBe(400);
  });

  it('answers the challenge with which Slack verifies the address, if it is signed', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
    const headers = { ...signed(body), 'content-type': 'application/json' };

    const answer = await send(body, headers);
    const forged = await send(body, { 'content-type': 'application/json' });

    expect(await answer.json()).toEqual({ challenge: 'abc' });
    expect(forged.status).toBe(401);
  });

  it('answers the check of its certificate, which is not signed, and does nothing else for it', async () => {
    const unsigned = { 'content-type': 'application/x-www-form-urlencoded' };

    const answer = await send(commandBody({ ssl_check: '1', payload: '{"type":"x"}' }), unsigned);

    expect(answer.status).toBe(200);
    expect(effects).toEqual([]);
  });

  it('does not wait for someone who sends slower than Slack would', async () => {
    const socket = connect(edge.port() ?? 0, '127.0.0.1');
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    let answer = '';
    socket.on('data', (bytes) => void (answer += bytes.toString()));

    socket.write('POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nslow');

    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 (401|408)/);
  }, 10_000);
});

describe('without Redis', () => {
  it.each([
    ['is cut off', () => store.proxy.cut()],
    ['does not answer', () => Promise.resolve(store.proxy.freeze())],
  ])('that %s, a command says in time that nothing was done', async (_, fail) => {
    await open();
    await fail();
    const started = performance.now();

    const answer = await send(commandBody());

    expect(performance.now() - started).toBeLessThan(ACKNOWLEDGE_MS);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringContaining('nothing was done') as string,
    });
    expect(effects).toEqual([]);
    await close();
  });

  it('a modal says so beside its first field', async () => {
    await open();
    await store.proxy.cut();
    const view = { type: 'modal', callback_id: 'x', blocks: [{ type: 'input', block_id: 'name' }] };
    const payload = {
      type: 'view_submission',
      trigger_id: 'v1',
      team: { id: 'T1' },
      user: {},
      view,
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();

    const answer = await send(body);

    expect(await answer.json()).toMatchObject({
      response_action: 'errors',
      errors: { name: expect.stringContaining('nothing was done') as string },
    });
    await close();
  });
});
