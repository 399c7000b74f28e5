import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { byTopic } from '../support/change-scenario.ts';
import { userOf, type User } from '../support/user.ts';
import type { Entries } from '../support/modal.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const HAL = 'hal@acme.example';
const NEWS = 'news@acme.example';
const NEXT_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);

interface Scenario {
  kind: string;
  command: string;
  entries?: Entries;
  /** A field that others depend on, and what is chosen in it first. */
  choose?: [string, string];
  /** The one call that carries it out. */
  call: string | RegExp;
  body?: object;
}

const TOKEN = { name: 'ci', description: 'pipelines', roles: ['billing_viewer'] };

/** Every kind of design section 5; of a topic, each finds what those before it have left. */
const STORIES: readonly Scenario[] = [
  {
    kind: 'alert.create',
    command: '/alert set 500',
    entries: { Amount: '500.5', Enabled: true },
    call: 'POST /alert',
    body: { alert: { amount: 500.5, enabled: true } },
  },
  {
    kind: 'alert.replace',
    command: '/alert set 800',
    entries: { Enabled: false },
    call: 'PUT /alert',
    body: { alert: { amount: 800, enabled: false } },
  },
  { kind: 'alert.delete', command: '/alert delete', call: 'DELETE /alert' },
  {
    kind: 'user.add',
    command: '/billing users add',
    entries: { 'E-mail': HAL, Roles: ['billing_viewer', 'org_creator'] },
    call: 'POST /user',
    body: { user: { email: HAL, roles: ['billing_viewer', 'org_creator'] } },
  },
  {
    kind: 'user.roles',
    command: '/billing users roles',
    choose: ['E-mail', HAL],
    entries: { 'E-mail': HAL, Roles: ['billing_viewer'] },
    call: /^PUT \/user\/email\/hal(@|%40)acme\.example$/,
    body: { user: { email: HAL, roles: ['billing_viewer'] } },
  },
  {
    kind: 'user.remove',
    command: '/billing users remove',
    entries: { 'E-mail': HAL },
    call: /^DELETE \/user\/email\/hal(@|%40)acme\.example$/,
  },
  {
    kind: 'token.create',
    command: '/billing tokens create',
    entries: {
      Name: TOKEN.name,
      Description: TOKEN.description,
      Roles: TOKEN.roles,
      Expires: NEXT_YEAR,
    },
    call: 'POST /service-account-token',
    body: TOKEN,
  },
  {
    kind: 'token.delete',
    command: '/billing tokens delete',
    entries: { Name: 'ci' },
    call: /^DELETE \/service-account-token\/[\da-f-]{36}$/,
  },
  {
    kind: 'org.create',
    command: '/billing orgs create',
    entries: { Name: 'umbrella', 'Type the name again': 'umbrella', Invitees: HAL },
    call: 'POST /org',
    body: { org: { name: 'umbrella' }, invitees: [HAL] },
  },
  {
    kind: 'recipient.add',
    command: '/billing recipients add',
    entries: { 'E-mail': NEWS, Enabled: false },
    call: 'POST /invoice-delivery/recipients',
    body: { email: NEWS, enabled: false },
  },
  {
    kind: 'recipient.enable',
    command: '/billing recipients enable',
    entries: { 'E-mail': NEWS },
    call: /^PATCH \/invoice-delivery\/recipients\/[\da-f-]{36}$/,
    body: { enabled: true },
  },
  {
    kind: 'recipient.disable',
    command: '/billing recipients disable',
    entries: { 'E-mail': NEWS },
    call: /^PATCH \/invoice-delivery\/recipients\/[\da-f-]{36}$/,
    body: { enabled: false },
  },
  {
    kind: 'recipient.delete',
    command: '/billing recipients delete',
    entries: { 'E-mail': NEWS },
    call: /^DELETE \/invoice-delivery\/recipients\/[\da-f-]{36}$/,
  },
  {
    kind: 'quota.request',
    command: '/billing quotas request',
    entries: { Quota: 'cpu', 'Requested maximum': '200' },
    call: 'POST /org/acme/quota-increase-requests',
    body: { quotaName: 'cpu', requestedMax: 200 },
  },
];

describe('every kind of change, as two people', () => {
  let world: World;
  let ada: User;
  let ben: User;

  beforeAll(async () => {
    world = await openWorld();
    await world.startBot();
    ada = userOf(world, 'U0ADA');
    ben = userOf(world, 'U0BEN');
  });

  afterAll(() => world?.close());

  /** The words in which the requester hears how it ended. */
  const heard = (id: string, state: string) =>
    until(`Ada to hear that ${id} ${state}`, async () =>
      (await ada.direct()).find(({ text }) => text.startsWith(`Your change ${id} ${state}:`)),
    );

  it.each(byTopic(STORIES))(
    '%s: every change does nothing when it is rejected, and is carried out once when it is approved',
    async (_topic, stories) => {
      for (const story of stories) {
        const before = (await writes(world)).length;
        const unwanted = await request(world, ada, story);

        await decide(world, ben, { id: unwanted, decision: 'Reject', comment: 'not now' });

        const rejected = await cardOf(world, unwanted, 'rejected');
        expect(JSON.stringify(rejected.blocks)).toContain('not now');
        expect(JSON.stringify(rejected.blocks)).not.toContain('"button"');
        expect((await heard(unwanted, 'was rejected')).text).toContain(unwanted);

        const id = await request(world, ada, story);
        expect(await writes(world)).toHaveLength(before);

        await decide(world, ben, { id, decision: 'Approve' });

        const done = await cardOf(world, id, 'succeeded');
        expect(JSON.stringify(done.blocks)).not.toContain('"Review"');
        expect((await heard(id, 'succeeded')).text).toContain(id);
        const sent = (await writes(world)).slice(before);
        expect(sent).toHaveLength(1);
        expect(sent[0]?.call).toMatch(
          typeof story.call === 'string' ? new RegExp(`^${story.call}$`) : story.call,
        );
        expect(sent[0]?.body ?? {}).toMatchObject(story.body ?? {});
      }
    },
  );
});
