import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cardOf, decide, request } from '../support/approvals.ts';
import { userOf } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';
import { ROOT } from './source.ts';

/** One thing that people or the platform do, followed through the bot from its beginning to its end. */
export interface Walk {
  readonly name: string;
  /** From where to where. */
  readonly what: string;
  readonly environment: Record<string, string>;
  readonly run: (world: World) => Promise<unknown>;
}

const ROLLOUT = { org: 'acme', gvc: 'shop', workload: 'payments', seconds: 3 };

export const WALKS: readonly Walk[] = [
  {
    name: 'charges',
    what: '`/charges last month by workload`, from the command to the answer',
    environment: {},
    run: (world) => world.command('U0ADA', 'C0BILLING', '/charges last month by workload'),
  },
  {
    name: 'rollout',
    what: 'a poll that sees a rollout, to the message that it is ready',
    environment: { WATCHES: 'acme/shop' },
    async run(world) {
      await world.polled();
      const { version } = await world.platform('rollout', ROLLOUT);
      await world.message('C0DEPLOYS', `acme/shop/payments/${String(version)}/ready`);
    },
  },
  {
    name: 'change',
    what: '`/alert set 500`, from the command over form, review and call to the audit',
    environment: {},
    async run(world) {
      const id = await request(world, userOf(world, 'U0ADA'), { command: '/alert set 500' });
      await decide(world, userOf(world, 'U0BEN'), { id, decision: 'Approve' });
      await cardOf(world, id, 'succeeded');
    },
  },
];

/**
 * A bot without work is watched for so long, in milliseconds: there is no event to wait for. Longer than a walk takes
 * on a slow machine, so that the walk does not count functions that only the clock starts.
 */
const IDLE_MS = 15_000;

/** The files of `src` in which a function ran that an idle bot does not run (precise coverage). */
export async function filesOfWalk({ run, environment }: Walk): Promise<string[]> {
  const [idle, walked] = [await idleFunctions(), await functionsOf(run, environment)];
  const files = [...walked].filter((one) => !idle.has(one)).map((one) => one.split('#', 1)[0]!);
  return [...new Set(files)].toSorted();
}

let known: Promise<ReadonlySet<string>> | undefined;

/**
 * The functions that run in a bot without work: one without watches, one that watches and has no worker, and those of
 * the thread of the reports on import.
 */
function idleFunctions(): Promise<ReadonlySet<string>> {
  known ??= (async () => {
    const idle = (environment: Record<string, string>) =>
      functionsOf(
        () =>
          new Promise((resolve) => {
            setTimeout(resolve, IDLE_MS);
          }),
        environment,
      );
    const withoutWatches = await idle({});
    const withoutWorker = await idle({ ROLE: 'app', WATCHES: 'acme/shop' });
    return new Set([...withoutWatches, ...withoutWorker, ...importedBy('src/report-thread.ts')]);
  })();
  return known;
}

function importedBy(file: string): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), 'walk-'));
  try {
    execFileSync(process.execPath, ['--import', 'tsx', file], {
      cwd: ROOT,
      env: { ...process.env, NODE_V8_COVERAGE: folder },
    });
    return ranIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a bot, lets something happen, and stops it; gives every function that ran, as `path#name:place`. */
async function functionsOf(
  run: Walk['run'],
  environment: Record<string, string>,
): Promise<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'walk-'));
  const world = await openWorld();
  try {
    const bot = await world.startBot({
      npm: true,
      // Unasked reports about money are no part of a walk.
      environment: { BILLING_CHANNEL: '', ...environment, NODE_V8_COVERAGE: folder },
    });
    await run(world);
    await bot.stop();
    return ranIn(folder);
  } finally {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

function ranIn(folder: string): Set<string> {
  const ran = new Set<string>();
  const src = pathToFileURL(join(ROOT, 'src/')).href;
  for (const file of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      const [address = ''] = url.split('?', 1);
      if (!address.startsWith(src) || address.startsWith(`${src}sandbox/`)) continue;
      for (const { functionName, ranges } of functions) {
        const [range] = ranges;
        // The code that runs on import has no name and begins where the file begins.
        if (range === undefined || range.count === 0 || range.startOffset === 0) continue;
        ran.add(`${address.slice(src.length)}#${functionName}:${range.startOffset}`);
      }
    }
  }
  return ran;
}
