import { createBlockChecker, type BlockChecker } from './block-check.ts';
import { createBlockRefusals, type BlockRefusals } from './block-refusals.ts';
import { createDelivery, type Delivery } from './delivery/delivery.ts';
import { createSocketMode, type SocketMode } from './delivery/socket-mode.ts';
import { createDirectory, type Directory } from './directory.ts';
import { createFiles, type Files } from './files.ts';
import { createHub, type Hub } from './hub.ts';
import { createIds, type Clock, type Ids } from './ids.ts';
import type { Manifest } from './manifest.ts';
import { createMessages, type Message, type MessageChange, type Messages } from './messages.ts';
import { pageMessage, pageView } from './page-shapes.ts';
import { createResponseUrls, type ResponseUrls } from './response-urls.ts';
import { createTriggers, type Triggers } from './triggers.ts';
import { createViews, type Views } from './views.ts';

export interface WorkspaceOptions {
  readonly clock: Clock;
  readonly manifest: Manifest;
  readonly signingSecret: string;
  readonly requestUrl?: string | undefined;
  /** The workspace's own address; known once it listens. */
  readonly baseUrl: () => string;
}

/** Everything that a stand-in workspace holds. */
export interface Workspace {
  readonly clock: Clock;
  /** How far its clock is ahead of the machine's. */
  readonly aheadMs: () => number;
  readonly ids: Ids;
  readonly manifest: Manifest;
  readonly directory: Directory;
  readonly messages: Messages;
  readonly views: Views;
  /** Person and channel -> when it was read last. */
  readonly reads: Map<string, number>;
  readonly files: Files;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly checker: BlockChecker;
  readonly refusals: BlockRefusals;
  readonly hub: Hub;
  readonly delivery: Delivery;
  readonly socketMode: SocketMode;
  readonly baseUrl: () => string;
}

/** Shows messages to the pages of everyone with access, and keeps thread summaries current. */
function messageAnnouncer(hub: Hub, directory: Directory) {
  function sees(message: Message): (user: string) => boolean {
    const channel = directory.channel(message.channel);
    return (user) =>
      message.ephemeralTo
        ? message.ephemeralTo === user
        : channel !== undefined && directory.canSee(user, channel);
  }
  return (messages: Messages, change: MessageChange, message: Message): void => {
    const { channel, ts, threadTs, ephemeralTo } = message;
    if (change === 'deleted' && !messages.isTombstone(message)) {
      hub.publish(sees(message), { type: 'message_deleted', channel, ts });
    } else {
      const type = change === 'posted' ? 'message' : 'message_changed';
      hub.publish(sees(message), { type, message: pageMessage(messages, message) });
    }
    const parent = threadTs && !ephemeralTo ? messages.find(channel, threadTs) : undefined;
    if (!parent || change === 'changed') return;
    hub.publish(sees(parent), { type: 'message_changed', message: pageMessage(messages, parent) });
  };
}

/** Puts the rooms of one workspace together and shows their changes to the open pages. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { clock, manifest, signingSecret, requestUrl, baseUrl } = options;
  const ids = createIds(clock);
  const hub = createHub();
  const aheadMs = () => Math.round(clock.now() - Date.now());
  clock.onMove?.(() => hub.publish(() => true, { type: 'clock', ahead_ms: aheadMs() }));
  const directory = createDirectory();
  const socketMode = createSocketMode({ ids });
  const announce = messageAnnouncer(hub, directory);
  const messages: Messages = createMessages({
    clock,
    ids,
    onChange: (change, message) => announce(messages, change, message),
  });
  const views = createViews({
    clock,
    ids,
    onStack: (cause, view, stack) =>
      hub.notify(view.user, { type: 'views', cause, view_id: view.id, stack: stack.map(pageView) }),
    onHome: (view) => hub.notify(view.user, { type: 'home', view: pageView(view) }),
  });
  return {
    clock,
    aheadMs,
    ids,
    manifest,
    directory,
    messages,
    reads: new Map(),
    views,
    files: createFiles({ ids }),
    triggers: createTriggers({ clock, ids }),
    responseUrls: createResponseUrls({ clock, ids }),
    checker: createBlockChecker(),
    refusals: createBlockRefusals(),
    hub,
    delivery: createDelivery({ clock, signingSecret, socketMode, requestUrl }),
    socketMode,
    baseUrl,
  };
}
