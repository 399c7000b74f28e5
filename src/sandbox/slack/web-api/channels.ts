import type { Channel } from '../directory.ts';
import { BOT_USER } from '../seed.ts';
import { ApiFailure, type Call } from './call.ts';

const KIND_OF = { public: 'channels', private: 'groups', dm: 'im' } as const;

/** `channels:read`, `groups:read` or `im:read`; the same for history. */
export function scopeFor(channel: Channel, what: 'read' | 'history'): string {
  return `${KIND_OF[channel.kind]}:${what}`;
}

const isMember = (channel: Channel): boolean => channel.members.has(BOT_USER);

/** The channel of this id, as far as the bot can see it. Throws `channel_not_found`. */
export function visibleChannel({ workspace, args }: Call): Channel {
  const channel = workspace.directory.channel(args.required('channel'));
  if (!channel || (channel.kind !== 'public' && !isMember(channel))) {
    throw new ApiFailure('channel_not_found');
  }
  return channel;
}

/** The same, and the bot has joined it. Throws `not_in_channel`. */
export function joinedChannel(call: Call): Channel {
  const channel = visibleChannel(call);
  if (!isMember(channel)) throw new ApiFailure('not_in_channel');
  return channel;
}

/** Where a message may go: by id, by name, or to a person. */
export function postableChannel(call: Call, idOrName: string): Channel {
  const channel = call.workspace.directory.resolveChannel(idOrName);
  if (!channel || (channel.kind === 'private' && !isMember(channel))) {
    throw new ApiFailure('channel_not_found');
  }
  if (channel.archived) throw new ApiFailure('is_archived');
  if (!isMember(channel) && !call.hasScope('chat:write.public')) {
    throw new ApiFailure('not_in_channel');
  }
  return channel;
}
