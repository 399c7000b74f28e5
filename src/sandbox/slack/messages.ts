import type { Block, Json } from './json.ts';
import type { Clock, Ids } from './ids.ts';
import type { StoredFile } from './files.ts';

/** What a message said before an edit. */
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
  readonly broadcast: boolean;
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
  /** What the channel shows, oldest first: no thread replies but broadcast ones. */
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
  return {
    post({ threadTs, ephemeralTo, broadcast = false, files = [], ...draft }) {
      const message: Message = {
        ...draft,
        ts: ids.timestamp(),
        order: list.length + 1,
        threadTs,
        broadcast,
        files,
        ephemeralTo,
        edits: [],
        editedTs: undefined,
        deleted: false,
      };
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
    inChannel: (channel) =>
      lasting(channels.get(channel)).filter((one) => !one.threadTs || one.broadcast),
    replies: (channel, threadTs) => lasting(threads.get(`${channel} ${threadTs}`)),
    all: () => list,
  };
}

function enter(shelf: Map<string, Message[]>, key: string, message: Message): void {
  const there = shelf.get(key);
  if (there === undefined) shelf.set(key, [message]);
  else there.push(message);
}
