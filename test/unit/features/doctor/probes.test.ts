import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import {
  accountProbes,
  isElsewhere,
  tokenProbes,
  type AccountAnswers,
  type BillingFacts,
} from '../../../../src/features/doctor/billing.ts';
import {
  addressProbe,
  formatOf,
  resultOf,
  unanswered,
} from '../../../../src/features/doctor/calls.ts';
import { channelProbe, usedChannels } from '../../../../src/features/doctor/channels.ts';
import { redisProbes } from '../../../../src/features/doctor/redis.ts';
import { settingsProbes } from '../../../../src/features/doctor/settings.ts';
import { slackFailure, slackTokenKind } from '../../../../src/features/doctor/slack.ts';
import { pollProbes } from '../../../../src/features/doctor/work.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { NO_POLL, type PollStatus } from '../../../../src/rollouts/gvc-store.ts';
import { BOT_SCOPES } from '../../../../src/slack/scopes.ts';
import type { RedisNodeFacts } from '../../../../src/store/server.ts';
import { EVERYTHING_ON, load } from '../../config/environment.ts';
import { account } from '../billing/scenario.ts';
import { failed, found, judged, lineOf, ofSlack, ofWork, REDIS_NODE } from './support.ts';

/** The limits of the probes, and which of two reasons counts. The catalogue shows each finding once. */

const MB = 1_048_576;
const NOW = 1_700_000_000_000;
const IDLE_MS = 60_000;

const judgeRedis = judged(redisProbes);
const judgePolls = judged(pollProbes);
const judgeToken = judged(tokenProbes);
const judgeAccount = judged(accountProbes);

/** Troubles by name: "broken Role". */
const troubles = (findings: readonly { what: string; state: string }[]): string[] =>
  findings.filter(({ state }) => state !== 'well').map(({ state, what }) => `${state} ${what}`);

describe('tokens', () => {
  it.each([
    ['xoxb-1-2-abc', 'bot'],
    ['xoxp-1-2-abc', 'user'],
    ['xapp-1-A-abc', 'app'],
    ['xoxe.xoxb-1-abc', 'rotated'],
    ['a-token-of-a-stand-in', 'unknown'],
    ['not-xoxb-1', 'unknown'],
  ])('of Slack are distinguished by their prefix: %s', (text, kind) => {
    expect(slackTokenKind(new Secret(text))).toBe(kind);
  });

  it.each([
    ['svc-bsat-x', 'billing'],
    ['brand-bsat-x', 'other-billing'],
    ['sandbox-key-bsat-x', 'unknown'],
    ['SVC-BSAT-x', 'unknown'],
    ['eyJhbGciOi', 'unknown'],
  ])('of the platform are distinguished by their prefix: %s', (text, kind) => {
    expect(formatOf(new Secret(text), load({ BRAND_PREFIX: 'svc' })).kind).toBe(kind);
  });

  it('are looked for among the keys of orgs, and not among injected ones', () => {
    const credentials = new Map([
      ['acme', { kind: 'bearer', secret: new Secret('one') }],
      ['globex', { kind: 'workload', secret: new Secret('one') }],
      ['initech', { kind: 'bearer', secret: new Secret('two') }],
    ] as const);
    const config = { ...load(), api: { url: 'https://api.example', credentials } };

    expect(formatOf(new Secret('one'), config).keyOf).toStrictEqual(['acme']);
  });
});

describe('Slack', () => {
  const scopes = BOT_SCOPES.map(({ scope }) => scope);

  it('is well with more scopes than Purser needs, and names the missing ones one by one', () => {
    const judgeScopes = (given: string[]) =>
      ofSlack('Scope', { answer: { bot: true, user: 'purser', team: 'Acme', scopes: given } });

    expect(troubles(judgeScopes([...scopes, 'reactions:write']))).toEqual([]);
    expect(
      troubles(judgeScopes(scopes.filter((one) => !/^(users:read|files:read)$/.test(one)))),
    ).toEqual(['broken Scope users:read', 'doubtful Scope files:read']);
    expect(ofSlack('Scope', { answer: { kind: 'refused', word: 'invalid_auth' } })).toEqual([]);
  });

  it('shows a failure by its class, never by its words, and throws a defect', () => {
    const cause = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    const away = { kind: 'away', word: 'ENOTFOUND' };

    expect(slackFailure(new WebAPIRequestError(cause))).toEqual(away);
    expect(
      slackFailure(new WebAPIPlatformError({ ok: false, error: '<html>Proxy</html>' })),
    ).toMatchObject({ kind: 'away' });
    expect(() => slackFailure(new TypeError('x is undefined'))).toThrow('x is undefined');
  });

  it('posts to each channel that is configured or watched, listed once with all its uses', () => {
    const watch = { org: 'acme', gvc: 'shop', quiet: false };

    expect(
      usedChannels({ notify: 'C1', ops: 'C2', billing: 'C1' }, [
        { ...watch, channel: 'C2', configured: true },
        { ...watch, channel: 'C3', workload: 'web', configured: false },
        { ...watch, channel: 'D4', configured: false },
      ]),
    ).toEqual([
      { id: 'C1', uses: ['NOTIFY_CHANNEL', 'BILLING_CHANNEL'] },
      { id: 'C2', uses: ['OPS_CHANNEL', 'WATCHES acme/shop'] },
      { id: 'C3', uses: ['watch acme/shop/web'] },
    ]);
  });

  it('reports an archived channel before the posts that it refused there', () => {
    const facts = {
      name: 'ops',
      archived: true,
      shared: false,
      member: true,
      unreadable: undefined,
    };
    const refusals = [{ error: 'restricted_action', since: NOW - 7_200_000 }];
    const status = { id: 'C0OPS', uses: ['OPS_CHANNEL'], facts, refusals };

    expect(judged(channelProbe)(status, NOW).map(lineOf).join()).toContain('archived');
  });
});

describe('Redis', () => {
  it.each<[Partial<RedisNodeFacts>, number, string[]]>([
    [{ usedBytes: 80 * MB, version: '6.2.0' }, 250, []],
    [{ usedBytes: 81 * MB }, 251, ['doubtful Server', 'doubtful Memory']],
    [{ maxBytes: 0, usedBytes: 900 * MB, version: undefined }, 1, []],
    [{ role: 'slave', clustered: true }, 1, ['broken Role']],
  ])('with %j that answers in %i ms is %j', (changes, pingMs, expected) => {
    const nodes = [{ ...REDIS_NODE, ...changes }];

    expect(troubles(judgeRedis({ pingMs, nodes }, false))).toEqual(expected);
  });
});

describe('the work', () => {
  const calm = { queue: 'rollouts', waiting: 1, oldestMs: 59_999, failed: 0 };

  it.each([
    [{ queues: [calm] }, []],
    [{ queues: [{ ...calm, oldestMs: 60_000 }] }, ['doubtful Queue rollouts']],
    [{ queues: [{ ...calm, oldestMs: 300_000 }] }, ['broken Queue rollouts']],
    [{ channels: [{ id: 'C1', messages: 0, heldMs: 900 }] }, []],
    [{ channels: [{ id: 'C1', messages: 99, heldMs: 0 }] }, []],
    [{ channels: [{ id: 'C1', messages: 100, heldMs: 0 }] }, ['doubtful Outbox']],
  ])('with %j is %j', (facts, expected) => {
    expect(troubles(ofWork(facts))).toEqual(expected);
  });

  const polled = (changes: Partial<PollStatus>, gvc = 'shop') => ({
    org: 'acme',
    gvc,
    poll: { ...NO_POLL, at: NOW - 5_000, ...changes },
  });

  it.each<[Partial<PollStatus>, RegExp]>([
    [{ at: NOW - 150_000 }, /^well/],
    [{ at: NOW - 150_001 }, /^doubtful .* which is late/],
    [{ at: NOW - 330_000 }, /^doubtful/],
    [{ at: NOW - 330_001 }, /^broken .*due every 1 min/],
    [{ failures: 2 }, /^doubtful/],
    [{ failures: 3 }, /^broken/],
    // The platform asked for the pause.
    [{ at: NOW - 400_000, notBefore: NOW + 60_000 }, /^well/],
  ])('polls a GVC with %j', (changes, line) => {
    expect(
      judgePolls([polled(changes)], IDLE_MS, NOW)
        .map(lineOf)
        .join(),
    ).toMatch(line);
  });

  it('reports healthy polls beside failing ones, and nothing without a watch', () => {
    const states = judgePolls([polled({ failures: 9 }), polled({}, 'lab')], IDLE_MS, NOW);

    expect(states.map(({ state }) => state)).toEqual(['broken', 'well']);
    expect(judgePolls([], IDLE_MS, NOW)).toEqual([]);
  });
});

it.each([
  [{}, []],
  [{ WATCH_PATIENCE: '0.5' }, []],
  [{ WATCH_PATIENCE: '0.49' }, ['doubtful WATCH_PATIENCE']],
  [{ APPROVALS: 'off', ALLOW_SELF_APPROVAL: 'true' }, ['off Approvals']],
])('the settings %j are %j', (environment, expected) => {
  const usual = { ...EVERYTHING_ON, USAGE_URL: 'https://usage.example.com' };

  expect(troubles(judged(settingsProbes)(load({ ...usual, ...environment })))).toEqual(expected);
});

describe('an address', () => {
  const address = { variable: 'API_URL', url: 'https://api.example', path: 'x', isGet: true };
  const judgeAddress = (status: number, isKnown: boolean, isGet = true) =>
    judged(addressProbe)(
      { ...address, isGet },
      found({ status, headers: new Map<string, string>(), date: undefined, ms: 1 }),
      isKnown,
    ).map(({ state }) => state);

  it.each([401, 403, 405, 200])('that answers %i is in order', (status) => {
    expect(judgeAddress(status, false)).toEqual(['well']);
  });

  it.each([404, 500, 503])('that answers %i is in order where a key worked', (status) => {
    expect(judgeAddress(status, false)).toEqual(['broken']);
    expect(judgeAddress(status, true)).toEqual(['well']);
  });

  it('that takes posts alone may say 404 to anything else', () => {
    expect(judgeAddress(404, false, false)).toEqual(['well']);
  });

  it("is reported without the server's own words, and a defect is thrown", async () => {
    expect(JSON.stringify(unanswered('API_URL', failed('server-error', 500)))).not.toContain(
      'words',
    );
    await expect(resultOf(Promise.reject(new TypeError('a defect')))).rejects.toThrow('a defect');
  });
});

describe('billing', () => {
  const listOf = <T>(...items: T[]) => found({ items, skipped: 0 });
  const answers: AccountAnswers = {
    catalogue: found([]),
    account: found(account({ enabled: undefined, tou: undefined, orgQuota: undefined })),
    orgs: listOf(),
    users: listOf(),
    alert: found(undefined),
    recipients: listOf(),
    tokens: listOf(),
  };
  const billing = (
    seen: Partial<AccountAnswers>,
    withKey?: BillingFacts['withKey'],
  ): BillingFacts => ({
    accountId: account().id,
    kind: 'billing',
    keyOf: [],
    answers: { ...answers, ...seen },
    withKey,
    behaves: undefined,
    user: undefined,
  });
  const [refused, missing] = [failed('unauthorized', 401), failed('not-found', 404)];
  const [viewer, fails] = [failed('forbidden', 403), failed('server-error', 500)];

  it.each<[string, Partial<AccountAnswers>, string[]]>([
    ['reads fail', { alert: fails, tokens: fails }, ['broken Billing, alert and tokens']],
    ['orgs are refused', { orgs: viewer }, ['broken Billing, orgs']],
    [
      'a viewer’s orgs fail',
      { alert: viewer, recipients: viewer, tokens: viewer, orgs: fails },
      ['doubtful BILLING_TOKEN', 'broken Billing, orgs'],
    ],
  ])('lacks no role where only %s', (_, seen, expected) => {
    expect(troubles(judgeToken(billing(seen)))).toEqual(expected);
  });

  it('is elsewhere where the catalogue is not found, also with the key of an org', () => {
    const seen = { catalogue: refused, account: refused };

    expect(isElsewhere(billing(seen, missing))).toBe(true);
    expect(isElsewhere(billing(seen, refused))).toBe(false);
    expect(isElsewhere(billing({ catalogue: missing }, missing))).toBe(false);
  });

  it.each<[Partial<AccountAnswers>, string[]]>([
    [{ orgs: found({ items: [], skipped: 1 }) }, ['Billing account', 'Billing users']],
    [{ orgs: fails }, ['Billing users']],
  ])('is not doubted where it says little, nor called well unread: %#', (seen, well) => {
    const setup = { orgs: ['acme'], approvals: { required: true, allowSelf: true }, now: 0 };
    const users = found({ items: [], skipped: 1 });
    const findings = judgeAccount(billing({ users, ...seen }).answers, setup);

    expect(findings.map(({ what, state }) => `${what} ${state}`)).toEqual(
      well.map((what) => `${what} well`),
    );
  });
});
