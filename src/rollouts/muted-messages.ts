import type { Config } from '../config/config.ts';
import { firstOf } from '../lib/text.ts';
import type { Outbox } from '../notify/outbox.ts';
import { fitting } from '../notify/queue.ts';
import { createMessageRecords, type MessageRecord } from '../notify/records.ts';
import type { Services } from '../services.ts';
import { acquireLock } from '../store/redis.ts';
import { readGvc, readPollStatus } from './gvc-store.ts';
import { mutedContent } from './render/muted.ts';
import { firstWords } from './render/parts.ts';
import { impactOf } from './watch/impact.ts';
import { pollTime } from './watch/spans.ts';
import {
  createMutes,
  createWatches,
  muteOf,
  readMuteMark,
  watchedGvcs,
  type Mute,
  type Mutes,
  type WatchConfig,
} from './watches.ts';

interface MutedMessages {
  /**
   * Posts held messages of places that are no longer muted, in one message for each channel, `@mute/<n>`
   * (design section 4.8). May be called at any time, by several processes at once.
   * @throws the first error, after all channels were tried; the next call posts the rest
   */
  release(): Promise<void>;
}

type MuteServices = Pick<Services, 'redis' | 'keys' | 'wake' | 'clock'> & {
  config: WatchConfig & Pick<Config, 'polling'>;
  outbox: Pick<Outbox, 'commit'>;
};

/** After a crash a channel is free after this time. */
const LOCK_MS = 10_000;

/** `mark`: see `muteMark`. */
type MutedMessage = MessageRecord & { mark: string };

const FORGET_EMPTY = `
if redis.call('HLEN', KEYS[1]) > 0 then return 0 end
return redis.call('SREM', KEYS[2], ARGV[1])`;

export function createMutedMessages(
  services: MuteServices,
  mutes: Pick<Mutes, 'all'> = createMutes(services),
): MutedMessages {
  const { redis, keys, clock } = services;

  async function postChannel(channel: string, mutes: readonly Mute[]): Promise<void> {
    const lock = await acquireLock(redis, keys.lock(`held:${channel}`), LOCK_MS);
    if (lock === undefined) return;
    try {
      await post(services, channel, await postable(services, channel, mutes));
      await redis.eval(FORGET_EMPTY, 2, keys.held(channel), keys.heldChannels, channel);
    } finally {
      await lock.release();
    }
  }

  return {
    async release() {
      const channels = await redis.smembers(keys.heldChannels);
      if (channels.length === 0) return;
      const current = await mutes.all(clock.now());
      const failures: unknown[] = [];
      for (const channel of channels) {
        await postChannel(channel, current).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Messages that may be posted now, in the order in which they were held back. */
async function postable(
  { redis, keys, clock }: MuteServices,
  channel: string,
  mutes: readonly Mute[],
): Promise<MutedMessage[]> {
  const records = createMessageRecords(redis, keys);
  const now = clock.now();
  const held = Object.entries(await redis.hgetall(keys.held(channel)));
  const free = await Promise.all(
    held
      .filter(([, mark]) => muteOf(mutes, channel, readMuteMark(mark).about, now) === undefined)
      .map(async ([key, mark]) => ({ key, mark, record: await records.read(channel, key) })),
  );
  // A mute may outlast the record of a message.
  const gone = free.filter(({ record }) => record === undefined).map(({ key }) => key);
  if (gone.length > 0) await redis.hdel(keys.held(channel), ...gone);
  return free
    .flatMap(({ mark, record }) => (record === undefined ? [] : [{ ...record, mark }]))
    .sort((a, b) => a.heldOrder - b.heldOrder);
}

async function post(
  services: MuteServices,
  channel: string,
  held: readonly MutedMessage[],
): Promise<void> {
  if (held.length === 0) return;
  const { redis, keys, outbox } = services;
  const title = titleOf(held.map(({ mark }) => readMuteMark(mark).muted));
  const hurt = await hurtIn(services, channel);
  for (let rest = held; rest.length > 0;) {
    const batch = rest.slice(0, fitting(rest.map(({ message }) => message)).length);
    const lines = batch.map(({ key, mark, message: { text } }) => {
      return { key, at: readMuteMark(mark).at, text };
    });
    const n = await redis.hincrby(keys.numbers, `@mute/${channel}`, 1);
    const channels = await outbox.commit([
      {
        channel,
        key: `@mute/${n}`,
        ...mutedContent(title, lines, hurt),
        absorbs: batch.map(({ key }) => key),
      },
    ]);
    // Another process has posted one of them, because this one was delayed: it posts the rest, too.
    if (channels === undefined) return;
    await services.wake(channels);
    rest = rest.slice(batch.length);
  }
}

/** What is hurt now of all that the channel watches, the worst first: "shop/cart Outage". */
async function hurtIn(services: MuteServices, channel: string): Promise<string[]> {
  const { redis, keys, config } = services;
  const watches = (await createWatches(services).all()).filter((one) => one.channel === channel);
  const hurt: { level: number; words: string }[] = [];
  for (const { org, gvc } of watchedGvcs(watches)) {
    const [{ state }, { at }] = await Promise.all([
      readGvc(redis, keys, org, gvc),
      readPollStatus(redis, keys, org, gvc),
    ]);
    const time = pollTime(at, at, config.polling);
    const own = watches.filter((one) => one.org === org && one.gvc === gvc);
    for (const [name, { locations }] of Object.entries(state.workloads)) {
      if (!own.some(({ workload = name }) => workload === name)) continue;
      const impact = impactOf(locations, time);
      if (impact.level === 0) continue;
      hurt.push({ level: impact.level, words: `${gvc}/${name} ${firstWords(impact)}` });
    }
  }
  return hurt.toSorted((a, b) => b.level - a.level).map(({ words }) => words);
}

const MAX_NAMES = 3;

/** "While acme/shop was muted". @param places see `readMuteMark` */
function titleOf(places: readonly string[]): string {
  const all = [...new Set(places)];
  const widest = all.filter((one) => !all.some((other) => other !== one && isIn(one, other)));
  const names = firstOf(widest, MAX_NAMES);
  return names === ''
    ? 'While muted'
    : `While ${names} ${widest.length === 1 ? 'was' : 'were'} muted`;
}

function isIn(place: string, wider: string): boolean {
  return wider === '' || place.startsWith(`${wider}/`);
}
