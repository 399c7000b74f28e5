import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PROMTOOL } from '../../scripts/setup-plan.mjs';

const ROOT = new URL('../../', import.meta.url);
const run = promisify(execFile);

/** Undefined where it is absent, which the set-up of `npm run test:all` has then said loudly. */
function findPromtool(): string | undefined {
  const named = process.env['PROMTOOL_PATH'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [fileURLToPath(new URL(PROMTOOL, ROOT)), ...folders.map((one) => join(one, 'promtool'))]
    .filter((path) => path !== 'promtool')
    .find(isExecutable);
}

/** @throws in CI, where a test that is skipped would pass for a green one */
export function hasPromtool(): boolean {
  const isThere = findPromtool() !== undefined;
  if (!isThere && process.env['CI']) {
    throw new Error('There is no promtool: run "node scripts/setup.mjs --promtool".');
  }
  return isThere;
}

/** The output of promtool, and whether it was content. @param files written beside each other, by name */
export async function promtool(
  words: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<{ isWell: boolean; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-promtool-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  try {
    const cwd = Object.keys(files).length > 0 ? folder : fileURLToPath(ROOT);
    const { stdout, stderr } = await run(findPromtool() ?? 'promtool', words, { cwd });
    return { isWell: true, output: stdout + stderr };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { isWell: false, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
