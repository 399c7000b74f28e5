import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AREAS } from '../catalogue/areas.ts';
import { pageOf } from '../catalogue/page.ts';
import { renderAll } from '../catalogue/render.ts';
import { findChromium, hasBrowser, launchBrowser } from '../support/browser.ts';
import { faultsOf, openDemo, type Demo } from '../support/demo.ts';

/** Places of the page, as its address says them. */
const PLACES = ['C0DEPLOYS', 'C0BILLING', 'C0APPROVE', 'C0OPS', 'app-home', 'app-messages'];
const LOOKS = [
  { name: 'wide', look: {} },
  { name: 'wide and dark', look: { dark: true } },
  { name: 'on a phone', look: { width: 360, height: 740 } },
];

describe.runIf(hasBrowser())('everybody can use the page', () => {
  let demo: Demo;

  beforeAll(async () => {
    demo = await openDemo();
  }, 180_000);

  afterAll(() => demo?.close());

  async function visit(...look: Parameters<Demo['visit']>): Promise<Page> {
    const page = await demo.visit(...look);
    onTestFinished(() => page.close());
    return page;
  }
  async function type(page: Page, text: string): Promise<void> {
    await page.getByTestId('composer').fill(text);
    await page.getByTestId('composer').press('Escape');
    await page.getByTestId('composer').press('Enter');
  }
  /** Serious faults for a screen reader, and scrolling sideways. */
  async function troubleOf(page: Page): Promise<string[]> {
    const [scrolled, width] = await page
      .locator('html')
      .evaluate((html) => [html.scrollWidth, html.clientWidth] as const);
    return [...(await faultsOf(page)), ...(scrolled > width ? [`${scrolled} px wide`] : [])];
  }

  it.each(LOOKS)(
    '$name: every place, a form, the tour and the whole panel',
    async ({ look }) => {
      const width = 'width' in look ? (look.width ?? 0) : 1_400;
      for (const place of PLACES) {
        const page = await visit(`?user=U0ADA#${place}`, look);
        const shows =
          place === 'app-home' ? page.getByText('As of').first() : page.getByTestId('composer');
        await shows.waitFor();
        expect(await troubleOf(page)).toEqual([]);
      }

      const page = await visit('?user=U0ADA#C0BILLING', look);
      await page.getByTestId('composer').fill('/ch');
      await page.getByRole('listbox', { name: 'Suggestions' }).waitFor();
      expect(await troubleOf(page)).toEqual([]);
      await type(page, '/charges last 30 days step day');
      await page.getByText('Charges per week by org').waitFor();
      expect(await troubleOf(page)).toEqual([]);
      await type(page, '/alert set');
      await page.getByTestId('modal').getByText('Reason').waitFor();
      expect(await troubleOf(page)).toEqual([]);

      const tour = await visit('#tour=approval', look);
      await tour.getByRole('list', { name: 'Tour' }).waitFor();
      expect(await troubleOf(tour)).toEqual([]);
      if (width < 1_400) {
        await tour.getByRole('button', { name: 'Platform', exact: true }).click();
      }
      for (const name of ['More', 'Requests']) {
        await tour.getByRole('button', { name, exact: true }).click();
      }
      await tour.locator('details.where summary').click();
      await tour.getByRole('list', { name: 'Requests' }).getByRole('listitem').first().waitFor();
      expect(await troubleOf(tour)).toEqual([]);
    },
    300_000,
  );

  it('the keyboard alone breaks a rollout, reads its card, and asks a question', async () => {
    const page = await visit();
    await page.getByTestId('composer').waitFor();
    const name = async (): Promise<string | null> => {
      const focused = page.locator(':focus');
      if ((await focused.count()) === 0) return null;
      return focused.evaluate(
        (element) => element.getAttribute('aria-label') ?? element.textContent,
      );
    };
    /** Goes on with Tab until it has the focus. */
    async function reach(wanted: string, key = 'Tab'): Promise<void> {
      for (let tries = 0; tries < 80; tries += 1) {
        if ((await name()) === wanted) return;
        await page.keyboard.press(key);
      }
      throw new Error(`"${wanted}" is not reached with ${key}`);
    }
    await reach('Break a rollout', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.locator('.pointed').waitFor();
    await page.getByRole('list', { name: 'Tour' }).getByRole('button', { name: 'Next' }).waitFor();
    await reach('Close the steps');
    await page.keyboard.press('Enter');

    await reach('Message #deployments');
    await page.keyboard.type('/dep');
    await page.keyboard.press('Tab');
    await page.keyboard.type('shop');
    await page.keyboard.press('Enter');
    await page.getByText('Only visible to you').first().waitFor();

    await reach('Rollout becomes ready');
    await page.keyboard.press('Enter');
    const said = page.getByText('ready in all locations within 20 s');
    await said.waitFor();
    expect(await said.count()).toBe(1);
  });

  it('on a phone a stranger sees what it is, acts as Ben, and finds the stories', async () => {
    const page = await visit('', { width: 360, height: 740 });
    await page.getByRole('region', { name: 'Welcome' }).getByText('real bot').waitFor();
    await page.getByRole('button', { name: 'Channels' }).click();
    await page.getByLabel('Act as').selectOption('U0BEN');
    await page.getByText('You act as Ben Billing').waitFor();
    await page.getByRole('button', { name: 'Platform', exact: true }).click();
    await page.getByRole('button', { name: 'A location goes silent' }).click();
    const said = page.getByText('stale for every workload now');
    await said.waitFor();
    expect(await said.count()).toBe(1);
  });
});

describe.runIf(hasBrowser())('everybody can read the catalogue', () => {
  // One area of each kind: all of them are the same few components, a thousand times.
  const SHOWN = /charges|cards|forms|home|doctor/i;

  it.each([1_400, 360])('%i pixels wide', async (width) => {
    const { areas } = await renderAll(AREAS.filter(({ id }) => SHOWN.test(id)).slice(0, 4));
    expect(areas.length).toBeGreaterThan(2);
    const folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'catalogue.html');
    await writeFile(path, await pageOf(areas));
    const browser = await launchBrowser(findChromium() ?? '');
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(`file://${path}`);
    await page.getByRole('main').waitFor();

    expect(await faultsOf(page)).toEqual([]);
  });
});
