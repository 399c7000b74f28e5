import { connect } from 'node:net';
import { App } from '@slack/bolt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpReceiver } from '../../../../src/slack/connection/http-receiver.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { until } from '../../../support/until.ts';
import { signedHeaders } from '../../../support/http.ts';
import { commandBody, listeningLogger } from '../support.ts';

const SECRET = 'a-signing-secret';
let effects: string[] = [];

const receiver = createHttpReceiver({
  signingSecret: new Secret(SECRET),
  port: 0,
  dedupe: () => Promise.resolve('new'),
  clock: { now: () => Date.now() },
  logger: listeningLogger().logger,
});
const app = new App({ receiver, authorize: () => Promise.resolve({}) });
app.command('/purser', async ({ ack, body }) => {
  await ack();
  effects.push(body.text);
});

beforeAll(() => receiver.start());
afterAll(() => receiver.stop());

const signed = (body: string) => signedHeaders(SECRET, body);

/** Sends raw bytes, and returns the answer until the other side closed. */
async function raw(...pieces: readonly string[]): Promise<string> {
  const socket = connect(receiver.address() ?? 0, '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes) => void (answer += bytes.toString()));
  // A sender that is cut off gets a reset.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  for (const piece of pieces) socket.write(piece);
  await closed;
  return answer;
}

/** A request on a connection that is to stay open. @param length announced; as long as the body unless given */
function requestOf(
  body: string,
  headers: Record<string, string>,
  { line = 'POST /slack/events', length = Buffer.byteLength(body) } = {},
): string {
  const all = { host: 'x', connection: 'keep-alive', 'content-length': String(length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const UNPROVEN: readonly (readonly [what: string, status: number, request: () => string])[] = [
  ['another path', 404, () => requestOf('x', {}, { line: 'POST /other' })],
  ['another method', 404, () => requestOf('', {}, { line: 'GET /slack/events' })],
  [
    'another path, whose body is still to come',
    404,
    () => requestOf('x', {}, { line: 'POST /other', length: 100_000 }),
  ],
  ['no signature', 401, () => requestOf(commandBody(), FORM)],
  [
    'too much, of which more is coming',
    413,
    () => requestOf('x'.repeat(270_000), FORM, { length: 10_000_000 }),
  ],
  [
    'a body that cannot be read',
    400,
    () => requestOf('[1]', { ...signed('[1]'), 'content-type': 'application/json' }),
  ],
  ['the check of the certificate', 200, () => requestOf('ssl_check=1', FORM)],
  ['an expectation that cannot be fulfilled', 417, () => requestOf('x', { expect: 'a miracle' })],
  ['something else than HTTP', 400, () => 'HELLO\r\n\r\n'],
];

describe('a connection of which no one knows whose it is', () => {
  beforeEach(() => void (effects = []));

  it.each(UNPROVEN)('is closed after the answer to %s', async (_, status, request) => {
    const answer = await raw(request());

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });

  it.each([
    ['another path', (): string => requestOf('x', {}, { line: 'POST /other' })],
    ['no signature', (): string => requestOf(commandBody(), FORM)],
    ['the look at the certificate', (): string => requestOf('ssl_check=1', FORM)],
  ])('answers nothing that follows %s at once', async (_, request) => {
    const one = request();

    const answer = await raw(one + one + one, one);

    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });

  it('stays open after a request that Slack signed', async () => {
    const [one, other] = [commandBody(), commandBody()];

    const answer = await raw(
      requestOf(one, signed(one)),
      requestOf(other, { ...signed(other), connection: 'close' }),
    );

    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(effects).toHaveLength(2);
  });
});

describe('many large bodies that come in slowly', () => {
  beforeEach(() => void (effects = []));

  it('take no more room than they may, and crowd out no other connection', async () => {
    const port = receiver.address() ?? 0;
    const slow = Array.from({ length: 170 }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(requestOf('x', FORM, { length: 200_000 }));
      return socket;
    });
    const large = requestOf('x'.repeat(200_000), FORM);
    const refused = await until('the room to be taken', async () => {
      const answer = await raw(large);
      return answer.startsWith('HTTP/1.1 503 ') && answer;
    });
    expect(refused.toLowerCase()).toContain('connection: close');

    const command = commandBody();
    const answer = await raw(requestOf(command, { ...signed(command), connection: 'close' }));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(effects).toHaveLength(1);

    for (const socket of slow) socket.destroy();
    await until('the room to be free', async () => (await raw(large)).startsWith('HTTP/1.1 401 '));
  });
});

describe('more connections than may be open without a signature', () => {
  it('cost the oldest of them its place, and the signed one nothing', async () => {
    const port = receiver.address() ?? 0;
    const opened: Promise<void>[] = [];
    const closed: number[] = [];
    const signedOne = connect(port, '127.0.0.1').on('error', () => undefined);
    const command = commandBody();
    let answer = '';
    signedOne.on('data', (bytes) => void (answer += bytes.toString()));
    signedOne.write(requestOf(command, signed(command)));
    await until('the answer to the signed one', () => answer.startsWith('HTTP/1.1 200 '));

    const idle = Array.from({ length: 501 }, (_, index) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      opened.push(new Promise((resolve) => void socket.once('connect', resolve)));
      return socket.once('close', () => closed.push(index));
    });
    await Promise.all(opened);

    await until('one to be closed', () => closed.length > 0);
    expect(closed).toHaveLength(1);
    expect(signedOne.readyState).toBe('open');
    for (const socket of [...idle, signedOne]) socket.destroy();
  });
});
