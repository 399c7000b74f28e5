import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { hasBrowser } from '../support/browser.ts';
import { choose, press, recordsOf, type Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';
import { until } from '../support/until.ts';

describe.runIf(hasBrowser())('who sees money, in a browser', () => {
  let world: World;
  let cleo: Visitor;
  let dana: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    [cleo, dana] = await Promise.all([world.visit('U0CLEO'), world.visit('U0DANA')]);
  });

  afterAll(() => world?.close());

  /** Shared answers in the channel. */
  async function shared() {
    const messages = await world.messages('C0BILLING');
    return messages.filter(
      ({ ephemeral_to: to, text }) => to === null && text.includes('Charges by gvc'),
    );
  }

  it('shows a viewer figures and invoices, and not the e-mails of others', async () => {
    const charges = await cleo.ask('/charges last month');
    const invoice = await cleo.ask('/invoices show 1');
    expect((await recordsOf(charges)).map((row) => row['Org'])).toEqual([
      'acme',
      'globex',
      'initech',
    ]);
    const refused = await cleo.newAnswer(() => choose(invoice, 'Deliveries'));
    const typed = await cleo.ask('/invoices deliveries');

    for (const answer of [refused, typed]) {
      expect(await answer.innerText()).toContain('You need the role billing_admin for this.');
    }
    expect(await invoice.getByRole('button', { name: /^Pay \$/ }).count()).toBe(1);
  });

  it.each(['/charges', '/charges items', '/charges tags gvc', '/invoices', '/invoices pdf 1'])(
    'answers %s of a person without a billing role in one sentence',
    async (command) => {
      const answer = await dana.ask(command);

      expect(await answer.innerText()).toContain(
        'You need the role billing_admin or billing_viewer for this. Ask a billing_admin of the account.',
      );
      expect(await answer.getByRole('table').count()).toBe(0);
    },
  );

  it('asks a person without an e-mail address to add one', async () => {
    const noel = await world.visit('U0NOEL');
    const answer = await noel.ask('/charges');

    expect(await answer.innerText()).toContain(
      'Your Slack profile shows no e-mail address: add one',
    );
  });

  it('answers no guest', async () => {
    const eve = await world.visit('U0EVE', 'C0DEPLOYS');
    const answer = await eve.ask('/charges');

    expect(await answer.innerText()).toContain('Purser does not answer guests of the workspace');
  });

  it('asks before it shows billing data to a channel, and does so once', async () => {
    const answer = await cleo.ask('/charges last month by gvc');
    const question = cleo.page.getByTestId('confirm');
    await press(answer, 'Share');
    expect(await question.innerText()).toContain('billing data to everyone in this channel');
    await press(question, 'Cancel');
    await question.waitFor({ state: 'detached' });

    await press(answer, 'Share');
    await press(question, 'Share');

    const seen = dana.message('Shared by');
    await seen.waitFor();
    expect(await seen.innerText()).toContain('Cleo Viewer');
    expect((await recordsOf(seen)).map((row) => row['Charge'])).toEqual(
      (await recordsOf(answer)).map((row) => row['Charge']),
    );
    // Only the head of the column of shares is left.
    const share = (message: Locator) => message.getByRole('button', { name: 'Share', exact: true });
    expect(await share(seen).count()).toBe(1);
    expect(
      await seen.getByRole('button', { name: /CSV|Customize|More actions|Open/ }).count(),
    ).toBe(0);
    await until('the button to go', async () => (await share(answer).count()) === 1);
    expect(await shared()).toHaveLength(1);
  });
});
