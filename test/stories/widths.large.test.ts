import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AREAS } from '../catalogue/areas.ts';
import { pageOf } from '../catalogue/page.ts';
import { renderAll, type RenderedArea } from '../catalogue/render.ts';
import { findChromium, hasBrowser, launchBrowser } from '../support/browser.ts';

/** A window beside another one, and a telephone. */
const BESIDE = 680;

/** Messages of the watch: their tables must be visible as a whole. */
const WATCHED = ['rollout-cards', 'gvc-cards'];

/** The members of a DOM element that the test reads. */
interface PageElement {
  readonly id: string;
  readonly textContent: string;
  readonly clientWidth: number;
  readonly scrollWidth: number;
  readonly cellIndex: number;
  readonly style: { readonly textAlign: string };
  readonly parentElement: PageElement;
  getBoundingClientRect(): { readonly left: number; readonly right: number };
  closest(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

/** A table as it is rendered in its window. */
interface Fit {
  readonly entry: string;
  /** The width that is cut off, in pixels. */
  readonly cut: number;
  /** Figures that are partly cut off: they are right-aligned in their columns. */
  readonly figures: readonly string[];
  /** The same of the first column and of the first figures. */
  readonly firsts: readonly string[];
}

let browser: Browser | undefined;
let areas: readonly RenderedArea[] = [];
const folder = mkdtempSync(join(tmpdir(), 'purser-widths-'));
const path = join(folder, 'catalogue.html');

beforeAll(async () => {
  const chromium = findChromium();
  if (chromium === undefined) return;
  browser = await launchBrowser(chromium);
  areas = (await renderAll(AREAS)).areas.map((area) => ({
    ...area,
    entries: area.entries.filter(({ sent }) => sent.blocks.some(({ type }) => type === 'table')),
  }));
  writeFileSync(path, await pageOf(areas.filter(({ entries }) => entries.length > 0)));
}, 120_000);

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Every table of the catalogue in a window of a width. */
async function tablesAt(width: number): Promise<readonly Fit[]> {
  const page = await browser?.newPage({ viewport: { width, height: 900 } });
  await page?.goto(pathToFileURL(path).href, { timeout: 120_000 });
  await page?.locator('table').first().waitFor();
  const tables = page?.locator('table:not(.data-table table)').evaluateAll((all) =>
    (all as unknown as PageElement[]).map((table): Fit => {
      const frame = table.parentElement;
      const end = frame.getBoundingClientRect().left + frame.clientWidth + 1;
      const cells = [...table.querySelectorAll('th, td')];
      const isFigure = ({ style }: PageElement) => style.textAlign === 'right';
      const first = Math.min(...cells.filter(isFigure).map(({ cellIndex }) => cellIndex));
      const hidden = cells.filter((cell) => cell.getBoundingClientRect().right > end + 1);
      return {
        entry: table.closest('.entry')?.id ?? '',
        cut: table.scrollWidth - frame.clientWidth,
        figures: hidden.filter(isFigure).map(({ textContent }) => textContent),
        firsts: hidden
          .filter(({ cellIndex }) => cellIndex === 0 || cellIndex === first)
          .map(({ textContent }) => textContent),
      };
    }),
  );
  return (await tables) ?? [];
}

function entriesOf(names: readonly string[]): ReadonlySet<string> {
  const chosen = areas.filter(({ id }) => names.includes(id));
  return new Set(chosen.flatMap(({ entries }) => entries.map(({ id }) => id)));
}

describe.skipIf(!hasBrowser())('the visible part of a table', { timeout: 240_000 }, () => {
  it('of a card is all in sight at 680 px, and of an answer every figure', async () => {
    const tables = await tablesAt(BESIDE);
    const watched = entriesOf(WATCHED);

    expect(tables.length).toBeGreaterThan(30);
    expect(tables.filter(({ entry, cut }) => watched.has(entry) && cut > 0)).toEqual([]);
    const cut = tables.filter(({ figures }) => figures.length > 0);
    expect(cut.map(({ entry, figures }) => [entry, figures[0]])).toEqual([]);
  });
});
