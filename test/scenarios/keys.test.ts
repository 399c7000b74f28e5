import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { signedHeaders, startProxy } from '../support/http.ts';
import type { RunningBot } from '../support/running-bot.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const CHANNEL = 'C0BILLING';
const NEWER = 'a-newer-signing-secret';
const folder = mkdtempSync(join(tmpdir(), 'purser-keys-'));
const pathOf = (name: string): string => join(folder, name);

let world: World;
/** Variables of the bot, which it has in files. */
let keys: Record<string, string>;
let bot: RunningBot;

const NAMES = [
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'ORG_TOKENS',
  'BILLING_TOKEN',
  'SECRET_KEY',
] as const;

function put(changes: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(changes)) writeFileSync(pathOf(name), text);
}

/** How often a line with these parts is in the log. */
const logged = (...parts: readonly string[]): number =>
  bot
    .log()
    .split('\n')
    .filter((line) => parts.every((part) => line.includes(part))).length;

/** SIGHUP with other keys; resolves when both threads have read them. */
async function rotate(changes: Readonly<Record<string, string>>): Promise<void> {
  const before = [logged('read again', '"main"'), logged('read again', '"worker"')];
  put(changes);
  bot.child.kill('SIGHUP');
  await until('both threads to read the keys', () => {
    const now = [logged('read again', '"main"'), logged('read again', '"worker"')];
    return now.every((count, index) => count > (before[index] ?? 0));
  });
}

beforeAll(async () => {
  world = await openWorld();
  const environment = world.environment({ port: 1, opsPort: 2 });
  keys = Object.fromEntries(NAMES.map((name) => [name, environment[name] ?? '']));
  put(keys);
  const unset = NAMES.map((name) => [name, ''] as const);
  const files = NAMES.map((name) => [`${name}_FILE`, pathOf(name)] as const);
  bot = await world.startBot({
    environment: { ...Object.fromEntries([...unset, ...files]), WATCHES: 'acme/shop' },
  });
});

afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => put(keys));

/** The status for a request of Slack that is signed with this secret. */
async function signedWith(secret: string): Promise<number> {
  const body = JSON.stringify({ type: 'url_verification', challenge: Math.random().toString() });
  const headers = { ...signedHeaders(secret, body), 'content-type': 'application/json' };
  const address = `http://127.0.0.1:${bot.port}/slack/events`;
  return (await fetch(address, { method: 'POST', body, headers })).status;
}

describe('a running bot whose key files change', () => {
  it('asks the platform with the new billing token', async () => {
    expect((await world.command('U0ADA', CHANNEL, '/charges')).text).toContain('$');

    await rotate({ BILLING_TOKEN: 'svc-bsat-revoked' });
    const refused = await world.command('U0ADA', CHANNEL, '/charges last month');
    expect(refused.text).toContain('refuse');

    await rotate(keys);
    expect((await world.command('U0ADA', CHANNEL, '/charges last month')).text).toContain('$');
  });

  it('takes both signatures while both secrets are listed', async () => {
    const older = CREDENTIALS.signingSecret;
    expect([await signedWith(older), await signedWith(NEWER)]).toEqual([200, 401]);

    await rotate({ SLACK_SIGNING_SECRET: `${NEWER},${older}` });
    expect([await signedWith(older), await signedWith(NEWER)]).toEqual([200, 200]);

    await rotate({ SLACK_SIGNING_SECRET: NEWER });
    expect([await signedWith(older), await signedWith(NEWER)]).toEqual([401, 200]);

    await rotate(keys);
  });

  it('polls and posts with new tokens, in the thread of the workers, too', async () => {
    await rotate({ ORG_TOKENS: keys['ORG_TOKENS']!.replaceAll(/:"[^"]+"/g, ':"revoked"') });
    await until('the platform to refuse the key', async () => {
      const { requests } = await world.platformRequests();
      return requests.some(({ path, status }) => path.includes('-deployment') && status === 401);
    });
    await rotate({ ...keys, SLACK_BOT_TOKEN: 'xoxb-revoked' });
    const place = { org: 'acme', gvc: 'shop', workload: 'web' };
    await world.polled();
    const { version } = await world.platform('rollout', { ...place, seconds: 1 });
    await until('Slack to refuse the token', () => bot.log().includes('invalid_auth'));

    await rotate(keys);

    // After a refused token a channel waits for a minute.
    const key = `acme/shop/web/${String(version)}/ready`;
    const isPosted = async () =>
      (await world.messages('C0DEPLOYS')).some((one) => one.metadata?.event_payload.key === key);
    expect(await until('the message that waited', isPosted, 150_000)).toBe(true);
  }, 240_000);

  it('keeps the key of a broken file, and the log names its variable alone', async () => {
    await rotate({ BILLING_TOKEN: 'no key at all', SECRET_KEY: 'c2hvcnQ=' });

    expect((await world.command('U0ADA', CHANNEL, '/charges')).text).toContain('$');
    expect(logged('A key file is broken', 'BILLING_TOKEN', 'SECRET_KEY')).toBeGreaterThan(0);
    expect(bot.log()).not.toMatch(/no key at all|c2hvcnQ=/);
  });
});

describe('a running bot in Socket Mode', () => {
  const RENEWED = 'xapp-renewed-app-token';
  const tokens: string[] = [];

  /** On the way to Slack, which takes the renewed app token, too. */
  function see(chunk: Buffer): string {
    const text = chunk.toString('latin1');
    tokens.push(...[...text.matchAll(/Bearer (xapp-\S+)/g)].map(([, token = '']) => token));
    return text.replaceAll(RENEWED, CREDENTIALS.appToken);
  }

  it('opens its next connection with the app token that its file has by then', async () => {
    const own = await openWorld();
    const proxy = await startProxy(
      () => new URL(own.slackUrl),
      () => ({
        there: (chunk, _, far) => void far.write(see(chunk), 'latin1'),
        back: (chunk, near) => void near.write(chunk),
      }),
    );
    onTestFinished(async () => {
      await own.close();
      await proxy.close();
    });
    put({ SLACK_APP_TOKEN: CREDENTIALS.appToken });
    const connected = await own.startBot({
      environment: {
        SLACK_MODE: 'socket',
        SLACK_API_URL: `http://127.0.0.1:${proxy.port}/api/`,
        SLACK_APP_TOKEN_FILE: pathOf('SLACK_APP_TOKEN'),
      },
    });
    expect(new Set(tokens)).toEqual(new Set([CREDENTIALS.appToken]));

    put({ SLACK_APP_TOKEN: RENEWED });
    connected.child.kill('SIGHUP');
    await until('the file to be read', () =>
      /"thread":"main"[^\n]*"renewed":\["SLACK_APP_TOKEN"\]/.test(connected.log()),
    );
    expect(tokens).not.toContain(RENEWED);
    await own.slack('disconnect', {});

    await until('a connection with the renewed token', () => tokens.includes(RENEWED));
    await connected.ready();
    expect(connected.log()).not.toContain(RENEWED);
  });
});
