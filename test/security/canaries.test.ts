import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide, request } from '../support/approvals.ts';
import { everythingInRedis, readChange, slackCalls } from '../support/changes-raw.ts';
import { post } from '../support/http.ts';
import { PROGRESS } from '../support/page.ts';
import type { RunningBot } from '../support/running-bot.ts';
import { until } from '../support/until.ts';
import { userOf } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';
import { countOf, report } from './count.ts';

const STARTING = 180_000;
const CHANNEL = 'C0BILLING';
const COMMANDS = [
  '/charges last month by workload',
  '/usage',
  '/invoices show 10',
  '/alert',
  '/billing users',
  '/billing tokens',
  '/deployments shop/cart',
  '/workload addresses shop/cart',
  '/changes',
  '/purser whoami',
  '/purser doctor',
];
/** The secret of a token that the platform makes. */
const MADE = randomBytes(24).toString('hex');

let world: World;
let bot: RunningBot;
let secrets: Record<string, string>;
const texts: Record<string, string> = {};

beforeAll(async () => {
  world = await openWorld();
  bot = await world.startBot({ environment: { LOG_LEVEL: 'debug' } });
  secrets = secretsOf(world.environment({ port: 0, opsPort: 0 }));
  await play();
  await gather();
}, STARTING);
afterAll(() => world?.close());

function secretsOf(environment: Record<string, string>): Record<string, string> {
  const names = ['BILLING_TOKEN', 'BILLING_USER_TOKEN', 'SECRET_KEY', 'SLACK_BOT_TOKEN'];
  const orgs = JSON.parse(environment['ORG_TOKENS'] ?? '{}') as Record<string, string>;
  const own = [...names, 'SLACK_SIGNING_SECRET'].map((name) => [name, environment[name] ?? '']);
  return { ...orgs, ...(Object.fromEntries(own) as Record<string, string>), made: MADE };
}

/** Commands, while all is well and while the platform and Slack fail and repeat the request, and a change. */
async function play(): Promise<void> {
  const [ada, ben] = [userOf(world, 'U0ADA'), userOf(world, 'U0BEN')];
  const said = Object.values(secrets).filter((secret) => secret !== MADE);
  await askAll();
  const repeat = (status: number): object => ({
    status,
    body: { code: status, message: `what is ${said.join(' ')}?` },
  });
  const failures = [repeat(500), repeat(401), repeat(403), { kind: 'malformed' }];
  for (const failure of failures.slice(0, countOf('failures'))) {
    await world.faults(failure);
    await askAll();
  }

  const token = { id: 'cafecafe-0000-4000-a000-000000000001', name: 'made', roles: [] };
  const answer = { status: 201, body: { ...token, token: MADE } };
  await world.faults({ method: 'POST', path: 'token$', times: 1, ...answer });
  const entries = { Name: 'made', Roles: ['billing_viewer'] };
  const id = await request(world, ada, { command: '/billing tokens create', entries });
  await decide(world, ben, { id, decision: 'Approve' });
  await until('the token to be kept', async () => {
    const { secret } = await readChange(world, id);
    return secret?.state === 'sealed';
  });
  for (const kind of ['error', 'http', 'ratelimit', 'reset-before']) {
    const fault = { method: 'conversations.open', kind, error: said.join(' '), status: 500 };
    // Others open conversations, too.
    await world.slack('faults', { faults: [{ ...fault, times: 4, retryAfter: 1 }] });
    const shown = await until('an answer with a file', async () => {
      const answer = await ada.ask('/charges last month');
      return JSON.stringify(answer.blocks).includes('"CSV"') && answer;
    });
    await ada.answer(() => ada.press(shown, 'CSV'));
  }
  await world.slack('faults', { faults: [] });
}

/** Types all commands at once, and waits for as many answers. */
async function askAll(): Promise<void> {
  const answers = async (): Promise<number> =>
    (await world.messages(CHANNEL)).filter(({ text }) => text !== PROGRESS).length;
  const before = await answers();
  const type = (text: string) =>
    post(`${world.slackUrl}/page/command`, { user: 'U0ADA', channel: CHANNEL, text });
  await Promise.all(COMMANDS.map(type));
  await until('all answers', async () => (await answers()) >= before + COMMANDS.length);
}

/** All that is left to be read afterwards. */
async function gather(): Promise<void> {
  const calls = await slackCalls(world);
  const ops = await Promise.all(
    ['readyz', 'healthz', 'metrics'].map(async (path) =>
      (await fetch(`http://127.0.0.1:${bot.opsPort}/${path}`)).text(),
    ),
  );
  texts['the log'] = bot.log();
  texts['Redis'] = await everythingInRedis(world);
  texts['calls to Slack'] = JSON.stringify(calls.map(({ method, args }) => ({ method, args })));
  texts['messages'] = await (await fetch(`${world.slackUrl}/_sandbox/messages`)).text();
  texts['addresses at the platform'] = JSON.stringify(
    (await world.platformRequests()).requests.map(({ path }) => path),
  );
  texts['the ops port'] = ops.join('\n');
}

describe('the traces of a loud run with failures', () => {
  const PLACES = [
    'the log',
    'Redis',
    'calls to Slack',
    'messages',
    'addresses at the platform',
    'the ops port',
  ];

  it.each(PLACES)('has no secret: %s', (place) => {
    const text = texts[place] ?? '';
    const forms = Object.entries(secrets).flatMap(([name, secret]) =>
      [secret, encodeURIComponent(secret), ...base64Of(secret)].map((form) => ({ name, form })),
    );

    report(`canaries: ${place}`, { secrets: Object.keys(secrets).length, bytes: text.length });
    expect(text.length).toBeGreaterThan(20);
    expect(forms.filter(({ form }) => text.includes(form)).map(({ name }) => name)).toEqual([]);
  });

  it('has no e-mail address of a person in the log, and no address to answer at', () => {
    const log = texts['the log'] ?? '';

    expect(log.match(/[\w.+-]+(?:@|%40)acme\.example/g) ?? []).toEqual([]);
    expect(log.match(/\/response\/R\w+/g) ?? []).toEqual([]);
  });

  it('shows that the search finds a text, and that failures were logged', () => {
    // The platform's and Slack's errors came to the log, with the texts that they repeat.
    expect(texts['the log']?.includes('what is [hidden]')).toBe(true);
    expect(texts['the log']?.includes('API error occurred: [hidden]')).toBe(true);
    expect(texts['messages']?.includes('ada@acme.example')).toBe(true);
    expect(Object.values(secrets).every((secret) => secret.length > 8)).toBe(true);
  });
});

/** The base 64 of a part depends on where in three bytes it begins. */
function base64Of(secret: string): string[] {
  return [0, 1, 2].map((skip) => Buffer.from(secret.slice(skip, skip + 12)).toString('base64'));
}
