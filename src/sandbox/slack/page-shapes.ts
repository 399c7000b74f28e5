import { TOMBSTONE } from './api-shapes.ts';
import { mimeType, type StoredFile } from './files.ts';
import type { Directory } from './directory.ts';
import { asJson, asText } from './json.ts';
import type { Message, Messages } from './messages.ts';
import type { PageFile, PageMessage, PageUser, PageView } from './page-protocol.ts';
import type { Person } from './seed.ts';
import type { View } from './views.ts';

export function pageUser(person: Person, directory: Directory): PageUser {
  const { id, name, realName, email, colour } = person;
  return {
    id,
    name,
    real_name: realName,
    ...(email && { email }),
    initials: realName
      .split(' ')
      .map((word) => word.charAt(0))
      .join(''),
    colour,
    is_bot: person.isBot ?? false,
    is_restricted: person.isRestricted ?? false,
    is_stranger: directory.isStranger(person),
    deleted: person.deleted ?? false,
  };
}

export function pageFile({ id, name, title, altText, bytes }: StoredFile): PageFile {
  return {
    id,
    name,
    title,
    ...(altText !== undefined && { alt_text: altText }),
    mimetype: mimeType(name),
    size: bytes?.length ?? 0,
    url: `/page/files/${id}/${encodeURIComponent(name)}`,
  };
}

export function pageMessage(messages: Messages, message: Message): PageMessage {
  const { channel, ts, user, threadTs, ephemeralTo } = message;
  const replies = threadTs || ephemeralTo ? [] : messages.replies(channel, ts);
  const last = replies.at(-1);
  return {
    channel,
    ts,
    user,
    text: message.deleted ? TOMBSTONE : message.text,
    blocks: message.deleted ? [] : message.blocks,
    files: message.deleted ? [] : message.files.map(pageFile),
    ...(threadTs && { thread_ts: threadTs }),
    ...(last && {
      thread_ts: ts,
      reply_count: replies.length,
      reply_users: [...new Set(replies.map((reply) => reply.user))],
      latest_reply: last.ts,
    }),
    broadcast: message.broadcast,
    edited: message.editedTs !== undefined,
    ephemeral: ephemeralTo !== undefined,
    system: false,
  };
}

const labelOf = (value: unknown): string | undefined => asText(asJson(value)['text']);

export function pageView({ id, type, frame, hash, blocks }: View): PageView {
  const submit = labelOf(frame['submit']);
  const close = labelOf(frame['close']);
  return {
    id,
    type,
    title: labelOf(frame['title']) ?? '',
    ...(submit !== undefined && { submit }),
    ...(close !== undefined && { close }),
    callback_id: asText(frame['callback_id']) ?? '',
    hash,
    blocks,
    clear_on_close: frame['clear_on_close'] === true,
  };
}
