import { BigNumber } from 'bignumber.js';
import { Secret } from '../../../../src/lib/secret.ts';
import { PlatformError, type PlatformReason } from '../../../../src/platform/errors.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import { charges } from '../../features/alert/scenario.ts';
import type { Deed, Sending, World } from './world.ts';

/** One thing on the platform, as plain data. Times are ms since the epoch. */
export interface Row {
  /** Of a token or a recipient. */
  readonly id?: string;
  readonly name?: string;
  readonly email?: string;
  readonly description?: string;
  readonly roles?: readonly string[];
  readonly expiresAt?: string | undefined;
  readonly amount?: number;
  readonly max?: number;
  readonly enabled?: boolean | undefined;
  readonly created?: number;
  readonly modified?: number;
  /** Of an alert: when it fired. */
  readonly fired?: number | undefined;
  /** Of a token: the change that it was created for. */
  readonly madeFor?: string;
}

/** The lists have the names of the targets of orders; there is one alert at most. */
export type Part = 'alert' | 'user' | 'token' | 'org' | 'recipient' | 'quota';
export type State = Readonly<Record<Part, Row[]>> & {
  /** The Terms of Use are accepted. */
  tou: boolean;
};

export const START = Date.UTC(2026, 10, 20, 9);
const LONG_AGO = START - 9e8;

export const addressOf = (name: string): string => `${name}@acme.example`;

/** How it begins. */
export function firstState(): State {
  const user = (name: string, role: string): Row => ({ email: addressOf(name), roles: [role] });
  return {
    alert: [{ amount: 400, enabled: true, created: LONG_AGO, modified: LONG_AGO }],
    user: [
      ...['ada', 'Ben', 'cid', 'gus'].map((name) => user(name, 'billing_admin')),
      user('dee', 'org_creator'),
      ...['eve', 'zoe'].map((name) => user(name, 'billing_viewer')),
    ],
    token: [
      { id: 't0', name: 'old', description: '', roles: ['billing_viewer'], created: LONG_AGO },
    ],
    org: [{ name: 'acme', created: LONG_AGO }],
    recipient: [
      { id: 'r1', email: addressOf('books'), enabled: true },
      { id: 'r2', email: addressOf('audit'), enabled: false },
    ],
    quota: ['cpu', 'memory', 'disk'].map((name) => ({ name, max: 8 })),
    tou: true,
  };
}

export function userAt({ user }: State, email: string | undefined): Row | undefined {
  return user.find((one) => one.email?.toLowerCase() === email?.toLowerCase());
}

/** Puts one thing in the place of another; of nothing: adds it; nothing in its place: takes it away. */
export function put(rows: Row[], old: Row | undefined, next: Row | undefined): void {
  rows.splice(old ? rows.indexOf(old) : rows.length, 1, ...(next ? [next] : []));
}

/** Some calls of the client, with their effects. */
type Calls = Partial<{
  [Name in Exclude<keyof BillingClient, 'charges' | 'hasUser'>]: (
    ...args: Parameters<BillingClient[Name]>
  ) => unknown;
}>;

/** The answers of the calls that change nothing. */
function reads({ state, weather }: World['facts']): Calls {
  const list = (rows: readonly unknown[]) => ({
    items: structuredClone(rows),
    skipped: weather === 'unreadable row' ? 1 : 0,
  });
  return {
    getAlert() {
      const [alert] = state.alert;
      return (
        alert && {
          ...alert,
          amount: new BigNumber(alert.amount ?? 0),
          lastModified: alert.modified,
          lastTriggered: alert.fired,
        }
      );
    },
    listUsers: () => list(state.user),
    getUser: (email) => structuredClone(userAt(state, email)),
    listTokens: () =>
      list(
        state.token.map(({ expiresAt, ...token }) => ({
          ...token,
          madeFor: undefined,
          createdBy: 'purser@acme.example',
          ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }),
        })),
      ),
    listOrgs: () => list(state.org),
    listRecipients: () => list(state.recipient),
    listQuotas: () => list(state.quota.map((quota) => new Map(Object.entries(quota).map(texts)))),
    getAccount: () => ({
      tou: state.tou,
      enabled: true,
      paymentMethods: [{ brand: 'V', last4: '4' }],
    }),
  };
}

const texts = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];

function refuse(status: number, reason: PlatformReason): never {
  throw new PlatformError(reason, 'no', { status });
}

function absent(row: Row | undefined): void {
  if (row !== undefined) refuse(409, 'conflict');
}

function there(row: Row | undefined): Row {
  return row ?? refuse(404, 'not-found');
}

/** The effects of the calls that change something (spec 4.3). @param change for which the bot makes them */
function writes({ facts, clock, said, history, setup }: World, change: string): Calls {
  const { alert, user, token, org, recipient, quota } = facts.state;
  const id = `n${history.length}`;
  const tokenAt = (tokenId: string) => there(token.find((one) => one.id === tokenId));
  const recipientAt = (one: string) => there(recipient.find((row) => row.id === one));
  /** A platform may take no other spelling of an address than its own. */
  const userWith = (email: string) => there(user.find((row) => row.email === email));
  const secretOf = (what: string): Secret => {
    const text = `canary-${what}-${said.length + 1}-of-${change}`;
    said.push({ text, change });
    return new Secret(text);
  };
  return {
    createAlert(settings) {
      absent(alert[0]);
      alert.push({ ...settings, created: clock.at, modified: clock.at });
    },
    replaceAlert(settings) {
      const next = { ...there(alert[0]), ...settings, modified: clock.at, fired: undefined };
      put(alert, alert[0], next);
    },
    removeAlert: () => ({ removed: alert.splice(0).length > 0 }),
    addUser({ email, roles }) {
      absent(userAt(facts.state, email));
      user.push({ email, roles });
    },
    setUserRoles({ email, roles }) {
      const one = userWith(email);
      put(user, one, { ...one, roles });
    },
    removeUser: (email) => put(user, userWith(email), undefined),
    createToken({ name, description = '', roles, expiresAt }) {
      const made = { created: clock.at, madeFor: change };
      token.push({ id, name, description, roles, expiresAt, ...made });
      return { id: setup.isIdless ? '' : id, secret: secretOf('token') };
    },
    removeToken: (tokenId) => put(token, tokenAt(tokenId), undefined),
    createOrg({ org: { name }, createSuperuserServiceAccount: hasKey }) {
      if (org.some((one) => one.name === name)) return { name, created: false };
      if (!facts.state.tou) refuse(400, 'bad-request');
      org.push({ name, created: clock.at });
      return {
        name,
        created: true,
        ...(hasKey && { superuserServiceAccountToken: secretOf('key') }),
      };
    },
    addRecipient({ email, enabled }) {
      absent(recipient.find((one) => one.email === email));
      recipient.push({ id, email, enabled });
    },
    setRecipientEnabled: (one, enabled) =>
      put(recipient, recipientAt(one), { ...recipientAt(one), enabled }),
    removeRecipient: (one) => put(recipient, recipientAt(one), undefined),
    requestQuotaIncrease(_, { quotaName, requestedMax }) {
      const one = there(quota.find(({ name }) => name === quotaName));
      // Each of the three ways that the platform has.
      const status = { cpu: 'approved', memory: 'pending' }[quotaName] ?? 'denied';
      if (status === 'approved') put(quota, one, { ...one, max: requestedMax });
      return new Map([['status', status]]);
    },
  };
}

/** The platform for one process: a few lists, and the calls as the specification has them. */
export function platformFor(world: World, deed: Deed): BillingClient {
  const { facts, stage, clock, sendings } = world;
  type Call = (...args: unknown[]) => unknown;
  const effectOf = (calls: Calls, name: string, args: unknown[]): unknown => {
    if (facts.weather === 'platform silent') throw new PlatformError('timeout', 'silence');
    return (calls as Record<string, Call>)[name]?.(...args);
  };

  function read(name: string, ...args: unknown[]): Promise<unknown> {
    return stage.call(deed, 'read', () => ({
      value: effectOf(reads(facts), name, args),
      readAt: clock.at,
    }));
  }

  async function write(name: string, ...args: unknown[]): Promise<unknown> {
    // A call can have its effect when its process is at something else already.
    const { change } = deed;
    const call = structuredClone([name, ...args]);
    const sending: Sending = { by: deed, change, call, index: world.place(), at: clock.at };
    sendings.push(sending);
    const answer = await stage.call(deed, 'write', () => {
      const answer = effectOf(writes(world, change), name, args);
      world.remember();
      const isDenied = answer instanceof Map && answer.get('status') === 'denied';
      if (!isDenied) sending.doneAt = world.place();
      return answer;
    });
    sending.isAnswered = true;
    return answer;
  }

  const named = (calls: Calls, work: (name: string, ...args: unknown[]) => Promise<unknown>) =>
    Object.keys(calls).map((name) => [name, work.bind(undefined, name)] as const);
  return {
    ...Object.fromEntries([...named(reads(facts), read), ...named(writes(world, ''), write)]),
    // A month that costs more with every minute: no change may depend on it.
    charges: {
      account: async () => ({
        value: charges({ org: 'acme', total: (clock.at - START) / 60_000 }),
        readAt: clock.at,
      }),
    },
  } as unknown as BillingClient;
}
