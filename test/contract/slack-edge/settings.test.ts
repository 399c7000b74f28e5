import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { createHouse, freshPrefix } from './support.ts';
import type { House } from './support.ts';

const ADA = 'U0ADA';
const OPS = 'C0OPS';

let house: House;

beforeAll(async () => {
  house = await createHouse({ ROLE: 'app' });
});
afterAll(async () => {
  await house.close();
});

describe('a bot with several orgs and no default', () => {
  it('asks which one is meant', async () => {
    await house.restartBot({ DEFAULT_ORG: '' });

    const unnamed = await house.ask(ADA, OPS, '/deployments shop');
    const named = await house.ask(ADA, OPS, '/deployments shop org acme');

    expect(unnamed.text).toContain('add "org NAME"');
    expect(named.text).toContain('*shop* in org acme');
  });
});

describe('ORG_ACCESS', () => {
  it('can be a user group', async () => {
    await house.restartBot({ ORG_ACCESS: 'S0PLATFORM' });

    const member = await house.ask(ADA, OPS, '/deployments shop');
    const other = await house.ask('U0BEN', OPS, '/deployments shop');

    expect(member.text).toContain('*shop* in org acme');
    expect(other.text).toContain('one user group');
  });

  it('is asked again before an answer of earlier is shared', async () => {
    const store = { REDIS_PREFIX: freshPrefix() };
    await house.restartBot(store);
    const answer = await house.ask('U0BEN', OPS, '/deployments shop');

    await house.restartBot({ ...store, ORG_ACCESS: 'S0PLATFORM' });
    await house.press('U0BEN', OPS, answer, 'answer.share');
    const no = await until('a no', async () =>
      (await house.messages(OPS)).find(
        ({ text, order }) => text.includes('one user group') && order > answer.order,
      ),
    );

    expect(no.ephemeral_to).toBe('U0BEN');
    expect((await house.messages(OPS)).filter((one) => one.ephemeral_to === null)).toEqual([]);
  });

  it('as a group that Slack does not know lets nobody in', async () => {
    await house.restartBot({ ORG_ACCESS: 'S0NOTHING' });

    const refusal = await house.ask(ADA, OPS, '/deployments shop');

    expect(refusal.text).toContain('check ORG_ACCESS');
  });

  it('as roles lets nobody in while roles cannot be looked up, but still helps', async () => {
    await house.restartBot({ ORG_ACCESS: 'roles' });

    const refusal = await house.ask(ADA, OPS, '/deployments shop');
    const help = await house.ask(ADA, OPS, '/deployments help');

    expect(refusal.text).toContain('ORG_ACCESS=roles');
    expect(help.text).toContain('*/deployments*');
  });
});

describe('Socket Mode', () => {
  it('answers commands, and goes on after Slack has ended the connection', async () => {
    await house.restartBot({ SLACK_MODE: 'socket', SLACK_APP_TOKEN: 'xapp-sandbox-app-token' });
    const ready = async (): Promise<boolean> => (await fetch(`${house.opsUrl}/readyz`)).ok;
    expect((await house.ask(ADA, OPS, '/deployments shop')).text).toContain('in org acme');

    await house.slack('disconnect');
    await until('a bot that says it is cut off', async () => !(await ready()));
    await until('a bot that is back', ready);

    expect((await house.ask(ADA, OPS, '/deployments data')).text).toContain('in org acme');
    expect(await viaSocket()).toBe(2);
  }, 60_000);

  async function viaSocket(): Promise<number> {
    const answer = await fetch(`${house.slackUrl}/_sandbox/deliveries`);
    const { deliveries } = (await answer.json()) as { deliveries: { via: string; ok: boolean }[] };
    return deliveries.filter(({ via, ok }) => via === 'socket' && ok).length;
  }
});
