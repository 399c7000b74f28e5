import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { accountOf, callPlatform } from '../support/changes-raw.ts';
import { openBy, valuesOf } from '../support/changes-page.ts';
import { monthly } from '../support/expected-ledger.ts';
import { press, recordsOf, type Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';
import { until } from '../support/until.ts';

describe.runIf(hasBrowser())('what the account has, in a browser', () => {
  let world: World;
  let ada: Visitor;
  let cleo: Visitor;
  let dana: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    [ada, cleo, dana] = await Promise.all([
      world.visit('U0ADA'),
      world.visit('U0CLEO'),
      world.visit('U0DANA'),
    ]);
  });

  afterAll(() => world?.close());

  /** Buttons that ask for no change. */
  const OTHERS =
    /^(?:Share with the channel|Next|Previous|Ids|Ids and dates|Customer ids|All \d+ fields)$/;

  /** The buttons that ask for something, in their order. */
  async function asks(answer: Locator): Promise<string[]> {
    const names = await answer.locator('.block-actions').getByRole('button').allInnerTexts();
    return names.filter((name) => !OTHERS.test(name));
  }
  /** Reads the window of a button, and closes it. */
  async function readBy(visitor: Visitor, answer: Locator, button: string): Promise<string> {
    const window = await openBy(visitor, answer, button);
    const said = await window.innerText();
    await window.getByRole('button', { name: 'Close', exact: true }).last().click();
    await window.waitFor({ state: 'detached' });
    return said;
  }
  /** Opens what a button opens, and goes again; gives the title and what is in the fields. */
  async function opened(visitor: Visitor, answer: Locator, button: string) {
    const form = await openBy(visitor, answer, button);
    const title = await form.getByRole('heading').first().innerText();
    const values = await valuesOf(form);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    return { title, values };
  }
  async function setAlert(enabled: boolean): Promise<void> {
    const method = (await accountOf(world)).alert === undefined ? 'POST' : 'PUT';
    await callPlatform(world, method, '/alert', { alert: { amount: 100_000, enabled } });
  }

  it('/alert: what there is, and the buttons that fit; a viewer reads it, and is offered nothing', async () => {
    const none = await ada.ask('/alert');
    expect(await none.innerText()).toContain('There is no spend alert: /alert set asks for one.');
    expect(await asks(none)).toEqual(['Set an alert']);
    expect(await opened(ada, none, 'Set an alert')).toEqual({
      title: 'Set the spend alert',
      // 110 % of what this month is projected to cost, in two digits; too early on its first day for that.
      values: {
        Amount: expect.stringMatching(monthly(/^\d\.?\d?0*$/, /^(?:\d\.?\d?0*)?$/)),
        Enabled: 'The alert is on',
      },
    });

    await setAlert(true);
    const on = await ada.ask('/alert');
    expect(await on.innerText()).toContain('Spend alert at $100,000.00 a month, on');
    expect(await asks(on)).toEqual(['Change', 'Turn off', 'Delete']);
    expect((await opened(ada, on, 'Change')).values).toEqual({
      Amount: '100000',
      Enabled: 'The alert is on',
    });
    expect(await opened(ada, on, 'Turn off')).toEqual({
      title: 'Switch off the alert',
      values: {},
    });
    expect((await opened(ada, on, 'Delete')).title).toBe('Delete the spend alert');

    await setAlert(false);
    const off = await ada.ask('/alert');
    expect(await asks(off)).toEqual(['Change', 'Turn on', 'Delete']);
    expect((await opened(ada, off, 'Turn on')).values['Enabled']).toBe('The alert is on');

    const viewed = await cleo.ask('/alert');
    expect(await viewed.innerText()).toContain('Spend alert at $100,000.00');
    expect(await asks(viewed)).toEqual([]);
  });

  it('/billing account: terms, enabled, org quota, cards, and what is wrong with them', async () => {
    const fine = await (await dana.ask('/billing account')).innerText();
    for (const words of [
      'Acme Corporation',
      'finance@acme.example',
      '1 Anvil Way',
      '· enabled, 3 of 5 orgs, visa ending in 4242',
      'Terms of Use: accepted',
    ]) {
      expect(fine).toContain(words);
    }

    await world.platform('account', { tou: false, paymentMethods: [], orgQuota: 3 });
    const poor = await (await ada.ask('/billing account')).innerText();
    expect(poor).toContain('the Terms of Use are not accepted');
    expect(poor).toContain('there is no card');
    expect(poor).toContain('the org quota is used up');
  });

  it.each([
    {
      command: '/billing orgs',
      columns: ['Name', 'Created', 'Paid by'],
      row: { Name: 'globex', 'Paid by': 'Acme Corporation' },
      buttons: ['Create an org'],
    },
    {
      command: '/billing users',
      columns: ['E-mail', 'Roles'],
      row: { 'E-mail': 'dana@acme.example', Roles: 'org_creator' },
      buttons: ['Add a user', 'Change roles', 'Remove a user'],
    },
    {
      command: '/billing tokens',
      columns: ['Name', 'Expires', 'Last used', 'Roles', 'Description'],
      row: { Name: 'sandbox-viewer', Roles: 'billing_viewer', Expires: 'never' },
      buttons: ['Create a token', 'Delete a token'],
    },
    {
      command: '/billing recipients',
      columns: ['E-mail', 'Enabled'],
      row: { 'E-mail': 'archive@acme.example', Enabled: '✗ no' },
      buttons: [
        'Add a recipient',
        'Enable a recipient',
        'Disable a recipient',
        'Delete a recipient',
      ],
    },
    {
      command: '/billing quotas org globex',
      columns: ['Quota', 'In use', 'Maximum', 'Unit', 'Description', 'id'],
      row: { Quota: 'cpu', Maximum: '128', Unit: 'cores', id: 'globex-cpu' },
      buttons: ['Request an increase'],
    },
  ])(
    '$command: every field, and a form behind every button',
    async ({ command, columns, row, buttons }) => {
      const answer = await ada.ask(command);

      const records = await recordsOf(answer);
      expect(Object.keys(records[0] ?? {})).toEqual(expect.arrayContaining(columns));
      expect(records).toContainEqual(expect.objectContaining(row));
      expect(await asks(answer)).toEqual(buttons);
      for (const button of buttons) {
        const { values } = await opened(ada, answer, button);
        expect(Object.keys(values)).not.toEqual([]);
      }
    },
  );

  it('/billing tokens: when they expire, were last used and by whom they were made', async () => {
    const answer = await ada.ask('/billing tokens');
    const records = await recordsOf(answer);
    const details = await readBy(ada, answer, 'Ids and dates');

    const expired = records.find(({ Name: name }) => name === 'sandbox-expired');
    expect(details).toMatch(
      /sandbox-expired · created by: ada@acme\.example · created: \d+ \w+ \d{4} · modified: \d+ \w+ \d{4} · id: \S{36}/,
    );
    expect(expired?.['Expires']).toContain('expired');
    expect(expired?.['Last used']).toContain('11 days ago');
    expect(JSON.stringify(records) + details).not.toContain('svc-bsat-');
  });

  it.each([
    {
      command: '/billing orgs',
      button: 'Customer ids',
      says: /globex · Customer id at the payment processor: \S{3}/,
    },
    { command: '/billing recipients', button: 'Ids', says: /archive@acme\.example · id: \S{3}/ },
    {
      command: '/billing quotas org globex',
      button: 'All 7 fields',
      says: /Quota: cpu · .*Maximum: 128 · .*id: globex-cpu · origin: \S{3}/,
    },
  ])('$command: what has no room in the table is behind a button', async (one) => {
    const said = await readBy(ada, await ada.ask(one.command), one.button);

    expect(said).toMatch(one.says);
  });

  it('/billing quotas: the button asks for more in the org that is shown', async () => {
    const answer = await ada.ask('/billing quotas org globex');

    const form = await openBy(ada, answer, 'Request an increase');

    expect(await form.innerText()).toContain('Quotas of org globex');
    await form.getByRole('button', { name: 'Cancel' }).click();
  });

  it('a long list comes in pages', async () => {
    const emails = Array.from({ length: 40 }, (_, index) => `z${index + 10}@acme.example`);
    for (const email of emails) {
      await world.platform('users', { email, roles: ['billing_viewer'] });
    }
    const answer = await ada.ask('/billing users');
    const seen = new Set<string>();
    const note = async () => /Page \d+ of \d+/.exec(await answer.innerText())?.[0];
    const take = async () => {
      for (const record of await recordsOf(answer)) seen.add(record['E-mail'] ?? '');
    };

    await take();
    while ((await answer.getByRole('button', { name: 'Next' }).count()) > 0) {
      const before = await note();
      await press(answer, 'Next');
      await until('another page', async () => (await note()) !== before);
      await take();
    }

    expect([...seen]).toEqual(expect.arrayContaining([...emails, 'ada@acme.example']));
    expect(seen.size).toBe(47);
    expect(await answer.getByRole('button', { name: 'Previous' }).count()).toBe(1);
  });

  it.each([
    ['/billing tokens', 'billing_admin'],
    ['/billing recipients', 'billing_admin'],
  ])('%s is not for a viewer, and the answer says for whom', async (command, role) => {
    const answer = await cleo.ask(command);

    expect(await answer.innerText()).toContain(
      `This takes the role ${role}, and cleo@acme.example`,
    );
    expect(await answer.getByRole('table').count()).toBe(0);
  });

  it('nobody is offered what they may not ask for', async () => {
    expect(await asks(await cleo.ask('/billing users'))).toEqual([]);
    expect(await asks(await cleo.ask('/billing orgs'))).toEqual([]);
    expect(await asks(await dana.ask('/billing orgs'))).toEqual(['Create an org']);
    const refused = await dana.ask('/billing users');
    expect(await refused.innerText()).toContain('billing_admin or billing_viewer');
  });
});
