import { messageObject } from '../api-shapes.ts';
import type { Channel } from '../directory.ts';
import type { Json } from '../json.ts';
import type { Message } from '../messages.ts';
import { APP_ID, BOT_USER, TEAM, type Person } from '../seed.ts';
import type { Workspace } from '../workspace.ts';

/** The legacy verification token that every payload still carries. */
export const VERIFICATION_TOKEN = 'sandbox-verification-token';

/** A failure that is reported to the person who acted. */
export class ActRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ActRefused';
  }
}

/** A person of the workspace who can act. Throws ActRefused. */
export function actorOf({ directory }: Workspace, id: string): Person {
  const person = directory.person(id);
  if (!person || person.isBot || person.deleted) throw new ActRefused('user_not_found');
  return person;
}

/** A channel that this person has open. Throws ActRefused. */
export function channelOf({ directory }: Workspace, person: Person, id: string): Channel {
  const channel = directory.channel(id);
  if (!channel || !directory.canSee(person.id, channel)) throw new ActRefused('channel_not_found');
  return channel;
}

/** Slack's name for a channel in payloads of commands and interactions. */
export function payloadChannelName({ kind, name }: Channel): string {
  if (kind === 'dm') return 'directmessage';
  return kind === 'private' ? 'privategroup' : name;
}

/** The fields of every interaction. */
export function interactionBase(person: Person): Json {
  return {
    api_app_id: APP_ID,
    token: VERIFICATION_TOKEN,
    team: { id: TEAM.id, domain: TEAM.domain },
    enterprise: null,
    is_enterprise_install: false,
    user: {
      id: person.id,
      username: person.name,
      name: person.name,
      team_id: person.team ?? TEAM.id,
    },
  };
}

function eventPayload(workspace: Workspace, event: Json): Json {
  return {
    token: VERIFICATION_TOKEN,
    team_id: TEAM.id,
    api_app_id: APP_ID,
    event,
    type: 'event_callback',
    event_id: workspace.ids.next('Ev'),
    event_time: Math.floor(workspace.clock.now() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: TEAM.id,
        user_id: BOT_USER,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
  };
}

export function payloadMessage(workspace: Workspace, message: Message): Json {
  const { messages, baseUrl } = workspace;
  return messageObject(message, { messages, baseUrl: baseUrl(), allMetadata: true });
}

/** Sends an event that the manifest subscribes to; others are not sent. */
export function emit(workspace: Workspace, subscription: string, event: Json): Promise<unknown> {
  if (!workspace.manifest.botEvents.includes(subscription)) return Promise.resolve();
  return workspace.delivery.deliver({ kind: 'event', payload: eventPayload(workspace, event) });
}
