import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, isEndOf, request, writes } from '../support/approvals.ts';
import { giveAlert, callPlatform } from '../support/changes-raw.ts';
import { userOf, type User } from '../support/user.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const HAL = 'hal@acme.example';
const SEEN = 'c0ffee@acme.example';

/**
 * Everything is approved while no one is there to carry it out; then people lose roles, and others
 * change the same things past the bot; then the worker comes back.
 */
describe('between an approval and its call', () => {
  let world: World;
  const ids: Record<string, string> = {};
  let sentBefore = 0;

  beforeAll(async () => {
    world = await openWorld();
    const app = await world.startBot({ environment: { ROLE: 'app' } });
    const toApp = () =>
      world.slack('request-url', { url: `http://127.0.0.1:${app.port}/slack/events` });
    const [ada, ben, cleo, dana] = ['U0ADA', 'U0BEN', 'U0CLEO', 'U0DANA'].map((user) =>
      userOf(world, user),
    ) as [User, User, User, User];
    for (const email of ['cleo@acme.example', 'dana@acme.example', HAL]) {
      await world.platform('users', { email, roles: ['billing_admin'] });
    }
    await world.platform('auth-cache/clear', {});
    await giveAlert(world);
    const worker = await world.startBot({ environment: { ROLE: 'worker' } });
    await toApp();
    ids['alert'] = await request(world, ada, { command: '/alert set 500' });
    ids['byCleo'] = await request(world, cleo, {
      command: '/billing recipients add',
      entries: { 'E-mail': SEEN, Enabled: true },
    });
    ids['byDana'] = await request(world, ada, {
      command: '/billing recipients disable',
      entries: { 'E-mail': 'finance@acme.example' },
    });
    ids['gone'] = await request(world, ada, {
      command: '/billing tokens delete',
      entries: { Name: 'sandbox-viewer' },
    });
    ids['removed'] = await request(world, ada, {
      command: '/billing users remove',
      entries: { 'E-mail': HAL },
    });
    ids['fine'] = await request(world, ada, {
      command: '/billing quotas request',
      entries: { Quota: 'cpu', 'Requested maximum': '200' },
    });
    await worker.stop();

    for (const [name, id] of Object.entries(ids)) {
      await decide(world, name === 'byDana' ? dana : ben, { id, decision: 'Approve' });
    }
    await world.platform('alert/fire', {});
    await world.platform('users', { email: 'cleo@acme.example', roles: ['billing_viewer'] });
    await world.platform('users', { email: 'dana@acme.example', roles: ['org_creator'] });
    await callPlatform(
      world,
      'DELETE',
      '/service-account-token/dddddddd-0000-4000-a000-000000000002',
    );
    await world.platform('users', { email: HAL, roles: [] });
    sentBefore = (await writes(world)).length;

    await world.startBot({ environment: { ROLE: 'worker' } });
    await toApp();
  });

  afterAll(() => world?.close());

  const saidOf = async (name: string, state: string): Promise<string> =>
    JSON.stringify((await cardOf(world, ids[name] ?? '', state)).blocks);

  it.each([
    ['an alert that has fired', 'alert', 'New, not there when it was approved: “The alert fired'],
    ['a token that is gone', 'gone', 'gone already'],
    ['a user who was removed', 'removed', HAL],
  ])('%s is left alone, and the card says why', async (_what, name, why) => {
    const card = await saidOf(name, 'drifted');

    expect(card).toContain('Changed meanwhile · after the approval, so nothing was sent');
    expect(card).toContain(why);
  });

  it.each([
    ['the requester', 'byCleo', 'can no longer ask for it'],
    ['the approver', 'byDana', 'can no longer approve it'],
  ])('an approved request is not sent when %s has lost the role', async (_who, name, why) => {
    const card = await saidOf(name, 'refused');

    expect(card).toContain('Not sent');
    expect(card).toContain(why);
  });

  it('sends only the requests whose target is unchanged since the approval', async () => {
    for (const name of ['alert', 'gone', 'removed']) await saidOf(name, 'drifted');
    for (const name of ['byCleo', 'byDana']) await saidOf(name, 'refused');
    await saidOf('fine', 'succeeded');

    const sent = (await writes(world)).slice(sentBefore).map(({ call }) => call);
    expect(sent).toEqual(['POST /org/acme/quota-increase-requests']);
  });

  it.each([
    ['alert', 'U0ADA', 'drifted'],
    ['byCleo', 'U0CLEO', 'refused'],
    ['fine', 'U0ADA', 'succeeded'],
  ])('the one who asked for %s is notified', async (name, user, state) => {
    await cardOf(world, ids[name] ?? '', state);

    const reported = await until(`a word to ${user}`, async () => {
      const all = (await userOf(world, user).direct()).filter((message) =>
        isEndOf(message, ids[name] ?? ''),
      );
      return all.length > 0 && all;
    });
    expect(reported).toHaveLength(1);
  });
});
