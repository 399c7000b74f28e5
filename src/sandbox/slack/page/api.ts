import type {
  Accepted,
  ActionRequest,
  Bootstrap,
  CommandRequest,
  HomeRequest,
  MessageList,
  MessageRequest,
  PageEvent,
  Refused,
  UploadAnswer,
  ViewCloseRequest,
  ViewSubmitAnswer,
  ViewSubmitRequest,
} from '../page-protocol.ts';

/** The page's half of the JSON API; a network failure is answered like a refusal, never thrown. */
export type Api = ReturnType<typeof createApi>;

/** Calls of the stand-in workspace on the page's own origin. */
export function createApi(fetch: typeof globalThis.fetch) {
  const get = async <T>(path: string, query: Readonly<Record<string, string>>): Promise<T> => {
    const response = await fetch(`/page/${path}?${new URLSearchParams(query).toString()}`);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.json()) as T;
  };

  const post = async <T>(path: string, body: BodyInit): Promise<T | Refused> => {
    try {
      const type = body instanceof Blob ? 'application/octet-stream' : 'application/json';
      const headers = { 'content-type': type };
      const response = await fetch(`/page/${path}`, { method: 'POST', headers, body });
      return (await response.json()) as T | Refused;
    } catch {
      return { ok: false, error: 'The workspace does not answer.' };
    }
  };

  return {
    bootstrap: (user: string | null, fresh = false) =>
      get<Bootstrap>('bootstrap', { ...(user !== null && { user }), ...(fresh && { fresh: '1' }) }),
    messages: (user: string, channel: string) => get<MessageList>('messages', { user, channel }),
    thread: (user: string, channel: string, ts: string) =>
      get<MessageList>('thread', { user, channel, ts }),
    command: (body: CommandRequest) => post<Accepted>('command', JSON.stringify(body)),
    message: (body: MessageRequest) => post<Accepted>('message', JSON.stringify(body)),
    action: (body: ActionRequest) => post<Accepted>('action', JSON.stringify(body)),
    submitView: (body: ViewSubmitRequest) =>
      post<ViewSubmitAnswer>('view/submit', JSON.stringify(body)),
    closeView: (body: ViewCloseRequest) => post<Accepted>('view/close', JSON.stringify(body)),
    home: (body: HomeRequest) => post<Accepted>('home', JSON.stringify(body)),
    upload: (user: string, file: File) =>
      post<UploadAnswer>(
        `upload?${new URLSearchParams({ user, name: file.name }).toString()}`,
        file,
      ),
  };
}

/** Where the events of one person come from; `onOpen` is called on every (re)connection. */
export type EventFeed = (
  user: string,
  handlers: {
    readonly onOpen: () => void;
    readonly onLost: () => void;
    readonly onEvent: (event: PageEvent) => void;
  },
) => () => void;

/** The event stream of the stand-in workspace; answers the function that ends it. */
export const openEventFeed: EventFeed = (user, handlers) => {
  const source = new EventSource(`/page/events?user=${encodeURIComponent(user)}`);
  source.addEventListener('open', handlers.onOpen);
  source.addEventListener('error', handlers.onLost);
  source.addEventListener('message', (event: MessageEvent<string>) => {
    handlers.onEvent(JSON.parse(event.data) as PageEvent);
  });
  return () => source.close();
};
