// npm run docs:pictures: takes the pictures of the README from the catalogue, with the Chromium that the tests use.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findChromium, launchBrowser } from '../../test/support/browser.ts';

/** Names of pictures, with the entries of the catalogue that they show. */
const PICTURES = {
  outage: 'rollout-unhealthy-all',
  charges: 'charges-this-month',
  approval: 'change-card-alert-replace',
} as const;

/** In CSS pixels: a message as wide as it is in a channel beside a sidebar. */
const WIDTH = 720;

/** Without what the catalogue adds to a message. */
const PLAIN = `.catalogue { padding: 0 !important; } .question { display: none; }
  .shown { border: 0 !important; border-radius: 0 !important; padding: 0 !important; }`;

const executable = findChromium();
if (executable === undefined) throw new Error('There is no Chromium: run "npm run setup".');
execFileSync('npm', ['run', '-s', 'catalogue'], { stdio: ['ignore', 'ignore', 'inherit'] });

const browser = await launchBrowser(executable);
try {
  const page = await browser.newPage({
    viewport: { width: WIDTH, height: 1_000 },
    deviceScaleFactor: 1.5,
  });
  // The page has some thousand messages, and the machine may be busy.
  page.setDefaultTimeout(300_000);
  await page.goto(new URL('../../.tmp/catalogue.html', import.meta.url).href);
  await page.addStyleTag({ content: PLAIN });
  for (const [name, entry] of Object.entries(PICTURES)) {
    const path = fileURLToPath(new URL(`../../docs/${name}.png`, import.meta.url));
    await page.locator(`#${entry} .shown`).screenshot({ path });
    console.log(path);
  }
} finally {
  await browser.close();
}
