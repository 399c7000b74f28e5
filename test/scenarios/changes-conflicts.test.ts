import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { accountOf, callPlatform } from '../support/changes-raw.ts';
import { userOf, type User } from '../support/user.ts';
import type { Entries, Form } from '../support/modal.ts';
import { openWorld, type SeenMessage, type World } from '../support/world.ts';

const APPROVALS = 'C0APPROVE';
const NOT_OWN = 'You cannot request a change of your own billing user: ask another billing_admin.';
const ORG = {
  Name: 'umbrella',
  'Type the name again': 'umbrella',
  Invitees: 'dana@acme.example',
};
const ABLE = {
  tou: true,
  enabled: true,
  orgQuota: 5,
  paymentMethods: [{ last4: '4242', brand: 'visa' }],
};

describe('what stands against a change is said in one sentence, with the next step', () => {
  let world: World;
  let ada: User;
  let ben: User;

  beforeAll(async () => {
    world = await openWorld();
    await world.startBot();
    ada = userOf(world, 'U0ADA');
    ben = userOf(world, 'U0BEN');
  });

  afterEach(async () => {
    await world.faults();
    await world.platform('account', ABLE);
  });
  afterAll(() => world?.close());

  const past = (method: string, path: string, body?: object): Promise<void> =>
    callPlatform(world, method, path, body);
  const callsOf = async (): Promise<string[]> => (await writes(world)).map(({ call }) => call);
  const words = ({ blocks }: Pick<SeenMessage, 'blocks'>): string => JSON.stringify(blocks);

  /** Sends a form that cannot be taken: it stays open, and nothing comes of it but the errors, by label. */
  async function refused(form: Form, entries?: Entries): Promise<Record<string, string>> {
    const seen = async () => ({
      calls: await callsOf(),
      asked: await world.messages(APPROVALS),
      answers: await world.messages('C0BILLING'),
    });
    const before = await seen();
    const errors = await ada.submit(form, entries);
    expect((await ada.modal()).view.id).toBe(form.view.id);
    expect(await seen()).toEqual(before);
    await ada.close(form);
    return errors;
  }

  const below = (field: string, sentence: string) => ({
    [field]: expect.stringContaining(sentence) as string,
  });

  /** What a review says where nothing can be approved any more; whoever tries is told the same. */
  async function unapprovable(id: string): Promise<string> {
    const before = await callsOf();
    const review = await ben.openBy(await cardOf(world, id), 'Review');
    await ben.answer(() => ben.submit(review, { Decision: 'Approve' }), APPROVALS);
    await cardOf(world, id, 'pending');
    expect(await callsOf()).toEqual(before);
    await ben.answer(() => decide(world, ben, { id, decision: 'Reject' }), APPROVALS);
    await cardOf(world, id, 'rejected');
    return review.text;
  }

  it.each([
    [
      'a user who is there',
      '/billing users add',
      { 'E-mail': 'Cleo@acme.example', Roles: ['org_creator'] },
      'E-mail',
      'is a billing user already: change the roles with /billing users roles',
    ],
    [
      'a recipient who is there',
      '/billing recipients add',
      { 'E-mail': 'finance@acme.example' },
      'E-mail',
      'finance@acme.example is a recipient already: /billing recipients shows whether',
    ],
    [
      'one’s own billing user',
      '/billing users remove',
      { 'E-mail': 'ada@acme.example' },
      'E-mail',
      NOT_OWN,
    ],
    [
      'a quota that is as high already',
      '/billing quotas request',
      { Quota: 'cpu', 'Requested maximum': '100' },
      'Requested maximum',
      'is 128 already: ask for more than that',
    ],
  ])('in the form: %s', async (_what, command, entries, field, sentence) => {
    const before = await world.messages(APPROVALS);
    const form = await ada.open(command);
    expect(await refused(form, entries)).toEqual(below(field, sentence));
    expect(await world.messages(APPROVALS)).toEqual(before);
  });

  it.each(['/billing users roles ada@acme.example', '/billing users remove ada@acme.example'])(
    'instead of the form, where it is one’s own billing user: %s',
    async (command) => {
      const before = await world.messages(APPROVALS);
      const form = await ada.open(command);

      expect(form.text).toContain(NOT_OWN);
      expect(form.view.submit).toBeUndefined();
      expect(form.fields).toEqual({});
      await ada.close(form);
      expect(await world.messages(APPROVALS)).toEqual(before);
    },
  );

  it.each([
    ['the Terms of Use', { tou: false }, 'the Terms of Use are not accepted'],
    ['the payment method', { paymentMethods: [] }, 'there is no payment method'],
    ['the account', { enabled: false }, 'the account is not enabled'],
    ['the quota', { orgQuota: 3 }, 'its org quota of 3 is used up'],
  ])('in the form: an org without what it takes, %s', async (_what, account, sentence) => {
    await world.platform('account', account);

    const errors = await refused(await ada.open('/billing orgs create'), ORG);

    expect(errors).toEqual(below('Name', sentence));
    expect(errors['Name']).toContain('/billing account');
  });

  it('what an org takes is gone when it is reviewed', async () => {
    const id = await request(world, ada, { command: '/billing orgs create', entries: ORG });
    await world.platform('account', { tou: false, enabled: false });

    const review = await unapprovable(id);

    expect(review).toContain('the Terms of Use are not accepted and the account is not enabled');
  });

  it('somebody else sets an alert, and deletes it, before the form is sent, or the request reviewed', async () => {
    const wanted = await request(world, ada, { command: '/alert set 500' });
    const form = await ada.open('/alert set 600');
    await past('POST', '/alert', { alert: { amount: 300, enabled: true } });

    const there = 'There is a spend alert already: replace it with /alert set.';
    expect(await refused(form)).toEqual(below('Amount', there));
    expect(await unapprovable(wanted)).toContain(there);
    expect((await accountOf(world)).alert).toMatchObject({ amount: 300, enabled: true });

    const higher = await request(world, ada, { command: '/alert set 700' });
    const off = await ada.open('/alert off');
    await past('DELETE', '/alert');

    const gone = 'There is no spend alert any more: set one with /alert set';
    // There is no field to say it below.
    const answer = await ada.answer(() => ada.submit(off));
    expect(answer.text).toContain(gone);
    expect(await unapprovable(higher)).toContain(gone);
    for (const command of ['/alert off', '/alert delete']) {
      const none = await ada.open(command);
      expect(none.text).toContain('There is no spend alert');
      expect(none.view.submit).toBeUndefined();
      await ada.close(none);
    }
  });

  it('the token was deleted meanwhile', async () => {
    const { tokens } = await accountOf(world);
    const token = tokens.find(({ name }) => name === 'sandbox-viewer');
    const command = '/billing tokens delete sandbox-viewer';
    const id = await request(world, ada, { command });
    const form = await ada.open(command);
    await past('DELETE', `/service-account-token/${token?.id}`);

    const sentence = 'not there any more: /billing tokens shows those that are';
    expect(await refused(form)).toEqual(below('Name', sentence));
    expect(await unapprovable(id)).toContain('sandbox-viewer is gone already: /billing tokens');
  });

  it.each([
    [
      'a second alert',
      { command: '/alert set 500' },
      { method: 'POST', path: '/alert$', status: 409 },
      'There is a spend alert already: replace it with /alert set.',
    ],
    [
      'a user who was added a moment ago',
      {
        command: '/billing users add',
        entries: { 'E-mail': 'hal@acme.example', Roles: ['billing_viewer'] },
      },
      { method: 'POST', path: '/user$', status: 409 },
      'hal@acme.example is a billing user already',
    ],
    [
      'a recipient who was added a moment ago',
      { command: '/billing recipients add', entries: { 'E-mail': 'news@acme.example' } },
      { method: 'POST', path: '/recipients$', status: 409 },
      'news@acme.example is a recipient already',
    ],
    [
      'the own user of whoever the platform takes the bot for',
      { command: '/billing users remove', entries: { 'E-mail': 'cleo@acme.example' } },
      { method: 'DELETE', path: '/user/email/', status: 400 },
      'The platform does not change cleo@acme.example',
    ],
    [
      'an org that the platform refuses, with its reason',
      { command: '/billing orgs create', entries: ORG },
      { method: 'POST', path: '/org$', status: 400 },
      'The platform does not create the org umbrella (“a fault that was asked for”)',
    ],
    [
      'a token that was deleted a moment ago',
      { command: '/billing tokens delete', entries: { Name: 'sandbox-creator' } },
      { method: 'DELETE', path: '/service-account-token/', status: 404 },
      'The token sandbox-creator is gone already',
    ],
  ])('as the platform’s last word: %s', async (_what, wish, fault, sentence) => {
    const before = (await callsOf()).length;
    await world.faults(fault);
    const id = await request(world, ada, wish);

    await decide(world, ben, { id, decision: 'Approve' });

    expect(words(await cardOf(world, id, 'failed'))).toContain(sentence);
    expect((await callsOf()).slice(before)).toHaveLength(1);
  });
});
