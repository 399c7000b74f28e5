import { randomUUID } from 'node:crypto';
import { createDurableRedis } from '../support/durable-redis.ts';
import { startProxy } from '../support/http.ts';
import { until } from '../support/until.ts';
import { count } from './count.ts';
import { createFleet, type Fleet, type FleetOptions } from './fleet.ts';
import { createChaosPlatform, type PlatformFault, type PollMoment } from './platform.ts';
import { createRandom, seedOf, type Random } from './random.ts';
import { createChaosSlack, type PostMoment, type SlackOptions, type Reported } from './slack.ts';
import { startBot, type Bot, type Guard } from './worker.ts';

/** The moments of a script of the bot's own at which a worker can die: not yet run, and run unheard. */
type ScriptMoment = 'script asked' | 'script done';
/** Where a worker can die. */
export type Moment = PostMoment | PollMoment | ScriptMoment;

interface ChaosOptions extends FleetOptions, SlackOptions {
  /** The seed of the script, and with it of the faults. */
  seed?: number;
  random?: Random;
  workers?: number;
  without?: Guard | undefined;
  platformFault?: (gvc: string) => PlatformFault | undefined;
  /** Of the workers, beside the settings that connect them. */
  environment?: Readonly<Record<string, string>>;
}

export type ChaosWorld = Awaited<ReturnType<typeof openChaos>>;

/** Workers between stand-ins that count, and a hand that kills. */
export async function openChaos(options: ChaosOptions) {
  const { gvcs, seed = seedOf(), random = createRandom(seed), workers = 2, without } = options;
  const redis = await createDurableRedis();
  const fleet = createFleet(options, random);
  const crew = createCrew(fleet);
  const slack = await createChaosSlack(options, crew.strike);
  const platform = await createChaosPlatform({
    items: fleet.items,
    served: fleet.served,
    fault: options.platformFault,
    strike: crew.strike,
  });
  const taps = await Promise.all(
    Array.from({ length: workers }, (_, worker) =>
      openTap(redis.url, (moment) => crew.strike(String(worker), moment)),
    ),
  );
  const environment = {
    REDIS_PREFIX: `chaos-${randomUUID().slice(0, 8)}`,
    WATCHES: gvcs
      .flatMap(({ name, channels }) => channels.map((channel) => `acme/${name}=${channel}`))
      .join(';'),
    ...options.environment,
  };
  const hire = (tap: { port: number }, worker: number): Promise<Bot> =>
    startBot(
      {
        slackApiUrl: slack.apiUrl(String(worker)),
        platformUrl: platform.apiUrl(String(worker)),
        redisPort: tap.port,
      },
      environment,
      without,
    );
  await Promise.all(taps.map((tap, worker) => crew.fill(worker, () => hire(tap, worker))));

  const counted = () =>
    count(slack.reported, fleet.expected, (reported) => isAllowed(reported, platform.failing));
  return {
    fleet,
    slack,
    platform,
    redis,
    ...crew,
    /** Everything was found: any event from now on is news. */
    async begin(): Promise<void> {
      await Promise.all(crew.bots.map((bot) => bot.ready()));
      const found = (): boolean => fleet.leastServed() >= FOUND_LISTS;
      await until('every GVC was found', found, FOUND_MS).catch((error: unknown) => {
        throw new Error(`the bot does not poll; its log: ${crew.troubles()}`, { cause: error });
      });
    },
    /** All transitions happened, all was reported as far as it ever will be, and it is quiet. */
    quiet: (deadlineMs: number) => quiet(fleet, slack, () => counted().lost, deadlineMs),
    count: counted,
    /** The count, said with the seed of its run. */
    report(title: string, more: Readonly<Record<string, unknown>> = {}) {
      const { expected, reported, late, ...wrong } = counted();
      const figures = JSON.stringify({ expected, reported, late, ...more });
      const isRight = Object.values(wrong).every((names) => names.length === 0);
      const log = isRight ? '' : crew.troubles();
      process.stdout.write(`${title}, seed ${seed}: ${figures}\n${log}`);
      return { expected, reported, late, ...wrong };
    },
    async close(): Promise<void> {
      await crew.dismiss();
      await Promise.all([...taps, slack, platform, redis].map((one) => one.close()));
    },
  };
}

/**
 * Messages that stand for others, those about the state that a first poll found, and those about the
 * platform where it failed thrice in a row or its answers came too far apart.
 */
function isAllowed({ key }: Reported, failing: ReadonlySet<string>): boolean {
  if (/^@(?:digest|mute|redis)\//.test(key)) return true;
  const [, gvc = '', part = '', word = ''] = key.split('/');
  if (gvc === '@location' || part === '@gvc') return true;
  return part === '@api' && (failing.has(gvc) || word === 'slow' || word === 'unreadable');
}

const FOUND_LISTS = 3;
const FOUND_MS = 90_000;
const QUIET_LISTS = 3;
/** Longer than any pause, as a share of the deadline. */
const PATIENCE = 3;

/** Nothing is missing or the time is over, and further polls brought nothing more. */
async function quiet(
  fleet: Fleet,
  slack: { readonly posts: readonly unknown[] },
  lost: () => readonly string[],
  deadlineMs: number,
): Promise<void> {
  const isReported = (): boolean => lost().length === 0;
  // A message that never comes is a finding of the count, not of the wait for it.
  await until('the fleet is settled', () => fleet.settled(), deadlineMs);
  // A busy channel takes its time: one post a second, and a pause after each that failed.
  for (let posts = -1; !isReported() && posts !== slack.posts.length;) {
    posts = slack.posts.length;
    await until('all is reported', isReported, deadlineMs / PATIENCE).catch(() => undefined);
  }
  for (let posts = -1; posts !== slack.posts.length;) {
    posts = slack.posts.length;
    const lists = fleet.leastServed();
    await until('further polls', () => fleet.leastServed() >= lists + QUIET_LISTS, deadlineMs);
  }
}

/** The command as ioredis writes it; BullMQ's own scripts are called by their hash. */
const SCRIPT = /\r\n\$4\r\neval\r\n/i;

/** A connection to Redis that sees the scripts pass. */
function openTap(url: string, strike: (moment: ScriptMoment) => boolean) {
  return startProxy(
    () => new URL(url),
    () => {
      let running = false;
      return {
        there(chunk, _worker, redis) {
          const isScript = SCRIPT.test(chunk.toString('latin1'));
          if (isScript && strike('script asked')) return void redis.destroy();
          running ||= isScript;
          redis.write(chunk);
        },
        back(chunk, worker) {
          if (running && strike('script done')) return void worker.destroy();
          running = false;
          worker.write(chunk);
        },
      };
    },
  );
}

/** The locks of the bot fall free after 10 s. */
const SLEEP_MS = 13_000;

/** The workers: each dies at its moment and is followed by another in its place. */
function createCrew(fleet: Fleet) {
  const bots: Bot[] = [];
  let doom: Moment | undefined;
  let lull: Moment | undefined;
  /** The moment of each kill so far. */
  const kills: string[] = [];
  const logs: string[] = [];
  const starts = new Set<Promise<void>>();
  let closing = false;

  async function fill(worker: number, start: () => Promise<Bot>): Promise<void> {
    const bot = await start();
    if (closing) return bot.kill();
    bots[worker] = bot;
    bot.child.once('exit', (code, signal) => {
      logs.push(...bot.troubles().slice(-5));
      if (signal === null) logs.push(`worker ${worker} ended by itself with ${code}`);
      if (closing) return;
      const filling = fill(worker, start);
      starts.add(filling);
      void filling.finally(() => starts.delete(filling));
    });
  }

  /** The worker dies now. */
  function kill(worker: number, moment = 'at random'): void {
    doom = undefined;
    kills.push(moment);
    bots[worker]?.child.kill('SIGKILL');
    fleet.unsettle();
  }

  return {
    bots,
    kills,
    fill,
    kill,
    /** Kills the worker, if it is to die at this moment; says whether it did. */
    strike(this: void, worker: string, moment: Moment): boolean {
      if (lull === moment) {
        lull = undefined;
        bots[Number(worker)]?.pause(SLEEP_MS);
        fleet.unsettle();
      }
      if (doom !== moment) return false;
      kill(Number(worker), moment);
      return true;
    },
    /** The first worker that reaches this moment dies, and a new one takes its place at once. */
    doom: (moment: Moment): void => void (doom = moment),
    /** Takes a doom back. @returns whether it was still ahead */
    spare(): boolean {
      const ahead = doom !== undefined;
      doom = undefined;
      return ahead;
    },
    /** The first that comes to this moment sleeps for longer than the locks last, and goes on. */
    lull: (moment: Moment): void => void (lull = moment),
    /** Last lines of the logs of the workers. */
    troubles: () =>
      [...logs, ...bots.flatMap((bot) => bot.troubles().slice(-5))].slice(-30).join('\n'),
    async dismiss(): Promise<void> {
      closing = true;
      await Promise.all(starts);
      await Promise.all(bots.map((bot) => bot.kill()));
    },
  };
}
