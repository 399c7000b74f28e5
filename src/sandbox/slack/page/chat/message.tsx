import { memo } from 'preact/compat';

import type { PageMessage } from '../../page-protocol.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { SurfaceProvider } from '../blocks/surface.tsx';
import {
  dateContext,
  displayName,
  findUser,
  useBoot,
  useSelected,
  useWorkspace,
} from '../context.ts';
import { parseMrkdwn } from '../text/mrkdwn.ts';
import { plainTextOf } from '../text/rich-text.ts';
import { Mrkdwn } from '../text/text.tsx';
import { Avatar } from './avatar.tsx';
import { Files } from './files.tsx';
import { EyeIcon, ThreadIcon } from './icons.tsx';
import { agoLabel, clockTime } from './times.ts';

type Props = {
  readonly message: PageMessage;
  /** Without name and picture, because the message above is by the same author. */
  readonly compact: boolean;
  /** Inside the thread pane, where a thread has no summary of itself. */
  readonly inThread: boolean;
  /** The tour is about it. */
  readonly pointed?: boolean;
};

/** One message; drawn again only when it is another one, however much else changes. */
export const Message = memo(({ message, compact, inThread, pointed = false }: Props) => {
  const author = findUser(useBoot(), message.user);
  const isReply = message.thread_ts !== undefined && message.thread_ts !== message.ts;
  if (message.system) return <SystemLine message={message} />;
  return (
    <article
      class={`message${compact ? ' compact' : ''}${message.ephemeral ? ' ephemeral' : ''}${pointed ? ' pointed' : ''}`}
      data-ts={message.ts}
      {...(message.ephemeral ? { 'data-kind': 'ephemeral' } : {})}
    >
      <div class="gutter">{compact ? <Time ts={message.ts} /> : <Avatar user={author} />}</div>
      <div class="content">
        {message.ephemeral && <OnlyYou />}
        {isReply && !inThread && <BroadcastNote message={message} />}
        {!compact && (
          <header>
            <b class="author">{author === undefined ? message.user : displayName(author)}</b>
            {author?.is_bot === true && <span class="app-badge">APP</span>}
            <Time ts={message.ts} />
          </header>
        )}
        <Body message={message} />
        <Files files={message.files} />
        {message.ephemeral && <Dismiss message={message} />}
        {!inThread && !isReply && <ThreadSummary message={message} />}
      </div>
      {!inThread && !message.ephemeral && <Tools message={message} />}
    </article>
  );
});

function OnlyYou() {
  return (
    <p class="note">
      <EyeIcon /> Only visible to you
    </p>
  );
}

function SystemLine({ message }: { message: PageMessage }) {
  return (
    <article class="message system" data-ts={message.ts} data-kind="ephemeral">
      <div class="gutter">
        <span class="avatar slackbot" aria-hidden="true">
          !
        </span>
      </div>
      <div class="content">
        <OnlyYou />
        <header>
          <b class="author">Slackbot</b>
          <Time ts={message.ts} />
        </header>
        <div class="block-text">
          <Mrkdwn text={message.text} />
        </div>
        <Dismiss message={message} />
      </div>
    </article>
  );
}

function Body({ message }: { message: PageMessage }) {
  const { channel, ts } = message;
  const container = { type: message.ephemeral ? 'ephemeral' : 'message', channel, ts } as const;
  const edited = message.edited ? <span class="edited">(edited)</span> : null;
  if (message.blocks.length === 0) {
    return (
      <div class="block-text">
        <Mrkdwn text={message.text} />
        {edited}
      </div>
    );
  }
  return (
    <SurfaceProvider container={container} blocks={message.blocks}>
      <Blocks blocks={message.blocks} />
      {edited}
    </SurfaceProvider>
  );
}

function Time({ ts }: { ts: string }) {
  const full = new Date(Number(ts) * 1000);
  return (
    <time class="time" dateTime={full.toISOString()} title={full.toLocaleString('en-US')}>
      {clockTime(ts, dateContext())}
    </time>
  );
}

function BroadcastNote({ message }: { message: PageMessage }) {
  const workspace = useWorkspace();
  const parent = useSelected(({ messages }) =>
    messages[message.channel]?.find((each) => each.ts === message.thread_ts),
  );
  return (
    <p class="note broadcast-note">
      replied to a thread:{' '}
      <button
        type="button"
        class="text-link plain"
        onClick={() => workspace.openThread(message.channel, message.thread_ts ?? message.ts)}
      >
        {parent === undefined || parent.text === '' ? 'View thread' : firstLine(parent.text)}
      </button>
    </p>
  );
}

function firstLine(text: string): string {
  const line = parseMrkdwn(text.split('\n', 1)[0] ?? '', dateContext())
    .flatMap((block) => ('children' in block ? block.children.map(plainTextOf) : []))
    .join('');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function ThreadSummary({ message }: { message: PageMessage }) {
  const workspace = useWorkspace();
  const boot = useBoot();
  const count = message.reply_count ?? 0;
  if (count === 0) return null;
  return (
    <button
      type="button"
      class="thread-summary"
      onClick={() => workspace.openThread(message.channel, message.ts)}
    >
      {(message.reply_users ?? []).slice(0, 4).map((id) => (
        <Avatar key={id} user={findUser(boot, id)} small />
      ))}
      <b>
        {count} {count === 1 ? 'reply' : 'replies'}
      </b>
      {message.latest_reply !== undefined && (
        <span class="muted">Last reply {agoLabel(message.latest_reply, new Date())}</span>
      )}
    </button>
  );
}

function Dismiss({ message }: { message: PageMessage }) {
  const workspace = useWorkspace();
  return (
    <button
      type="button"
      class="text-link plain dismiss"
      onClick={() => workspace.dismiss(message.channel, message.ts)}
    >
      Dismiss message
    </button>
  );
}

function Tools({ message }: { message: PageMessage }) {
  const workspace = useWorkspace();
  return (
    <div class="tools">
      <button
        type="button"
        aria-label="Reply in thread"
        title="Reply in thread"
        onClick={() => workspace.openThread(message.channel, message.thread_ts ?? message.ts)}
      >
        <ThreadIcon />
      </button>
    </div>
  );
}
