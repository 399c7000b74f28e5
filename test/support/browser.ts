import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { tools } from '../../scripts/setup-plan.mjs';

/** The system's Chromium; undefined where nothing is there, which `npm run setup` has then said loudly. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return tools.chromium.programs
    .flatMap((program) => folders.map((folder) => join(folder, program)))
    .find(isExecutable);
}

/** Whether pages can be opened here. @throws in CI, where a test that is skipped would pass for a green one */
export function hasBrowser(): boolean {
  const isThere = findChromium() !== undefined;
  if (!isThere && process.env['CI']) throw new Error('There is no Chromium: run "npm run setup".');
  return isThere;
}

export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
