import { addressOf } from './state.ts';
import type { State } from './state.ts';
import type { ChangeKind, ChangeInput } from '../../../../src/changes/kinds/kinds.ts';

/** What somebody would like, before it is known what is there. */
export interface Wish {
  readonly kind: ChangeKind;
  readonly n: number;
  readonly roles: ('billing_admin' | 'billing_viewer' | 'org_creator')[];
  readonly flag: boolean;
}

const ADDRESSES = ['zoe', 'new', 'eve', 'ben', 'ada', 'cid', 'next'].map(addressOf);
/** Most wishes are for what can be done; every eighth is not. */
const isOdd = ({ n }: Wish): boolean => n % 8 === 7;

/** The order that a person makes of a wish, with what there is to choose from. */
export function orderOf(wish: Wish, state: State): ChangeInput {
  const { kind, n, roles, flag } = wish;
  const pick = <T>(all: readonly T[], instead: T): T => all[n % all.length] ?? instead;
  const email = pick(ADDRESSES, '');
  switch (kind) {
    case 'alert.create':
    case 'alert.replace': {
      const fitting = state.alert === undefined ? 'alert.create' : 'alert.replace';
      return { kind: isOdd(wish) ? kind : fitting, amount: 100 * (1 + (n % 5)), enabled: flag };
    }
    case 'alert.delete':
      return { kind };
    case 'user.add': {
      const others = ADDRESSES.filter((one) => isOdd(wish) || userAt(state, one) === undefined);
      return { kind, email: pick(others, email), roles };
    }
    case 'user.roles':
      return { kind, email, roles };
    case 'user.remove':
      return { kind, email };
    case 'token.create': {
      const expiresAt = n % 2 === 0 ? '2027-01-31T12:00:00.000Z' : undefined;
      const end = expiresAt === undefined ? {} : { expiresAt };
      return { kind, name: pick(['ci', 'cd'], ''), description: '', roles, ...end };
    }
    case 'token.delete': {
      const { id, name } = pick(state.tokens, { id: 'gone', name: 'gone' } as State['tokens'][0]);
      return { kind, tokenId: id, name };
    }
    case 'org.create': {
      const name = isOdd(wish) ? 'acme' : pick(['web', 'data'], '');
      return { kind, name, description: '', invitees: [addressOf('eve')], superuser: flag };
    }
    case 'recipient.add':
      return { kind, email: pick(['one', 'two', 'books'].map(addressOf), ''), enabled: flag };
    case 'recipient.enable':
    case 'recipient.disable':
    case 'recipient.delete': {
      const isFitting = ({ enabled }: { enabled: boolean }): boolean =>
        isOdd(wish) || kind === 'recipient.delete' || enabled === (kind === 'recipient.disable');
      const instead = { id: 'gone', email: addressOf('gone'), enabled: true };
      const one = pick(state.recipients.filter(isFitting), instead);
      return { kind, recipientId: one.id, email: one.email };
    }
    case 'quota.request': {
      const quotaName = pick(['cpu', 'memory', 'disk'], '');
      return { kind, org: 'acme', quotaName, requestedMax: 16 + (n % 3) };
    }
  }
}

/** Two orders of which one text comes are the same. */
export function textOf(order: ChangeInput): string {
  return JSON.stringify(
    Object.entries(order)
      .map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(String).toSorted(inOrder) : value,
      ])
      .toSorted(([one], [other]) => inOrder(String(one), String(other))),
  ).toLowerCase();
}

/** The one call that carries an order out (spec 4.3). */
export function callOf(order: ChangeInput): readonly unknown[] {
  switch (order.kind) {
    case 'alert.create':
      return ['createAlert', { amount: order.amount, enabled: order.enabled }];
    case 'alert.replace':
      return ['replaceAlert', { amount: order.amount, enabled: order.enabled }];
    case 'alert.delete':
      return ['removeAlert'];
    case 'user.add':
      return ['addUser', { email: order.email, roles: order.roles }];
    case 'user.roles':
      return ['setUserRoles', { email: order.email, roles: order.roles }];
    case 'user.remove':
      return ['removeUser', order.email];
    case 'token.create': {
      const { name, roles, expiresAt } = order;
      return ['createToken', { name, roles, ...(expiresAt && { expiresAt }) }];
    }
    case 'token.delete':
      return ['removeToken', order.tokenId];
    case 'org.create': {
      const { name, invitees, superuser } = order;
      return ['createOrg', { org: { name }, invitees, createSuperuserServiceAccount: superuser }];
    }
    case 'recipient.add':
      return ['addRecipient', { email: order.email, enabled: order.enabled }];
    case 'recipient.enable':
    case 'recipient.disable':
      return ['setRecipientEnabled', order.recipientId, order.kind === 'recipient.enable'];
    case 'recipient.delete':
      return ['removeRecipient', order.recipientId];
    case 'quota.request':
      return ['requestQuotaIncrease', order.org, order.quotaName, order.requestedMax];
  }
}

/** What of the platform an order is about: while it is the same, the order does the same. */
export function sceneOf(order: ChangeInput, state: State): string {
  return JSON.stringify(factsOf(order, state) ?? null);
}

function factsOf(order: ChangeInput, state: State): unknown {
  switch (order.kind) {
    case 'alert.create':
    case 'alert.replace': {
      const { amount, enabled, fired } = state.alert ?? {};
      return state.alert && [amount, enabled, fired !== undefined];
    }
    case 'alert.delete':
      return state.alert && [state.alert.amount, state.alert.enabled];
    case 'user.add':
    case 'user.roles':
    case 'user.remove': {
      const user = userAt(state, order.email);
      const admins = state.users.filter(({ roles }) => roles.includes('billing_admin'));
      const isLast = user !== undefined && admins.length === 1 && admins[0] === user;
      const isDemoted = order.kind === 'user.remove' || !isAdminIn(order);
      return [
        user?.email,
        user?.roles.toSorted(inOrder),
        order.kind !== 'user.add' && isDemoted && isLast,
      ];
    }
    case 'token.create':
      return state.tokens.some(({ name }) => name === order.name);
    case 'token.delete':
      return state.tokens.find(({ id }) => id === order.tokenId);
    case 'org.create':
      return state.orgs.find(({ name }) => name === order.name);
    case 'recipient.add':
      return state.recipients.find(({ email }) => email === order.email);
    case 'recipient.enable':
    case 'recipient.disable':
    case 'recipient.delete': {
      const recipient = state.recipients.find(({ id }) => id === order.recipientId);
      const others = state.recipients.some(
        ({ id, enabled }) => id !== order.recipientId && enabled,
      );
      return [recipient, order.kind !== 'recipient.enable' && recipient?.enabled && !others];
    }
    case 'quota.request':
      return state.quotas.find(({ name }) => name === order.quotaName);
  }
}

/** Whether an order cannot be carried out as things are. */
export function isBarred(order: ChangeInput, state: State): boolean {
  switch (order.kind) {
    case 'alert.create':
      return state.alert !== undefined;
    case 'alert.replace':
    case 'alert.delete':
      return state.alert === undefined;
    case 'user.add':
      return userAt(state, order.email) !== undefined;
    case 'user.remove':
      return userAt(state, order.email) === undefined;
    case 'user.roles':
      return userAt(state, order.email) === undefined || isReached(order, state);
    case 'token.create':
      return false;
    case 'token.delete':
      return isReached(order, state);
    case 'org.create':
      return !state.tou && !isReached(order, state);
    case 'recipient.add':
      return state.recipients.some(({ email }) => email === order.email);
    case 'recipient.enable':
    case 'recipient.disable':
      return (
        !state.recipients.some(({ id }) => id === order.recipientId) || isReached(order, state)
      );
    case 'recipient.delete':
      return isReached(order, state);
    case 'quota.request':
      return isReached(order, state);
  }
}

/** Whether what is ordered is so already. */
export function isReached(order: ChangeInput, state: State): boolean {
  switch (order.kind) {
    case 'alert.create':
    case 'alert.replace':
      return state.alert?.amount === order.amount && state.alert.enabled === order.enabled;
    case 'alert.delete':
      return state.alert === undefined;
    case 'user.add':
    case 'user.roles': {
      const roles = userAt(state, order.email)?.roles.toSorted(inOrder);
      return roles?.join() === order.roles.toSorted(inOrder).join();
    }
    case 'user.remove':
      return userAt(state, order.email) === undefined;
    case 'token.create':
      return false;
    case 'token.delete':
      return !state.tokens.some(({ id }) => id === order.tokenId);
    case 'org.create':
      return state.orgs.some(({ name }) => name === order.name);
    case 'recipient.add':
      return state.recipients.some(
        ({ email, enabled }) => email === order.email && enabled === order.enabled,
      );
    case 'recipient.enable':
    case 'recipient.disable': {
      const one = state.recipients.find(({ id }) => id === order.recipientId);
      return one?.enabled === (order.kind === 'recipient.enable');
    }
    case 'recipient.delete':
      return !state.recipients.some(({ id }) => id === order.recipientId);
    case 'quota.request': {
      const quota = state.quotas.find(({ name }) => name === order.quotaName);
      return quota !== undefined && quota.max >= order.requestedMax;
    }
  }
}

/** Whether it may be sent twice: what it does is the same (ADR 13). */
export function isRepeatable({ kind }: ChangeInput): boolean {
  return kind !== 'token.create' && kind !== 'org.create' && kind !== 'quota.request';
}

function inOrder(one: string, other: string): number {
  return one < other ? -1 : 1;
}

function isAdminIn(order: ChangeInput): boolean {
  return 'roles' in order && order.roles.includes('billing_admin');
}

function userAt({ users }: State, email: string): State['users'][0] | undefined {
  return users.find((user) => user.email.toLowerCase() === email.toLowerCase());
}
