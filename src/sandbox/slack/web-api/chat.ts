import { messageObject } from '../api-shapes.ts';
import type { Channel } from '../directory.ts';
import type { Json } from '../json.ts';
import { LIMITS } from '../limits.ts';
import type { Message } from '../messages.ts';
import { BOT_USER } from '../seed.ts';
import { ApiFailure, type Call, type Methods } from './call.ts';
import { joinedChannel, postableChannel, visibleChannel } from './channels.ts';
import { checkedContent } from './content.ts';

const SCOPE = 'chat:write';

/**
 * The parent of the thread to answer in. Throws `thread_not_found`, and `cannot_reply_to_message` below
 * the tombstone of a deleted message.
 */
function threadParent(call: Call, channel: Channel): string | undefined {
  const { args, workspace } = call;
  const ts = args.text('thread_ts');
  if (ts === undefined || call.threads === 'ignored') return undefined;
  const message = workspace.messages.root(channel.id, ts);
  if (!message || message.ephemeralTo) throw new ApiFailure('thread_not_found');
  if (message.deleted && call.threads !== 'open') throw new ApiFailure('cannot_reply_to_message');
  return message.threadTs ?? message.ts;
}

const shown = (message: Message, { workspace }: Call): Json =>
  messageObject(message, {
    messages: workspace.messages,
    baseUrl: workspace.baseUrl(),
    allMetadata: true,
  });

function postMessage(call: Call): Json {
  const { args, workspace } = call;
  const channel = postableChannel(call, args.required('channel'));
  const { text = '', blocks = [], metadata, truncated } = checkedContent(args, workspace);
  const threadTs = threadParent(call, channel);
  const message = workspace.messages.post({
    channel: channel.id,
    user: BOT_USER,
    byApp: true,
    text,
    blocks,
    metadata: metadata && Object.keys(metadata).length > 0 ? metadata : undefined,
    threadTs,
    broadcast: threadTs !== undefined && args.flag('reply_broadcast'),
  });
  return {
    channel: channel.id,
    ts: message.ts,
    message: shown(message, call),
    ...(truncated && {
      warning: 'message_truncated',
      response_metadata: { warnings: ['message_truncated'] },
    }),
  };
}

function ownMessage(call: Call, refusal: string): Message {
  const channel = joinedChannel(call);
  const message = call.workspace.messages.find(channel.id, call.args.required('ts'));
  if (!message || message.ephemeralTo) throw new ApiFailure('message_not_found');
  if (!message.byApp) throw new ApiFailure(refusal);
  return message;
}

/** Text without blocks removes the blocks; only an edit of the text alone is marked as edited. */
function update(call: Call): Json {
  const { args, workspace } = call;
  const message = ownMessage(call, 'cant_update_message');
  const { text, blocks, metadata } = checkedContent(args, workspace);
  if ((text?.length ?? 0) > LIMITS.message.updateText) throw new ApiFailure('msg_too_long');
  const kept = metadata === undefined ? message.metadata : metadata;
  const content = {
    text: text ?? message.text,
    blocks: blocks ?? [],
    metadata: kept && Object.keys(kept).length > 0 ? kept : undefined,
  };
  const marked = blocks === undefined && content.text !== message.text;
  if (message.threadTs && args.flag('reply_broadcast')) workspace.messages.broadcast(message);
  workspace.messages.edit(message, content, marked);
  const { channel, ts } = message;
  return { channel, ts, text: content.text, message: shown(message, call) };
}

function remove(call: Call): Json {
  const message = ownMessage(call, 'cant_delete_message');
  call.workspace.messages.remove(message);
  return { channel: message.channel, ts: message.ts };
}

function postEphemeral(call: Call): Json {
  const { args, workspace } = call;
  const channel = postableChannel(call, args.required('channel'));
  const user = args.required('user');
  const { text = '', blocks = [], truncated } = checkedContent(args, workspace, 'private');
  if (truncated) throw new ApiFailure('msg_too_long');
  if (!workspace.directory.person(user)) throw new ApiFailure('user_not_found');
  if (!channel.members.has(user)) throw new ApiFailure('user_not_in_channel');
  const message = workspace.messages.post({
    channel: channel.id,
    user: BOT_USER,
    byApp: true,
    text,
    blocks,
    metadata: undefined,
    threadTs: threadParent(call, channel),
    ephemeralTo: user,
  });
  return { message_ts: message.ts };
}

function getPermalink(call: Call): Json {
  const { args, workspace } = call;
  const channel = visibleChannel(call);
  const ts = args.required('message_ts');
  const message = workspace.messages.find(channel.id, ts);
  if (!message || message.ephemeralTo) throw new ApiFailure('message_not_found');
  const thread = message.threadTs ? `?thread_ts=${message.threadTs}&cid=${channel.id}` : '';
  const path = `/archives/${channel.id}/p${ts.replace('.', '')}${thread}`;
  return { channel: channel.id, permalink: workspace.baseUrl() + path };
}

export const chatMethods: Methods = {
  'chat.postMessage': { token: 'bot', scope: SCOPE, run: postMessage },
  'chat.update': { token: 'bot', scope: SCOPE, run: update },
  'chat.delete': { token: 'bot', scope: SCOPE, run: remove },
  'chat.postEphemeral': { token: 'bot', scope: SCOPE, run: postEphemeral },
  'chat.getPermalink': { token: 'bot', run: getPermalink },
};
