import type {
  ActionRequest,
  Bootstrap,
  ElementState,
  PageEvent,
  PageMessage,
  Refused,
  StateValues,
} from '../page-protocol.ts';
import type { Api, EventFeed } from './api.ts';
import { channelOf, initialModel, type Place } from './model.ts';
import { createStore, type Store } from './store.ts';

type Deps = {
  readonly api: Api;
  readonly openEvents: EventFeed;
  /** The present, in milliseconds. */
  readonly now: () => number;
  /** Runs a function later, to let a toast go. */
  readonly later: (run: () => void, milliseconds: number) => void;
};

/** The page's one store and everything a person can do in it. */
export type Workspace = Awaited<ReturnType<typeof createWorkspace>>;

/**
 * Reads what a person sees and follows it by events until `stop` is called.
 * Rejects when the workspace does not answer.
 */
export async function createWorkspace(deps: Deps, user: string | null, wanted: Place | null) {
  const boot = await deps.api.bootstrap(user, true);
  const me = boot.user;
  const store = createStore(initialModel(boot, firstPlace(boot, wanted)));
  const { dispatch, model } = store;
  const notices = createNotices(store, deps.later);
  const reader = createReader(deps.api, me, store);

  const guarded = (work: Promise<void>): void => {
    work.catch(() => notices.toast('The workspace does not answer.'));
  };
  const go = (place: Place): void => {
    dispatch({ type: 'went', place });
    guarded(reader.channel());
    if (place.type === 'app') void deps.api.home({ user: me, tab: place.tab });
  };
  const receive = (event: PageEvent): void => {
    if (event.type === 'channels_changed') guarded(reader.everything());
    else if (event.type !== 'failure') dispatch({ type: 'event', event });
    else if (event.channel === undefined) notices.toast(event.text);
    else {
      const message = failureLine(event.text, event.channel, me, deps.now());
      dispatch({ type: 'event', event: { type: 'message', message } });
    }
  };

  const stop = deps.openEvents(me, {
    onOpen: () => {
      dispatch({ type: 'connection', connected: true });
      guarded(reader.everything());
    },
    onLost: () => dispatch({ type: 'connection', connected: false }),
    onEvent: receive,
  });
  go(model().place);

  return {
    ...store,
    stop,
    go,
    toast: notices.toast,
    openThread: (channel: string, ts: string): void => {
      dispatch({ type: 'thread', thread: { channel, ts } });
      guarded(reader.thread());
    },
    closeThread: (): void => dispatch({ type: 'thread', thread: null }),
    dismiss: (channel: string, ts: string): void =>
      dispatch({ type: 'event', event: { type: 'message_deleted', channel, ts } }),
    ...requests(deps, me, store, notices),
  };
}

/** The place that was asked for if this person can see it, else the first channel. */
function firstPlace(boot: Bootstrap, wanted: Place | null): Place {
  const visible =
    wanted?.type === 'app' || boot.channels.some((channel) => channel.id === wanted?.id);
  if (wanted !== null && visible) return wanted;
  const first = boot.channels.find((channel) => channel.kind !== 'dm') ?? boot.channels[0];
  return { type: 'channel', id: first?.id ?? '' };
}

type Notices = ReturnType<typeof createNotices>;

const toastMilliseconds = 6000;

function createNotices({ dispatch }: Store, later: Deps['later']) {
  let last = 0;
  const toast = (text: string): void => {
    last += 1;
    const id = last;
    dispatch({ type: 'toast', toast: { id, text } });
    later(() => dispatch({ type: 'toast_gone', id }), toastMilliseconds);
  };
  return {
    toast,
    /** Shows why a request was refused; answers whether it was taken. */
    settle: (answer: { readonly ok: boolean } | Refused): boolean => {
      if (!answer.ok && 'error' in answer) toast(answer.error);
      return answer.ok;
    },
  };
}

/** Reads the state of the server for the visible part. */
function createReader(api: Api, user: string, { model, dispatch }: Store) {
  const channel = async (): Promise<void> => {
    const shown = channelOf(model().boot, model().place);
    if (shown === undefined) return;
    const { messages } = await api.messages(user, shown);
    dispatch({ type: 'loaded', channel: shown, messages });
  };
  const thread = async (): Promise<void> => {
    const shown = model().thread;
    if (shown === null) return;
    const { messages } = await api.thread(user, shown.channel, shown.ts);
    dispatch({ type: 'loaded', channel: shown.channel, messages });
  };
  const everything = async (): Promise<void> => {
    dispatch({ type: 'rebooted', boot: await api.bootstrap(user) });
    await Promise.all([channel(), thread()]);
  };
  return { channel, thread, everything };
}

/** The actions of a person; each answers whether it was taken, and shows why when it was not. */
function requests({ api }: Deps, user: string, { dispatch }: Store, { settle }: Notices) {
  return {
    send: async (channel: string, text: string, threadTs?: string): Promise<boolean> => {
      const answer =
        text.startsWith('/') && threadTs === undefined
          ? await api.command({ user, channel, text })
          : await api.message({
              user,
              channel,
              text,
              ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
            });
      return settle(answer);
    },
    act: async (request: Omit<ActionRequest, 'user'>): Promise<boolean> =>
      settle(await api.action({ user, ...request })),
    submitView: async (viewId: string, values: StateValues): Promise<boolean> => {
      dispatch({ type: 'view_submitting', viewId });
      const answer = await api.submitView({ user, view_id: viewId, values });
      if (answer.ok && answer.errors !== undefined) {
        const event = { type: 'view_errors', view_id: viewId, errors: answer.errors } as const;
        dispatch({ type: 'event', event });
      }
      return settle(answer);
    },
    closeView: async (viewId: string, clear: boolean): Promise<boolean> =>
      settle(await api.closeView({ user, view_id: viewId, clear })),
    upload: async (file: File): Promise<ElementState['files']> => {
      const answer = await api.upload(user, file);
      return settle(answer) && answer.ok ? [answer.file] : [];
    },
  };
}

/** Slack shows a failed command as a line that only its author sees and that is gone on reload. */
function failureLine(text: string, channel: string, user: string, now: number): PageMessage {
  return {
    channel,
    ts: (now / 1000).toFixed(6),
    user,
    text,
    blocks: [],
    files: [],
    broadcast: false,
    edited: false,
    ephemeral: true,
    system: true,
  };
}
