import type { Bootstrap, PageEvent, PageMessage, PageView } from '../page-protocol.ts';

/** The content of the middle of the page. */
export type Place =
  | { readonly type: 'channel'; readonly id: string }
  | { readonly type: 'app'; readonly tab: 'home' | 'messages' };

export type Thread = { readonly channel: string; readonly ts: string };
type Toast = { readonly id: number; readonly text: string };
export type FieldErrors = Readonly<Record<string, string>>;

/** All that the page knows; changed only by `reduce`. */
export type Model = {
  readonly boot: Bootstrap;
  readonly place: Place;
  readonly thread: Thread | null;
  /** Channel -> its known messages, thread replies included, oldest first. */
  readonly messages: Readonly<Record<string, readonly PageMessage[]>>;
  /** Channel -> time stamps that came while another place was shown. */
  readonly unread: Readonly<Record<string, readonly string[]>>;
  /** Channel -> the first message that was new when the channel was opened. */
  readonly newFrom: Readonly<Record<string, string>>;
  readonly stack: readonly PageView[];
  readonly errors: Readonly<Record<string, FieldErrors>>;
  readonly home: PageView | null;
  readonly toasts: readonly Toast[];
  readonly connected: boolean;
};

export type Change =
  | { readonly type: 'went'; readonly place: Place }
  | { readonly type: 'thread'; readonly thread: Thread | null }
  | { readonly type: 'loaded'; readonly channel: string; readonly messages: readonly PageMessage[] }
  | { readonly type: 'rebooted'; readonly boot: Bootstrap }
  | { readonly type: 'connection'; readonly connected: boolean }
  | { readonly type: 'toast'; readonly toast: Toast }
  | { readonly type: 'toast_gone'; readonly id: number }
  | { readonly type: 'view_submitting'; readonly viewId: string }
  | {
      readonly type: 'event';
      readonly event: Exclude<PageEvent, { type: 'failure' | 'channels_changed' }>;
    };

/** The page as it is when it has just learned who it acts for. */
export function initialModel(boot: Bootstrap, place: Place): Model {
  const { [channelOf(boot, place) ?? '']: _shown, ...unread } = boot.unread;
  return {
    boot,
    place,
    thread: null,
    messages: {},
    unread,
    newFrom: {},
    stack: boot.views,
    errors: {},
    home: boot.home,
    toasts: [],
    connected: false,
  };
}

/** The channel that a place shows; the app's Messages tab is the direct message with the bot. */
export function channelOf(boot: Bootstrap, place: Place): string | undefined {
  if (place.type === 'channel') return place.id;
  return place.tab === 'messages'
    ? boot.channels.find((channel) => channel.with_user === boot.app.bot_user)?.id
    : undefined;
}

/** True for what the channel's own list shows: no replies, except those sent to the channel too. */
export function isInChannel(message: PageMessage): boolean {
  return message.thread_ts === undefined || message.thread_ts === message.ts || message.broadcast;
}

/** True for a thread's parent and for all its replies. */
export function isInThread(message: PageMessage, ts: string): boolean {
  return message.ts === ts || message.thread_ts === ts;
}

/** The page after a change. Pure: same model and change, same answer. */
export function reduce(model: Model, change: Change): Model {
  switch (change.type) {
    case 'went':
      return go(model, change.place);
    case 'thread':
      return { ...model, thread: change.thread };
    case 'loaded':
      return withMessages(model, change.channel, change.messages);
    case 'rebooted':
      return { ...model, boot: change.boot, stack: change.boot.views, home: change.boot.home };
    case 'connection':
      return { ...model, connected: change.connected };
    case 'toast':
      return { ...model, toasts: [...model.toasts, change.toast] };
    case 'toast_gone':
      return { ...model, toasts: model.toasts.filter((toast) => toast.id !== change.id) };
    case 'view_submitting':
      return { ...model, errors: { ...model.errors, [change.viewId]: {} } };
    case 'event':
      return receive(model, change.event);
    default:
      return model;
  }
}

function go(model: Model, place: Place): Model {
  const channel = channelOf(model.boot, place);
  const left = channelOf(model.boot, model.place);
  const next = { ...model, place, thread: null };
  if (channel === undefined) return next;
  const { [left ?? '']: _seen, ...newFrom } = model.newFrom;
  const { [channel]: unread, ...others } = model.unread;
  const first = unread?.[0];
  return {
    ...next,
    unread: others,
    newFrom: first === undefined ? newFrom : { ...newFrom, [channel]: first },
  };
}

function receive(model: Model, event: Extract<Change, { type: 'event' }>['event']): Model {
  switch (event.type) {
    case 'message':
      return markUnread(withMessages(model, event.message.channel, [event.message]), event.message);
    case 'message_changed':
      return withMessages(model, event.message.channel, [event.message]);
    case 'message_deleted':
      return withoutMessage(model, event.channel, event.ts);
    case 'clock':
      return { ...model, boot: { ...model.boot, ahead_ms: event.ahead_ms } };
    case 'views':
      return { ...model, stack: event.stack };
    case 'home':
      return { ...model, home: event.view };
    case 'view_errors':
      return { ...model, errors: { ...model.errors, [event.view_id]: event.errors } };
    default:
      return model;
  }
}

function withMessages(model: Model, channel: string, news: readonly PageMessage[]): Model {
  const byTs = new Map((model.messages[channel] ?? []).map((message) => [message.ts, message]));
  for (const message of news) byTs.set(message.ts, message);
  const sorted = [...byTs.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
  return { ...model, messages: { ...model.messages, [channel]: sorted } };
}

function withoutMessage(model: Model, channel: string, ts: string): Model {
  const keep = (model.messages[channel] ?? []).filter((message) => message.ts !== ts);
  const unread = (model.unread[channel] ?? []).filter((each) => each !== ts);
  return {
    ...model,
    messages: { ...model.messages, [channel]: keep },
    unread: { ...model.unread, [channel]: unread },
    thread: model.thread?.channel === channel && model.thread.ts === ts ? null : model.thread,
  };
}

function markUnread(model: Model, message: PageMessage): Model {
  const shown = channelOf(model.boot, model.place) === message.channel;
  if (shown || !isInChannel(message) || message.user === model.boot.user) return model;
  const unread = [...(model.unread[message.channel] ?? []), message.ts];
  return { ...model, unread: { ...model.unread, [message.channel]: unread } };
}
