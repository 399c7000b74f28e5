import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, isEndOf, request, writes } from '../support/approvals.ts';
import { readChange } from '../support/changes-raw.ts';
import { userOf, type User } from '../support/user.ts';
import { until } from '../support/until.ts';
import { openWorld, type SeenMessage, type World } from '../support/world.ts';
import type { RunningBot } from '../support/running-bot.ts';

const APPROVALS = 'C0APPROVE';
const REFUSED = /^(?::warning: )?[A-Z][^\n]*\.$/;
const QUOTAS = '/billing quotas request';
const STARTING = 120_000;

describe('permissions by the settings of the bot', () => {
  let world: World;
  let bot: RunningBot | undefined;
  let ada: User;
  let ben: User;
  let cleo: User;
  let dana: User;
  let noel: User;

  beforeAll(async () => {
    world = await openWorld();
    [ada, ben, cleo, dana, noel] = ['U0ADA', 'U0BEN', 'U0CLEO', 'U0DANA', 'U0NOEL'].map((user) =>
      userOf(world, user),
    ) as [User, User, User, User, User];
  });

  afterEach(async () => {
    await bot?.stop();
    bot = undefined;
  });
  afterAll(() => world?.close());

  async function start(environment: Record<string, string>): Promise<void> {
    await bot?.stop();
    bot = await world.startBot({ environment });
  }
  const sentSoFar = async (): Promise<number> => (await writes(world)).length;
  const words = ({ blocks }: SeenMessage): string => JSON.stringify(blocks);
  /** Whether a form is filled in for a person, and its text. */
  async function formFor(who: User, command: string) {
    const form = await who.open(command);
    await who.close(form);
    return { isOpen: form.view.submit !== undefined, text: form.text };
  }
  const cpu = { command: QUOTAS, entries: { Quota: 'cpu', 'Requested maximum': '200' } };

  it('ORG_ACCESS=roles: quotas are read and asked for by people with any billing role', async () => {
    await start({ ORG_ACCESS: 'roles' });

    const open = await Promise.all([cleo, dana].map((who) => formFor(who, QUOTAS)));
    const shut = await formFor(noel, QUOTAS);

    expect(open.map(({ isOpen }) => isOpen)).toEqual([true, true]);
    expect(shut).toEqual({ isOpen: false, text: expect.stringMatching(REFUSED) });
    expect((await noel.ask('/billing quotas')).text).toContain('Slack profile');
    expect((await dana.ask('/billing quotas')).text).not.toContain('ask a');
  });

  it(
    'ORG_ACCESS=a group: its members ask, and a billing_admin who is not a member approves',
    async () => {
      await start({ ORG_ACCESS: 'S0PLATFORM' });
      const before = await sentSoFar();

      expect(await formFor(ben, QUOTAS)).toEqual({
        isOpen: false,
        text: expect.stringContaining('user group'),
      });
      const id = await request(world, dana, cpu);
      await decide(world, ben, { id, decision: 'Approve' });
      await cardOf(world, id, 'succeeded');

      expect(await sentSoFar()).toBe(before + 1);
      await world.slack('faults', {
        faults: [{ method: 'usergroups.users.list', kind: 'error', error: 'internal_error' }],
      });
      expect(await formFor(dana, QUOTAS)).toEqual({
        isOpen: false,
        text: expect.stringMatching(REFUSED),
      });
      await world.slack('faults', { faults: [] });
    },
    STARTING,
  );

  it('ORG_ACCESS by org: each org is open to its own people, and lists have those orgs only', async () => {
    await start({ ORG_ACCESS: '{"acme":"members"}' });

    expect((await noel.ask('/deployments shop org acme')).text).toContain('shop');
    for (const command of ['/deployments data org globex', '/billing quotas org globex']) {
      expect((await noel.ask(command)).text).toMatch(REFUSED);
    }
    expect((await noel.ask('/usage org globex')).text).toContain('no org "globex"');
    expect((await formFor(noel, `${QUOTAS} org globex`)).isOpen).toBe(false);
    expect((await formFor(noel, `${QUOTAS} org acme`)).isOpen).toBe(true);
    expect((await dana.ask('/usage org globex')).text).not.toContain('no org');
    const cpuOf = { ...cpu, command: `${QUOTAS} org globex` };
    const id = await request(world, dana, cpuOf);
    expect(words(await cardOf(world, id))).toContain('globex');
  });

  it('without billing every command says that it is not set up', async () => {
    await start({
      BILLING_URL: '',
      BILLING_ACCOUNT_ID: '',
      BILLING_TOKEN: '',
      BILLING_USER_TOKEN: '',
    });

    for (const command of ['/alert set 5', QUOTAS]) {
      const { isOpen, text } = await formFor(ada, command);
      expect(isOpen).toBe(false);
      expect(text).toContain('Billing isn’t set up');
    }
    for (const command of ['/alert', '/billing users']) {
      expect((await ada.ask(command)).text).toContain('Billing isn’t set up');
    }
  });

  it('ALLOW_SELF_APPROVAL: one alone may, but not on the own billing user', async () => {
    await start({ ALLOW_SELF_APPROVAL: 'true' });
    const before = await sentSoFar();
    const own = await ada.open('/billing users remove');
    expect(await ada.submit(own, { 'E-mail': 'ada@acme.example' })).toEqual({
      'E-mail': expect.stringContaining('your own billing user'),
    });
    await ada.close(own);
    expect(await sentSoFar()).toBe(before);

    const id = await request(world, ada, {
      command: '/billing recipients add',
      entries: { 'E-mail': 'news@acme.example' },
    });
    await decide(world, ada, { id, decision: 'Approve' });

    expect(words(await cardOf(world, id, 'succeeded'))).toContain('*self-approved* by <@U0ADA>');
    expect(await sentSoFar()).toBe(before + 1);
  });

  const ids = async (): Promise<string[]> =>
    (await world.reported('C0APPROVE', '@changes/')).flatMap(
      ({ key }) => /^@changes\/(\w+)\/card$/.exec(key ?? '')?.slice(1) ?? [],
    );

  /** The change whose card appears after this work. */
  async function asked(work: () => Promise<unknown>): Promise<string> {
    const known = await ids();
    await work();
    return until('a new card', async () => (await ids()).find((id) => !known.includes(id)));
  }

  /** As the account was before: other tests need these two without more rights. */
  async function giveBack(email: string, role: string): Promise<void> {
    await world.platform('users', { email, roles: [role] });
    await world.platform('auth-cache/clear', {});
  }

  // Where one alone may approve, one's own roles take another person all the same.
  it('a viewer asks for the role that the alert takes, and someone else approves it', async () => {
    await start({ ALLOW_SELF_APPROVAL: 'true' });
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
    await decide(world, ben, { id: creator, decision: 'Reject' });
    await giveBack('cleo@acme.example', 'billing_viewer');
  });

  it('a person without a billing user asks for one, and is invited after the approval', async () => {
    await start({ ALLOW_SELF_APPROVAL: 'true' });
    const removal = {
      command: '/billing users remove',
      entries: { 'E-mail': 'dana@acme.example' },
    };
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
    await giveBack('dana@acme.example', 'org_creator');
  });

  it('APPROVALS=off: the role of an approver is required, and a double click sends one call', async () => {
    await start({ APPROVALS: 'off' });
    const before = await sentSoFar();
    expect((await formFor(cleo, '/alert set 700')).isOpen).toBe(false);
    expect((await formFor(dana, QUOTAS)).isOpen).toBe(false);

    const form = await ada.open('/alert set 700');
    const twice = () => ada.submit(form, { Amount: '700' });
    await ada.answer(() => Promise.allSettled([twice(), twice()]));

    const card = await until('its card', async () =>
      (await world.messages(APPROVALS)).find(({ text }) => /^Done: .*700/.test(text)),
    );
    expect(words(card)).toContain('approvals are off');
    expect(words(card)).not.toContain('"Review"');
    expect(await sentSoFar()).toBe(before + 1);
  });

  it(
    'CHANGES=off: nothing is asked for, approved or sent, and a request can be rejected',
    async () => {
      await start({});
      const id = await request(world, ada, {
        command: '/billing recipients add',
        entries: { 'E-mail': 'off@acme.example' },
      });
      await start({ CHANGES: 'off' });
      const before = await sentSoFar();

      expect(await formFor(ada, '/alert set 900')).toEqual({
        isOpen: false,
        text: expect.stringContaining('Changes are switched off here (CHANGES=off)'),
      });
      const review = await ben.openBy(await cardOf(world, id), 'Review');
      expect(review.view.submit).toBeUndefined();
      expect(review.text).toContain('Changes are switched off here (CHANGES=off)');
      await ben.close(review);
      const withoutRole = await cleo.ask('/billing tokens');
      expect(words(withoutRole)).not.toContain('Ask for access');
      await decide(world, ben, { id, decision: 'Reject' });
      await cardOf(world, id, 'rejected');
      expect(await sentSoFar()).toBe(before);
    },
    STARTING,
  );
});

// In a world of its own: it replaces the key with which the remembered accounts are signed.
describe('the key that seals secrets', () => {
  let world: World;
  let bot: RunningBot | undefined;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(async () => {
    await bot?.stop();
    await world?.close();
  });

  it(
    'without SECRET_KEY, or with another one, no secret is opened or created',
    async () => {
      const [ada, ben] = [userOf(world, 'U0ADA'), userOf(world, 'U0BEN')];
      const start = async (environment: Record<string, string>): Promise<void> => {
        await bot?.stop();
        bot = await world.startBot({ environment });
      };
      const sentSoFar = async (): Promise<number> => (await writes(world)).length;
      await start({});
      const token = (name: string) => ({
        command: '/billing tokens create',
        entries: { Name: name, Roles: ['billing_viewer'] },
      });
      const sealed = await request(world, ada, token('sealed'));
      await decide(world, ben, { id: sealed, decision: 'Approve' });
      const reported = await until('the secret to be offered', async () =>
        (await ada.direct()).find((message) => isEndOf(message, sealed)),
      );
      const pending = await request(world, ada, token('pending'));
      const before = await sentSoFar();

      await start({ SECRET_KEY: '' });
      const noKey = await ada.openBy(reported, 'Reveal');
      expect(noKey.text).toContain('SECRET_KEY');
      await ada.close(noKey);
      const shut = await ada.open('/billing tokens create');
      expect(shut.view.submit).toBeUndefined();
      await ada.close(shut);
      const org = await ada.open('/billing orgs create');
      expect(Object.keys(org.fields)).not.toContain('Superuser key');
      await ada.close(org);
      const review = await ben.openBy(await cardOf(world, pending), 'Review');
      expect(review.text).toContain('cannot be verified');
      expect((await readChange(world, sealed)).secret?.state).toBe('sealed');
      expect(await sentSoFar()).toBe(before);

      await start({ SECRET_KEY: Buffer.alloc(32, 'another').toString('base64') });
      const other = await ada.openBy(reported, 'Reveal');
      expect(other.text).toContain('cannot be verified');
      await ada.close(other);
      expect(await sentSoFar()).toBe(before);

      const { SECRET_KEY: first = '' } = world.environment({ port: 0, opsPort: 0 });
      const older = Buffer.alloc(32, 'another').toString('base64');
      await start({ SECRET_KEY: `${older},${first}` });
      const both = await ada.openBy(reported, 'Reveal');
      expect(both.text).toContain('It is shown this once');
      await ada.close(both);
      await decide(world, ben, { id: pending, decision: 'Reject' });
    },
    STARTING,
  );
});
