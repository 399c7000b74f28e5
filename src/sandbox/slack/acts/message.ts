import { viewObject } from '../api-shapes.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../directory.ts';
import type { HomeRequest, MessageRequest } from '../page-protocol.ts';
import { BOT_USER, TEAM } from '../seed.ts';
import type { Workspace } from '../workspace.ts';
import { encodeEntities, escapeMentions } from './command.ts';
import { ActRefused, actorOf, channelOf, emit } from './payload.ts';

const EVENT_OF = { public: 'channels', private: 'groups', dm: 'im' } as const;
const CHANNEL_TYPE = { public: 'channel', private: 'group', dm: 'im' } as const;

async function notifyApp(workspace: Workspace, channel: Channel, message: Json): Promise<void> {
  if (!channel.members.has(BOT_USER)) return;
  const event = { ...message, channel: channel.id, event_ts: message['ts'] };
  await emit(workspace, `message.${EVENT_OF[channel.kind]}`, {
    ...event,
    type: 'message',
    channel_type: CHANNEL_TYPE[channel.kind],
  });
  if (String(message['text']).includes(`<@${BOT_USER}`)) {
    await emit(workspace, 'app_mention', { ...event, type: 'app_mention' });
  }
}

/** A person writes in a channel, a thread or to the bot. */
export async function writeMessage(workspace: Workspace, request: MessageRequest): Promise<void> {
  const person = actorOf(workspace, request.user);
  const channel = channelOf(workspace, person, request.channel);
  if (channel.archived) throw new ActRefused('is_archived');
  const text = escapeMentions(encodeEntities(request.text.trim()), workspace);
  if (!text) throw new ActRefused('no_text');
  const message = workspace.messages.post({
    channel: channel.id,
    user: person.id,
    byApp: false,
    text,
    blocks: [],
    metadata: undefined,
    threadTs: request.thread_ts,
  });
  await notifyApp(workspace, channel, {
    user: person.id,
    text,
    ts: message.ts,
    team: person.team ?? TEAM.id,
    client_msg_id: workspace.ids.next('client-'),
    ...(request.thread_ts && { thread_ts: request.thread_ts }),
  });
}

/** A person opens the app's Home or Messages tab. */
export async function openHome(workspace: Workspace, request: HomeRequest): Promise<void> {
  const person = actorOf(workspace, request.user);
  const tab = request.tab ?? 'home';
  const view = tab === 'home' ? workspace.views.home(person.id) : undefined;
  await emit(workspace, 'app_home_opened', {
    type: 'app_home_opened',
    user: person.id,
    channel: workspace.directory.directMessage(person.id)?.id,
    tab,
    event_ts: workspace.ids.timestamp(),
    ...(view && { view: viewObject(view) }),
  });
}
