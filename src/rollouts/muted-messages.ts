import type { Config } from '../config/config.ts';
import type { Outbox } from '../notify/outbox.ts';
import { createMessageRecords, type MessageRecord } from '../notify/records.ts';
import type { Services } from '../services.ts';
import { acquireLock } from '../store/redis.ts';
import { readGvc, readPollStatus } from './gvc-store.ts';
import { mutedContent, REFUSED_TITLE, servedIn, type Served } from './render/muted.ts';
import { pollTime } from './watch/spans.ts';
import { firstOf } from '../slack/kit/fit.ts';
import {
  createWatches,
  muteOf,
  readMuteMark,
  readMutes,
  watchedGvcs,
  type Mute,
  type Scope,
  type WatchConfig,
} from './watches.ts';

type MuteServices = Pick<Services, 'redis' | 'keys' | 'wake' | 'clock'> & {
  config: WatchConfig & Pick<Config, 'polling'>;
  outbox: Pick<Outbox, 'gather'>;
  /** Whether a channel that has refused posts takes them by now; undefined when Slack does not answer. */
  takesPosts: (channel: string) => Promise<boolean | undefined>;
};

/** After a crash a channel is free after this time. */
const LOCK_MS = 10_000;

/** `at`: when it was due, in milliseconds since the epoch; `muted`: see `readMuteMark`, absent: it was refused. */
interface Waiting {
  record: MessageRecord;
  at: number;
  muted?: string;
}

const FORGET_EMPTY = `
if redis.call('HLEN', KEYS[1]) + redis.call('HLEN', KEYS[2]) > 0 then return 0 end
return redis.call('SREM', KEYS[3], ARGV[1])`;

/** Refusals that end with an invitation, which Slack shows. Others end with the next message that is posted. */
const INVITABLE: ReadonlySet<string> = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
]);
/** How often Slack is asked whether a channel takes posts again. */
const ASK_MS = 60_000;

export function createMutedMessages(
  services: MuteServices,
  mutesAt = (now: number): Promise<Mute[]> => readMutes(services, now),
) {
  const { redis, keys, clock } = services;

  async function postChannel(channel: string, mutes: readonly Mute[]): Promise<void> {
    const lock = await acquireLock(redis, keys.lock(`held:${channel}`), LOCK_MS);
    if (lock === undefined) return;
    try {
      await post(services, channel, await postable(services, channel, mutes));
      const names = [keys.held(channel), keys.refusedPosts(channel), keys.heldChannels];
      await redis.eval(FORGET_EMPTY, 3, ...names, channel);
    } finally {
      await lock.release();
    }
  }

  return {
    /**
     * Posts held messages of places that are no longer muted, and messages that their channel refused and now
     * takes, in one message for each channel, `@mute/<n>` (design section 4.8). May be called at any time, by
     * several processes at once.
     * @throws the first error, after all channels were tried; the next call posts the rest
     */
    async release(): Promise<void> {
      const channels = await redis.smembers(keys.heldChannels);
      if (channels.length === 0) return;
      const current = await mutesAt(clock.now());
      const failures: unknown[] = [];
      for (const channel of channels) {
        await postChannel(channel, current).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Messages that may be posted now, in the order in which they were due. */
async function postable(
  services: MuteServices,
  channel: string,
  mutes: readonly Mute[],
): Promise<Waiting[]> {
  const { redis, keys, clock } = services;
  const now = clock.now();
  const isMuted = (place: Scope): boolean => muteOf(mutes, channel, place, now) !== undefined;
  const held = Object.entries(await redis.hgetall(keys.held(channel)))
    .map(([key, mark]) => ({ key, ...readMuteMark(mark) }))
    .filter(({ about }) => !isMuted(about));
  const refused = (await refusedPosts(services, channel)).filter(({ key }) => {
    const [org = '', gvc = '', workload = ''] = key.split('/');
    return !isMuted({ org, gvc, workload });
  });
  const [muted, late] = await Promise.all([
    existing(services, channel, keys.held(channel), held),
    existing(services, channel, keys.refusedPosts(channel), refused),
  ]);
  return [...muted, ...late].sort((a, b) => a.at - b.at || a.record.heldOrder - b.record.heldOrder);
}

/** Messages that the channel refused; none while it takes no posts. */
async function refusedPosts(
  { redis, keys, takesPosts }: MuteServices,
  channel: string,
): Promise<{ key: string; at: number }[]> {
  const all = Object.entries(await redis.hgetall(keys.refusedPosts(channel)));
  if (all.length === 0) return [];
  if ((await redis.hexists(keys.refusals, channel)) === 1) {
    const isInvitable = all.every(([, mark]) => INVITABLE.has(mark.split(' ')[1] ?? ''));
    if (!isInvitable) return [];
    const isDue = await redis.set(keys.lock(`ask:${channel}`), '1', 'PX', ASK_MS, 'NX');
    if (isDue === null || (await takesPosts(channel)) !== true) return [];
  }
  return all.map(([key, mark]) => ({ key, at: Number(mark.split(' ')[0]) }));
}

/** The messages that are neither posted nor forgotten; the others leave the hash. */
async function existing<T extends { key: string }>(
  { redis, keys }: MuteServices,
  channel: string,
  hash: string,
  waiting: readonly T[],
): Promise<(T & { record: MessageRecord })[]> {
  const records = createMessageRecords(redis, keys);
  const there: (T & { record: MessageRecord })[] = [];
  for (const one of waiting) {
    const record = await records.read(channel, one.key);
    const isPosted = record?.ts !== undefined || (record?.older.length ?? 0) > 0;
    if (record === undefined || isPosted || record.dead !== undefined) {
      await redis.hdel(hash, one.key);
    } else there.push({ ...one, record });
  }
  return there;
}

async function post(
  services: MuteServices,
  channel: string,
  waiting: readonly Waiting[],
): Promise<void> {
  if (waiting.length === 0) return;
  const { redis, keys, outbox, clock } = services;
  const isRefused = waiting.some(({ muted }) => muted === undefined);
  const title = isRefused ? REFUSED_TITLE : titleOf(waiting.map(({ muted = '' }) => muted));
  const served = await servedHere(services, channel);
  const lines = waiting.map(({ at, record: { message } }) => ({ ...message, at }));
  const gathered = waiting.map(({ record }) => record.key);
  const key = `@mute/${await redis.hincrby(keys.numbers, `@mute/${channel}`, 1)}`;
  const content = mutedContent(title, lines, served);
  const channels = await outbox.gather(gathered, [
    { channel, key, madeAt: clock.now(), ...content },
  ]);
  // This process was delayed, and another one has posted one of these messages: it posts the rest, too.
  if (channels === undefined) return;
  await redis.hdel(keys.refusedPosts(channel), ...gathered);
  await services.wake(channels);
}

/** The workloads that the channel watches, as they are now. */
async function servedHere(services: MuteServices, channel: string): Promise<Served[]> {
  const { redis, keys, config } = services;
  const watches = (await createWatches(services).all()).filter((one) => one.channel === channel);
  const served: Served[] = [];
  for (const { org, gvc } of watchedGvcs(watches)) {
    const [{ state }, { at, failures }] = await Promise.all([
      readGvc(redis, keys, org, gvc),
      readPollStatus(redis, keys, org, gvc),
    ]);
    const time = pollTime(at, at, config.polling);
    served.push(...servedIn({ org, gvc }, state, { time, isUnread: failures > 0, watches }));
  }
  return served;
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
