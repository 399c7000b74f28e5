import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { listen } from '../support/http.ts';
import { until } from '../support/until.ts';
import { openAttackedBot, type AttackedBot } from './bot.ts';
import { countOf, report } from './count.ts';
import { openPlatformFront, withTexts, type Twisted } from './platform-front.ts';

const STARTING = 120_000;
/** Questions that read all that the platform has an address in, or that follow one. */
const QUESTIONS = [
  ['/deployments', 'shop/cart'],
  ['/deployments', 'shop'],
  ['/deployments', 'jobs shop/etl'],
  ['/workload', 'addresses shop/cart'],
  ['/workload', 'probe shop/cart'],
  ['/workload', 'plan shop/cart replicas=3'],
  ['/charges', 'last month'],
  ['/charges', 'items'],
  ['/usage', 'last 7 days'],
  ['/invoices', ''],
  ['/invoices', 'show 10'],
  ['/invoices', 'pay 12'],
  ['/invoices', 'deliveries'],
  ['/alert', ''],
  ['/billing', 'account'],
  ['/billing', 'orgs'],
  ['/billing', 'users'],
  ['/billing', 'tokens'],
  ['/billing', 'quotas'],
  ['/purser', 'whoami'],
  ['/purser', 'doctor'],
] as const;
/** The field of /workload check that takes a file. */
const FILE = 'workload-file';
/** Where a person may name something. */
const PLACES = [
  (url: string) => url,
  (url: string) => `<${url}>`,
  (url: string) => `<${url}|shop>`,
  (url: string) => `show ${url}`,
  (url: string) => `pdf ${url}`,
  (url: string) => `org ${url}`,
  (url: string) => `probe ${url}`,
  (url: string) => `addresses shop/${url}`,
  (url: string) => `watch ${url}`,
  (url: string) => `where gvc=${url}`,
];

let evil: Awaited<ReturnType<typeof listen>>;
let front: Awaited<ReturnType<typeof openPlatformFront>>;
let bot: AttackedBot;
/** Who was called there, with the credential that came along. */
let reached: string[] = [];
/** Hosts to which this process opened a connection. */
const dialled = new Set<string>();
let twist: (path: string, body: string) => Twisted = (_path, body) => ({ body });
let slackAnswer: NonNullable<Parameters<typeof openAttackedBot>[1]> = () => undefined;

beforeAll(async () => {
  evil = await listen((request, response) => {
    reached.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    response.setHeader('content-type', 'application/json').end('{"ok":true,"items":[]}');
  });
  front = await openPlatformFront((path, body) => twist(path, body));
  bot = await openAttackedBot(
    (environment) => front.lead(environment),
    (method) => slackAnswer(method),
  );
  // Called with its own `this` below.
  // oxlint-disable-next-line typescript/unbound-method
  const dial = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function connect(
    this: Socket,
    ...words: unknown[]
  ) {
    const [first] = words.flat(2) as [{ host?: string; port?: number }];
    if (first?.port !== undefined) dialled.add(first.host ?? 'localhost');
    return Reflect.apply(dial, this, words) as Socket;
  });
}, STARTING);
afterAll(async () => {
  vi.restoreAllMocks();
  await bot?.close();
  await front?.close();
  await evil?.close();
});
beforeEach(() => {
  reached = [];
});
afterEach(() => {
  twist = (_path, body) => ({ body });
  slackAnswer = () => undefined;
});

async function ask(command: string, text: string, responseUrl?: string): Promise<void> {
  const request = randomUUID();
  const answer = await bot.form({
    command,
    text: text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    team_id: 'T0ACME',
    user_id: 'U0ADA',
    channel_id: 'C0BILLING',
    response_url: responseUrl ?? bot.responseUrl(request),
    trigger_id: `trigger-${request}`,
  });
  expect(answer.status).toBe(200);
  if (responseUrl !== undefined) return;
  await bot.answered(request, (said) =>
    said.some(({ method, args }) => method !== '' || !String(args['text']).startsWith('Still')),
  );
}

/** Calls that came there, and hosts that were dialled and are not those of the configuration; reports both. */
function foreignCalls(attack: string, sent: number): string[] {
  report(`foreign hosts: ${attack}`, { sent, reached: reached.length });
  const own = /^(127\.0\.0\.1|localhost|[a-z0-9-]+\.apps\.localhost)$/;
  return [...reached, ...[...dialled].filter((host) => !own.test(host))];
}

it('an address in data of the platform is never called', async () => {
  const addresses = [`${evil.url}/said`, 'https://evil.example/said', '//evil.example/said'];
  twist = (_path, body) => ({
    body: withTexts(body, (text, key) =>
      /^https?:|^\//.test(text) || /^(href|url|endpoint|remote|canonicalEndpoint)$/.test(key)
        ? (addresses[text.length % addresses.length] ?? '')
        : text,
    ),
  });

  for (const [command, text] of QUESTIONS) await ask(command, text);

  expect(foreignCalls('addresses in answers', QUESTIONS.length)).toEqual([]);
});

it.each([301, 302, 307, 308])('a redirect of the platform (%i) is not followed', async (status) => {
  twist = (_path, body) => ({ status, headers: { location: `${evil.url}/moved` }, body });

  for (const [command, text] of QUESTIONS) await ask(command, text);

  expect(foreignCalls(`redirects ${status}`, QUESTIONS.length)).toEqual([]);
});

it('an address that is typed is never called', async () => {
  const addresses = [
    evil.url,
    evil.url.replace('http:', 'https:'),
    '//evil.example',
    'file:///etc/passwd',
  ].slice(0, countOf('addressesTyped'));
  const commands = [...new Set(QUESTIONS.map(([command]) => command))];

  for (const command of commands) {
    for (const place of PLACES) {
      for (const address of addresses) await ask(command, place(`${address}/typed`));
    }
  }

  expect(foreignCalls('typed', commands.length * PLACES.length * addresses.length)).toEqual([]);
});

it('a response_url that is not Slack’s is never called', async () => {
  const { port } = new URL(evil.url);
  const addresses = [
    `${evil.url}/answer`,
    `http://hooks.slack.com@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}/hooks.slack.com`,
    'https://hooks.slack.com.evil.example/x',
    'http://hooks.slack.com/x',
    'https://evilslack.com/x',
    `http:\\\\127.0.0.1:${port}\\x`,
    'gopher://127.0.0.1/',
    '',
  ];
  const before = bot.said.length;

  for (const address of addresses) await ask('/purser', 'help', address);

  // They come as direct messages.
  await until('all answers', () => {
    const direct = bot.said.slice(before).filter(({ method }) => method === 'chat.postMessage');
    return direct.length === addresses.length;
  });
  expect(foreignCalls('response_url', addresses.length)).toEqual([]);
});

it('an address for a file that is not Slack’s is never called', async () => {
  slackAnswer = (method) => {
    const url = `${evil.url}/file`;
    const file = { id: 'F1', user: 'U0ADA', size: 9, url_private: url, url_private_download: url };
    if (method === 'files.info') return { body: { ok: true, file } };
    if (method !== 'files.getUploadURLExternal') return undefined;
    return { body: { ok: true, upload_url: url, file_id: 'F1' } };
  };
  const request = randomUUID();
  const view = {
    id: 'V1',
    type: 'modal',
    callback_id: 'workload.check',
    private_metadata: '',
    title: { text: 'x' },
    blocks: [{ type: 'input', block_id: FILE }],
    state: { values: { [FILE]: { [FILE]: { type: 'file_input', files: [{ id: 'F1' }] } } } },
  };
  const base = { team: { id: 'T0ACME' }, user: { id: 'U0ADA', team_id: 'T0ACME' } };

  const answer = await bot.form({
    payload: JSON.stringify({ ...base, type: 'view_submission', trigger_id: request, view }),
  });

  expect(answer.status).toBe(200);
  await until('Slack to be asked for the file', () =>
    bot.said.some(({ method }) => method === 'files.info'),
  );
  await ask('/invoices', 'pdf 12');
  expect(foreignCalls('files', 2)).toEqual([]);
});

it('a redirect of Slack’s own API takes neither the token nor a message elsewhere', async () => {
  slackAnswer = (method) =>
    method === 'chat.postMessage' || method === 'views.open'
      ? { status: 307, headers: { location: `${evil.url}/api` }, body: {} }
      : undefined;
  const before = bot.said.length;

  await ask('/purser', 'help', 'https://evil.example/');

  await until('the message to be sent', () =>
    bot.said.slice(before).some(({ method }) => method === 'chat.postMessage'),
  );
  await ask('/purser', 'help');
  expect(foreignCalls('redirects of Slack', 1)).toEqual([]);
});
