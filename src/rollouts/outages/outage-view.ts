import type { KnownBlock } from '@slack/types';
import { compareNames, formatDuration, plural } from '../../lib/text.ts';
import type { Message } from '../../notify/message.ts';
import type { PlatformReason } from '../../platform/errors.ts';
import { context, section, topText } from '../../slack/kit/blocks.ts';
import { code, joinFirst, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';

/** An outage as its messages tell it. Times in milliseconds since the epoch. */
export interface OutageFacts {
  kind: OutageKind;
  org: string;
  /** `org/gvc` of those that cannot be read now. */
  down: readonly string[];
  since: number;
  /** How it showed first; absent: not the platform failed, but Purser. */
  reason?: PlatformReason;
  status?: number;
  /** What Purser found wrong with an answer, in its own words and never in the platform's. */
  found?: string;
}

/** Whose matter it is: the platform's, an org's key, one GVC's, or Purser's own. */
type OutageKind = 'platform' | 'org' | 'gvc' | 'purser';

interface Content {
  text: string;
  blocks: KnownBlock[];
}

/** GVCs that are named; the others are counted. */
const MAX_NAMES = 15;

/** The message in the ops channel while it lasts: what is wrong, since when, what it means, what to do. */
export function downContent(outage: OutageFacts): Content {
  const { now } = titlesOf(outage);
  const places = named(outage.down);
  const several = outage.down.length > 1;
  const meanwhile = mrkdwn`Until then nothing is told of ${several ? 'them' : 'it'}; what changed is told afterwards.`;
  return {
    text: topText(
      mrkdwn`${now}: ${plural(outage.down.length, 'GVC')} cannot be read (${places}). ${foundOf(outage)}${adviceOf(outage)}`,
    ),
    blocks: [
      section(mrkdwn`:warning: *${now}*`),
      section(
        mrkdwn`*${plural(outage.down.length, 'GVC')} cannot be read*: ${places}\n${meanwhile}\n${foundOf(outage)}${adviceOf(outage)}`,
      ),
      context(footer(outage)),
    ],
  };
}

/** A reply to it: more GVCs than one message can stand for. */
function moreContent(places: readonly string[]): Content {
  const text = topText(
    mrkdwn`This is about ${plural(places.length, 'GVC')} more: ${named(places)}`,
  );
  return { text, blocks: [section(new Mrkdwn(text))] };
}

/**
 * The same message when it is over. `back` false: without that any of them was read again.
 * @param places every GVC that it was about
 */
function overContent(
  outage: OutageFacts,
  places: readonly string[],
  back: boolean,
  now: number,
): Content {
  const { past } = titlesOf(outage);
  const lasted = mrkdwn`${past} for ${formatDuration(now - outage.since)}`;
  const end = back
    ? mrkdwn`It is over.`
    : mrkdwn`What it was about is watched no more, or fails otherwise by now.`;
  return {
    text: topText(mrkdwn`${lasted}: ${named(places)}. ${end}`),
    blocks: [
      section(
        mrkdwn`${new Mrkdwn(back ? ':white_check_mark:' : ':heavy_minus_sign:')} *${lasted}*: ${named(places)}\n${end}`,
      ),
      context(footer(outage)),
    ],
  };
}

/** The reply that tells so. */
function upContent(outage: OutageFacts, places: readonly string[], now: number): Content {
  const what = mrkdwn`${plural(places.length, 'GVC')} can be read again after ${formatDuration(now - outage.since)}`;
  return {
    text: topText(mrkdwn`${what}: ${named(places)}`),
    blocks: [
      section(
        mrkdwn`:white_check_mark: *${what}*: ${named(places)}\nWhat has changed meanwhile is told now.`,
      ),
    ],
  };
}

/** What is wrong, while it is and afterwards. */
function titlesOf({ kind, org, reason }: OutageFacts): { now: Mrkdwn; past: Mrkdwn } {
  const both = (subject: Mrkdwn, now: string, past: string): { now: Mrkdwn; past: Mrkdwn } => ({
    now: mrkdwn`${subject} ${now}`,
    past: mrkdwn`${subject} ${past}`,
  });
  const api = mrkdwn`The platform’s API`;
  if (kind === 'org') {
    return both(mrkdwn`Purser’s key of org ${org}`, 'is refused', 'was refused');
  }
  if (kind === 'purser') {
    return both(mrkdwn`Purser`, 'fails at an error of its own', 'failed at an error of its own');
  }
  if (kind === 'gvc') {
    return reason === 'not-found'
      ? both(mrkdwn`A watched GVC`, 'is not found', 'was not found')
      : both(mrkdwn`A watched GVC`, 'cannot be taken in', 'could not be taken in');
  }
  if (reason === 'rate-limited')
    return both(api, 'limits Purser’s calls', 'limited Purser’s calls');
  return reason === 'unreachable' || reason === 'timeout'
    ? both(api, 'does not answer', 'did not answer')
    : both(api, 'answers with errors', 'answered with errors');
}

function adviceOf({ kind, org, reason }: OutageFacts): Mrkdwn {
  if (kind === 'org') {
    return mrkdwn`Check the key of ${org} in ${code('ORG_TOKENS')}: it may be mistyped, expired or revoked, or lack the permission to view deployments. Purser reads a new one when it starts.`;
  }
  if (kind === 'platform') {
    if (reason === 'rate-limited') {
      return mrkdwn`Purser waits as long as the platform asks; if this stays so, raise ${code('POLL_ACTIVE_SECONDS')}.`;
    }
    const remedy = isAnswer(reason)
      ? mrkdwn`ask who runs the platform`
      : mrkdwn`check ${code('API_URL')} and the network between`;
    return mrkdwn`Purser goes on asking; if this stays so, ${remedy}.`;
  }
  if (kind === 'purser') {
    return mrkdwn`The platform is not at fault. Purser goes on trying; its log has the error.`;
  }
  return reason === 'not-found'
    ? mrkdwn`It was deleted or renamed, or Purser’s key does not see it: give the key that right, or end its watches with ${code('/deployments unwatch')}.`
    : mrkdwn`Purser’s log says more.`;
}

/** HTTP 5xx: the address is right, and what is there fails. */
function isAnswer(reason: OutageFacts['reason']): boolean {
  return reason === 'server-error' || reason === 'unavailable';
}

const WAYS: Partial<Record<PlatformReason, string>> = {
  unreachable: 'no connection',
  timeout: 'no answer in time',
  malformed: 'answers that cannot be read',
  'too-large': 'an answer that is too large',
  redirected: 'answers that lead elsewhere',
};

function footer(outage: OutageFacts): Mrkdwn {
  return mrkdwn`${wayOf(outage)} · noticed ${moment(outage.since)}`;
}

/** What was found, as a sentence before the advice. */
function foundOf({ found }: OutageFacts): Mrkdwn {
  return found === undefined ? new Mrkdwn('') : mrkdwn`Purser says: ${found}. `;
}

/** How it shows, in a few words. */
function wayOf({ reason, status }: OutageFacts): string {
  if (status !== undefined && status >= 400) return `HTTP ${status}`;
  return reason === undefined ? 'no failure of the platform' : (WAYS[reason] ?? reason);
}

function named(places: readonly string[]): Mrkdwn {
  const names = places.toSorted(compareNames).map((name) => mrkdwn`${name}`);
  return joinFirst(names, MAX_NAMES);
}

/** An open outage, as it is kept. */
export interface Outage extends OutageFacts {
  down: string[];
  /** Those that left without having been read again. */
  left: string[];
  /** Its message, and replies where that cannot stand for more: what each is about, itself first. */
  posts: Entry[][];
}

/** A GVC (`org/gvc`), and the key under which the ops channel hears of it. */
export interface Entry {
  place: string;
  key: string;
}

export type OutageMessage = Omit<Message, 'channel'>;

export function downMessage(outage: Outage): OutageMessage {
  return { ...keysIn(outage.posts[0]), ...downContent(outage), groupable: true };
}

/** A reply for those for whom the message itself has no room. */
export function moreMessage(outage: Outage, index: number): OutageMessage {
  const post = outage.posts[index] ?? [];
  const content = moreContent(placesOf(post));
  return { ...keysIn(post), ...content, threadKey: threadOf(outage), groupable: true };
}

/**
 * What became of it, and replies that tell what is back: the first of them for everyone.
 * @param now milliseconds since the epoch
 */
export function overMessages(outage: Outage, now: number): OutageMessage[] {
  const isBack = ({ place }: Entry): boolean => !outage.left.includes(place);
  const threadKey = threadOf(outage);
  const replies = outage.posts.flatMap((post, index) => {
    const isFirst = index === 0;
    const back = placesOf((isFirst ? outage.posts.flat() : post).filter(isBack));
    if (back.length === 0) return [];
    // Named by its first, even where that one is not among those that are back.
    const entries = post.filter((entry, at) => at === 0 || isBack(entry));
    const up = entries.map((entry) => ({ ...entry, key: upKey(entry) }));
    const content = upContent(outage, back, now);
    return [{ ...keysIn(up), ...content, threadKey, broadcast: isFirst, groupable: true }];
  });
  const ended = overContent(outage, placesOf(outage.posts.flat()), replies.length > 0, now);
  return [
    { ...keysIn(outage.posts[0]), ...ended, requires: threadKey, groupable: true },
    ...replies,
  ];
}

function upKey({ key }: Entry): string {
  return key.replace('/@api/down/', '/@api/up/');
}

function placesOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.map(({ place }) => place))];
}

function threadOf(outage: Outage): string {
  return keysIn(outage.posts[0]).key;
}

/** The key of a post, and what it stands for besides. */
function keysIn(post: readonly Entry[] = []): { key: string; covers?: string[] } {
  const [key = '', ...covers] = keysOf(post);
  return covers.length === 0 ? { key } : { key, covers };
}

function keysOf(entries: readonly Entry[]): string[] {
  return entries.map(({ key }) => key);
}
