import type { SendResult } from '../slack/sender.ts';
import type { Lock } from '../store/lock.ts';
import { continued } from './continued.ts';
import type { DeliverDeps } from './deliver.ts';
import { createHolds } from './holds.ts';
import type { Call } from './holds.ts';
import type { LookBack, LookResult } from './look-back.ts';
import type { Message } from './message.ts';
import { createQueue } from './queue.ts';
import { createMessageRecords } from './records.ts';
import type { MessagePlace, MessageRecord, MessageRecords } from './records.ts';
import { createRefusals } from './refusals.ts';
import { LOOK_MARGIN_MS } from './sender.ts';

/** By the number of unclear ends. What was accepted is in the history after the first wait. */
const UNCLEAR_HOLDS_MS = [2_000, 4_000, 8_000, 16_000] as const;
const UNCLEAR_HOLD_CAP_MS = 30_000;
const UNSENT_HOLD_MS = 2_000;
/** A post that was marked longer ago than this was held up, and someone else may have taken over. */
const MARK_TO_POST_MS = 5_000;

/** What passes by itself; any other end of kind `limited` is a token or a right that somebody has to mend. */
const PASSING = new Set(['ratelimited', 'rate_limited', 'team_added_to_org']);
/** These are about the channel and not about the message. */
const CHANNEL_ERRORS = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
]);
/** What Slack says of the edit of a message that is there: too old for the workspace's rules, or another app's. */
const CLOSED_ERRORS = new Set(['edit_window_closed', 'cant_update_message']);
/** Where edits are hardly allowed at all, there is not a new card with each of them. Milliseconds. */
const REOPEN_MS = 10 * 60_000;
/** Of an edit: somebody has deleted the message in Slack. */
const DELETED = 'message_not_found';

/** `done`: Slack has answered for good; `waiting`: it is tried later; `lost`: the channel is another's. */
type PostEnd = 'done' | 'waiting' | 'lost';

/** One call to Slack for one message, and the record of how it ended. */
export interface Transmitter {
  post(record: MessageRecord, lock: Lock): Promise<PostEnd>;
  edit(record: MessageRecord, ts: string, lock: Lock): Promise<PostEnd>;
}

type PendingPost = NonNullable<MessageRecord['pending']>;
type NotSent = Exclude<SendResult, { kind: 'sent' | 'refused' }>;

/**
 * Pending mark, post with metadata, record. A post with an unclear end is looked for by its key
 * before it is sent again; where the history cannot be read it is sent again, because a doubled
 * message is seen and a lost one is not.
 */
export function createTransmitter(deps: DeliverDeps & { lookBack: LookBack }): Transmitter {
  const { sender, clock, lookBack } = deps;
  const queue = createQueue(deps.redis, deps.keys);
  const records = createMessageRecords(deps.redis, deps.keys, () => clock.now());
  const settler = createSettler(deps, records);
  const lookout = createLookout(deps, records, settler);

  /** Whether a root that waits, too, has to be there first. */
  async function linesUp({ message }: MessageRecord, root: MessagePlace): Promise<boolean> {
    if (root.ts !== undefined || root.dead !== undefined) return false;
    if (root.alone) return false;
    // The message that tells the root, or a new post of it, may have come after the reply.
    const isLater = root.key !== message.threadKey || root.older.length > 0;
    return isLater && queue.moveBefore(root, message);
  }

  const mayReopen = ({ reopenedAt }: MessageRecord): boolean =>
    clock.now() - reopenedAt >= REOPEN_MS;

  return {
    async post(record, lock) {
      const { channel, threadKey } = record.message;
      if (record.pending !== undefined) {
        const end = await lookout.reconcile(record, record.pending);
        if (end !== undefined) return end;
      }
      const root =
        threadKey === undefined ? undefined : await records.readTeller(channel, threadKey);
      if (root !== undefined && (await linesUp(record, root))) return 'waiting';
      const threadTs = root?.dead === DELETED ? undefined : root?.ts;
      const look = await lookBack.find(record.message, threadTs, record.older);
      const end = await lookout.settle(record, look);
      if (end !== undefined) return end;
      const since = (await sender.time()) ?? clock.now();
      const marked = clock.now();
      const owner = await records.markPending(record, lock, { since, threadTs });
      if (!owner || !lock.held() || clock.now() - marked > MARK_TO_POST_MS) return 'lost';
      return settler.settle(record, 'post', await sender.post(contentOf(record), threadTs));
    },
    async edit(record, ts, lock) {
      if (!lock.held()) return 'lost';
      const result = await sender.update(contentOf(record), ts);
      const end = result.kind === 'sent' ? { kind: result.kind, ts } : result;
      if (end.kind === 'refused' && CLOSED_ERRORS.has(end.error) && mayReopen(record)) {
        const { channel, key } = record.message;
        deps.logger.warn({ channel, key, error: end.error }, 'A message is posted anew');
        await records.markClosed(record.message, ts);
        return 'done';
      }
      return settler.settle(record, 'edit', end);
    },
  };
}

function contentOf({ message, older }: MessageRecord): Message {
  return older.length > 0 ? continued(message) : message;
}

/** Looks for posts that may be there already; undefined when Slack does not have it, or nobody can tell. */
interface Lookout {
  /** Settles a post with an unclear end. */
  reconcile(record: MessageRecord, pending: PendingPost): Promise<'done' | 'waiting' | undefined>;
  settle(
    record: MessageRecord,
    look: LookResult | undefined,
  ): Promise<'done' | 'waiting' | undefined>;
}

function createLookout(deps: DeliverDeps, records: MessageRecords, settler: Settler): Lookout {
  const { sender, clock } = deps;

  async function reconcile(
    record: MessageRecord,
    pending: PendingPost,
  ): Promise<'done' | 'waiting' | undefined> {
    const { message, older } = record;
    // The mark may be by this machine's clock: what that is ahead of Slack's has to be looked back, too.
    const ahead = Math.max(0, clock.now() - ((await sender.time()) ?? clock.now()));
    const since = pending.since - ahead - LOOK_MARGIN_MS;
    return settle(record, await sender.find(message, since, pending.threadTs, older));
  }

  async function settle(
    record: MessageRecord,
    look: LookResult | undefined,
  ): Promise<'done' | 'waiting' | undefined> {
    switch (look?.kind) {
      case 'found':
        return found(record, look);
      case 'told':
        await records.markDead(record.message, `told in ${look.by}`);
        return 'done';
      case 'limited':
      case 'unsent':
      case 'unclear':
        return settler.wait(record, 'post', look);
      case 'absent':
      case 'unknown':
      case undefined:
        return undefined;
    }
  }

  async function found(
    record: MessageRecord,
    { ts, buried = false }: { ts: string; buried?: boolean },
  ): Promise<'done' | 'waiting' | undefined> {
    if (buried) {
      const shown = await sender.update(contentOf(record), ts, true);
      // Where it can never be shown, it is told anew.
      if (shown.kind === 'refused') return undefined;
      if (shown.kind !== 'sent') return settler.wait(record, 'post', shown);
    }
    deps.deliveries.inc({ result: 'reconciled' });
    // Which revision went out is not known, so an edit makes sure of the last.
    await records.markSent(record.message, ts, buried ? record.revision : 0);
    return 'done';
  }

  return { reconcile, settle };
}

/** What follows from the end of a call. */
interface Settler {
  settle(record: MessageRecord, call: Call, result: SendResult): Promise<'done' | 'waiting'>;
  /** Calls of this kind wait in the whole channel, so that the order stays. */
  wait(record: MessageRecord, call: Call, end: NotSent): Promise<'waiting'>;
}

function createSettler(deps: DeliverDeps, records: MessageRecords): Settler {
  const holds = createHolds(deps.redis, deps.keys);
  const refusals = createRefusals(deps);

  async function wait({ message }: MessageRecord, call: Call, end: NotSent): Promise<'waiting'> {
    const { channel, key } = message;
    const ms = await waitOf(message, end);
    deps.logger.warn({ channel, key, error: end.error, waitMs: ms }, 'A message has to wait');
    await holds.set(channel, call, ms);
    return 'waiting';
  }

  async function waitOf(message: Message, end: NotSent): Promise<number> {
    if (end.kind === 'limited') return end.retryAfterMs;
    if (end.kind === 'unsent') return UNSENT_HOLD_MS;
    return UNCLEAR_HOLDS_MS[(await records.markUnclear(message)) - 1] ?? UNCLEAR_HOLD_CAP_MS;
  }

  async function giveUp(record: MessageRecord, call: Call, error: string): Promise<'done'> {
    const { message } = record;
    const isOfChannel = CHANNEL_ERRORS.has(error);
    // An edit that is refused for itself is of a message that somebody deleted.
    if (call === 'post' || isOfChannel) await refusals.refused(message, error);
    const isClosed = call === 'edit' && CLOSED_ERRORS.has(error);
    if (isClosed) await records.markRefused(message, error, record.reopenedAt + REOPEN_MS);
    else if (isOfChannel) await records.markRefused(message, error);
    else await records.markDead(message, error);
    return 'done';
  }

  async function settle(
    record: MessageRecord,
    call: Call,
    result: SendResult,
  ): Promise<'done' | 'waiting'> {
    const { channel, key } = record.message;
    deps.deliveries.inc({ result: result.kind });
    switch (result.kind) {
      case 'sent':
        await records.markSent(record.message, result.ts, record.revision);
        if (call === 'post') await refusals.worked(channel);
        return 'done';
      case 'limited':
        await records.restorePending(record);
        if (!PASSING.has(result.error)) await refusals.refused(record.message, result.error);
        return wait(record, call, result);
      case 'unsent':
        await records.restorePending(record);
        return wait(record, call, result);
      case 'unclear':
        return wait(record, call, result);
      case 'refused':
        deps.logger.error({ channel, key, error: result.error }, 'Slack refuses a message');
        return giveUp(record, call, result.error);
    }
  }

  return { settle, wait };
}
