import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasEnded, type RunningBot } from '../support/running-bot.ts';
import { openWorld, type World } from '../support/world.ts';
import { countOf, dice, each, report } from './count.ts';
import { FORM, requestOf, sendRaw, signed, statusesIn } from './raw.ts';
import { WEAPONS } from './weapons.ts';

const STARTING = 120_000;
const AT_ONCE = 32;
/** It levels off: after 10,000 requests it had grown by 120 MiB, after 60,000 by 125. */
const ROOM_MIB = 192;
const random = dice();

let world: World;
let bot: RunningBot;

beforeAll(async () => {
  world = await openWorld();
  bot = await world.startBot();
}, STARTING);
afterAll(() => world?.close());

const noise = (most: number): Buffer => randomBytes(1 + random.below(most));
const latin = (most: number): string => noise(most).toString('latin1');
const command = (text: string = random.one(WEAPONS)): string =>
  new URLSearchParams({ command: '/nothing', text, user_id: 'U0ADA', nonce: latin(9) }).toString();
const json = (): string =>
  random.one<() => string>([
    () => '['.repeat(50_000),
    () => `{"type":"event_callback","event":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    () => JSON.stringify({ type: random.one(WEAPONS), nonce: latin(9), actions: latin(99) }),
    () => `{"__proto__":{"type":"block_actions"},"constructor":1,"nonce":"${random.below(1e9)}"}`,
    () => JSON.stringify([random.one(WEAPONS), latin(9)]),
    () => `"${random.below(1e9)}"`,
    () => `{"type":"view_submission","view":${JSON.stringify(random.one(WEAPONS))}}`,
    () => `\uFEFF{"type":"url_verification","challenge":"${random.below(1e9)}"}`,
    () => latin(3_000),
  ])();

/** The ways to be wrong, each with its bytes. */
const ATTACKS: Readonly<Record<string, () => string | Buffer>> = {
  noise: () => noise(4_000),
  'a TLS hello': () => Buffer.concat([Buffer.from('160301020001', 'hex'), noise(500)]),
  'the preface of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a line that is spoiled': () => {
    const line = 'POST /slack/events HTTP/1.1';
    const at = random.below(line.length);
    const spoiled = line.slice(0, at) + random.one([...WEAPONS, latin(20)]) + line.slice(at);
    return requestOf(signed('x'), 'x', { line: spoiled });
  },
  'another method': () => {
    const method = random.one(['GET', 'PUT', 'CONNECT', 'OPTIONS', 'TRACE', 'PROPFIND', 'post']);
    return requestOf(signed('x'), 'x', { line: `${method} /slack/events HTTP/1.1` });
  },
  'another path': () => {
    const path = random.one(['/', '//slack/events', '/slack/events/../x', '*', 'http://evil/x']);
    return requestOf(signed('x'), 'x', { line: `POST ${path} HTTP/1.1` });
  },
  'no signature': () => requestOf([['content-type', FORM]], command()),
  'a wrong signature': () => {
    const wrong = random.one(['', 'v0=', 'v0=0', `v0=${'0'.repeat(64)}`, `v1=${'f'.repeat(64)}`]);
    const body = command();
    const headers = signed(body).filter(([name]) => name !== 'x-slack-signature');
    return requestOf([...headers, ['x-slack-signature', wrong]], body);
  },
  'a body that was altered': () => requestOf(signed(command()), command()),
  'an old or a future time': () => {
    const body = command();
    return requestOf(signed(body, { at: random.one([-1, 1]) * (310 + random.below(1e9)) }), body);
  },
  'a body that breaks off': () => {
    const body = command();
    return requestOf(signed(body), body.slice(0, random.below(body.length)), {
      length: String(body.length),
    });
  },
  'more than was announced': () => {
    const body = command();
    return `${requestOf(signed(body), body)}${latin(300)}`;
  },
  'a length that is no number': () =>
    requestOf(signed('x'), 'x', { length: random.one(['-1', '1e3', '0x5', '', '9'.repeat(30)]) }),
  'a large header': () => requestOf([['x-large', 'x'.repeat(1 + random.below(60_000))]], 'x'),
  'many headers': () =>
    requestOf(
      Array.from({ length: 3_000 }, (_, index) => [`x-${index}`, 'x'] as const),
      'x',
    ),
  'a header that is spoiled': () => requestOf([[random.one(WEAPONS), latin(200)]], 'x'),
  'headers that are there twice': () => {
    const body = command();
    const headers = signed(body);
    return requestOf([...headers, random.one(headers), ['content-length', '3']], body);
  },
  'another type': () => {
    const type = random.one([
      'text/plain',
      'application/json',
      'multipart/form-data',
      '',
      latin(9),
    ]);
    const body = command();
    return requestOf(signed(body, { type: type.replaceAll(/[^ -~]/g, '?') }), body);
  },
  'JSON that is spoiled': () => {
    const body = json();
    return requestOf(signed(body, { type: 'application/json' }), body);
  },
  'a payload that is spoiled': () => {
    const body = `payload=${random.chance(0.5) ? encodeURIComponent(json()) : json()}`;
    return requestOf(signed(body), body);
  },
  'chunks that are no chunks': () => {
    const chunks = random.one([
      'zz\r\n',
      `5;${'x'.repeat(20_000)}\r\nhello\r\n`,
      '-5\r\n',
      latin(99),
    ]);
    const head = `POST /slack/events HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n`;
    return `${head}${random.chance(0.5) ? 'content-length: 5\r\n' : ''}\r\n${chunks}`;
  },
  'too much': () => requestOf([['content-type', FORM]], 'x'.repeat(262_145 + random.below(99_999))),
  'a body declared as compressed': () =>
    requestOf([...signed('x'), ['content-encoding', random.one(['gzip', 'br', 'x'])]], 'x'),
  'an expectation': () => requestOf([['expect', random.one(['100-continue', 'x'])]], 'x'),
  'an upgrade': () =>
    requestOf(
      [
        ['connection', 'upgrade'],
        ['upgrade', 'websocket'],
      ],
      'x',
    ),
};

it('whatever bytes come, the door answers with a refusal, closes, stays small and goes on', async () => {
  const names = Object.keys(ATTACKS);
  const statuses = new Map<number, number>();
  const problems: string[] = [];
  const attack = async (name: string): Promise<void> => {
    const bytes = ATTACKS[name]?.() ?? '';
    const answer = await sendRaw(bot.port, bytes);
    for (const status of statusesIn(answer)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500 && status !== 503)
        problems.push(
          `${name}: ${status} for ${JSON.stringify(bytes.toString('latin1' as never).slice(0, 300))}`,
        );
    }
  };
  // Memory for the first of each kind does not count.
  await each(names, AT_ONCE, attack);
  await world.command('U0ADA', 'C0BILLING', '/purser help');
  const before = await bot.memory();

  const count = countOf('rawRequests');
  const attacks = Array.from({ length: count }, (_, index) => names[index % names.length] ?? '');
  await each(attacks, AT_ONCE, attack);
  const grown = (await bot.memory()) - before;

  const answer = await world.command('U0ADA', 'C0BILLING', '/purser help');
  report('raw requests', { sent: count, MiB: Math.round(grown), ...Object.fromEntries(statuses) });
  expect(problems.slice(0, 20)).toEqual([]);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([400, 401, 404, 413]));
  expect(hasEnded(bot.child)).toBe(false);
  expect(answer.text).not.toBe('');
  expect(bot.log()).not.toMatch(/unhandled|uncaught|"level":"fatal"/i);
  // Not a number where the system does not know.
  expect(grown >= ROOM_MIB).toBe(false);
});
