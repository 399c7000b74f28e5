import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { userOf, type User } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';

const DAY = 86_400;
const ALREADY = /This month is already at (\$[\d,]+\.\d\d): it fires at the next check\./;

describe('what a change meets now', () => {
  let world: World;
  let ada: User;
  let ben: User;

  // An alert, or what was read a moment ago, would meet the next test.
  beforeEach(async () => {
    world = await openWorld();
    // Some days of the month are over, whatever day it is.
    await world.platform('clock', { advanceSeconds: 3 * DAY });
    await world.startBot();
    ada = userOf(world, 'U0ADA');
    ben = userOf(world, 'U0BEN');
  });

  afterEach(() => world?.close());

  const done = async (wish: Parameters<typeof request>[2]): Promise<void> => {
    const id = await request(world, ada, wish);
    await decide(world, ben, { id, decision: 'Approve' });
    await cardOf(world, id, 'succeeded');
  };
  const wordsOn = async (id: string) => JSON.stringify((await cardOf(world, id)).blocks);

  it('an alert can be asked for while nobody says what the month has cost', async () => {
    await world.platform('faults', {
      faults: [{ method: 'POST', path: '/charges/-query$', status: 503 }],
    });
    const form = await ada.open('/alert set');
    expect(form.fields['Amount']).toBe('');
    expect(form.text).toContain('What this month has cost so far could not be read.');
    await ada.close(form);

    const id = await request(world, ada, { command: '/alert set 2' });

    await world.platform('faults', { faults: [] });
    expect(await wordsOn(id)).toContain(
      'could not be read: if it comes to the amount, the alert fires',
    );
    await decide(world, ben, { id, decision: 'Reject' });
    await cardOf(world, id, 'rejected');
  });

  it('an alert below what is spent says so on card and review, and a month that goes on stops nobody', async () => {
    const id = await request(world, ada, { command: '/alert set', entries: { Amount: '1' } });
    const [, spent = ''] = ALREADY.exec(await wordsOn(id)) ?? [];
    await world.platform('clock', { advanceSeconds: DAY });
    const review = await ben.openBy(await cardOf(world, id), 'Review');
    await world.platform('clock', { advanceSeconds: DAY });
    const errors = await ben.submit(review, { Decision: 'Approve' });

    expect(spent).not.toBe('');
    expect(review.text).toMatch(ALREADY);
    expect(review.text).not.toContain('This is not what was requested any more');
    expect(errors).toEqual({});
    await cardOf(world, id, 'succeeded');
    expect((await writes(world)).at(-1)).toMatchObject({
      call: 'POST /alert',
      body: { alert: { amount: 1, enabled: true } },
    });
  });

  it('an alert that is switched off asks for nothing, and keeps its amount', async () => {
    await done({ command: '/alert set', entries: { Amount: '1' } });
    const form = await ada.open('/alert off');
    expect(form.fields).toEqual({});
    expect(form.text).toContain('The spend alert is $1.00, enabled.');
    await ada.close(form);

    await done({ command: '/alert off' });

    expect((await writes(world)).at(-1)).toMatchObject({
      call: 'PUT /alert',
      body: { alert: { amount: 1, enabled: false } },
    });
  });

  it('a new alert is proposed at 110 % of the projection', async () => {
    const form = await ada.open('/alert set');

    // On the first day of a month there is no projection, and nothing is proposed.
    const isEarly = new Date().getUTCDate() === 1;
    expect(form.text).toMatch(isEarly ? /too early for an estimate/ : / so far, about \$/);
    const [, projected = ''] = / so far, about \$([\d,.]+) by /.exec(form.text) ?? [];
    const amount = Number(form.fields['Amount']);
    const share = isEarly ? 1.1 + amount : amount / Number(projected.replaceAll(',', ''));
    // The projection is shown with three digits: half a percent off at most.
    expect(share).toBeGreaterThanOrEqual(1.1 * 0.995);
    // Rounded up to two digits: by less than a tenth.
    expect(share).toBeLessThan(1.1 * 1.1);
    await ada.close(form);
  });

  it('whoever is chosen has the present roles ticked, and choosing oneself is told once', async () => {
    const form = await ada.open('/billing users roles');
    expect(form.fields['Roles']).toBe('');

    const cleo = await ada.choose(form, 'E-mail', 'cleo@acme.example');
    const own = await ada.choose(cleo, 'E-mail', 'ada@acme.example');
    const errors = await ada.submit(own, { 'E-mail': 'ada@acme.example' });

    expect(cleo.fields['Roles']).toBe('billing_viewer');
    expect(own.text).not.toContain('your own billing user');
    expect(Object.keys(errors)).toEqual(['E-mail']);
    expect(errors['E-mail']).toContain('your own billing user');
    await ada.close(own);
  });

  it('an org is created with its tags, as the card shows them', async () => {
    const id = await request(world, ada, {
      command: '/billing orgs create',
      entries: {
        Name: 'umbrella',
        'Type the name again': 'umbrella',
        Tags: 'team=payments\ncost-center=4711',
        Invitees: 'dana@acme.example',
      },
    });
    const card = await wordsOn(id);
    const review = await ben.openBy(await cardOf(world, id), 'Review');
    await ben.submit(review, { Decision: 'Approve' });
    await cardOf(world, id, 'succeeded');

    expect(card).toContain('cost-center=4711, team=payments');
    expect(review.text).toContain('cost-center=4711, team=payments');
    expect((await writes(world)).at(-1)).toMatchObject({
      call: 'POST /org',
      body: { org: { name: 'umbrella', tags: { 'cost-center': '4711', team: 'payments' } } },
    });
  });

  it('a token with a Cyrillic letter in its Latin name is refused below its field', async () => {
    const form = await ada.open('/billing tokens create');

    const errors = await ada.submit(form, { Name: 'de\u0440loy', Roles: ['billing_viewer'] });

    expect(errors).toEqual({
      Name: 'This name has letters of two alphabets (Latin and Cyrillic), so it can be taken for another one: type it by hand, in one alphabet.',
    });
    await ada.close(form);
  });
});
