import type { Channel, Directory } from './directory.ts';
import { fileType, mimeType, type StoredFile } from './files.ts';
import type { Json } from './json.ts';
import type { Message, Messages } from './messages.ts';
import { APP_ID, BOT_ID, BOT_USER, OTHER_TEAM, TEAM, type Person } from './seed.ts';
import type { View } from './views.ts';
import { zoneFields } from './zone.ts';

const CREATED = 1_700_000_000;
const ENTERPRISE = 'E0ACME';

export interface UserView {
  readonly directory: Directory;
  /** ms since the epoch: the offset of a time zone changes with the seasons. */
  readonly now: number;
  /** The address is there only for callers that may read it. */
  readonly withEmail: boolean;
}

/** A `user` object. Slack shows little of people who were deactivated: the time zone, for one, is gone. */
export function userObject(person: Person, { directory, now, withEmail }: UserView): Json {
  const { id, name, realName, email, isBot = false, deleted = false } = person;
  const teams = directory.teams.get(id);
  const team = teams?.[0] ?? person.team ?? TEAM.id;
  return {
    id,
    team_id: team,
    name,
    deleted,
    profile: {
      title: '',
      real_name: realName,
      display_name: name,
      team,
      ...(withEmail && email && { email }),
    },
    is_bot: isBot,
    is_app_user: false,
    is_email_confirmed: email !== undefined && !directory.unconfirmed.has(id),
    updated: CREATED,
    ...(teams && { enterprise_user: { id: `W${id.slice(1)}`, enterprise_id: ENTERPRISE, teams } }),
    ...(directory.isStranger(person) && { is_stranger: true }),
    ...(!deleted && activeFields(person, directory.zones.get(id) ?? person.zone, now)),
  };
}

function activeFields(person: Person, zone: string, now: number): Json {
  const { realName, colour, isAdmin = false, isRestricted = false } = person;
  return {
    color: colour.slice(1),
    real_name: realName,
    ...zoneFields(zone, now),
    is_admin: isAdmin,
    is_owner: isAdmin,
    is_primary_owner: false,
    is_restricted: isRestricted,
    is_ultra_restricted: false,
  };
}

export function channelObject(channel: Channel): Json {
  const { id, name, kind, topic, archived, members, sharing, withUser } = channel;
  const common = { id, created: CREATED, is_archived: archived, is_mpim: false };
  if (kind === 'dm') {
    return { ...common, is_im: true, is_org_shared: false, user: withUser, is_user_deleted: false };
  }
  return {
    ...common,
    name,
    name_normalized: name,
    is_channel: kind === 'public',
    is_group: false,
    is_im: false,
    is_private: kind === 'private',
    is_general: false,
    is_shared: sharing === 'external' || sharing === 'org',
    is_ext_shared: sharing === 'external',
    is_org_shared: sharing === 'org',
    is_pending_ext_shared: sharing === 'pending',
    pending_shared: sharing === 'pending' ? [OTHER_TEAM] : [],
    ...(sharing === 'external' && { connected_team_ids: [OTHER_TEAM] }),
    is_member: members.has(BOT_USER),
    context_team_id: TEAM.id,
    topic: { value: topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: members.size,
  };
}

export function fileObject(file: StoredFile, baseUrl: string): Json {
  const { id, name, title, altText, user, bytes, channels } = file;
  const url = `${baseUrl}/files-pri/${TEAM.id}-${id}/${encodeURIComponent(name)}`;
  return {
    id,
    created: CREATED,
    name,
    title,
    ...(altText !== undefined && { alt_txt: altText }),
    mimetype: mimeType(name),
    filetype: fileType(name),
    user,
    size: bytes?.length ?? 0,
    mode: 'hosted',
    is_external: false,
    is_public: channels.length > 0,
    url_private: url,
    url_private_download: url,
    permalink: `${baseUrl}/page/files/${id}/${encodeURIComponent(name)}`,
    channels,
  };
}

function threadMembers(message: Message, messages: Messages): Json {
  const { channel, ts, threadTs } = message;
  if (threadTs) {
    const parent = messages.find(channel, threadTs);
    return { thread_ts: threadTs, parent_user_id: parent?.user ?? 'USLACKBOT' };
  }
  const replies = messages.replies(channel, ts);
  const users = [...new Set(replies.map((reply) => reply.user))];
  if (replies.length === 0) return {};
  return {
    thread_ts: ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    latest_reply: replies.at(-1)?.ts,
    reply_users: users,
    is_locked: false,
    subscribed: false,
  };
}

export interface MessageView {
  readonly messages: Messages;
  readonly baseUrl: string;
  /** Without it only the event type of metadata is reported. */
  readonly allMetadata?: boolean;
}

/** The text of a deleted message that has replies. */
export const TOMBSTONE = 'This message was deleted.';

/** A `message` object as conversations.history and interactions carry it. */
export function messageObject(message: Message, view: MessageView): Json {
  if (message.deleted) {
    const stone = { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', hidden: true };
    return { ...stone, text: TOMBSTONE, ts: message.ts, ...threadMembers(message, view.messages) };
  }
  const { text, ts, user, blocks, metadata, files, editedTs } = message;
  const eventType = metadata?.['event_type'];
  return {
    type: 'message',
    ...(message.broadcast && { subtype: 'thread_broadcast' }),
    user,
    ...(message.byApp && { bot_id: BOT_ID, app_id: APP_ID }),
    text,
    ts,
    team: TEAM.id,
    ...(blocks.length > 0 && { blocks }),
    ...(files.length > 0 && { files: files.map((file) => fileObject(file, view.baseUrl)) }),
    ...(metadata && { metadata: view.allMetadata ? metadata : { event_type: eventType } }),
    ...(editedTs && { edited: { user, ts: editedTs } }),
    ...threadMembers(message, view.messages),
  };
}

/** A `view` object as the views methods and interactions carry it. */
export function viewObject(view: View): Json {
  const { id, frame, blocks, hash, state, rootId, previousId } = view;
  return {
    id,
    team_id: TEAM.id,
    callback_id: '',
    private_metadata: '',
    external_id: '',
    title: null,
    submit: null,
    close: null,
    clear_on_close: false,
    notify_on_close: false,
    ...frame,
    blocks,
    state: { values: state },
    hash,
    root_view_id: rootId,
    previous_view_id: previousId,
    app_id: APP_ID,
    app_installed_team_id: TEAM.id,
    bot_id: BOT_ID,
  };
}
