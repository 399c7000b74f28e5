import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { giveAlert, letPass, readChange, tokensThere } from '../support/changes-raw.ts';
import { userOf, type User } from '../support/user.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const APPROVALS = 'C0APPROVE';
const TOKENS = 'service-account-token$';
const NOT_OWN = 'You cannot request a change of your own billing user: ask another billing_admin.';

describe('changes that several people, or the platform, get in the way of', () => {
  let world: World;
  let ada: User;
  let ben: User;
  let cleo: User;

  beforeAll(async () => {
    world = await openWorld();
    await world.startBot();
    [ada, ben, cleo] = [
      userOf(world, 'U0ADA'),
      userOf(world, 'U0BEN'),
      userOf(world, 'U0CLEO'),
    ] as const;
    await world.platform('users', { email: 'cleo@acme.example', roles: ['billing_admin'] });
    await world.platform('auth-cache/clear', {});
    await giveAlert(world);
  });

  afterAll(() => world?.close());

  const alert = (amount: number) => ({ command: `/alert set ${amount}` });
  const token = (name: string) => ({
    command: '/billing tokens create',
    entries: { Name: name, Roles: ['billing_viewer'] },
  });
  /** What was sent since. */
  async function since(before: number) {
    return (await writes(world)).slice(before).map(({ call }) => call);
  }
  const sentSoFar = async (): Promise<number> => (await writes(world)).length;
  /** The cards that there are, by their timestamps. */
  async function cardsThere(): Promise<string[]> {
    const all = await world.messages(APPROVALS);
    return all
      .filter(({ ephemeral_to, thread_ts }) => ephemeral_to === null && thread_ts === null)
      .map(({ ts }) => ts);
  }

  it('the requester reviews without a decision, and may withdraw', async () => {
    const before = await sentSoFar();
    const id = await request(world, ada, alert(200));
    const own = await ada.openBy(await cardOf(world, id), 'Review');
    expect(own.fields).toEqual({});
    await ada.close(own);
    const late = await ben.openBy(await cardOf(world, id), 'Review');

    await ada.press(await cardOf(world, id), 'Withdraw');
    await cardOf(world, id, 'withdrawn');
    const told = await ben.answer(() => ben.submit(late, { Decision: 'Approve' }), APPROVALS);

    expect(told.text).toContain('withdrawn');
    expect(await since(before)).toEqual([]);
  });

  it('what changed after the review is not approved unseen', async () => {
    const before = await sentSoFar();
    const id = await request(world, ada, alert(300));
    const form = await ben.openBy(await cardOf(world, id), 'Review');
    // The alert fires: saving it would arm it again, which nobody was shown.
    await world.platform('alert/fire', {});

    await ben.answer(() => ben.submit(form, { Decision: 'Approve' }), APPROVALS);

    await cardOf(world, id, 'pending');
    expect(await since(before)).toEqual([]);
    await decide(world, ben, { id, decision: 'Approve' });
    await cardOf(world, id, 'succeeded');
    expect(await since(before)).toEqual(['PUT /alert']);
  });

  it('the same request twice is told, with its card', async () => {
    const id = await request(world, ada, alert(400));
    const form = await ben.open('/alert set 400');
    const told = await ben.answer(() => ben.submit(form));

    expect(told.text).toContain('requested already');
    expect(JSON.stringify(told.blocks)).toContain(id);
    await decide(world, ben, { id, decision: 'Reject' });
  });

  it('nobody asks for a change of their own billing user, or approves one', async () => {
    const before = await sentSoFar();
    const shown = await cardsThere();
    const own = await ada.open('/billing users remove');
    expect(await ada.submit(own, { 'E-mail': 'ada@acme.example' })).toEqual({ 'E-mail': NOT_OWN });
    expect((await ada.modal()).view.id).toBe(own.view.id);
    await ada.close(own);
    const opened = await ada.open('/billing users remove ada@acme.example');
    expect(opened.view.submit).toBeUndefined();
    expect(opened.text).toContain(NOT_OWN);
    await ada.close(opened);
    expect(await cardsThere()).toEqual(shown);

    const id = await request(world, ada, {
      command: '/billing users remove',
      entries: { 'E-mail': 'ben@acme.example' },
    });
    const review = await ben.openBy(await cardOf(world, id), 'Review');

    expect(review.fields).toEqual({});
    expect(review.text).toContain('decide on a change of your own billing user');
    await ben.close(review);
    await decide(world, cleo, { id, decision: 'Reject' });
    expect(await since(before)).toEqual([]);
  });

  it.each([
    ['is cut', { kind: 'reset-after' }],
    ['is a gateway’s', { kind: 'http-after', status: 504 }],
    ['is no JSON', { kind: 'malformed' }],
  ])('a token whose answer %s is deleted again, and never created twice', async (how, fault) => {
    const before = await sentSoFar();
    await world.platform('faults', {
      faults: [{ method: 'POST', path: TOKENS, times: 1, ...fault }],
    });
    const name = `lost because it ${how}`;
    const id = await request(world, ada, token(name));

    await decide(world, ben, { id, decision: 'Approve' });

    await cardOf(world, id, 'failed');
    await until('the orphan to be deleted', async () =>
      (await tokensThere(world)).every((one) => one.name !== name),
    );
    const calls = await since(before);
    expect(calls.filter((call) => call.startsWith('POST'))).toEqual([
      'POST /service-account-token',
    ]);
    expect(calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
  });

  /** Waits until the lost answer of a change is being looked up, and then lets time pass. */
  async function lookedUp(id: string, ms: number): Promise<void> {
    await until(`${id} to be looked up`, async () => {
      const { state, retryAt } = await readChange(world, id);
      return state === 'executing' && retryAt !== undefined;
    });
    await letPass(world, id, ms);
  }

  it('a token that was not created is not created later either', async () => {
    const before = await sentSoFar();
    await world.platform('faults', {
      faults: [{ method: 'POST', path: TOKENS, times: 1, status: 504 }],
    });
    const id = await request(world, ada, token('never'));

    await decide(world, ben, { id, decision: 'Approve' });
    await lookedUp(id, 100_000);

    const card = await cardOf(world, id, 'failed');
    expect(JSON.stringify(card.blocks)).toContain('→ Ask again: `/billing tokens create`');
    expect(await since(before)).toEqual(['POST /service-account-token']);
  });

  it('an increase of a quota that may have been asked for is not asked for twice', async () => {
    const before = await sentSoFar();
    await world.platform('faults', {
      faults: [{ method: 'POST', path: 'quota', times: 1, kind: 'reset-after' }],
    });
    const id = await request(world, ada, {
      command: '/billing quotas request',
      entries: { Quota: 'cpu', 'Requested maximum': '900' },
    });

    await decide(world, ben, { id, decision: 'Approve' });
    await lookedUp(id, 16 * 60_000);

    const card = await cardOf(world, id, 'unknown');
    expect(JSON.stringify(card.blocks)).toContain(
      '→ Look first whether it was done: `/billing quotas`',
    );
    expect(await since(before)).toEqual(['POST /org/acme/quota-increase-requests']);
  });
});
