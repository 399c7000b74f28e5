import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { letPass, readChange } from '../support/changes-raw.ts';
import { as, clicking, createForger, type Forger } from '../support/forged.ts';
import { userOf, type User } from '../support/user.ts';
import { until } from '../support/until.ts';
import { openWorld, type SeenMessage, type World } from '../support/world.ts';

const APPROVALS = 'C0APPROVE';
const SECRET = /svc-bsat-\w+/;
const ACTIONS = {
  Review: 'changes.review',
  Withdraw: 'changes.withdraw',
  Reveal: 'changes.reveal',
};

/** How a change comes to each of its ends that people and time can bring about. */
const ENDS = ['withdrawn', 'rejected', 'expired', 'succeeded', 'failed'] as const;
type End = (typeof ENDS)[number];

describe('buttons that are not there any more, or never were', () => {
  let world: World;
  let forger: Forger;
  let ada: User;
  let ben: User;
  /** A message with buttons: what is clicked on while the click is turned into another one. */
  let decoy: SeenMessage;
  let sealed = '';
  const ids = {} as Record<End, string>;

  beforeAll(async () => {
    world = await openWorld();
    forger = await createForger(world, await world.startBot());
    ada = userOf(world, 'U0ADA');
    ben = userOf(world, 'U0BEN');
    for (const [at, end] of ENDS.entries()) {
      ids[end] = await request(world, ada, { command: `/alert set ${600 + at}` });
      await bring[end](ids[end]);
      await cardOf(world, ids[end], end);
    }
    sealed = await request(world, ada, {
      command: '/billing tokens create',
      entries: { Name: 'sealed', Roles: ['billing_viewer'] },
    });
    await decide(world, ben, { id: sealed, decision: 'Approve' });
    await cardOf(world, sealed, 'succeeded');
    decoy = await cardOf(
      world,
      await request(world, ada, { command: '/alert set 999' }),
      'pending',
    );
  });

  afterAll(async () => {
    await forger?.close();
    await world?.close();
  });

  const bring: Record<End, (id: string) => Promise<void>> = {
    withdrawn: async (id) => ada.press(await cardOf(world, id), 'Withdraw'),
    rejected: (id) => decide(world, ben, { id, decision: 'Reject' }),
    expired: (id) => letPass(world, id, 8 * 3_600_000),
    succeeded: (id) => decide(world, ben, { id, decision: 'Approve' }),
    async failed(id) {
      const fault = { method: 'PUT', path: '/alert', status: 400, body: { error: 'not now' } };
      await world.platform('faults', { faults: [fault] });
      await decide(world, ben, { id, decision: 'Approve' });
      await cardOf(world, id, 'failed');
      await world.platform('faults', { faults: [] });
    },
  };

  /** What becomes of a click on a button about a change, wherever it was; the words that it is answered with. */
  function click(who: User, button: keyof typeof ACTIONS, id: string): Promise<string> {
    return forger.during(clicking(ACTIONS[button], id), async () => {
      if (button === 'Withdraw') {
        return (await who.answer(() => who.press(decoy, 'Withdraw'), APPROVALS)).text;
      }
      const form = await who.openBy(decoy, 'Review');
      expect(form.fields).toEqual({});
      await who.close(form);
      return form.text;
    });
  }

  describe.each(ENDS)('of a change that is %s', (end) => {
    it.each([
      ['Review', 'ben'],
      ['Withdraw', 'ada'],
      ['Reveal', 'ada'],
    ] as const)('%s by %s says so, and does nothing', async (button, who) => {
      const before = (await writes(world)).length;
      const { version } = await readChange(world, ids[end]);

      const text = await click(who === 'ada' ? ada : ben, button, ids[end]);

      expect(text).toMatch(/^:warning: [A-Z][^\n]*\.$/);
      expect(text).toContain(button === 'Reveal' ? 'no secret' : `/changes show ${ids[end]}`);
      expect((await readChange(world, ids[end])).version).toBe(version);
      expect(await writes(world)).toHaveLength(before);
    });
  });

  it.each(['Review', 'Withdraw', 'Reveal'] as const)(
    '%s of nothing is answered',
    async (button) => {
      expect(await click(ben, button, 'nowhere1')).toMatch(/^:warning: [A-Z][^\n]*\.$/);
    },
  );

  it.each([
    ['an admin who is not the requester', 'U0BEN', /Only the requester/],
    ['a viewer', 'U0CLEO', /Only the requester/],
    ['somebody without an e-mail', 'U0NOEL', /Only the requester/],
    ['a guest', 'U0EVE', /guests/],
    ['a stranger', 'U0SAM', /own workspace/],
    ['somebody deactivated', 'U0GUS', /deactivated/],
    ['a bot', 'U0PURSER', /Bots/],
  ])('%s is not shown the secret of another', async (_who, user, why) => {
    const form = await forger.during(
      (payload) => as(user)(clicking(ACTIONS.Reveal, sealed)(payload)),
      () => ben.openBy(decoy, 'Review'),
    );

    expect(form.text).toMatch(why);
    expect(form.text).not.toMatch(SECRET);
    await ben.close(form);
    expect((await readChange(world, sealed)).secret?.state).toBe('sealed');
  });

  /** The state of the change that nobody has decided on. */
  async function undecided(): Promise<string> {
    const [, id = ''] = /^Change (\w+)/.exec(decoy.text) ?? [];
    return (await readChange(world, id)).state;
  }

  it.each([
    ['a guest', 'U0EVE', /guests/],
    ['a stranger', 'U0SAM', /own workspace/],
    ['somebody deactivated', 'U0GUS', /deactivated/],
    ['a bot', 'U0PURSER', /Bots/],
  ])('%s decides on nothing, even with the form of somebody who may', async (_who, user, why) => {
    const review = await ben.openBy(decoy, 'Review');

    const errors = await forger.during(as(user), () => ben.submit(review, { Decision: 'Approve' }));

    expect(Object.values(errors).join()).toMatch(why);
    await ben.close(review);
    expect(await undecided()).toBe('pending');
  });

  it.each(['U0BEN', 'U0CLEO', 'U0DANA'])('%s withdraws nothing of another', async (user) => {
    const who = userOf(world, user);

    const told = await who.answer(() => who.press(decoy, 'Withdraw'), APPROVALS);

    expect(told.text).toContain('Only the requester');
    expect(await undecided()).toBe('pending');
  });

  it('a viewer decides on nothing either, and hears why', async () => {
    const review = await ben.openBy(decoy, 'Review');

    await forger.during(as('U0CLEO'), () => ben.submit(review, { Decision: 'Approve' }));

    await until('Cleo to hear why', async () =>
      (await userOf(world, 'U0CLEO').direct()).find(({ text }) => text.includes('billing_admin')),
    );
    expect(await undecided()).toBe('pending');
  });

  it('a role that is not offered is not taken', async () => {
    const form = await ada.open('/billing users add');
    const before = (await writes(world)).length;
    const asOwner = (payload: Record<string, unknown>) =>
      JSON.parse(
        JSON.stringify(payload).replaceAll('"value":"billing_viewer"', '"value":"owner"'),
      ) as typeof payload;

    const errors = await forger.during(asOwner, () =>
      ada.submit(form, { 'E-mail': 'hal@acme.example', Roles: ['billing_viewer'] }),
    );

    expect(Object.keys(errors)).toEqual(['Roles']);
    expect(await writes(world)).toHaveLength(before);
  });
});
