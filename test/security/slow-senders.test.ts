import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import type { RunningBot } from '../support/running-bot.ts';
import { openWorld, type World } from '../support/world.ts';
import { countOf, report } from './count.ts';
import { FORM, requestOf, signed } from './raw.ts';

const STARTING = 120_000;
const EVERY_MS = 800;
/** Commands of a person meanwhile. */
const ASKED = 10;

let world: World;
let bot: RunningBot;
const sockets = new Set<Socket>();
let isOn = true;

beforeAll(async () => {
  world = await openWorld();
  bot = await world.startBot();
}, STARTING);
afterAll(async () => {
  isOn = false;
  for (const socket of sockets) socket.destroy();
  await world?.close();
});

const body = new URLSearchParams({ command: '/purser', text: 'help', user_id: 'U0ADA' }).toString();
const whole = requestOf(signed(body), body);
/** The request that each of them sends byte by byte; sending nothing at all is the slowest. */
const SLOW = [
  '',
  whole.slice(0, 40),
  whole.slice(0, whole.indexOf('\r\n\r\n')),
  whole.slice(0, -10),
  requestOf([['content-type', FORM]], 'x', { length: '200000' }),
];

/** Comes back at once when it is cut off, as long as the attack lasts. @returns when it is connected */
function dawdle(start: string, rest = 'x'.repeat(1_000)): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(bot.port, '127.0.0.1');
    sockets.add(socket);
    let timer: NodeJS.Timeout | undefined;
    let sent = 0;
    socket.on('connect', () => {
      if (start !== '') socket.write(start);
      timer = setInterval(() => socket.write(rest.charAt((sent += 1))), EVERY_MS);
      resolve();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
      if (isOn) void dawdle(start, rest);
      resolve();
    });
    socket.resume();
  });
}

it('those who send a byte now and then hold up no command, and are cut off', async () => {
  const count = countOf('slowSockets');
  const starts = Array.from({ length: count }, (_, index) => SLOW[index % SLOW.length] ?? '');
  await Promise.all(starts.map((start) => dawdle(start, start === '' ? whole : undefined)));

  const answers: string[] = [];
  for (let asked = 0; asked < ASKED; asked += 1) {
    answers.push((await world.command('U0ADA', 'C0BILLING', '/purser help')).text);
  }
  const openThen = sockets.size;
  isOn = false;

  await until('all of them to be cut off', () => sockets.size === 0);
  report('slow senders', { sockets: openThen, commands: answers.length });
  expect(openThen).toBe(count);
  expect(answers.filter((text) => text !== '')).toHaveLength(ASKED);
});
