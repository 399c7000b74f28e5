import { afterAll, beforeAll, expect, it } from 'vitest';
import { createIdentities } from '../../src/access/identities.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/lib/logger.ts';
import type { Bootstrap } from '../../src/sandbox/slack/page-protocol.ts';
import { createKeys } from '../../src/store/redis.ts';
import { cardOf, decide } from '../support/approvals.ts';
import { readChange } from '../support/changes-raw.ts';
import { get, post } from '../support/http.ts';
import { connectTo } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { userOf } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld({ bot: { APPROVALS: 'off', ALLOW_SELF_APPROVAL: 'false' } });
  // Gus, whose account was deactivated, had Ada's address once, and used its role.
  await rememberedFor('ada@acme.example', 'U0GUS');
});

afterAll(() => world?.close());

async function rememberedFor(email: string, userId: string): Promise<void> {
  const config = loadConfig(world.environment({ port: 1, opsPort: 2 }));
  const redis = await connectTo(world.redisUrl);
  const logger = createLogger({ level: 'silent', secrets: [] });
  const keys = createKeys(config.redis.prefix);
  await createIdentities({ redis, keys, config, logger }).add(email, userId);
  redis.disconnect();
}

it('a person with the address of an earlier account has no role, until another billing_admin confirms it', async () => {
  const [ada, ben] = [userOf(world, 'U0ADA'), userOf(world, 'U0BEN')];
  const refused = await ada.ask('/billing tokens');
  expect(refused.text).toContain('in use by another Slack account (<@U0GUS>)');
  const window = await ada.open('/billing tokens create');
  expect(window.text).toContain('/changes confirm');
  await ada.close(window);

  const who = await ada.ask('/purser whoami');
  expect(who.text).toContain('in use by another Slack account');
  expect(who.text).not.toContain('no user of');
  await post(`${world.slackUrl}/page/home`, { user: ada.user, tab: 'home' });
  await until('Home with the roles', async () => {
    const { home } = await get<Bootstrap>(`${world.slackUrl}/page/bootstrap?user=${ada.user}`);
    return /in use by another Slack account[^"]* · you may/.test(JSON.stringify(home));
  });

  const form = await ada.openBy(refused, 'Ask to confirm');
  const answer = await ada.answer(() => ada.submit(form));

  const id = await until('the card of the request', async () => {
    const cards = await world.reported('C0APPROVE', '@changes/');
    return /^@changes\/(\w+)\/card$/.exec(cards[0]?.key ?? '')?.[1];
  });
  expect(answer.text).toContain('Requested: Confirm another Slack account for ada@acme.example');
  // With APPROVALS=off, too, it waits for another person.
  expect((await readChange(world, id)).state).toBe('pending');
  const review = await ada.openBy(await cardOf(world, id), 'Review');
  expect(review.view.submit).toBeUndefined();
  await ada.close(review);

  await decide(world, ben, { id, decision: 'Approve' });
  await cardOf(world, id, 'succeeded');

  expect((await ada.ask('/billing tokens')).text).not.toContain('Slack account');
});
