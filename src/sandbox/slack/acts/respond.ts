import { asText, type Json } from '../json.ts';
import type { Message } from '../messages.ts';
import type { ResponseTarget } from '../response-urls.ts';
import { BOT_USER } from '../seed.ts';
import { createArgs } from '../web-api/call.ts';
import { checkedContent } from '../web-api/content.ts';
import type { Workspace } from '../workspace.ts';

function originalOf({ messages }: Workspace, target: ResponseTarget): Message | undefined {
  return target.original && messages.find(target.channel, target.original.ts, target.user);
}

/**
 * Does what an answer to a command or a post to a response_url asks for: a new message (to the person
 * alone unless it says `in_channel`), or replacing or deleting the message it belongs to.
 * Throws ApiFailure when the content is not acceptable.
 */
export function respond(workspace: Workspace, target: ResponseTarget, body: Json): void {
  const { messages } = workspace;
  const original = originalOf(workspace, target);
  if (original && body['delete_original'] === true) {
    messages.remove(original);
    return;
  }
  const place = body['response_type'] === 'in_channel' ? 'message' : 'private';
  const { text = '', blocks = [], metadata } = checkedContent(createArgs(body), workspace, place);
  if (original && body['replace_original'] === true) {
    messages.edit(original, { text, blocks, metadata: metadata ?? original.metadata }, false);
    return;
  }
  const inChannel = body['response_type'] === 'in_channel';
  messages.post({
    channel: target.channel,
    user: BOT_USER,
    byApp: true,
    text,
    blocks,
    metadata,
    threadTs: asText(body['thread_ts']),
    ephemeralTo: inChannel ? undefined : target.user,
  });
}
