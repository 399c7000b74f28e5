/** What the platform holds, as plain data. Times are ms since the epoch. */
export interface State {
  alert: AlertState | undefined;
  users: UserState[];
  tokens: TokenState[];
  orgs: { readonly name: string; readonly created: number }[];
  recipients: { readonly id: string; readonly email: string; enabled: boolean }[];
  /** Of the one org whose quotas can be read. */
  quotas: { readonly name: string; max: number }[];
  /** The Terms of Use are accepted. */
  tou: boolean;
}

interface AlertState {
  readonly amount: number;
  readonly enabled: boolean;
  readonly created: number;
  readonly modified: number;
  readonly fired: number | undefined;
}

export interface UserState {
  readonly email: string;
  roles: readonly string[];
}

interface TokenState {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly roles: readonly string[];
  readonly expiresAt: string | undefined;
  readonly created: number;
  /** The change that it was created for; undefined: somebody else made it. */
  readonly madeFor: string | undefined;
}

/** What is known of a person in Slack. */
export interface PersonState {
  email: string | undefined;
  deleted: boolean;
  guest: boolean;
  /** Is in the user group that ORG_ACCESS may name. */
  inGroup: boolean;
}

/** Who answers just now. */
export interface Weather {
  platformSilent: boolean;
  slackSilent: boolean;
  /** Lists have a row that cannot be read. */
  unreadableRow: boolean;
}

export interface Facts {
  readonly state: State;
  readonly people: Record<string, PersonState>;
  readonly weather: Weather;
}

/** Everything as it was from one moment on, until something else happened. */
export type Snapshot = Facts & { readonly at: number };

export const TEAM = 'T0ACME';
export const GROUP = 'S0ORGS';
/** Ada has two accounts. Gus is a guest. */
export const PEOPLE = ['ada', 'ben', 'cid', 'dee', 'eve', 'ada2', 'gus'] as const;
export type Name = (typeof PEOPLE)[number];

export const NOVEMBER_20 = Date.UTC(2026, 10, 20, 9);

export function addressOf(name: string): string {
  return `${name}@acme.example`;
}

export function userIdOf(name: Name): string {
  return `U0${name.toUpperCase()}`;
}

/** How it begins. */
export function firstFacts(): Facts {
  const person = (name: Name): PersonState => ({
    email: addressOf(name === 'ada2' ? 'ada' : name),
    deleted: false,
    guest: name === 'gus',
    inGroup: name !== 'eve',
  });
  return {
    state: {
      alert: {
        amount: 400,
        enabled: true,
        created: NOVEMBER_20 - 9e8,
        modified: NOVEMBER_20 - 9e8,
        fired: undefined,
      },
      users: [
        ...['ada', 'Ben', 'cid', 'gus'].map((name) => ({
          email: addressOf(name),
          roles: ['billing_admin'],
        })),
        { email: addressOf('dee'), roles: ['org_creator'] },
        { email: addressOf('eve'), roles: ['billing_viewer'] },
        { email: addressOf('zoe'), roles: ['billing_viewer'] },
      ],
      tokens: [
        {
          id: 't0',
          name: 'old',
          description: '',
          roles: ['billing_viewer'],
          expiresAt: undefined,
          created: NOVEMBER_20 - 9e8,
          madeFor: undefined,
        },
      ],
      orgs: [{ name: 'acme', created: NOVEMBER_20 - 9e8 }],
      recipients: [
        { id: 'r1', email: addressOf('books'), enabled: true },
        { id: 'r2', email: addressOf('audit'), enabled: false },
      ],
      quotas: [
        { name: 'cpu', max: 8 },
        { name: 'memory', max: 8 },
        { name: 'disk', max: 8 },
      ],
      tou: true,
    },
    people: Object.fromEntries(PEOPLE.map((name) => [userIdOf(name), person(name)])),
    weather: { platformSilent: false, slackSilent: false, unreadableRow: false },
  };
}
