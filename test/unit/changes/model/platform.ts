import { BigNumber } from 'bignumber.js';
import { Secret } from '../../../../src/lib/secret.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { PlatformReason } from '../../../../src/platform/errors.ts';
import type { BillingRole } from '../../../../src/platform/billing/roles.ts';
import { placeIn, remember } from './journal.ts';
import type { Journal, Sending } from './journal.ts';
import type { Actor, Stage } from './stage.ts';
import { charges } from '../../features/alert/scenario.ts';
import { NOVEMBER_20 } from './state.ts';
import type { Facts } from './state.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';

interface PlatformDeps {
  readonly facts: Facts;
  readonly journal: Journal;
  readonly stage: Stage;
  readonly clock: { at: number };
  /** The answer of a create does not say which token it is. */
  readonly isIdless: boolean;
}

type Effect<T> = { readonly what: 'done' | 'nothing' | 'denied'; readonly answer: T };

const done = <T>(answer: T): Effect<T> => ({ what: 'done', answer });

function refuse(status: number, reason: PlatformReason, message: string): never {
  throw new PlatformError(reason, message, { status });
}

/** The platform for one process: a few lists, and what the specification says of the calls. */
export function platformFor(deps: PlatformDeps, actor: Actor): BillingClient {
  const platform = { ...reads(deps, actor), ...writes(deps, actor) };
  return platform as unknown as BillingClient;
}

function reads({ facts, stage, clock }: PlatformDeps, actor: Actor) {
  const { state, weather } = facts;
  const read = <T>(value: () => T) =>
    stage.call(actor, 'read', () => {
      if (weather.platformSilent) throw new PlatformError('timeout', 'silence');
      return { value: value(), readAt: clock.at };
    });
  const list = <T>(rows: () => readonly T[]) =>
    read(() => ({
      items: structuredClone(rows()),
      skipped: weather.unreadableRow ? 1 : 0,
    }));
  const same = (one: string) => (other: { email: string }) =>
    one.toLowerCase() === other.email.toLowerCase();
  return {
    getAlert: () =>
      read(() => {
        const { alert } = state;
        if (alert === undefined) return undefined;
        const { amount, modified, fired, ...rest } = alert;
        const times = { lastModified: modified, lastTriggered: fired, alertedTimes: undefined };
        return { ...rest, ...times, amount: new BigNumber(amount) };
      }),
    listUsers: () => list(() => state.users),
    getUser: (email: string) => read(() => structuredClone(state.users.find(same(email)))),
    listTokens: () =>
      list(() =>
        state.tokens.map(({ expiresAt, ...token }) => ({
          ...token,
          madeFor: undefined,
          createdBy: 'purser@acme.example',
          expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt),
        })),
      ),
    listOrgs: () => list(() => state.orgs),
    listRecipients: () => list(() => state.recipients),
    listQuotas: () =>
      list(() =>
        state.quotas.map(
          ({ name, max }) =>
            new Map([
              ['name', name],
              ['max', String(max)],
            ]),
        ),
      ),
    charges: {
      // A month that costs more with every minute: no change may depend on it.
      account: () =>
        Promise.resolve({
          value: charges({ org: 'acme', total: (clock.at - NOVEMBER_20) / 60_000 }),
          readAt: clock.at,
        }),
    },
    getAccount: () =>
      read(() => ({ tou: state.tou, enabled: true, paymentMethods: [{ brand: 'V', last4: '4' }] })),
  };
}

function writes(deps: PlatformDeps, actor: Actor) {
  const { facts, journal, stage, clock, isIdless } = deps;
  const { state } = facts;
  const now = () => clock.at;

  const write: Write = async (call, effect) => {
    // A call can have its effect when its process is at something else already.
    const change = actor.change ?? '';
    const sending: Sending = {
      actor,
      change,
      call: structuredClone(call),
      index: placeIn(journal),
      at: clock.at,
      isAnswered: false,
    };
    journal.sendings.push(sending);
    const answer = await stage.call(actor, 'write', () => {
      if (facts.weather.platformSilent) throw new PlatformError('timeout', 'silence');
      const { what, answer } = effect(change);
      remember(journal, facts, clock.at);
      sending.effect = { what, index: placeIn(journal) };
      return answer;
    });
    sending.isAnswered = true;
    return answer;
  };

  const secretFor = (what: string, change: string): Secret => {
    const text = `canary-${what}-${journal.said.length + 1}-of-${change}`;
    journal.said.push({ text, change });
    return new Secret(text);
  };
  const newId = (): string => `n${journal.history.length}`;
  const tools = { state, now, write, secretFor, newId, isIdless };
  return {
    ...alertWrites(tools),
    ...userWrites(tools),
    ...tokenWrites(tools),
    ...otherWrites(tools),
  };
}

/** @param effect done for a change */
type Write = <T>(call: readonly unknown[], effect: (change: string) => Effect<T>) => Promise<T>;

interface Tools {
  readonly state: Facts['state'];
  readonly now: () => number;
  readonly write: Write;
  readonly secretFor: (what: string, change: string) => Secret;
  /** Of a token or a recipient. */
  readonly newId: () => string;
  readonly isIdless: boolean;
}

function alertWrites({ state, now, write }: Tools) {
  type Settings = { amount: number; enabled: boolean };
  return {
    createAlert: (settings: Settings) =>
      write(['createAlert', settings], () => {
        if (state.alert) refuse(409, 'conflict', 'there is an alert');
        state.alert = { ...settings, created: now(), modified: now(), fired: undefined };
        return done(undefined);
      }),
    replaceAlert: (settings: Settings) =>
      write(['replaceAlert', settings], () => {
        if (!state.alert) refuse(404, 'not-found', 'no alert');
        state.alert = { ...state.alert, ...settings, modified: now(), fired: undefined };
        return done(undefined);
      }),
    removeAlert: () =>
      write(['removeAlert'], () => {
        if (!state.alert) return { what: 'nothing', answer: { removed: false } };
        state.alert = undefined;
        return done({ removed: true });
      }),
  };
}

function userWrites({ state, write }: Tools) {
  type User = { email: string; roles: readonly string[] };
  const at = (email: string): number =>
    state.users.findIndex((user) => user.email.toLowerCase() === email.toLowerCase());
  return {
    addUser: (user: User) =>
      write(['addUser', user], () => {
        if (at(user.email) >= 0) refuse(409, 'conflict', 'there is such a user');
        state.users.push({ ...user });
        return done(undefined);
      }),
    setUserRoles: ({ email, roles }: User) =>
      write(['setUserRoles', { email, roles }], () => {
        const user = state.users[at(email)];
        if (user === undefined) return refuse(404, 'not-found', 'no such user');
        user.roles = roles;
        return done(undefined);
      }),
    removeUser: (email: string) =>
      write(['removeUser', email], () => {
        if (at(email) < 0) refuse(404, 'not-found', 'no such user');
        state.users.splice(at(email), 1);
        return done(undefined);
      }),
  };
}

function tokenWrites({ state, now, write, secretFor, newId, isIdless }: Tools) {
  type NewToken = {
    name: string;
    description?: string;
    roles: readonly BillingRole[];
    expiresAt?: string;
  };
  return {
    createToken: (token: NewToken) =>
      write(['createToken', token], (madeFor) => {
        const { name, description = '', roles, expiresAt } = token;
        const id = newId();
        state.tokens.push({
          id,
          name,
          description,
          roles,
          expiresAt,
          madeFor,
          created: now(),
        });
        return done({ id: isIdless ? '' : id, secret: secretFor('token', madeFor) });
      }),
    removeToken: (tokenId: string) =>
      write(['removeToken', tokenId], () => {
        const index = state.tokens.findIndex(({ id }) => id === tokenId);
        if (index < 0) refuse(404, 'not-found', 'no such token');
        state.tokens.splice(index, 1);
        return done(undefined);
      }),
  };
}

function otherWrites({ state, now, write, secretFor, newId }: Tools) {
  type NewOrg = { org: { name: string }; createSuperuserServiceAccount: boolean };
  return {
    createOrg: (order: NewOrg) =>
      write(['createOrg', order], (change) => {
        const { name } = order.org;
        if (state.orgs.some((org) => org.name === name)) {
          return { what: 'nothing' as const, answer: { name, created: false } };
        }
        if (!state.tou) refuse(400, 'bad-request', 'the terms of use are not accepted');
        state.orgs.push({ name, created: now() });
        const key = order.createSuperuserServiceAccount
          ? { superuserServiceAccountToken: secretFor('key', change) }
          : {};
        return done({ name, created: true, ...key });
      }),
    addRecipient: (recipient: { email: string; enabled: boolean }) =>
      write(['addRecipient', recipient], () => {
        const { email } = recipient;
        if (state.recipients.some((one) => one.email === email)) refuse(409, 'conflict', 'is one');
        state.recipients.push({ id: newId(), ...recipient });
        return done(undefined);
      }),
    setRecipientEnabled: (recipientId: string, enabled: boolean) =>
      write(['setRecipientEnabled', recipientId, enabled], () => {
        const recipient = state.recipients.find(({ id }) => id === recipientId);
        if (recipient === undefined) return refuse(404, 'not-found', 'no such recipient');
        recipient.enabled = enabled;
        return done(undefined);
      }),
    removeRecipient: (recipientId: string) =>
      write(['removeRecipient', recipientId], () => {
        const index = state.recipients.findIndex(({ id }) => id === recipientId);
        if (index < 0) refuse(404, 'not-found', 'no such recipient');
        state.recipients.splice(index, 1);
        return done(undefined);
      }),
    requestQuotaIncrease: (
      org: string,
      { quotaName, requestedMax }: { quotaName: string; requestedMax: number },
    ) =>
      write(['requestQuotaIncrease', org, quotaName, requestedMax], () => {
        const quota = state.quotas.find(({ name }) => name === quotaName);
        if (quota === undefined) return refuse(404, 'not-found', 'no such quota');
        // Each of the three ways that the platform has.
        const status = { cpu: 'approved', memory: 'pending' }[quotaName] ?? 'denied';
        if (status === 'approved') quota.max = requestedMax;
        const what = status === 'denied' ? ('denied' as const) : ('done' as const);
        return { what, answer: new Map([['status', status]]) };
      }),
  };
}
