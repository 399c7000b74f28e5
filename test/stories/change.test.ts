import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writes } from '../support/approvals.ts';
import { hasBrowser } from '../support/browser.ts';
import { playOut } from '../support/change-scenario.ts';
import { accountOf } from '../support/changes-raw.ts';
import { direct, enter, openBy } from '../support/changes-page.ts';
import type { Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';

const TOKEN = /svc-bsat-[\w-]+/;
const KEY = /sandbox-superuser-[\w-]+/;
const TOKEN_FORM = { Description: 'pipelines', Roles: ['billing_viewer'] };

describe.runIf(hasBrowser())('secrets that the platform says once, in a browser', () => {
  let world: World;
  let ada: Visitor;
  let ben: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    [ada, ben] = await Promise.all([world.visit('U0ADA'), world.visit('U0BEN')]);
  }, 180_000);

  afterAll(() => world?.close());

  /** The status of a request that a secret authorizes. */
  async function read(address: string, secret: string): Promise<number> {
    const headers = { authorization: `Bearer ${secret}` };
    return (await fetch(address, { headers })).status;
  }
  /** Presses Reveal in one's own messages; returns the text of the modal. */
  async function reveal(visitor: Visitor, id: string): Promise<string> {
    const modal = await openBy(visitor, await direct(visitor, id), 'Reveal');
    const words = await modal.innerText();
    await modal.getByRole('button', { name: 'Close', exact: true }).last().click();
    await modal.waitFor({ state: 'detached' });
    return words;
  }
  const revealButton = { name: 'Reveal', exact: true } as const;
  /** All messages that the workspace still shows, with their earlier contents. */
  async function everyMessage(): Promise<string> {
    const places = ['C0APPROVE', 'C0BILLING', 'D0ADA', 'D0BEN', 'C0OPS', 'C0DEPLOYS'];
    const messages = await Promise.all(places.map((place) => world.messages(place)));
    return JSON.stringify(messages);
  }
  const gone = async (visitor: Visitor, id: string): Promise<number> => {
    const message = await direct(visitor, id);
    await message.getByText('was shown to you, once').waitFor();
    return message.getByRole('button', revealButton).count();
  };

  it('a token is shown to who asked for it, once, and works', async () => {
    const { id } = await accountOf(world);
    const seen = await playOut(world, [ben, ada], {
      command: '/billing tokens create ci',
      entries: TOKEN_FORM,
    });
    expect(seen.end).toContain('waits for @Ben Billing, who alone can reveal it');
    expect(seen.reported).toContain('Reveal');

    // The approver is offered nothing: neither by the card nor by the whole story.
    await enter(ada, 'approvals');
    const reported = await ada.ask(`/changes show ${seen.id}`);
    expect(await reported.getByRole('button', revealButton).count()).toBe(0);
    expect(await ada.message(seen.id).getByRole('button', revealButton).count()).toBe(0);

    const shown = await reveal(ben, seen.id);
    const [secret = 'none'] = TOKEN.exec(shown) ?? [];
    expect(shown).toContain('shown this once');
    expect(shown).toContain('billing_viewer');
    expect(await read(`${world.billingUrl}/account/${id}/user`, secret)).toBe(200);
    // More than its one role lets it, it cannot.
    expect(await read(`${world.billingUrl}/account/${id}/alert`, secret)).toBe(401);

    expect(await gone(ben, seen.id)).toBe(0);
    const again = await ben.ask(`/changes show ${seen.id}`);
    expect(await again.getByRole('button', revealButton).count()).toBe(0);
    expect(await again.innerText()).toContain('secret shown by @Ben Billing');
    expect(await everyMessage()).not.toContain(secret);
    const { tokens } = await accountOf(world);
    expect(tokens.map(({ name }) => name)).toContain('ci');
  });

  it('a superuser key is shown in the same way, and opens the new org; asked for again, there is neither', async () => {
    const seen = await playOut(world, [ada, ben], {
      command: '/billing orgs create hooli',
      entries: {
        'Type the name again': 'hooli',
        Invitees: 'dana@acme.example, hal@acme.example',
        'Superuser key': true,
      },
    });
    expect(seen.card).toContain('Superuser key: yes');
    expect(seen.card).toContain('cannot be deleted by the API');
    expect(seen.sent[0]?.body).toMatchObject({ createSuperuserServiceAccount: true });

    const shown = await reveal(ada, seen.id);

    const [key = 'none'] = KEY.exec(shown) ?? [];
    expect(shown).toContain('everything in the org');
    expect(await read(`${world.billingUrl}/org/hooli/quotas`, key)).toBe(200);
    expect(await gone(ada, seen.id)).toBe(0);
    expect(await everyMessage()).not.toContain(key);

    const before = (await accountOf(world)).orgs.length;
    const again = await playOut(world, [ben, ada], {
      command: '/billing orgs create hooli',
      entries: {
        'Type the name again': 'hooli',
        Invitees: 'dana@acme.example',
        'Superuser key': true,
      },
    });

    expect(again.card).toContain('created the org hooli already');
    expect(again.reported).toContain('already created by this account');
    expect(again.reported).not.toContain('Reveal');
    expect(again.sent.map(({ call, status }) => `${call} ${status}`)).toEqual(['POST /org 200']);
    expect((await accountOf(world)).orgs).toHaveLength(before);
    expect((await writes(world)).filter(({ call }) => call.startsWith('DELETE'))).toEqual([]);
  });
});
