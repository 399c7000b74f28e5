// npm run docs:pictures [-- tour]: takes the pictures of the README from the tour of the demo, with the Chromium that the
// tests use: one for each step and colour scheme, and an animation of the whole tour, which `tour` takes alone.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Demo, openDemo } from '../../test/support/demo.ts';
import { animate, type Frame } from './apng.ts';

/** Names of pictures, with the step of the tour that shows it and words that are there when it is whole. */
const PICTURES = [
  { name: 'card', step: 'rollout', whole: 'rollout failed' },
  { name: 'charges', step: 'charges', whole: 'Charges: a row per' },
  { name: 'approval', step: 'approval', whole: 'Review' },
  { name: 'home', step: 'home', whole: 'As of' },
] as const;

/** Without the panel; a message is as wide as it is beside a sidebar. */
const LOOK = { width: 1_080, height: 1_000, scale: 1.5 };
/** Without the mark of the tour. */
const PLAIN = '.pointed { outline: 0 !important; } .tools { display: none !important; }';

/** Milliseconds: before a step is done, and afterwards. Five steps are 20 seconds. */
const BEFORE_MS = 1_200;
const AFTER_MS = 2_800;

/** How a step ends that goes on after its last click. */
const ENDS: Readonly<Record<string, string>> = { rollout: 'rollout failed', approval: 'Verified' };

const pathOf = (name: string) => fileURLToPath(new URL(`../../docs/${name}.png`, import.meta.url));

async function takePictures(demo: Demo): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    for (const { name, step, whole } of PICTURES) {
      const page = await demo.visit(`#tour=${step}`, { ...LOOK, dark: scheme === 'dark' });
      await page.addStyleTag({ content: PLAIN });
      await page.getByRole('button', { name: 'Do it', exact: true }).click();
      const shown = name === 'home' ? page.getByTestId('home') : page.locator('.pointed');
      await shown.getByText(whole).first().waitFor();
      await page.locator('.tour button:enabled').first().waitFor();
      const path = pathOf(`${name}-${scheme}`);
      await shown.screenshot({ path });
      console.log(path);
      await page.close();
    }
  }
}

/** The page before and after each step. */
async function takeTour(demo: Demo): Promise<void> {
  const page = await demo.visit('');
  await page.getByRole('button', { name: 'Tour', exact: true }).click();
  const tour = page.getByRole('list', { name: 'Tour' });
  const next = tour.getByRole('button');
  const frames: Frame[] = [];
  const look = async (ms: number) => frames.push({ png: await page.screenshot(), ms });
  while ((await next.count()) > 0) {
    await look(BEFORE_MS);
    while ((await next.textContent()) === 'Do it') {
      await next.click();
      await tour.locator('button:enabled').waitFor();
    }
    const step = page.url().split('#tour=')[1] ?? '';
    await page
      .getByText(ENDS[step] ?? 'done')
      .last()
      .waitFor();
    await look(AFTER_MS);
    await next.click();
  }
  const path = pathOf('tour');
  writeFileSync(path, animate(frames));
  console.log(`${path}, ${frames.reduce((sum, { ms }) => sum + ms, 0) / 1_000} s`);
}

const demo = await openDemo();
try {
  await takeTour(demo);
} finally {
  await demo.close();
}
if (!process.argv.includes('tour')) {
  const other = await openDemo();
  try {
    await takePictures(other);
  } finally {
    await other.close();
  }
}
