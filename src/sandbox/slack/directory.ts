import {
  BOT_USER,
  CHANNELS,
  PEOPLE,
  TEAM,
  USERGROUPS,
  directMessageId,
  type Person,
  type Sharing,
  type UsergroupSeed,
} from './seed.ts';

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  readonly kind: 'public' | 'private' | 'dm';
  archived: boolean;
  /** Undefined: it is the workspace's own. */
  sharing: Sharing | undefined;
  readonly members: Set<string>;
  /** The person at the other end of a direct message with the bot. */
  readonly withUser?: string;
}

export interface Directory {
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  readonly usergroups: readonly UsergroupSeed[];
  person(id: string): Person | undefined;
  personByEmail(email: string): Person | undefined;
  channel(id: string): Channel | undefined;
  /** By id, by `#name` or `name`, or by the id of a person (their direct message with the bot). */
  resolveChannel(idOrName: string): Channel | undefined;
  directMessage(user: string): Channel | undefined;
  /** The sidebar of a person: joined channels and the direct message with the bot. */
  channelsOf(user: string): Channel[];
  canSee(user: string, channel: Channel): boolean;
  isStranger(person: Person): boolean;
  /** People who have an address, and have not confirmed it. */
  readonly unconfirmed: Set<string>;
  /** Enterprise Grid: the workspaces of people, by their ids; the first is their home. */
  readonly teams: Map<string, readonly string[]>;
  /** Time zones that people have chosen since, by their ids. */
  readonly zones: Map<string, string>;
}

/** The people and channels of one workspace. Members of a channel change, and whether it is archived or shared. */
export function createDirectory(): Directory {
  const people = new Map(PEOPLE.map((person) => [person.id, person]));
  const channels = new Map<string, Channel>();
  for (const { members, archived = false, sharing, ...rest } of CHANNELS) {
    channels.set(rest.id, { ...rest, archived, sharing, members: new Set(members) });
  }
  for (const { id, name, isBot, deleted } of PEOPLE) {
    if (isBot || deleted) continue;
    channels.set(directMessageId(id), {
      id: directMessageId(id),
      name,
      topic: '',
      kind: 'dm',
      archived: false,
      sharing: undefined,
      members: new Set([id, BOT_USER]),
      withUser: id,
    });
  }
  const all = [...channels.values()];
  return {
    people: PEOPLE,
    channels: all,
    usergroups: USERGROUPS,
    person: (id) => people.get(id),
    personByEmail: (email) =>
      PEOPLE.find((person) => person.email === email.toLowerCase() && !person.deleted),
    channel: (id) => channels.get(id),
    resolveChannel: (idOrName) =>
      channels.get(idOrName) ??
      channels.get(directMessageId(idOrName)) ??
      all.find(({ kind, name }) => kind !== 'dm' && name === idOrName.replace(/^#/, '')),
    directMessage: (user) => channels.get(directMessageId(user)),
    channelsOf: (user) => all.filter(({ archived, members }) => !archived && members.has(user)),
    canSee: (user, { kind, members }) =>
      members.has(user) || (kind === 'public' && !people.get(user)?.isRestricted),
    unconfirmed: new Set(),
    teams: new Map(),
    zones: new Map(),
    isStranger: (person) => (person.team ?? TEAM.id) !== TEAM.id,
  };
}
