import { randomUUID } from 'node:crypto';
import { until } from '../support/until.ts';
import { count } from './count.ts';
import type { Count } from './count.ts';
import { createFleet } from './fleet.ts';
import type { Fleet, FleetOptions, GvcScript } from './fleet.ts';
import { createChaosPlatform } from './platform.ts';
import type { ChaosPlatform, PlatformFault, PollMoment } from './platform.ts';
import { createTap } from './redis.ts';
import type { ScriptMoment, Tap } from './redis.ts';
import { createChaosSlack } from './slack.ts';
import type { Burial, ChaosSlack, PostMoment, SlackFault, Told } from './slack.ts';
import { startBot } from './worker.ts';
import type { Bot, Guard } from './worker.ts';

/** Where a worker can die. */
export type Moment = PostMoment | PollMoment | ScriptMoment;

interface WorldOptions extends FleetOptions {
  redisPort: number;
  workers: number;
  without?: Guard | undefined;
  slackFault?: (method: string, channel: string) => SlackFault | undefined;
  slackBurial?: (channel: string) => Burial | undefined;
  platformFault?: (gvc: string) => PlatformFault | undefined;
  slowness?: () => number;
  /** Of the workers, beside what connects them. */
  environment?: Readonly<Record<string, string>>;
}

/** Workers between stand-ins that count, and a hand that kills. */
export interface ChaosWorld {
  readonly fleet: Fleet;
  readonly slack: ChaosSlack;
  readonly platform: ChaosPlatform;
  /** Who comes to this moment first dies of it, and a new worker takes the place at once. */
  doom(moment: Moment): void;
  /** Takes a doom back. @returns whether it was still ahead */
  spare(): boolean;
  /**
   * Who comes to this moment first sleeps for longer than the locks last, and goes on as if nothing had
   * been.
   */
  lull(moment: Moment): void;
  /** The worker dies now. */
  kill(worker: number): void;
  alive(worker: number): boolean;
  bot(worker: number): Bot | undefined;
  /** Kills so far, by moment. */
  readonly kills: ReadonlyMap<string, number>;
  /** Sleeps so far, by moment. */
  readonly sleeps: ReadonlyMap<string, number>;
  /** Everything was found: what happens from now on is news. */
  begin(): Promise<void>;
  /** All transitions happened, all was told as far as it ever will be, and it is quiet. */
  quiet(deadlineMs: number): Promise<void>;
  count(): Count;
  /** Last lines of the logs of the workers, for a failed run. */
  troubles(): string[];
  close(): Promise<void>;
}

export async function createChaosWorld(options: WorldOptions): Promise<ChaosWorld> {
  const crew = createCrew(options.workers);
  const fleet = createFleet(options);
  const slack = await createChaosSlack({
    ...(options.slackFault && { fault: options.slackFault }),
    ...(options.slackBurial && { burial: options.slackBurial }),
    ...(options.slowness && { slowness: options.slowness }),
    strike: crew.strike,
  });
  const platform = await createChaosPlatform({
    items: fleet.items,
    served: fleet.served,
    strike: crew.strike,
    ...(options.platformFault && { fault: options.platformFault }),
  });
  const taps: Tap[] = [];
  const prefix = `chaos-${randomUUID().slice(0, 8)}`;
  for (let worker = 0; worker < options.workers; worker += 1) {
    taps.push(await createTap(options.redisPort, (at) => crew.strike(String(worker), at)));
  }
  await crew.hire(fleet, (worker) =>
    startBot({
      slackApiUrl: slack.apiUrl(String(worker)),
      platformUrl: platform.apiUrl(String(worker)),
      redisPort: taps[worker]?.port ?? 0,
      prefix,
      watches: watchesOf(options.gvcs),
      without: options.without,
      ...(options.environment && { environment: options.environment }),
    }),
  );
  return {
    fleet,
    slack,
    platform,
    ...crew,
    async begin() {
      await crew.ready();
      const found = (): boolean => fleet.leastServed() >= FOUND_LISTS;
      await until('every GVC was found', found, FOUND_MS).catch((error: unknown) => {
        throw new Error(`the bot does not poll; its log: ${crew.troubles().join('\n')}`, {
          cause: error,
        });
      });
    },
    quiet: (deadlineMs) => quiet(fleet, slack, deadlineMs),
    count: () => count(slack, fleet.expected, (told) => isAllowed(told, platform)),
    async close() {
      await crew.dismiss();
      await Promise.all(taps.map((tap) => tap.close()));
      await slack.close();
      await platform.close();
    },
  };
}

/** Messages that stand for others, and those about the platform where it failed thrice in a row. */
function isAllowed({ key }: Told, platform: ChaosPlatform): boolean {
  if (/^@(?:digest|mute|redis)\//.test(key)) return true;
  const [, gvc = '', part = ''] = key.split('/');
  if (part === '@api') return platform.failing.has(gvc);
  return part === '@location';
}

function watchesOf(gvcs: readonly GvcScript[]): string {
  return gvcs
    .flatMap(({ name, channels }) => channels.map((channel) => `acme/${name}=${channel}`))
    .join(';');
}

const FOUND_LISTS = 3;
const FOUND_MS = 90_000;
const QUIET_LISTS = 3;
/** Longer than any pause, as a share of the deadline. */
const PATIENCE = 3;

/** Nothing is missing or the time is over, and further polls brought nothing more. */
async function quiet(fleet: Fleet, slack: ChaosSlack, deadlineMs: number): Promise<void> {
  const isTold = (): boolean => count(slack, fleet.expected, () => true).lost.length === 0;
  // A message that never comes is a finding of the count, not of the wait for it.
  await until('the fleet is settled', () => fleet.settled(), deadlineMs);
  // A busy channel takes its time: one post a second, and a pause after each that failed.
  for (let posts = -1; !isTold() && posts !== slack.posts.length;) {
    posts = slack.posts.length;
    await until('all is told', isTold, deadlineMs / PATIENCE).catch(() => undefined);
  }
  let posts = -1;
  while (posts !== slack.posts.length) {
    posts = slack.posts.length;
    const lists = fleet.leastServed();
    await until('further polls', () => fleet.leastServed() >= lists + QUIET_LISTS, deadlineMs);
  }
}

/** The locks of the bot fall free after 10 s. */
const SLEEP_MS = 13_000;

/** The workers: each dies at its moment and is followed by another in its place. */
function createCrew(size: number) {
  const bots: (Bot | undefined)[] = Array.from({ length: size });
  let doom: Moment | undefined;
  let lull: Moment | undefined;
  const kills = new Map<string, number>();
  const sleeps = new Map<string, number>();
  const logs: string[] = [];
  const starts = new Set<Promise<void>>();
  let start: (worker: number) => Promise<Bot> = () => Promise.reject(new Error('not hired'));
  let fleet: Fleet | undefined;
  let closing = false;

  async function fill(worker: number): Promise<void> {
    const bot = await start(worker);
    if (closing) return bot.kill();
    bots[worker] = bot;
    bot.child.once('exit', (code, signal) => {
      logs.push(...bot.troubles.splice(0).slice(-5));
      if (signal === null) logs.push(`worker ${worker} ended by itself with ${code}`);
      if (!closing) track(fill(worker));
    });
  }

  function track(filling: Promise<void>): void {
    starts.add(filling);
    void filling.finally(() => starts.delete(filling));
  }

  function kill(worker: number, moment: string): void {
    doom = undefined;
    kills.set(moment, (kills.get(moment) ?? 0) + 1);
    bots[worker]?.strike();
    fleet?.unsettle();
  }

  function sleep(worker: number, moment: string): void {
    lull = undefined;
    sleeps.set(moment, (sleeps.get(moment) ?? 0) + 1);
    bots[worker]?.pause(SLEEP_MS);
    fleet?.unsettle();
  }

  return {
    kills,
    sleeps,
    strike(this: void, worker: string, moment: Moment): boolean {
      if (lull === moment) sleep(Number(worker), moment);
      if (doom !== moment) return false;
      kill(Number(worker), moment);
      return true;
    },
    async hire(its: Fleet, how: typeof start) {
      fleet = its;
      start = how;
      await Promise.all(bots.map((_, worker) => fill(worker)));
    },
    async ready() {
      await Promise.all(bots.flatMap((bot) => bot?.ready() ?? []));
    },
    doom(moment: Moment) {
      doom = moment;
    },
    spare() {
      const ahead = doom !== undefined;
      doom = undefined;
      return ahead;
    },
    lull(moment: Moment) {
      lull = moment;
    },
    kill: (worker: number) => kill(worker, 'at random'),
    bot: (worker: number) => bots[worker],
    alive: (worker: number) => bots[worker]?.alive() === true,
    troubles: () => [...logs, ...bots.flatMap((bot) => bot?.troubles.slice(-5) ?? [])].slice(-30),
    async dismiss() {
      closing = true;
      await Promise.all(starts);
      await Promise.all(bots.flatMap((bot) => bot?.kill() ?? []));
    },
  };
}
