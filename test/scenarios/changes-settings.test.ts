import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { userOf, type User } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';
import type { RunningBot } from '../support/running-bot.ts';

describe('changes, as the bot is set up', () => {
  let world: World;
  let bot: RunningBot;
  let ada: User;

  beforeAll(async () => {
    world = await openWorld();
    ada = userOf(world, 'U0ADA');
  });

  afterEach(() => bot?.stop());
  afterAll(() => world?.close());

  async function start(environment: Record<string, string>): Promise<void> {
    bot = await world.startBot({ environment });
  }
  async function callsSince(before: number): Promise<string[]> {
    return (await writes(world)).slice(before).map(({ call }) => call);
  }
  const words = (message: { blocks: unknown[] }): string => JSON.stringify(message.blocks);

  it('APPROVALS=off: the modal says so, and what it asks for is done once', async () => {
    await start({ APPROVALS: 'off' });
    const before = (await writes(world)).length;

    const form = await ada.open('/alert set 500');
    expect(form.text).toContain('Approvals are off');
    await ada.close(form);
    const id = await request(world, ada, { command: '/alert set 500' });

    const card = await cardOf(world, id, 'succeeded');
    expect(words(card)).not.toContain('"Review"');
    expect(await callsSince(before)).toEqual(['POST /alert']);
    const told = await ada.ask(`/changes show ${id}`);
    expect(words(told)).toMatch(/[Aa]pproved/);
  });

  it('ALLOW_SELF_APPROVAL: one alone may, and the card says so', async () => {
    await start({ ALLOW_SELF_APPROVAL: 'true' });
    const before = (await writes(world)).length;
    const id = await request(world, ada, {
      command: '/billing recipients add',
      entries: { 'E-mail': 'news@acme.example' },
    });

    await decide(world, ada, { id, decision: 'Approve' });

    const card = await cardOf(world, id, 'succeeded');
    expect(words(card)).toContain('*self-approved* by <@U0ADA>');
    expect(await callsSince(before)).toEqual(['POST /invoice-delivery/recipients']);
  });

  it('without SECRET_KEY nobody creates a token, or a superuser key', async () => {
    await start({ SECRET_KEY: '' });
    const before = (await writes(world)).length;

    const token = await ada.open('/billing tokens create');
    const org = await ada.open('/billing orgs create');

    expect(token.view.submit).toBeUndefined();
    expect(token.text).toContain('SECRET_KEY');
    expect(org.text).toContain('SECRET_KEY');
    expect(Object.keys(org.fields)).toEqual([
      'Name',
      'Type the name again',
      'Description',
      'Tags',
      'Invitees',
    ]);
    expect(await callsSince(before)).toEqual([]);
  });
});
