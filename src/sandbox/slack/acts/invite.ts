import type { CommandRequest } from '../page-protocol.ts';
import { BOT_USER, TEAM } from '../seed.ts';
import type { Workspace } from '../workspace.ts';
import { actorOf, channelOf, emit } from './payload.ts';

/** "/invite @Purser": the bot is in the channel from then on, and is sent that it joined. */
export async function inviteBot(workspace: Workspace, request: CommandRequest): Promise<void> {
  const person = actorOf(workspace, request.user);
  const channel = channelOf(workspace, person, request.channel);
  channel.members.add(BOT_USER);
  workspace.hub.publish(() => true, { type: 'channels_changed' });
  await emit(workspace, 'member_joined_channel', {
    type: 'member_joined_channel',
    user: BOT_USER,
    channel: channel.id,
    channel_type: channel.kind === 'private' ? 'G' : 'C',
    team: TEAM.id,
    inviter: person.id,
    event_ts: workspace.ids.timestamp(),
  });
}
