import { afterAll, beforeAll, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { readChange } from '../support/changes-raw.ts';
import { until } from '../support/until.ts';
import { userOf, type User } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let ada: User;
let ben: User;
let cleo: User;
let dana: User;

beforeAll(async () => {
  // Where one alone may approve, these requests take another person all the same.
  world = await openWorld({ bot: { ALLOW_SELF_APPROVAL: 'true' } });
  [ada, ben, cleo, dana] = ['U0ADA', 'U0BEN', 'U0CLEO', 'U0DANA'].map((user) =>
    userOf(world, user),
  ) as [User, User, User, User];
});

afterAll(() => world?.close());

const ids = async (): Promise<string[]> =>
  (await world.told('C0APPROVE', '@changes/')).flatMap(
    ({ key }) => /^@changes\/(\w+)\/card$/.exec(key ?? '')?.slice(1) ?? [],
  );

/** The change whose card appears after this work. */
async function asked(work: () => Promise<unknown>): Promise<string> {
  const known = await ids();
  await work();
  return until('a new card', async () => (await ids()).find((id) => !known.includes(id)));
}

it('a viewer asks for the role that the alert takes, and someone else approves it', async () => {
  const refused = await cleo.open('/alert set 500');
  expect(refused.text).toContain('You need the role billing_admin');
  const other = await cleo.pushed(refused, 'Ask for access');
  expect(other.fields['Roles']).toBe('billing_admin, billing_viewer');
  expect(other.text).toContain('cleo@acme.example');
  // The other users of the account are not shown.
  expect(JSON.stringify(other.view)).not.toMatch(/ben@|finance@/);
  const creator = await asked(() =>
    cleo.submit(other, { Roles: ['billing_viewer', 'org_creator'] }),
  );

  const again = await cleo.pushed(await cleo.open('/alert set 500'), 'Ask for access');
  const admin = await asked(async () => {
    // In the channel of the command, with no window left.
    const { text } = await cleo.answer(() => cleo.submit(again));
    expect(text).toContain('Requested: Give cleo@acme.example');
  });

  expect((await readChange(world, admin)).order).toEqual({
    kind: 'user.roles',
    email: 'cleo@acme.example',
    roles: ['billing_admin', 'billing_viewer'],
    own: true,
  });
  const review = await ben.openBy(await cardOf(world, admin), 'Review');
  expect(review.text).toContain('cleo@acme.example asks for these roles for themselves');
  await ben.close(review);
  await decide(world, ben, { id: admin, decision: 'Approve' });
  await cardOf(world, admin, 'succeeded');

  // Now Cleo has the role of an approver, and another request of her own.
  const own = await cleo.openBy(await cardOf(world, creator), 'Review');
  expect(own.view.submit).toBeUndefined();
  expect(own.text).toContain('Someone else with billing_admin has to approve it');
  expect((await readChange(world, creator)).state).toBe('pending');
});

it('a person without a billing user asks for one, and is invited after the approval', async () => {
  const removal = { command: '/billing users remove', entries: { 'E-mail': 'dana@acme.example' } };
  const removed = await request(world, ada, removal);
  await decide(world, ben, { id: removed, decision: 'Approve' });
  await cardOf(world, removed, 'succeeded');

  const refused = await dana.ask('/billing users');
  expect(refused.text).toContain('has no user dana@acme.example');
  const form = await dana.openBy(refused, 'Ask for access');
  expect(form.fields['Roles']).toBe('billing_viewer');
  expect(form.text).toContain('sends an invitation');
  const id = await asked(() => dana.submit(form));
  await decide(world, ada, { id, decision: 'Approve' });
  await cardOf(world, id, 'succeeded');

  expect((await writes(world)).at(-1)).toMatchObject({
    call: 'POST /user',
    body: { user: { email: 'dana@acme.example', roles: ['billing_viewer'] } },
  });
  expect((await dana.ask('/purser whoami')).text).toContain('You may');
});
