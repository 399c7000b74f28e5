import type { WebClient } from '@slack/web-api';
import { Refusal } from '../lib/errors.ts';
import { plural } from '../lib/text.ts';
import { atMost, createMemo, type Stopwatch, within } from '../lib/time.ts';
import { errorCode } from './calls.ts';
import {
  type createPeople,
  isDirect,
  membersOf,
  NOT_YOUR_DIRECT,
  openDirect,
  OUTSIDE,
} from './directory.ts';

/** Who reads a channel, as Slack's flags say. */
export interface Audience {
  readonly kind: 'direct' | 'channel';
  /** The one reader of a direct channel with Purser; undefined: a conversation of other people. */
  readonly ofUser?: string | undefined;
  /** People from another company read it, or are invited to. Another workspace of the same company does not count. */
  readonly isShared: boolean;
  readonly isArchived: boolean;
  readonly isPrivate: boolean;
  readonly isMember: boolean;
}

/** Slack's facts, or why it gives none: its error code, "no answer" without one. */
export type AudienceReading =
  | { readonly audience: Audience; readonly unread?: never }
  | { readonly unread: string; readonly audience?: never };

/** `3+`: at least so many, as a channel with many members is not read to the end; `unknown`: none was found in it. */
export type Guests = number | `${number}+` | 'unknown';

export interface Audiences {
  /**
   * @param options.of the person whose own direct channel it may be: a direct channel is one of other people otherwise
   * @param options.fresh asks Slack now
   */
  audienceOf(
    channel: string,
    options?: { readonly of?: string; readonly fresh?: boolean },
  ): Promise<AudienceReading>;
  /** Guests of the company that read a channel. Never throws. */
  guestsIn(channel: string): Promise<Guests>;
}

/** Milliseconds. */
const REMEMBER_MS = 10_000;
const MOST_MEMBERS = 1_000;
/** Slack’s largest recommended page. */
const PAGE = 200;
/** Each member is one call to Slack, which takes about 100 of them a minute; people are remembered for some minutes. */
const AT_ONCE = 5;
/** A person waits for it. Milliseconds. */
const COUNT_MS = 3_000;

/** The one place that knows who reads a channel. */
export function createAudiences(
  slack: WebClient,
  people: Pick<ReturnType<typeof createPeople>, 'member'>,
  stopwatch: Stopwatch,
): Audiences {
  const known = createMemo<AudienceReading>(
    stopwatch,
    REMEMBER_MS,
    ({ unread }) => unread === undefined,
  );
  return {
    async audienceOf(channel, { of, fresh = false } = {}) {
      if (isDirect(channel)) return directAudience(slack, channel, of);
      return known(channel, () => readChannel(slack, channel), fresh);
    },
    guestsIn: async (channel) => {
      if (isDirect(channel)) return 0;
      const count = { guests: 0, isOver: false };
      // The guests that were counted before an error, or the end of the time, are a lower bound.
      const isWhole = await within(
        countGuests(slack, people, channel, count).catch(() => false),
        COUNT_MS,
        false,
      );
      count.isOver = true;
      if (isWhole) return count.guests;
      return count.guests === 0 ? 'unknown' : `${count.guests}+`;
    },
  };
}

/**
 * @param count goes up with each guest; once `isOver`, no further call is made
 * @returns false: there are more members
 * @throws the client's errors
 */
async function countGuests(
  slack: WebClient,
  people: Pick<ReturnType<typeof createPeople>, 'member'>,
  channel: string,
  count: { guests: number; isOver: boolean },
): Promise<boolean> {
  const limit = atMost(AT_ONCE);
  const look = async (id: string): Promise<void> => {
    if (count.isOver) return;
    const { guest, stranger, deleted } = await people.member(id);
    if (guest && !stranger && !deleted && !count.isOver) count.guests += 1;
  };
  let read = 0;
  for await (const { members = [], response_metadata: more } of membersOf(slack, channel, PAGE)) {
    await Promise.all(members.map((id) => limit(() => look(id))));
    read += members.length;
    if (more?.next_cursor && (read >= MOST_MEMBERS || count.isOver)) return false;
  }
  return true;
}

async function readChannel(slack: WebClient, channel: string): Promise<AudienceReading> {
  try {
    const { channel: info } = await slack.conversations.info({ channel });
    if (info === undefined) return { unread: NO_ANSWER };
    return {
      audience: {
        kind: 'channel',
        isShared: info.is_ext_shared === true || info.is_pending_ext_shared === true,
        isArchived: info.is_archived === true,
        isPrivate: info.is_private === true,
        isMember: info.is_member === true,
      },
    };
  } catch (error) {
    return { unread: errorCode(error) ?? NO_ANSWER };
  }
}

/** Reading direct channels is a scope that Purser does without: it opens the person's own and compares. */
async function directAudience(
  slack: WebClient,
  channel: string,
  of: string | undefined,
): Promise<AudienceReading> {
  try {
    const isOwn = of !== undefined && (await openDirect(slack, of)) === channel;
    return {
      audience: {
        kind: 'direct',
        ofUser: isOwn ? of : undefined,
        isShared: false,
        isArchived: false,
        isPrivate: true,
        isMember: isOwn,
      },
    };
  } catch (error) {
    return { unread: errorCode(error) ?? NO_ANSWER };
  }
}

const NO_ANSWER = 'no answer';

/** Other companies read it; it is a conversation of other people; Slack does not show its readers. */
export type FiguresRefusal = 'shared' | 'others' | 'unread';

/** Why charges, spend, invoices and the alert may not be posted to a channel; undefined: they may. Pure. */
export function figuresRefusal({ audience, unread }: AudienceReading): FiguresRefusal | undefined {
  if (unread !== undefined) return 'unread';
  if (audience.kind === 'direct') return audience.ofUser === undefined ? 'others' : undefined;
  return audience.isShared ? 'shared' : undefined;
}

/** @throws Refusal that says why billing figures do not go to this channel, and what to do */
export function requireOwnReaders(reading: AudienceReading): void {
  switch (figuresRefusal(reading)) {
    case undefined:
      return;
    case 'shared':
      throw new Refusal(SHARED);
    case 'others':
      throw new Refusal(NOT_YOUR_DIRECT);
    case 'unread':
      throw new Refusal(unreadSentence(reading.unread));
  }
}

const SHARED =
  'People from another company read that channel, or are invited to it, and billing figures stay in your company: choose a channel that is not shared, or your messages with Purser.';
/** Within a sentence that names the channel. */
export const READ_BY_OTHERS = 'people from another company read the channel, or are invited to it';

/** A sentence for messages about a channel of Purser's own choice. */
export function readersUnread(channel: string, { unread = NO_ANSWER }: AudienceReading): string {
  return `Slack does not show who reads the channel ${channel} (${unread}), so no billing figures go there`;
}

function unreadSentence(word = NO_ANSWER): string {
  const isOutside = OUTSIDE.has(word) || word === 'missing_scope';
  const todo = isOutside ? 'invite Purser there with /invite' : 'try again in a minute';
  return `Slack does not show who reads that channel (${word}), so no billing figures go there: ${todo}, or choose another channel.`;
}

/** Whether who confirmed these guests has confirmed those: of a channel that is not read to the end, any number. */
export function isConfirmed(guests: Guests, confirmed: string | undefined): boolean {
  const isPart = (one: string): boolean => one === 'unknown' || one.endsWith('+');
  if (confirmed === undefined) return false;
  return confirmed === String(guests) || (isPart(confirmed) && isPart(String(guests)));
}

/** "2 guests read it, too"; undefined: no guests do. @param channel how the sentence calls it */
export function guestWords(guests: Guests, channel = 'it'): string | undefined {
  if (guests === 0) return undefined;
  if (guests === 'unknown') return `Guests may read ${channel}, too`;
  if (typeof guests === 'string') {
    const least = Number.parseInt(guests, 10);
    return `At least ${plural(least, 'guest')} ${least === 1 ? 'reads' : 'read'} ${channel}, too`;
  }
  return `${plural(guests, 'guest')} ${guests === 1 ? 'reads' : 'read'} ${channel}, too`;
}
