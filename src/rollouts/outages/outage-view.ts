import { compareNatural, formatDuration, plural } from '../../lib/text.ts';
import type { Message, MessageContent } from '../../notify/message.ts';
import {
  INTERNAL_ERROR,
  overLine,
  period,
  platformAdvice,
  platformTitles,
  READ_LOG,
  titles,
  type Titles,
} from '../../notify/outage-words.ts';
import type { PlatformReason } from '../../platform/errors.ts';
import { actions, button, context, section, sign } from '../../slack/kit/blocks.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import {
  code,
  joinFirst,
  joinMrkdwn,
  mrkdwn,
  type Mrkdwn,
  stepLine,
} from '../../slack/kit/text.ts';

/** An outage as its messages show it. Times in milliseconds since the epoch. */
export interface OutageFacts {
  kind: OutageKind;
  org: string;
  /** `org/gvc` of those that cannot be read now. */
  down: readonly string[];
  since: number;
  /** How it showed first; absent: not the platform failed, but Purser. */
  reason?: PlatformReason | undefined;
  status?: number | undefined;
  /** The fault that Purser found in an answer, in its own words and never in the platform's. */
  found?: string | undefined;
}

/** Whose matter it is: the platform's, an org's key, GVCs' that are not found, one GVC's, or Purser's own. */
type OutageKind = 'platform' | 'org' | 'missing' | 'gvc' | 'purser';

/** GVCs that are named; the others are counted. */
const MAX_NAMES = 5;

/**
 * The message in the ops channel while it lasts: the problem, since when, what it means, what to do.
 * Users are not hurt by it: only Purser cannot see how they are.
 * @param back those that can be read again, while others cannot
 */
export function downContent(outage: OutageFacts, back: readonly string[] = []): MessageContent {
  const { down, kind } = outage;
  const { now } = titlesOf(outage, down);
  const isMissing = kind === 'missing';
  const names = isNamed(outage, down) ? [] : [named(down)];
  const unread = isMissing
    ? []
    : names.map(() => mrkdwn`${plural(down.length, 'GVC')} cannot be read`);
  const again = back.length === 0 ? [] : [mrkdwn`Back again: ${named(back)}`];
  const { known, todo } = adviceOf(outage);
  const why = known.length === 0 ? [] : [joinMrkdwn(known, '. ')];
  return contentOf([
    section(
      joinMrkdwn(
        [
          joinMrkdwn([mrkdwn`${sign('unknown')} *${now}*`, ...unread], ' · '),
          ...names,
          ...again,
          isMissing ? mrkdwn`You get *no alerts* for ${down.length === 1 ? 'it' : 'them'}.` : BLIND,
          ...why,
          stepLine(todo),
        ],
        '\n',
      ),
    ),
    context(footer(outage)),
  ]);
}

const BLIND = mrkdwn`This does not mean that workloads are down: Purser cannot see them. Until it can, you get *no alerts* for them; then it posts what changed.`;

/** Whether the title names the GVC. */
function isNamed({ kind }: OutageFacts, places: readonly string[]): boolean {
  return kind === 'gvc' || (kind === 'missing' && places.length === 1);
}

/** A reply to it: more GVCs than one message can stand for. */
function moreContent({ kind }: OutageFacts, places: readonly string[]): MessageContent {
  const count = places.length;
  const more = `${count} more ${count === 1 ? 'GVC' : 'GVCs'}`;
  const what =
    kind === 'missing'
      ? `${count === 1 ? 'is' : 'are'} not found`
      : 'cannot be read, for the same reason';
  const said = mrkdwn`${more} ${what}: ${named(places)}`;
  return contentOf([section(mrkdwn`${sign('unknown')} ${said}`)]);
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
): MessageContent {
  const { past } = titlesOf(outage, places);
  const why = back ? [] : [mrkdwn`It is no longer watched, or fails for another reason by now`];
  const names = isNamed(outage, places) ? [] : [named(places)];
  const first = overLine(past, back, now - outage.since);
  return contentOf([
    section(joinMrkdwn([first, ...names, ...why], '\n')),
    context(footer(outage, now)),
  ]);
}

/** The reply that posts so. */
function upContent(outage: OutageFacts, places: readonly string[], now: number): MessageContent {
  const isOne = places.length === 1;
  const what = mrkdwn`${isOne ? named(places) : plural(places.length, 'GVC')} can be read again`;
  const head = mrkdwn`${sign('good')} *${what}* after ${formatDuration(now - outage.since)}`;
  const rest = [...(isOne ? [] : [named(places)]), mrkdwn`Updates missed meanwhile follow.`];
  return contentOf([section(joinMrkdwn([head, ...rest], '\n'))]);
}

function titlesOf(outage: OutageFacts, places: readonly string[]): Titles {
  const { kind, org, reason } = outage;
  switch (kind) {
    case 'org': {
      const key = mrkdwn`Purser’s key of org ${org}`;
      return isUnsendable(outage)
        ? titles(key, 'cannot be sent', 'could not be sent')
        : titles(key, 'is refused', 'was refused');
    }
    case 'purser':
      return INTERNAL_ERROR;
    case 'missing':
      return places.length > 1
        ? titles(`${places.length} watched GVCs`, 'are not found', 'were not found')
        : titles(mrkdwn`GVC ${named(places)}`, 'is not found', 'was not found');
    case 'gvc':
      return titles(mrkdwn`GVC ${named(places)}`, 'cannot be read', 'could not be read');
    case 'platform':
      return platformTitles('The platform’s API', reason);
  }
}

/** The key has characters that no header can hold. */
function isUnsendable({ kind, reason }: Pick<OutageFacts, 'kind' | 'reason'>): boolean {
  return kind === 'org' && reason === 'bad-request';
}

/** `todo` is an order; `known` has to be known for it. */
interface Advice {
  known: readonly Mrkdwn[];
  todo: Mrkdwn;
}

function adviceOf(outage: OutageFacts): Advice {
  const { kind, org, reason, found } = outage;
  const says = found === undefined ? [] : [mrkdwn`Purser says: ${found}`];
  const advice = (todo: Mrkdwn, ...known: readonly string[]): Advice => ({
    known: [...says, ...known.map((one) => mrkdwn`${one}`)],
    todo,
  });
  const key = mrkdwn`the key of ${org} in ${code('ORG_TOKENS')}`;
  switch (kind) {
    case 'org':
      return isUnsendable(outage)
        ? advice(
            mrkdwn`Ask your Purser administrator to look for wrong characters in ${key}, and to restart Purser`,
          )
        : advice(
            mrkdwn`Ask your Purser administrator to check ${key}: it may be mistyped, expired or revoked, or lack the permission to view deployments. Purser reads a new one when it starts`,
          );
    case 'platform': {
      const raise = mrkdwn`to raise ${code('POLL_ACTIVE_SECONDS')}`;
      const isAnswer = reason === 'server-error' || reason === 'unavailable';
      const { known, todo } = platformAdvice({ reason, isAnswer }, raise, 'API_URL');
      return advice(todo, known);
    }
    case 'purser':
      return advice(READ_LOG, 'The platform is not at fault, and Purser goes on trying');
    case 'gvc':
      return advice(mrkdwn`Ask your Purser administrator to look for the reason in Purser’s log`);
    case 'missing': {
      const [their, them, are] =
        outage.down.length === 1 ? ['its', 'it', 'It is'] : ['their', 'them', 'They are'];
      return advice(
        mrkdwn`If this was not meant, restore ${them}; else end ${their} watches, or ask your Purser administrator to let Purser’s key see ${them}`,
        `${are} deleted, renamed, or hidden from Purser’s key`,
      );
    }
  }
}

/** Where the title omits it. */
const WAYS: Partial<Record<PlatformReason, string>> = {
  unreachable: 'no connection',
  timeout: 'no answer in time',
  'too-large': 'an answer that is too large',
  'bad-request': 'it cannot be sent',
};

/** @param until milliseconds since the epoch; absent: it lasts */
function footer({ since, reason, status }: OutageFacts, until?: number): Mrkdwn {
  // Below that the answer came as it should, and is unusable.
  const answered = status !== undefined && status >= 300 ? `HTTP ${status}` : undefined;
  const way = answered ?? (reason && WAYS[reason]);
  const noticed = period(since, until);
  return way === undefined ? noticed : mrkdwn`${way} · ${noticed}`;
}

function named(places: readonly string[]): Mrkdwn {
  const names = places.toSorted(compareNatural).map((name) => mrkdwn`${name}`);
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

/** A GVC (`org/gvc`), and the key of its message in the ops channel. */
export interface Entry {
  place: string;
  key: string;
}

export type OutageMessage = Omit<Message, 'channel'>;

export function downMessage(outage: Outage): OutageMessage {
  const gone = [...outage.down, ...outage.left];
  const back = placesOf(outage.posts.flat()).filter((place) => !gone.includes(place));
  const { text, blocks } = downContent(outage, back);
  const keys = keysIn(outage.posts[0]);
  const buttons = outage.kind === 'missing' ? [actions(endButton(outage, keys.key))] : [];
  return { ...keys, text, blocks: [...blocks, ...buttons] };
}

/** Ends the watches of GVCs that are not found. Its value is the key of the message. */
export const END_WATCHES_ACTION = 'rollouts.missing.end';

function endButton({ down }: Outage, key: string): ReturnType<typeof button> {
  return button({
    action: END_WATCHES_ACTION,
    text: 'End these watches',
    value: key,
    confirm: {
      title: 'End these watches?',
      question: `Ends the watches of ${plural(down.length, 'GVC')} in all channels that you are in. Their open cards say so.`,
      yes: 'End watches',
      no: 'Keep them',
    },
  });
}

/** A reply with the GVCs for which the message itself has no room. */
export function moreMessage(outage: Outage, index: number): OutageMessage {
  const post = outage.posts[index] ?? [];
  const content = moreContent(outage, placesOf(post));
  return { ...keysIn(post), ...content, threadKey: threadOf(outage) };
}

/**
 * The end of an outage, and replies that show the GVCs that are back: the first one is shown in the channel.
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
    return [{ ...keysIn(up), ...content, threadKey, broadcast: isFirst }];
  });
  const ended = overContent(outage, placesOf(outage.posts.flat()), replies.length > 0, now);
  return [{ ...keysIn(outage.posts[0]), ...ended, editOnly: true }, ...replies];
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
