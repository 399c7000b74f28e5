import type { Block, Json } from './json.ts';
import type { Clock, Ids } from './ids.ts';
import type { StoredFile } from './files.ts';

/** A message before an edit. */
interface Edit {
  /** Milliseconds. */
  readonly at: number;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly metadata: Json | undefined;
}

interface Content {
  text: string;
  blocks: readonly Block[];
  metadata: Json | undefined;
}

export interface Message extends Content {
  readonly channel: string;
  readonly ts: string;
  /** Position among all messages of the workspace, from 1. */
  readonly order: number;
  readonly user: string;
  readonly byApp: boolean;
  /** The parent's ts; absent outside threads and on parents. */
  readonly threadTs: string | undefined;
  broadcast: boolean;
  readonly files: readonly StoredFile[];
  /** Only this person sees it. */
  readonly ephemeralTo: string | undefined;
  readonly edits: Edit[];
  editedTs: string | undefined;
  deleted: boolean;
}

interface Draft extends Content {
  readonly channel: string;
  readonly user: string;
  readonly byApp: boolean;
  readonly threadTs?: string | undefined;
  readonly broadcast?: boolean;
  readonly files?: readonly StoredFile[];
  readonly ephemeralTo?: string | undefined;
}

export type MessageChange = 'posted' | 'changed' | 'deleted';

export interface Messages {
  post(draft: Draft): Message;
  /** `marked` shows "(edited)" to people. */
  edit(message: Message, content: Content, marked: boolean): void;
  remove(message: Message): void;
  /** A message that is still there; ephemeral ones only for the person who sees them. */
  find(channel: string, ts: string, user?: string): Message | undefined;
  /** The parent of a thread, tombstones included. */
  root(channel: string, ts: string): Message | undefined;
  /** Of a deleted message with replies a stone stays, as long as one of those is there. */
  isTombstone(message: Message): boolean;
  /** Shows a reply of a thread in the channel, too. */
  broadcast(message: Message): void;
  /** The messages of a channel, oldest first: no thread replies but broadcast ones. */
  inChannel(channel: string): Message[];
  /** Replies of a thread, oldest first, without the parent. */
  replies(channel: string, threadTs: string): Message[];
  /** Everything that was ever accepted, in order, ephemeral and deleted messages too. */
  all(): readonly Message[];
}

export function createMessages(deps: {
  clock: Clock;
  ids: Ids;
  onChange: (change: MessageChange, message: Message) => void;
}): Messages {
  const { clock, ids, onChange } = deps;
  const list: Message[] = [];
  // A history shows the threads of a hundred messages: none of them may search the whole list.
  const channels = new Map<string, Message[]>();
  const threads = new Map<string, Message[]>();
  const lasting = (some: readonly Message[] = []) =>
    some.filter((one) => !one.deleted && !one.ephemeralTo);
  const replies = (channel: string, threadTs: string): Message[] =>
    lasting(threads.get(`${channel} ${threadTs}`));
  const isTombstone = ({ channel, ts, deleted }: Message): boolean =>
    deleted && replies(channel, ts).length > 0;
  const isShown = (one: Message): boolean => !one.deleted || isTombstone(one);
  return {
    isTombstone,
    replies,
    post(draft) {
      const message = messageOf(draft, ids.timestamp(), list.length + 1);
      const { threadTs } = message;
      list.push(message);
      enter(channels, message.channel, message);
      if (threadTs !== undefined) enter(threads, `${message.channel} ${threadTs}`, message);
      onChange('posted', message);
      return message;
    },
    edit(message, content, marked) {
      const { text, blocks, metadata } = message;
      message.edits.push({ at: clock.now(), text, blocks, metadata });
      Object.assign(message, content);
      if (marked) message.editedTs = ids.timestamp();
      onChange('changed', message);
    },
    remove(message) {
      message.deleted = true;
      onChange('deleted', message);
    },
    find: (channel, ts, user) =>
      channels
        .get(channel)
        ?.findLast(
          (one) => one.ts === ts && !one.deleted && (!one.ephemeralTo || one.ephemeralTo === user),
        ),
    root: (channel, ts) => channels.get(channel)?.findLast((one) => one.ts === ts && isShown(one)),
    broadcast(message) {
      message.broadcast = true;
    },
    inChannel: (channel) =>
      (channels.get(channel) ?? []).filter(
        (one) => isShown(one) && !one.ephemeralTo && (!one.threadTs || one.broadcast),
      ),
    all: () => list,
  };
}

function messageOf(draft: Draft, ts: string, order: number): Message {
  const { threadTs, ephemeralTo, broadcast = false, files = [], ...content } = draft;
  return {
    ...content,
    ts,
    order,
    threadTs,
    broadcast,
    files,
    ephemeralTo,
    edits: [],
    editedTs: undefined,
    deleted: false,
  };
}

function enter(shelf: Map<string, Message[]>, key: string, message: Message): void {
  const there = shelf.get(key);
  if (there === undefined) shelf.set(key, [message]);
  else there.push(message);
}
