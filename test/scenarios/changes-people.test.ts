import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { userOf, type User } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';

describe('who may ask for a change and decide on it', () => {
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

  /** Gives a person exactly these roles from now on. */
  async function giveRoles(email: string, ...roles: string[]): Promise<void> {
    await world.platform('users', { email, roles });
  }

  it('an org_creator asks for an org, and nobody below decides on it', async () => {
    const dana = userOf(world, 'U0DANA');
    const id = await request(world, dana, {
      command: '/billing orgs create',
      entries: {
        Name: 'umbrella',
        'Type the name again': 'umbrella',
        Invitees: 'dana@acme.example',
      },
    });
    const card = await cardOf(world, id);

    for (const user of ['U0CLEO', 'U0NOEL']) {
      const review = await userOf(world, user).openBy(card, 'Review');
      expect(review.fields).toEqual({});
    }
    await decide(world, ben, { id, decision: 'Approve' });
    await cardOf(world, id, 'succeeded');
  });

  it('a role that is lost between the request and the decision counts', async () => {
    const before = (await writes(world)).length;
    const id = await request(world, ada, { command: '/alert set 500' });
    const form = await ben.openBy(await cardOf(world, id), 'Review');
    await giveRoles('ben@acme.example', 'billing_viewer');

    const told = await ben.answer(() => ben.submit(form, { Decision: 'Approve' }), 'C0APPROVE');

    expect(told.text).toContain('billing_admin');
    await cardOf(world, id, 'pending');
    await giveRoles('ben@acme.example', 'billing_admin');
    await giveRoles('ada@acme.example', 'billing_viewer');
    await decide(world, ben, { id, decision: 'Approve' });
    const failed = await cardOf(world, id, 'failed');
    expect(JSON.stringify(failed.blocks)).toContain('Failed · nothing sent');
    expect(JSON.stringify(failed.blocks)).toContain(
      'The requester, ada@acme.example, may not ask for it any more: a role,',
    );
    expect(await writes(world)).toHaveLength(before);
    await giveRoles('ada@acme.example', 'billing_admin');
  });
});
