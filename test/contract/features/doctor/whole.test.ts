import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { loadConfig, secretsOf } from '../../../../src/config/config.ts';
import { createDoctor } from '../../../../src/features/doctor/doctor.ts';
import { systemClock } from '../../../../src/lib/time.ts';
import { createLogger } from '../../../../src/lib/logger.ts';
import { botEnvironment, CREDENTIALS } from '../../../../src/sandbox/bot.ts';
import { createSandboxPlatform } from '../../../../src/sandbox/platform/server.ts';
import { createSandboxSlack } from '../../../../src/sandbox/slack/server.ts';
import { createServices } from '../../../../src/services.ts';
import { useRedis } from '../../../support/redis.ts';
import { readingOf } from '../../../unit/features/doctor/support.ts';

const MANIFEST = new URL('../../../../manifest.yml', import.meta.url).pathname;

const platform = createSandboxPlatform();
const slack = createSandboxSlack({ ...CREDENTIALS, manifestPath: MANIFEST });
beforeAll(() => Promise.all([platform.listen(), slack.listen()]));
afterAll(() => Promise.all([platform.close(), slack.close()]));

/** The doctor's findings for a bot of the sandbox. */
async function examine() {
  const config = loadConfig({
    ...botEnvironment({
      slackUrl: slack.url,
      platformUrl: platform.url,
      billingUrl: platform.billingUrl,
      usageUrl: platform.usageUrl,
      orgTokens: platform.tokens,
      redisUrl: useRedis().url,
      port: 3000,
      opsPort: 0,
    }),
    REDIS_PREFIX: `test-${randomUUID()}`,
  });
  const logger = createLogger({ level: 'silent', secrets: [] });
  const services = createServices(config, {
    clock: systemClock,
    logger,
    stopping: new AbortController().signal,
  });
  onTestFinished(async () => {
    await services.jobs.close();
    services.redis.disconnect();
    await services.deployments.close();
    await services.endCalls();
  });
  await services.openStore();
  const doctor = createDoctor(services, () => ({ connected: () => true, port: () => 3000 }));
  const answer = await doctor({
    person: { userId: 'U0ADA', teamId: 'T0ACME' },
    channelId: config.channels.ops,
  });
  const secrets = secretsOf(config).map((secret) => secret.reveal());
  return {
    reading: readingOf(answer),
    whole: JSON.stringify(answer),
    secrets,
  };
}

it('the whole of the sandbox is looked at, and no check fails by itself', async () => {
  const { reading, whole, secrets } = await examine();

  for (const area of ['Slack', 'Channels', 'Platform', 'Billing', 'Redis', 'Clock', 'Work']) {
    expect(reading).toContain(`*${area}*`);
  }
  expect(reading).not.toMatch(/the check itself failed|not all of it/);
  expect(reading).toContain('AOF is off');
  expect(reading).toContain('none has reported within 30 s');
  // As an operator sets them.
  expect(new Set(whole.match(/\w+_CHANNEL\b/g))).toEqual(
    new Set(['NOTIFY_CHANNEL', 'APPROVALS_CHANNEL', 'BILLING_CHANNEL', 'OPS_CHANNEL']),
  );
  expect(secrets.filter((secret) => whole.includes(secret))).toEqual([]);
});
