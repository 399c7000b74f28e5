import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SandboxRedis {
  readonly url: string;
  close(): Promise<void>;
  /** Ends it and starts it again with the data on its disk; absent: it is not ours. */
  restart?(): Promise<void>;
}

const PROGRAMS = ['redis-server', 'valkey-server'];
const START_MS = 30_000;

/**
 * A Redis server of its own on a free port of the loopback, with nothing written to disk, or as one for
 * the bot has to be (`durable`), in a folder that goes with it. With `existing` (REDIS_URL) that one is
 * used and left alone.
 * @throws when neither redis-server nor valkey-server is installed
 */
export async function startRedis(existing?: string, durable = false): Promise<SandboxRedis> {
  if (existing) return { url: existing, close: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), 'purser-redis-'));
  const port = await freePort();
  for (const program of PROGRAMS) {
    const start = () => startServer(program, { port, folder, durable });
    let server = await start();
    if (server === undefined) continue;
    const stop = async () => {
      server?.kill();
      if (server) await exitOf(server);
    };
    return {
      url: `redis://127.0.0.1:${port}`,
      async close() {
        await stop();
        await rm(folder, { recursive: true, force: true });
      },
      async restart() {
        await stop();
        server = await start();
      },
    };
  }
  throw new Error(
    'There is no redis-server or valkey-server: run "npm run setup", or set REDIS_URL.',
  );
}

/** Undefined when the program is not installed. */
function startServer(
  program: string,
  { port, folder, durable }: { port: number; folder: string; durable: boolean },
): Promise<ChildProcess | undefined> {
  const options = `--port ${port} --bind 127.0.0.1 --maxmemory-policy noeviction`.split(' ');
  const disk = ['--dir', folder, '--save', '', '--appendonly', durable ? 'yes' : 'no'];
  const server = spawn(program, [...options, ...disk], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      server.kill();
      reject(new Error(`${program} did not start within ${START_MS / 1000} s`));
    }, START_MS);
    server.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
    server.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`${program} ended with exit code ${code}`));
    });
    server.stdout.on('data', (text: Buffer) => {
      if (!text.includes('Ready to accept connections')) return;
      clearTimeout(timer);
      resolve(server);
    });
  });
}

/** Below the ports that systems give to outgoing connections (from 32,768 on). */
const [FIRST_PORT, PORTS] = [20_000, 12_000] as const;
/** Each process begins elsewhere, so that two at once do not take the same. */
let nextPort = (process.pid * 101) % PORTS;

/** A port that was free a moment ago, and another one each time until all had their turn. */
export async function freePort(): Promise<number> {
  const port = FIRST_PORT + nextPort;
  nextPort = (nextPort + 1) % PORTS;
  return (await isFree(port)) ? port : freePort();
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

export function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
}
