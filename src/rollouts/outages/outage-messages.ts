import { MAX_COVERS } from '../../notify/message.ts';
import type { Message } from '../../notify/message.ts';
import { downContent, moreContent, overContent, upContent } from './outage-view.ts';
import type { OutageFacts } from './outage-view.ts';

/** An open outage, as it is kept. */
export interface Outage extends OutageFacts {
  down: string[];
  /** Those that left without having been read again. */
  left: string[];
  /** Its message, and replies where that cannot stand for more: what each is about, itself first. */
  posts: Entry[][];
}

/** A GVC (`org/gvc`), and the key under which the ops channel hears of it. */
interface Entry {
  place: string;
  key: string;
}

export type OutageMessage = Omit<Message, 'channel'>;

/** Puts a place into the last message that has room for its key, else into one more. @returns which */
export function seatIn({ posts }: Outage, entry: Entry): number {
  const last = posts.at(-1);
  const covers = keysOf([...(last ?? []), entry].slice(1));
  if (last !== undefined && covers.join(' ').length <= MAX_COVERS) last.push(entry);
  else posts.push([entry]);
  return posts.length - 1;
}

export function downMessage(outage: Outage): OutageMessage {
  return { ...named(outage.posts[0]), ...downContent(outage), groupable: true };
}

/** A reply for those for whom the message itself has no room. */
export function moreMessage(outage: Outage, index: number): OutageMessage {
  const post = outage.posts[index] ?? [];
  const content = moreContent(placesOf(post));
  return { ...named(post), ...content, threadKey: threadOf(outage), groupable: true };
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
    return [{ ...named(up), ...content, threadKey, broadcast: isFirst, groupable: true }];
  });
  const ended = overContent(outage, placesOf(outage.posts.flat()), replies.length > 0, now);
  return [
    { ...named(outage.posts[0]), ...ended, requires: threadKey, groupable: true },
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
  return named(outage.posts[0]).key;
}

/** The key of a post, and what it stands for besides. */
function named(post: readonly Entry[] = []): { key: string; covers?: string[] } {
  const [key = '', ...covers] = keysOf(post);
  return covers.length === 0 ? { key } : { key, covers };
}

function keysOf(entries: readonly Entry[]): string[] {
  return entries.map(({ key }) => key);
}
