import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CREDENTIALS } from '../../../../src/sandbox/bot.ts';
import { createSandboxSlack } from '../../../../src/sandbox/slack/server.ts';
import { createSlackClient } from '../../../../src/slack/client.ts';
import { createSlackConnection } from '../../../../src/slack/connection/connection.ts';
import { createSendFile } from '../../../../src/slack/files.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { createKeys } from '../../../../src/store/redis.ts';
import { until } from '../../../support/until.ts';
import { listeningLogger, MANIFEST } from '../support.ts';

const slack = createSandboxSlack({ ...CREDENTIALS, manifestPath: MANIFEST, platformUrl: '' });
const apiUrl = (): string => `${slack.url}/api/`;

beforeAll(() => slack.listen());
afterAll(() => slack.close());

describe('the log of a bot that writes all it knows', () => {
  it('has no ticket that opens its connection to Slack', async () => {
    const { logger, lines } = listeningLogger([], 'trace');
    const connection = createSlackConnection(
      { kind: 'socket', appToken: new Secret(CREDENTIALS.appToken) },
      {
        slack: createSlackClient(new Secret(CREDENTIALS.botToken), apiUrl(), logger),
        identity: { now: () => ({ botId: 'B1', botUserId: 'UBOT', teamId: 'T1' }) },
        // Nothing is delivered.
        redis: undefined as never,
        keys: createKeys('test'),
        clock: { now: () => Date.now() },
        logger,
      },
    );
    await connection.start();
    await until('a connection', () => Promise.resolve(connection.connected() || undefined));
    await connection.stop();

    expect(lines()).toContain('/socket?ticket=[hidden]');
    expect(lines()).not.toMatch(/ticket=(?!\[hidden\])/);
  });

  it('has no address to which a file may be put', async () => {
    const { logger, lines } = listeningLogger([], 'trace');
    const client = createSlackClient(new Secret(CREDENTIALS.botToken), apiUrl(), logger);
    const { signal: stopping } = new AbortController();
    const send = createSendFile({ slack: client, stopping });

    await send({
      userId: 'U0ADA',
      filename: 'charges.csv',
      title: 'Charges',
      comment: 'Here they are.',
      content: 'org,total\r\n',
    });

    expect(lines()).toContain('/upload/v1/[hidden]');
    expect(lines()).not.toMatch(/\/upload\/v1\/(?!\[hidden\])/);
  });

  it.each([
    'wss://wss-primary.slack.com/link/?ticket=5a1f-00&app_id=9b2',
    'https://files.slack.com/upload/v1/5a1f-00',
  ])('has none in an error either, nor in its causes: %s', (address) => {
    const { logger, lines } = listeningLogger([], 'trace');
    const cause = new Error(`connect to ${address}`, { cause: new Error(`Bad ${address}`) });

    logger.error({ err: new Error(`Failed: ${address}`, { cause }) }, `No way to ${address}`);
    logger.error({ answer: JSON.stringify({ url: address }) }, 'What Slack said');

    expect(lines()).not.toContain('5a1f-00');
    expect(lines().match(/\[hidden\]/g)?.length).toBeGreaterThanOrEqual(5);
  });
});
