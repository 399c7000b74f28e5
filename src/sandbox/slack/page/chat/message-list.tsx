import { Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import type { PageMessage } from '../../page-protocol.ts';
import { dateContext, useBoot } from '../context.ts';
import { Message } from './message.tsx';
import { dayLabel, dayOf } from './times.ts';

type Props = {
  readonly messages: readonly PageMessage[];
  readonly label: string;
  readonly inThread?: boolean;
  /** The first message that was new when the list was opened. */
  readonly newFrom?: string | undefined;
  /** The message that the tour is about. */
  readonly pointed?: string | undefined;
};

const compactSeconds = 300;
const nearBottomPixels = 120;

/** Messages, oldest first, with lines between days; stays at the bottom while a person is there or is answered. */
export function MessageList({ messages, label, inThread = false, newFrom, pointed }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const followed = useRef(true);
  const me = useBoot().user;
  const last = messages.at(-1);
  useLayoutEffect(() => {
    if (last?.user === me || last?.ephemeral === true) followed.current = true;
  }, [last?.ts]);
  useLayoutEffect(() => {
    const box = list.current;
    if (box !== null && followed.current) box.scrollTop = box.scrollHeight;
  }, [messages]);
  useLayoutEffect(() => {
    if (pointed === undefined) return;
    followed.current = false;
    list.current?.querySelector('.pointed')?.scrollIntoView({ block: 'start' });
  }, [pointed]);
  const onScroll = (): void => {
    const box = list.current;
    if (box === null) return;
    followed.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearBottomPixels;
  };
  return (
    <div
      class="messages"
      ref={list}
      role="log"
      aria-label={label}
      aria-live="polite"
      tabIndex={0}
      onScroll={onScroll}
    >
      <div class="messages-top" />
      {messages.map((message, index) => {
        const previous = messages[index - 1];
        return (
          <Fragment key={message.ts}>
            {!inThread && <DayLine message={message} previous={previous} />}
            {newFrom === message.ts && <div class="new-line">New</div>}
            <Message
              message={message}
              compact={newFrom !== message.ts && isCompact(message, previous)}
              inThread={inThread}
              pointed={pointed === message.ts}
            />
            {inThread && index === 0 && <ReplyCount count={messages.length - 1} />}
          </Fragment>
        );
      })}
    </div>
  );
}

type Pair = { readonly message: PageMessage; readonly previous: PageMessage | undefined };

function DayLine({ message, previous }: Pair) {
  const reader = { ...dateContext(), now: new Date() };
  const day = dayOf(message.ts, reader);
  if (previous !== undefined && dayOf(previous.ts, reader) === day) return null;
  return (
    <div class="day-line">
      <span>{dayLabel(message.ts, reader)}</span>
    </div>
  );
}

function ReplyCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <div class="reply-count">
      {count} {count === 1 ? 'reply' : 'replies'}
    </div>
  );
}

function isCompact(message: PageMessage, previous: PageMessage | undefined): boolean {
  if (previous === undefined) return false;
  const sameAuthor = previous.user === message.user && !previous.system && !message.system;
  // After a reply that was sent to the channel too, the name says that something new begins.
  const plain = [previous, message].every((each) => !each.ephemeral && !isReply(each));
  return sameAuthor && plain && Number(message.ts) - Number(previous.ts) < compactSeconds;
}

function isReply({ ts, thread_ts: parent }: PageMessage): boolean {
  return parent !== undefined && parent !== ts;
}
