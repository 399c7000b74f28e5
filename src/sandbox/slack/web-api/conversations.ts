import { channelObject, messageObject } from '../api-shapes.ts';
import type { Channel } from '../directory.ts';
import type { Json } from '../json.ts';
import type { Message } from '../messages.ts';
import { ApiFailure, invalidArguments, type Args, type Call, type Methods } from './call.ts';
import { joinedChannel, scopeFor, visibleChannel } from './channels.ts';
import { pageByOrder, pageOf, withCursor } from './paging.ts';

/** Message time stamps in one order with each other; throws `invalid_ts_oldest` and `_latest`. */
function timeWindow(args: Args): (message: Message) => boolean {
  const bound = (name: 'oldest' | 'latest'): number | undefined => {
    const value = args.text(name);
    if (value === undefined || value === 'now') return undefined;
    const seconds = Number(value);
    if (!Number.isFinite(seconds)) throw new ApiFailure(`invalid_ts_${name}`);
    return seconds === 0 ? undefined : seconds;
  };
  const oldest = bound('oldest') ?? -Infinity;
  const latest = bound('latest') ?? Infinity;
  const inclusive = args.flag('inclusive');
  return ({ ts }) => {
    const at = Number(ts);
    return inclusive ? at >= oldest && at <= latest : at > oldest && at < latest;
  };
}

function readableChannel(call: Call): Channel {
  const channel = joinedChannel(call);
  call.need(scopeFor(channel, 'history'));
  return channel;
}

const shown = (call: Call, message: Message): Json =>
  messageObject(message, {
    messages: call.workspace.messages,
    baseUrl: call.workspace.baseUrl(),
    allMetadata: call.args.flag('include_all_metadata'),
  });

function history(call: Call): Json {
  const { args, workspace } = call;
  const channel = readableChannel(call);
  const newestFirst = workspace.messages.inChannel(channel.id).toReversed();
  const page = pageOf(newestFirst.filter(timeWindow(args)), args, {
    limit: args.limit(100, 999),
    keyOf: ({ ts }) => ts,
    isAfter: ({ ts }, key) => Number(ts) < Number(key),
  });
  return {
    messages: page.items.map((message) => shown(call, message)),
    has_more: page.hasMore,
    pin_count: 0,
    ...page.metadata,
  };
}

/** The parent opens every page; replies follow, oldest first. */
function replies(call: Call): Json {
  const { args, workspace } = call;
  const channel = readableChannel(call);
  const parent = workspace.messages.root(channel.id, args.required('ts'));
  if (!parent || parent.ephemeralTo) throw new ApiFailure('thread_not_found');
  const inThread = workspace.messages.replies(channel.id, parent.ts).filter(timeWindow(args));
  const page = pageOf(inThread, args, {
    limit: Math.max(1, args.limit(1000, 1000) - 1),
    keyOf: ({ ts }) => ts,
    isAfter: ({ ts }, key) => Number(ts) > Number(key),
  });
  return {
    messages: [parent, ...page.items].map((message) => shown(call, message)),
    has_more: page.hasMore,
    ...page.metadata,
  };
}

function info(call: Call): Json {
  const channel = visibleChannel(call);
  call.need(scopeFor(channel, 'read'));
  const { num_members: count, ...rest } = channelObject(channel);
  const withCount = call.args.flag('include_num_members') && count !== undefined;
  return { channel: { ...rest, ...(withCount && { num_members: count }) } };
}

function open(call: Call): Json {
  const { args, workspace } = call;
  call.need('im:write', 'mpim:write');
  const users = args.required('users').split(',');
  const [user = ''] = users;
  if (users.length > 1) throw invalidArguments('[ERROR] only one user is supported here');
  const person = workspace.directory.person(user);
  if (!person) throw new ApiFailure('user_not_found');
  if (person.deleted) throw new ApiFailure('user_disabled');
  const channel = workspace.directory.directMessage(user);
  if (!channel) throw new ApiFailure('cannot_dm_bot');
  const whole = args.flag('return_im') ? channelObject(channel) : { id: channel.id };
  return { channel: whole, no_op: true, already_open: true };
}

function members(call: Call): Json {
  const channel = visibleChannel(call);
  call.need(scopeFor(channel, 'read'));
  const page = pageByOrder([...channel.members], call.args);
  return withCursor({ members: page.items }, page);
}

export const conversationMethods: Methods = {
  'conversations.history': { token: 'bot', run: history },
  'conversations.replies': { token: 'bot', run: replies },
  'conversations.info': { token: 'bot', run: info },
  'conversations.open': { token: 'bot', run: open },
  'conversations.members': { token: 'bot', run: members },
};
