import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { PageChannel } from '../../page-protocol.ts';
import { displayName, findUser, useModel, useWorkspace } from '../context.ts';
import { channelOf, type Model, type Place } from '../model.ts';
import type { Control, PlatformState } from '../panel/control.ts';
import { Avatar } from './avatar.tsx';
import { LockIcon } from './icons.tsx';
import { mayDo } from './may-do.ts';

type Props = {
  readonly control: Control;
  readonly onActAs: (user: string) => void;
  /** Called when a place was chosen; at phone width the sidebar then goes away. */
  readonly onChosen: () => void;
};

/** The workspace's name, its channels, people and the app, and the acting person. */
export function Sidebar({ control, onActAs, onChosen }: Props) {
  const model = useModel();
  const { boot } = model;
  const people = boot.channels.filter(
    (channel) => channel.kind === 'dm' && channel.with_user !== boot.app.bot_user,
  );
  return (
    <nav class="sidebar" aria-label="Workspace">
      <header class="workspace-name">{boot.team.name}</header>
      <div class="places">
        <Group name="Channels">
          {boot.channels
            .filter((channel) => channel.kind !== 'dm')
            .map((channel) => (
              <ChannelEntry key={channel.id} channel={channel} onChosen={onChosen} />
            ))}
        </Group>
        {people.length > 0 && (
          <Group name="Direct messages">
            {people.map((channel) => (
              <ChannelEntry key={channel.id} channel={channel} onChosen={onChosen} />
            ))}
          </Group>
        )}
        <Group name="Apps">
          <AppEntry onChosen={onChosen} />
        </Group>
      </div>
      <ActAs control={control} onActAs={onActAs} />
    </nav>
  );
}

function Group({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{name}</h2>
      <ul>{children}</ul>
    </section>
  );
}

type EntryProps = {
  readonly place: Place;
  readonly current: boolean;
  readonly unread: number;
  readonly icon: ComponentChildren;
  readonly name: string;
  readonly onChosen: () => void;
};

function Entry({ place, current, unread, icon, name, onChosen }: EntryProps) {
  const workspace = useWorkspace();
  return (
    <li>
      <button
        type="button"
        class={`place${current ? ' current' : ''}${unread > 0 ? ' unread' : ''}`}
        aria-current={current ? 'page' : 'false'}
        onClick={() => {
          workspace.go(place);
          onChosen();
        }}
      >
        <span class="place-icon" aria-hidden="true">
          {icon}
        </span>
        <span class="place-name">{name}</span>
        {unread > 0 && (
          <span class="badge">
            {unread}
            <span class="visually-hidden"> unread</span>
          </span>
        )}
      </button>
    </li>
  );
}

const unreadOf = (model: Model, channel: string | undefined): number =>
  model.unread[channel ?? '']?.length ?? 0;

type ChannelEntryProps = { readonly channel: PageChannel; readonly onChosen: () => void };

function ChannelEntry({ channel, onChosen }: ChannelEntryProps) {
  const model = useModel();
  const direct = channel.kind === 'dm';
  return (
    <Entry
      place={{ type: 'channel', id: channel.id }}
      current={channelOf(model.boot, model.place) === channel.id}
      unread={unreadOf(model, channel.id)}
      icon={
        direct ? (
          <Avatar user={findUser(model.boot, channel.with_user ?? '')} small />
        ) : channel.kind === 'private' ? (
          <LockIcon />
        ) : (
          '#'
        )
      }
      name={channel.name}
      onChosen={onChosen}
    />
  );
}

function AppEntry({ onChosen }: { onChosen: () => void }) {
  const model = useModel();
  const { app } = model.boot;
  return (
    <Entry
      place={{ type: 'app', tab: app.home_tab ? 'home' : 'messages' }}
      current={model.place.type === 'app'}
      unread={unreadOf(model, channelOf(model.boot, { type: 'app', tab: 'messages' }))}
      icon={<Avatar user={findUser(model.boot, app.bot_user)} small />}
      name={app.name}
      onChosen={onChosen}
    />
  );
}

function ActAs({ control, onActAs }: Pick<Props, 'control' | 'onActAs'>) {
  const { boot } = useModel();
  const [state, setState] = useState<PlatformState>();
  useEffect(() => {
    if (boot.platform) control.state().then(setState, () => undefined);
  }, [control, boot]);
  const me = findUser(boot, boot.user);
  return (
    <div class="act-as">
      <Avatar user={me} />
      <label>
        <span>Act as</span>
        <select value={boot.user} onChange={(event) => onActAs(event.currentTarget.value)}>
          {boot.can_act_as.map((id) => {
            const user = findUser(boot, id);
            return (
              <option key={id} value={id}>
                {user === undefined ? id : displayName(user)}
                {user?.is_restricted === true ? ' (guest)' : ''}
                {user?.is_stranger === true ? ' (other workspace)' : ''}
              </option>
            );
          })}
        </select>
        {me !== undefined && state !== undefined && <small>{mayDo(me, state)}</small>}
      </label>
    </div>
  );
}
