import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { freshPrefix } from '../slack/support.ts';
import { createHarness, type Harness } from './harness.ts';

const ADA = 'U0ADA';
const OPS = 'C0OPS';

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness({ ROLE: 'app' });
});
afterAll(async () => {
  await harness.close();
});

/** Deliveries of Slack to the bot, and whether they were acknowledged. */
async function deliveries(): Promise<{ via: string; ok: boolean }[]> {
  const answer = await fetch(`${harness.slackUrl}/_sandbox/deliveries`);
  return ((await answer.json()) as { deliveries: { via: string; ok: boolean }[] }).deliveries;
}

it('a bot with several orgs and no default asks which one is meant', async () => {
  await harness.restartBot({ DEFAULT_ORG: '' });

  const unnamed = await harness.ask(ADA, OPS, '/deployments shop');
  const named = await harness.ask(ADA, OPS, '/deployments shop org acme');

  expect(unnamed.text).toContain('Which org? For example: `/deployments shop org acme`');
  expect(named.text).toContain('shop: 8 ready, 1 idle, 1 on a schedule · org acme');
});

describe('ORG_ACCESS', () => {
  it('can be a user group', async () => {
    await harness.restartBot({ ORG_ACCESS: 'S0PLATFORM' });

    const member = await harness.ask(ADA, OPS, '/deployments shop');
    const other = await harness.ask('U0BEN', OPS, '/deployments shop');

    expect(member.text).toContain('shop: 8 ready, 1 idle, 1 on a schedule · org acme');
    expect(other.text).toContain('one user group');
  });

  it('is asked again before an answer of earlier is shared', async () => {
    const store = { REDIS_PREFIX: freshPrefix() };
    await harness.restartBot(store);
    const answer = await harness.ask('U0BEN', OPS, '/deployments shop');

    await harness.restartBot({ ...store, ORG_ACCESS: 'S0PLATFORM' });
    await harness.press('U0BEN', OPS, answer, 'answer.share');
    const no = await until('a no', async () =>
      (await harness.messages(OPS)).find(
        ({ text, order }) => text.includes('one user group') && order > answer.order,
      ),
    );

    expect(no.ephemeral_to).toBe('U0BEN');
    expect((await harness.messages(OPS)).filter((one) => one.ephemeral_to === null)).toEqual([]);
  });

  it('as a group that Slack does not know lets no one in', async () => {
    await harness.restartBot({ ORG_ACCESS: 'S0NOTHING' });

    const refusal = await harness.ask(ADA, OPS, '/deployments shop');

    expect(refusal.text).toContain(
      'may see this (ORG_ACCESS): try again in a minute; if it lasts, ask your Purser administrator.',
    );
  });

  it('as roles lets no one in while roles cannot be looked up, but still helps', async () => {
    await harness.restartBot({ ORG_ACCESS: 'roles' });

    const refusal = await harness.ask(ADA, OPS, '/deployments shop');
    const help = await harness.ask(ADA, OPS, '/deployments help');

    expect(refusal.text).toContain('ORG_ACCESS=roles');
    expect(help.text).toContain('/deployments – Is it deployed?');
  });
});

it('LINKS are buttons on answers about a workload, and on its details', async () => {
  await harness.restartBot({
    LINKS: JSON.stringify({
      Logs: 'https://logs.example/{org}/{gvc}/{workload}?from={start}',
      Map: 'https://map.example/{gvc}',
    }),
  });
  const ada = harness.user(ADA);
  const answer = await ada.ask('/deployments shop/cart', OPS);
  const details = await ada.openBy(answer, 'Details');
  const before = await deliveries();

  await ada.press(answer, 'Map');

  const logs = /"https:\/\/logs\.example\/acme\/shop\/cart\?from=20\d\d-[\dT-]+%3A\d\d%3A\d\dZ"/;
  for (const shown of [answer.blocks, details.view.blocks]) {
    expect(JSON.stringify(shown)).toMatch(logs);
    expect(JSON.stringify(shown)).toContain('"https://map.example/shop"');
  }
  expect((await deliveries()).slice(before.length)).toMatchObject([{ ok: true }]);
});

it('Socket Mode answers commands, and goes on after Slack has ended the connection', async () => {
  await harness.restartBot({ SLACK_MODE: 'socket', SLACK_APP_TOKEN: 'xapp-sandbox-app-token' });
  const ready = async (): Promise<boolean> => (await fetch(`${harness.opsUrl()}/readyz`)).ok;
  expect((await harness.ask(ADA, OPS, '/deployments shop')).text).toContain('· org acme');

  const refused = { method: 'apps.connections.open', kind: 'http', status: 503 };
  await harness.slack('faults', { faults: [refused] });
  await harness.slack('disconnect');
  await until('a bot that says it is cut off', async () => !(await ready()));
  await harness.slack('faults', { faults: [] });
  await until('a bot that is back', ready);

  expect((await harness.ask(ADA, OPS, '/deployments data')).text).toContain('· org acme');
  expect(await viaSocket()).toBe(2);
}, 60_000);

async function viaSocket(): Promise<number> {
  return (await deliveries()).filter(({ via, ok }) => via === 'socket' && ok).length;
}
