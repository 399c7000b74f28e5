import type { PageChannel } from '../../page-protocol.ts';
import { useModel } from '../context.ts';
import { isInChannel } from '../model.ts';
import { LockIcon } from './icons.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';

/** One channel or direct message: its messages and the composer. */
export function ChannelView({ channel }: { channel: PageChannel }) {
  const model = useModel();
  const messages = (model.messages[channel.id] ?? []).filter(isInChannel);
  const title = channel.kind === 'dm' ? channel.name : `#${channel.name}`;
  return (
    <section class="channel" data-channel={channel.id} aria-label={title}>
      <MessageList
        key={channel.id}
        messages={messages}
        label={`Messages in ${title}`}
        newFrom={model.newFrom[channel.id]}
      />
      <Composer
        key={`composer-${channel.id}`}
        channel={channel.id}
        placeholder={`Message ${title}`}
      />
    </section>
  );
}

/** The line over a channel: its name and topic. */
export function ChannelHeader({ channel }: { channel: PageChannel }) {
  return (
    <>
      <h1>
        {channel.kind === 'public' && <span class="hash">#</span>}
        {channel.kind === 'private' && <LockIcon />}
        {channel.name}
      </h1>
      <p class="topic">{channel.topic}</p>
      {!channel.bot_is_member && channel.kind !== 'dm' && (
        <span class="pill">The app is not in this channel</span>
      )}
    </>
  );
}
