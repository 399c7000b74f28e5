import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { exitOf, freePort } from '../../src/sandbox/redis.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { start } from './running-bot.ts';
import { until } from './until.ts';

const READY_MS = 90_000;

/** How a page is looked at. */
interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
  /** Pixels of the screen for one of the page. */
  scale?: number;
}

export type Demo = Awaited<ReturnType<typeof openDemo>>;

/** The processes of `npm run demo`, and a browser to look at it. */
export async function openDemo(environment: Record<string, string> = {}) {
  const port = await freePort();
  const words = [process.execPath, '--import', 'tsx', 'src/sandbox/main.ts'];
  const child = start(words, { DEMO_PORT: String(port), ...environment });
  let log = '';
  child.stdout.on('data', (text: Buffer) => (log += text.toString()));
  child.stderr.on('data', (text: Buffer) => (log += text.toString()));
  const url = `http://127.0.0.1:${port}/`;
  let browser: Browser | undefined;
  const close = async (): Promise<void> => {
    await browser?.close();
    child.kill('SIGTERM');
    await exitOf(child);
  };
  try {
    await until('the demo to be ready', () => Promise.resolve(log.includes('is ready')), READY_MS);
    browser = await launchBrowser(findChromium() ?? '');
  } catch (error) {
    await close();
    throw new Error(`the demo does not start: ${log}`, { cause: error });
  }
  const opened = browser;
  return {
    url,
    close,
    /** Opens the page at a path of its address. */
    async visit(path = '', { width = 1_400, height = 900, dark = false, scale = 1 }: Look = {}) {
      const colorScheme = dark ? 'dark' : 'light';
      const page = await opened.newPage({
        viewport: { width, height },
        deviceScaleFactor: scale,
        colorScheme,
      });
      page.setDefaultTimeout(60_000);
      await page.goto(url + path);
      await page.locator('nav.sidebar').waitFor({ state: 'attached' });
      return page;
    },
  };
}

/** Serious and critical findings of axe, one line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} and ${nodes.length - 1} more`);
}
