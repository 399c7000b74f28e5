import { useLayoutEffect } from 'preact/hooks';

import { useModel, useWorkspace } from '../context.ts';
import { isInThread, type Thread } from '../model.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';

/** The pane with one thread: the message it began with and its replies. */
export function ThreadPane({ thread }: { thread: Thread }) {
  const model = useModel();
  const workspace = useWorkspace();
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [thread.channel, thread.ts]);
  const messages = (model.messages[thread.channel] ?? []).filter((message) =>
    isInThread(message, thread.ts),
  );
  const channel = model.boot.channels.find((each) => each.id === thread.channel);
  return (
    <aside
      class="thread"
      data-testid="thread"
      aria-label="Thread"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) workspace.closeThread();
      }}
    >
      <header class="pane-header">
        <h2>Thread</h2>
        <span class="topic">
          {channel === undefined || channel.kind === 'dm' ? '' : `#${channel.name}`}
        </span>
        <button
          type="button"
          class="plain close"
          aria-label="Close thread"
          onClick={workspace.closeThread}
        >
          ×
        </button>
      </header>
      <MessageList key={thread.ts} messages={messages} label="Thread" inThread />
      <Composer
        key={`composer-${thread.ts}`}
        channel={thread.channel}
        threadTs={thread.ts}
        placeholder="Reply…"
      />
    </aside>
  );
}
