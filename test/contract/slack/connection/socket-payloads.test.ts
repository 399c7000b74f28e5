import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../../../src/lib/logger.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { systemClock } from '../../../../src/lib/time.ts';
import {
  createSocketMode,
  SOCKET_PATH,
} from '../../../../src/sandbox/slack/delivery/socket-mode.ts';
import { createIds } from '../../../../src/sandbox/slack/ids.ts';
import { createIdentity, createSlackClient } from '../../../../src/slack/client.ts';
import { createSlackConnection } from '../../../../src/slack/connection/connection.ts';
import { createKeys } from '../../../../src/store/redis.ts';
import { recorded } from '../../../support/metrics.ts';
import { connectTo, useRedis } from '../../../support/redis.ts';
import { until } from '../../../support/until.ts';

const server = useRedis();
const KINDS = ['command', 'interaction', 'options'] as const;

const MALFORMED: [what: string, payload: unknown][] = [
  ['null', null],
  ['a list', []],
  ['a text', 'payload'],
  ['nothing', {}],
  ['a type that is a number', { type: 7 }],
  ['a click without an action', { type: 'block_actions', actions: [] }],
  ['a click whose actions are a text', { type: 'block_actions', actions: 'all' }],
  ['a window without a view', { type: 'view_submission', view: null }],
  ['a command whose text is a list', { command: '/ping', text: ['a'], user_id: {} }],
  ['names of a prototype', JSON.parse('{"__proto__":{"type":"x"},"constructor":null}')],
];

/** A bot in Socket Mode that knows the command /ping. */
async function connect() {
  const socketMode = createSocketMode({ ids: createIds(systemClock) });
  const http = createServer((_request, response) => {
    const { port } = http.address() as AddressInfo;
    const url = `ws://127.0.0.1:${port}${SOCKET_PATH}${socketMode.ticket()}`;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, url }));
  });
  http.on('upgrade', (request, socket, head) => socketMode.upgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const logger = createLogger({ level: 'silent', secrets: [] });
  const { port } = http.address() as AddressInfo;
  const slack = createSlackClient(new Secret('xoxb-test'), `http://127.0.0.1:${port}/api/`, logger);
  const connection = createSlackConnection(
    { kind: 'socket', appToken: new Secret('xapp-test') },
    {
      slack,
      identity: createIdentity(slack),
      redis: await connectTo(server.url),
      keys: createKeys('socket'),
      clock: systemClock,
      logger,
    },
  );
  connection.app.command('/ping', ({ ack }) => ack('pong'));
  await connection.start();
  onTestFinished(async () => {
    await connection.stop();
    socketMode.close();
    http.close();
  });
  await until('a connection', () => Promise.resolve(socketMode.connections > 0));
  return socketMode;
}

test.each(MALFORMED)('%s as a payload does not stop Socket Mode', async (_, payload) => {
  const slack = await connect();

  // Slack gives up on an answer after 3 s: nothing here waits for it.
  for (const kind of KINDS) void slack.send({ kind, payload: payload as never });
  // Slack's own library reads the type of an event itself.
  const event = { type: 'app_mention', user: payload, text: payload, channel: payload };
  void slack.send({ kind: 'event', payload: { type: 'event_callback', event } });

  const ping = { command: '/ping', text: '', user_id: 'U0ADA', trigger_id: `${Math.random()}` };
  expect(await slack.send({ kind: 'command', payload: ping })).toMatchObject({
    ok: true,
    body: { text: 'pong' },
  });
});

test('the opening of a connection is a call in the metrics', async () => {
  const opened = () =>
    recorded('purser_slack_request_seconds', { method: 'apps.connections.open', result: 'ok' });
  const before = (await opened()) ?? 0;

  await connect();

  expect(await opened()).toBe(before + 1);
});
