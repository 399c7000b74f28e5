import { randomUUID } from 'node:crypto';
import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChannelCheck } from '../../../../src/features/doctor/channels.ts';
import { createGroupCheck, createSlackCheck } from '../../../../src/features/doctor/slack.ts';
import type { Check } from '../../../../src/features/doctor/probe.ts';
import { systemClock } from '../../../../src/lib/time.ts';
import { createLogger } from '../../../../src/lib/logger.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { CREDENTIALS } from '../../../../src/sandbox/bot.ts';
import { createSandboxSlack } from '../../../../src/sandbox/slack/server.ts';
import { clientOptions } from '../../../../src/slack/client.ts';
import { createKeys, type RedisConnection } from '../../../../src/store/redis.ts';
import { connectTo, useRedis } from '../../../support/redis.ts';
import { load } from '../../../unit/config/environment.ts';
import { lineOf } from '../../../unit/features/doctor/support.ts';

const MANIFEST = new URL('../../../../manifest.yml', import.meta.url).pathname;
const logger = createLogger({ level: 'silent', secrets: [] });

let slack: ReturnType<typeof createSandboxSlack>;
let redis: RedisConnection;
const keys = createKeys(`test-${randomUUID()}`);

beforeEach(async () => {
  slack = createSandboxSlack({ ...CREDENTIALS, manifestPath: MANIFEST });
  await slack.listen();
  redis = await connectTo(useRedis().url);
  await redis.del(keys.refusals);
});
afterEach(async () => {
  redis.disconnect();
  await slack.close();
});

const clientWith = (token: string, url = slack.url): WebClient =>
  new WebClient(token, clientOptions(`${url}/api/`, logger));

const linesOf = async (check: Check): Promise<string[]> =>
  (await check.run(new AbortController().signal)).map(lineOf);

function slackCheck(token: string, client = clientWith(token)): Check {
  const config = load({
    SLACK_BOT_TOKEN: token,
    SLACK_SIGNING_SECRET: CREDENTIALS.signingSecret,
  });
  return createSlackCheck({ slack: client, config }, () => ({
    connected: () => true,
    port: () => 3000,
  }));
}

function channelCheck(channels: Record<string, string>, watches: readonly Watch[] = []): Check {
  const services = {
    slack: clientWith(CREDENTIALS.botToken),
    redis,
    keys,
    clock: systemClock,
    config: { channels },
  };
  return createChannelCheck(services, { all: () => Promise.resolve([...watches]) });
}

async function control(path: string, body: object): Promise<void> {
  const answer = await fetch(`${slack.url}/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
}

describe('the doctor looks at the token', () => {
  it('which is right, with all its scopes', async () => {
    expect(await linesOf(slackCheck(CREDENTIALS.botToken))).toEqual([
      'well SLACK_BOT_TOKEN: Slack accepts it: Purser is purser in Acme',
      expect.stringMatching(/^well Scopes: all \d+ are there/),
      'well Connection: HTTP, port 3000 is open',
    ]);
  });

  it('which lacks scopes', async () => {
    await control('scopes', { without: ['files:read', 'users:read'] });

    const lines = await linesOf(slackCheck(CREDENTIALS.botToken));

    expect(lines).toContainEqual(expect.stringMatching(/^broken Scope users:read: .*reinstall/));
    expect(lines).toContainEqual(expect.stringMatching(/^doubtful Scope files:read: .*reinstall/));
  });

  it('which is that of the app, or no one’s', async () => {
    const [app] = await linesOf(slackCheck(CREDENTIALS.appToken));
    const [stranger] = await linesOf(slackCheck('xoxb-of-another-workspace'));

    expect(app).toMatch(/^broken SLACK_BOT_TOKEN: it holds an app-level token/);
    expect(stranger).toMatch(/^broken SLACK_BOT_TOKEN: Slack refuses it \(invalid_auth\)/);
    expect(`${app}${stranger}`).not.toMatch(/sandbox-app|another-workspace/);
  });
});

describe('the doctor looks at the channels', () => {
  const watch: Watch = {
    org: 'acme',
    gvc: 'shop',
    channel: 'C0RANDOM',
    quiet: false,
    configured: false,
  };

  it('of the configuration and of the watches', async () => {
    const lines = await linesOf(
      channelCheck({ notify: 'C0DEPLOYS', ops: 'C0OLDIES', approvals: 'C0NOWHERE' }, [
        watch,
        { ...watch, channel: 'C0FINANCE' },
      ]),
    );

    expect(lines).toEqual([
      'well #deployments (NOTIFY_CHANNEL): Purser is a member',
      expect.stringMatching(/^broken #old-project \(OPS_CHANNEL\): it is archived → unarchive it/),
      expect.stringMatching(/^broken C0NOWHERE \(APPROVALS_CHANNEL\): there is no such channel/),
      expect.stringMatching(
        /^broken #random \(watch acme\/shop\): Purser is not in it.*\/invite @Purser/,
      ),
      'well C0FINANCE (watch acme/shop): Purser is a member',
    ]);
  });

  it('that Purser cannot read, and those that it was thrown out of', async () => {
    await control('scopes', { without: ['channels:history'] });
    await control('leave', { channel: 'C0OPS' });

    expect(await linesOf(channelCheck({ notify: 'C0DEPLOYS', ops: 'C0OPS' }))).toEqual([
      expect.stringMatching(/^doubtful #deployments .*cannot read it \(missing_scope\)/),
      expect.stringMatching(/^broken #ops .*\/invite @Purser/),
    ]);
  });

  it('whose posts Slack refused', async () => {
    const reported = [
      { error: 'restricted_action', since: Date.now() - 60_000, key: 'k', channel: 'C0OPS' },
    ];
    await redis.hset(keys.refusals, 'C0OPS', JSON.stringify(reported));

    expect(await linesOf(channelCheck({ ops: 'C0OPS' }))).toEqual([
      expect.stringMatching(/^broken #ops .*refused a post 1 min.* ago \(restricted_action\)/),
    ]);
  });
});

it('the doctor looks at the user group of ORG_ACCESS', async () => {
  const slackClient = clientWith(CREDENTIALS.botToken);
  const groupCheck = (ORG_ACCESS: string): Check =>
    createGroupCheck({ slack: slackClient, config: load({ ORG_ACCESS }) });

  expect(await linesOf(groupCheck('S0PLATFORM'))).toEqual([
    'well User group of ORG_ACCESS: 2 members',
  ]);
  expect(await linesOf(groupCheck('S0NOBODY'))).toEqual([
    expect.stringMatching(/^broken .*\(no_such_subteam\)/),
  ]);
});
