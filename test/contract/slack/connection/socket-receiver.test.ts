import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { StartRefused } from '../../../../src/lib/errors.ts';
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
import { listeningLogger } from '../support.ts';

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

/** A bot in Socket Mode that knows the command /ping. @param refusals answers to its first tries to open a connection */
async function connect(refusals: object[] = []) {
  const socketMode = createSocketMode({ ids: createIds(systemClock) });
  let opened = 0;
  const http = createServer((_request, response) => {
    const { port } = http.address() as AddressInfo;
    const url = `ws://127.0.0.1:${port}${SOCKET_PATH}${socketMode.ticket()}`;
    response.setHeader('content-type', 'application/json');
    const refusal = refusals.shift();
    if (refusal === undefined) opened += 1;
    response.end(JSON.stringify(refusal ?? { ok: true, url }));
  });
  http.on('upgrade', (request, socket, head) => socketMode.upgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { logger, lines } = listeningLogger([]);
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
  onTestFinished(async () => {
    await connection.stop();
    socketMode.close();
    http.close();
  });
  await connection.start();
  await until('a connection', () => Promise.resolve(socketMode.connections > 0));
  const command = { command: '/ping', text: '', user_id: 'U0ADA' };
  return {
    send: (...parcel: Parameters<typeof socketMode.send>) => socketMode.send(...parcel),
    disconnect: () => socketMode.disconnect('refresh_requested'),
    refusals,
    lines,
    /** After so many answers of Slack that it may open one. */
    isOpen: (times: number) => opened === times && connection.connected(),
    ping: () =>
      socketMode.send({
        kind: 'command',
        payload: { ...command, trigger_id: `${Math.random()}` },
      }),
  };
}

const PONG = { ok: true, body: { text: 'pong' } };
const REFUSED = { ok: false, error: 'invalid_auth' };

test.each(MALFORMED)('%s as a payload does not stop Socket Mode', async (_, payload) => {
  const slack = await connect();

  // Slack gives up on an answer after 3 s: nothing here waits for it.
  for (const kind of KINDS) void slack.send({ kind, payload: payload as never });
  // Slack's own library reads the type of an event itself.
  const event = { type: 'app_mention', user: payload, text: payload, channel: payload };
  void slack.send({ kind: 'event', payload: { type: 'event_callback', event } });

  expect(await slack.ping()).toMatchObject(PONG);
});

test('when Slack closes the connection, the next one is open within a moment', async () => {
  const slack = await connect();

  slack.disconnect();
  // Slack's own client waits for 8 s.
  await until('the next one', () => slack.isOpen(2), 6_000);

  expect(await slack.ping()).toMatchObject(PONG);
});

test('while Slack refuses the app token, the process lives and the log names it', async () => {
  const slack = await connect();

  slack.refusals.push(REFUSED, { ok: false, error: 'internal_error' }, REFUSED);
  slack.disconnect();
  await until('the next one', () => slack.isOpen(2));

  const [first, second, third] =
    slack.lines().match(/.*The connection to Slack cannot be opened/g) ?? [];
  expect(first).toContain('Slack refuses SLACK_APP_TOKEN (invalid_auth)');
  expect(second).toContain('internal_error');
  expect(third).toContain('Slack refuses SLACK_APP_TOKEN (invalid_auth)');
  expect(slack.lines()).toContain('The connection to Slack is open again');
});

test.each(['invalid_auth', 'token_revoked', 'not_allowed_token_type', 'missing_scope'])(
  'a start with an app token that Slack refuses (%s) names the setting',
  async (error) => {
    await expect(connect([{ ok: false, error }])).rejects.toThrow(
      new StartRefused(
        `Slack refuses SLACK_APP_TOKEN (${error}): copy an app-level token (xapp-…) with the scope connections:write from the page of the app, Basic Information`,
      ),
    );
  },
);

test('a start while Slack is ill waits', async () => {
  const slack = await connect([{ ok: false, error: 'internal_error' }, { ok: false }]);

  expect(await slack.ping()).toMatchObject(PONG);
});

test('the opening of a connection is a call in the metrics', async () => {
  const opened = () =>
    recorded('purser_slack_request_seconds', { method: 'apps.connections.open', result: 'ok' });
  const before = (await opened()) ?? 0;

  await connect();

  expect(await opened()).toBe(before + 1);
});
