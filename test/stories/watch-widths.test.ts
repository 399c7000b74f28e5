import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AREAS } from '../catalogue/areas.ts';
import { pageOf } from '../catalogue/page.ts';
import { renderAll } from '../catalogue/render.ts';
import { findChromium, hasBrowser, launchBrowser } from '../support/browser.ts';

/** What the watch posts with a table. */
const WATCHED = ['rollout-cards', 'gvc-cards'];
/** A window beside another one. */
const WIDTH = 680;

/** What is asked of an element of the page. */
interface Table {
  innerText: string;
  scrollWidth: number;
  parentElement: { clientWidth: number };
}

let browser: Browser | undefined;
const folder = mkdtempSync(join(tmpdir(), 'purser-widths-'));

beforeAll(async () => {
  const chromium = findChromium();
  if (chromium !== undefined) browser = await launchBrowser(chromium);
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

it.skipIf(!hasBrowser())('no table of a card is cut at 680 px', async () => {
  const areas = AREAS.filter(({ id }) => WATCHED.includes(id));
  const path = join(folder, 'catalogue.html');
  writeFileSync(path, await pageOf((await renderAll(areas)).areas));
  const page = await browser?.newPage({ viewport: { width: WIDTH, height: 900 } });
  await page?.goto(pathToFileURL(path).href);
  await page?.locator('table').first().waitFor();

  const tables = await page?.locator('table').evaluateAll((all) =>
    (all as unknown as Table[]).map(({ innerText, scrollWidth, parentElement }) => ({
      text: innerText.slice(0, 80),
      cut: scrollWidth - parentElement.clientWidth,
    })),
  );

  expect(tables?.length).toBeGreaterThan(10);
  expect(tables?.filter(({ cut }) => cut > 0)).toEqual([]);
});
