/**
 * The people and channels that every stand-in workspace starts with. The ids never change, so that
 * tests and documentation can name them.
 */
export const TEAM = { id: 'T0ACME', name: 'Acme', domain: 'acme' } as const;
export const OTHER_TEAM = 'T0OTHER';
export const APP_ID = 'A0PURSER';
export const BOT_ID = 'B0PURSER';
export const BOT_USER = 'U0PURSER';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly email?: string;
  readonly colour: string;
  /** IANA name of the time zone. */
  readonly zone: string;
  readonly team?: string;
  readonly isAdmin?: boolean;
  readonly isBot?: boolean;
  /** A guest. */
  readonly isRestricted?: boolean;
  readonly deleted?: boolean;
}

/** With another company, with one that is invited and has not accepted, or with another workspace of the same company. */
export type Sharing = 'external' | 'pending' | 'org';

export interface ChannelSeed {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  readonly kind: 'public' | 'private';
  readonly archived?: boolean;
  readonly sharing?: Sharing;
  readonly members: readonly string[];
}

export interface UsergroupSeed {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
}

export const PEOPLE: readonly Person[] = [
  {
    id: 'U0ADA',
    name: 'ada',
    realName: 'Ada Admin',
    email: 'ada@acme.example',
    colour: '#7d3cc9',
    zone: 'Europe/London',
    isAdmin: true,
  },
  {
    id: 'U0BEN',
    name: 'ben',
    realName: 'Ben Billing',
    email: 'ben@acme.example',
    colour: '#1264a3',
    zone: 'Europe/Berlin',
  },
  {
    id: 'U0CLEO',
    name: 'cleo',
    realName: 'Cleo Viewer',
    email: 'cleo@acme.example',
    colour: '#2b7a4b',
    zone: 'America/New_York',
  },
  {
    id: 'U0DANA',
    name: 'dana',
    realName: 'Dev Dana',
    email: 'dana@acme.example',
    colour: '#b5541c',
    zone: 'Europe/Lisbon',
  },
  {
    id: 'U0EVE',
    name: 'eve',
    realName: 'Eve External',
    email: 'eve@contractor.example',
    colour: '#a3324f',
    zone: 'Europe/Dublin',
    isRestricted: true,
  },
  { id: 'U0NOEL', name: 'noel', realName: 'Noel Nomail', colour: '#5c6470', zone: 'Etc/UTC' },
  {
    id: 'U0SAM',
    name: 'sam',
    realName: 'Sam Stranger',
    email: 'sam@other.example',
    colour: '#8a6d00',
    zone: 'Asia/Kolkata',
    team: OTHER_TEAM,
  },
  {
    id: 'U0GUS',
    name: 'gus',
    realName: 'Gus Gone',
    email: 'gus@acme.example',
    colour: '#9a9a9a',
    zone: 'Europe/London',
    deleted: true,
  },
  {
    id: BOT_USER,
    name: 'purser',
    realName: 'Purser',
    colour: '#0b3d4f',
    zone: 'Etc/UTC',
    isBot: true,
  },
];

const MEMBERS = ['U0ADA', 'U0BEN', 'U0CLEO', 'U0DANA', 'U0NOEL'];

export const CHANNELS: readonly ChannelSeed[] = [
  {
    id: 'C0DEPLOYS',
    name: 'deployments',
    topic: 'What is rolling out, and where',
    kind: 'public',
    sharing: 'external',
    members: [...MEMBERS, 'U0EVE', 'U0SAM', BOT_USER],
  },
  {
    id: 'C0APPROVE',
    name: 'approvals',
    topic: 'Changes that wait for a second person',
    kind: 'public',
    members: [...MEMBERS, BOT_USER],
  },
  {
    id: 'C0BILLING',
    name: 'billing',
    topic: 'What it costs',
    kind: 'public',
    members: [...MEMBERS, BOT_USER],
  },
  {
    id: 'C0OPS',
    name: 'ops',
    topic: 'The health of the bot itself',
    kind: 'public',
    members: [...MEMBERS, BOT_USER],
  },
  {
    id: 'C0RANDOM',
    name: 'random',
    topic: 'Everything else',
    kind: 'public',
    members: [...MEMBERS, 'U0EVE'],
  },
  {
    id: 'C0FINANCE',
    name: 'finance-private',
    topic: 'Behind closed doors',
    kind: 'private',
    members: ['U0ADA', 'U0BEN', BOT_USER],
  },
  {
    id: 'C0OLDIES',
    name: 'old-project',
    topic: 'Archived',
    kind: 'public',
    archived: true,
    members: [...MEMBERS, BOT_USER],
  },
];

export const USERGROUPS: readonly UsergroupSeed[] = [
  {
    id: 'S0PLATFORM',
    handle: 'platform-team',
    name: 'Platform team',
    users: ['U0ADA', 'U0DANA'],
  },
  {
    id: 'S0BILLING',
    handle: 'billing-admins',
    name: 'Billing admins',
    users: ['U0ADA', 'U0BEN'],
  },
];

/** The direct message between the bot and a person: `U0ADA` -> `D0ADA`. */
export function directMessageId(user: string): string {
  return `D${user.slice(1)}`;
}
