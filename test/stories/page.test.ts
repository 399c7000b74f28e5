import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { hasBrowser } from '../support/browser.ts';
import { openPlace, type Visitor } from '../support/page.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

describe.runIf(hasBrowser())('a person at the page', () => {
  let world: World;
  let dana: Visitor;
  let page: Page;

  beforeAll(async () => {
    const bot = { WATCHES: 'acme/shop', BILLING_POLL_SECONDS: '0.5' };
    world = await openWorld({ platform: { speed: 2 }, bot });
    await world.polled();
    dana = await world.visit('U0DANA', 'C0DEPLOYS');
    page = dana.page;
  });

  afterAll(() => world?.close());

  /** Chooses a workload in the platform panel and presses a button there. */
  async function press(workload: string, button: string): Promise<void> {
    const panel = page.getByTestId('panel');
    await openPlace(panel);
    await panel.getByLabel('Workload').selectOption(workload);
    await panel.getByRole('button', { name: button, exact: true }).click();
  }

  function channelMessage(text: string): Locator {
    return page.locator('[data-ts]').filter({ hasText: text });
  }

  it('types /deployments shop, looks at the details, and shares the answer under their own name', async () => {
    const answer = await dana.ask('/deployments shop');

    await answer.getByText('Only visible to you').waitFor();
    expect(await answer.innerText()).toMatch(/shop: \d+ ready/);
    const row = answer.getByRole('row').filter({ hasText: 'payments' }).first();
    expect(await row.innerText()).toMatch(/payments\s+ready\s+\d+\/\d+\s+v\d+\s+all 3/);

    await answer.getByRole('button', { name: 'Details' }).last().click();
    const modal = page.getByTestId('modal');
    await modal.getByText('MiB').first().waitFor();
    expect(await modal.innerText()).toContain('Deployment details');
    await page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });

    await answer.getByRole('button', { name: 'Share' }).click();
    const shared = page.locator('[data-ts]:not([data-kind])').filter({ hasText: 'Shared by' });
    await shared.waitFor();
    expect(await shared.innerText()).toContain('Dev Dana');
  });

  it('is offered the commands of the manifest while typing, and takes one with Tab', async () => {
    const composer = page.getByTestId('composer');
    await composer.pressSequentially('/depl');
    const offered = page.getByRole('listbox', { name: 'Suggestions' });
    await offered.getByText('Is it deployed?').waitFor();

    await composer.press('Tab');

    expect(await composer.inputValue()).toMatch(/^\/deployments ?$/);
    await composer.fill('');
  });

  it('starts a rollout, sees the card move, and the outcome', async () => {
    await press('payments', 'Rollout becomes ready');

    const card = channelMessage('shop/payments').first();
    await card.getByText('deploying').first().waitFor();
    await channelMessage('Ready · No impact').first().waitFor();
    await card.getByText(/live in/).waitFor();
    await card.getByText(/^\d+ repl/).click();
    const reply = page.getByTestId('thread').locator('[data-ts]').last();
    await reply.getByText('live in').waitFor();
    expect(await reply.innerText()).toContain('Ready · No impact');
  });

  it('lets the payment of the newest invoice fail, which #billing gets as a message, and then paid', async () => {
    const panel = page.getByTestId('panel');
    // The first run has posted the one whose payment had failed before.
    const earlier = new Set<string>();
    const reported = (what: string) =>
      until(`an invoice ${what}`, async () =>
        (await world.reported('C0BILLING', '@billing/invoice/')).find(
          ({ key }) => key.endsWith(`/${what}`) && !earlier.has(key),
        ),
      );
    const lists = async () =>
      (await world.platformRequests()).requests.filter(({ path }) => path.includes('/invoices?'));
    // The first run of the monitor only records the existing invoices.
    await until('a second look at the invoices', async () => (await lists()).length > 1);
    earlier.add((await reported('payment-failed')).key);

    await panel.getByRole('button', { name: 'Its payment fails' }).click();
    const failed = await reported('payment-failed');
    await panel.getByRole('button', { name: 'It is paid' }).click();
    const paid = await reported('paid');

    const card = failed.key.replace('payment-failed', 'card');
    expect([failed, paid].map(({ under, broadcast }) => [under, broadcast])).toEqual([
      [card, true],
      [card, false],
    ]);
  });

  it('issues an invoice and reads the mail that went out for it', async () => {
    const panel = page.getByTestId('panel');
    const clock = await panel.locator('.pane-header .topic').innerText();
    const hour = new Date(clock.replace(' UTC', 'Z').replace(' ', 'T')).getUTCHours();
    // In the first hours of a day, and so of a month, too little may have accrued.
    for (let hours = hour >= 20 ? 6 : 2; hours > 0; hours -= 1) {
      await panel.getByRole('button', { name: '+1 hour' }).click();
    }
    await panel.getByRole('button', { name: 'An invoice arrives' }).click();
    await panel.getByRole('button', { name: 'More', exact: true }).click();

    const mail = panel.getByRole('list', { name: 'Mails' }).getByRole('listitem').first();
    await mail.getByText('to finance@acme.example').click();

    expect(await mail.innerText()).toMatch(/Invoice \d+ of Acme.*amount due \$[\d,]+\.\d\d/s);
  });
});
