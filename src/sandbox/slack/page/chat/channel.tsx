import type { PageChannel } from '../../page-protocol.ts';
import { useModel, useWorkspace } from '../context.ts';
import { isInChannel } from '../model.ts';
import { LockIcon } from './icons.tsx';
import { Welcome, useTour } from '../tour/view.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';

/** One channel or direct message: its messages and the composer. */
export function ChannelView({ channel }: { channel: PageChannel }) {
  const model = useModel();
  const messages = (model.messages[channel.id] ?? []).filter(isInChannel);
  const pointed = useTour()?.pointed(messages)?.ts;
  const isFirst = model.boot.channels[0]?.id === channel.id;
  const title = channel.kind === 'dm' ? channel.name : `#${channel.name}`;
  return (
    <section class="channel" data-channel={channel.id} aria-label={title}>
      {isFirst && <Welcome />}
      <MessageList
        key={channel.id}
        messages={messages}
        label={`Messages in ${title}`}
        newFrom={model.newFrom[channel.id]}
        pointed={pointed}
      />
      <Prompts channel={channel} />
      <Composer
        key={`composer-${channel.id}`}
        channel={channel.id}
        placeholder={`Message ${title}`}
      />
    </section>
  );
}

const PROMPTS: Readonly<Record<string, readonly string[]>> = {
  deployments: ['/deployments shop', '/deployments watches'],
  approvals: ['/alert set 9000', '/changes'],
  billing: ['/charges', '/usage by workload', '/invoices'],
  ops: ['/purser doctor'],
  random: ['/purser help'],
};
/** To the app itself commands go without their slash. */
const DIRECT = ['charges', 'deployments shop', 'help'];

/** Sample questions; a click asks one. */
function Prompts({ channel }: { channel: PageChannel }) {
  const workspace = useWorkspace();
  const prompts = channel.kind === 'dm' ? DIRECT : (PROMPTS[channel.name] ?? []);
  if (prompts.length === 0) return null;
  return (
    <div class="prompts" role="group" aria-label="Try">
      {prompts.map((text) => (
        <button
          key={text}
          type="button"
          class="button small"
          onClick={() => void workspace.send(channel.id, text)}
        >
          {text}
        </button>
      ))}
    </div>
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
