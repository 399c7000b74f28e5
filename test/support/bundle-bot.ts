import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that starts the bot: `src/main.ts` and all that it imports. */
    bot: string;
    /** The same of `src/state.ts`. */
    state: string;
  }
}

/** Replaces `require` and the like for packages that are CommonJS. */
const BANNER = `import { createRequire as requireFor } from 'node:module';
import { fileURLToPath as pathFor } from 'node:url';
const require = requireFor(import.meta.url);
const __filename = pathFor(import.meta.url);
const __dirname = pathFor(new URL('.', import.meta.url));`;

/**
 * Makes one file of the bot, of the thread of its reports and of its command each, once for all tests: a bot that is started from it is
 * ready in less than half the time, and tests start dozens. The file is inside the project, so that Node finds the
 * packages that are not bundled.
 */
export async function setup(project: TestProject): Promise<() => void> {
  mkdirSync(join(ROOT, '.tmp'), { recursive: true });
  // The bot reads its version from there.
  copyFileSync(join(ROOT, 'package.json'), join(ROOT, '.tmp', 'package.json'));
  const folder = mkdtempSync(join(ROOT, '.tmp', 'bot-'));
  await build({
    entryPoints: ['main', 'report-thread', 'state'].map((name) => join(ROOT, `src/${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Loaded only where they are asked for.
    external: ['bullmq-otel', '@opentelemetry/*'],
    keepNames: true,
    banner: { js: BANNER },
    logLevel: 'warning',
  });
  project.provide('bot', join(folder, 'main.mjs'));
  project.provide('state', join(folder, 'state.mjs'));
  return () => rmSync(folder, { recursive: true, force: true });
}
