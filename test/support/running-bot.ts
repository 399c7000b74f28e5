import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { exitOf } from '../../src/sandbox/redis.ts';
import { until } from './until.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const READY_MS = 60_000;

/** A bot that runs as a process of its own. */
export interface RunningBot {
  child: ChildProcess;
  /** Where it takes Slack's requests in HTTP mode. */
  port: number;
  log(): string;
  /** SIGTERM to the process that was started; gives its exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: what a crash is. */
  kill(): Promise<void>;
}

/** Starts a bot; resolves when it answers at this path of its ops port. @throws when it ends before */
export async function launch(
  { npm, path, opsPort, port }: { npm: boolean; path: string; opsPort: number; port: number },
  environment: Record<string, string>,
): Promise<RunningBot> {
  // Nothing of this process's own configuration may leak into the bot.
  const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const [program, ...words] = npm
    ? ['npm', 'start', '--silent']
    : [process.execPath, inject('bot')];
  const child = spawn(program ?? '', words, {
    cwd: ROOT,
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let log = '';
  child.stdout.on('data', (text: Buffer) => (log += text.toString()));
  child.stderr.on('data', (text: Buffer) => (log += text.toString()));
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const bot: RunningBot = {
    child,
    port,
    log: () => log,
    async stop() {
      child.kill('SIGTERM');
      return exitOf(child);
    },
    async kill() {
      // The whole group: with npm in between, the bot is its grandchild.
      if (child.exitCode === null && child.pid !== undefined) killGroup(child.pid);
      await exitOf(child);
    },
  };
  await until(
    `the bot to be ready; its log: ${log}`,
    async () => {
      if (child.exitCode !== null) throw new Error(`the bot ended: ${log}`);
      return (await fetch(`${opsUrl}/${path}`).catch(() => undefined))?.ok;
    },
    READY_MS,
  );
  return bot;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself a moment ago.
  }
}
