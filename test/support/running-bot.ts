import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { exitOf } from '../../src/sandbox/redis.ts';
import { until } from './until.ts';

const READY_MS = 60_000;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Starts a process that finds nothing of this one's own configuration in its environment. */
export function start(
  [program = '', ...words]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  return spawn(program, words, {
    cwd: ROOT,
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The processes that npm starts are ended with it, as a group of their own.
    detached: program === 'npm',
  });
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

export type RunningBot = ReturnType<typeof launch>;

/**
 * Starts a bot as a process of its own.
 * @param program the program, with its words
 * @param environment has PORT, where it takes Slack's requests in HTTP mode, and OPS_PORT
 */
export function launch(program: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = start(program, environment);
  let log = '';
  child.stdout.on('data', (text: Buffer) => (log += text.toString()));
  child.stderr.on('data', (text: Buffer) => (log += text.toString()));
  return {
    child,
    port: Number(environment['PORT']),
    opsPort: Number(environment['OPS_PORT']),
    log: () => log,
    /** Resolves when it answers at this path of its ops port. @throws when it ends before */
    ready: (path = 'readyz') =>
      until(
        'the bot to be ready',
        async () => {
          if (hasEnded(child)) throw new Error('the bot ended');
          const address = `http://127.0.0.1:${environment['OPS_PORT']}/${path}`;
          return (await fetch(address).catch(() => undefined))?.ok;
        },
        READY_MS,
      ).catch((error: unknown) => {
        throw new Error(`the bot is not ready; its log: ${log}`, { cause: error });
      }),
    /** Resident memory in MiB; not a number where the system is silent. */
    async memory(): Promise<number> {
      const text = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1_024;
    },
    /** SIGTERM to the process that was started; gives its exit code. */
    stop: () => {
      child.kill('SIGTERM');
      return exitOf(child);
    },
    /** SIGKILL, as in a crash. */
    async kill() {
      if (program[0] === 'npm') killGroup(child);
      child.kill('SIGKILL');
      await exitOf(child);
    },
  };
}

/** Also where npm itself is gone: the processes that it started may go on. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
}
