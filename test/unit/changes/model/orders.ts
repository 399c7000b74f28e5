import { ChangeInput, type ChangeKind, type InputOf } from '../../../../src/changes/kinds/kinds.ts';
import { KINDS } from '../../../../src/changes/messages/plan-view.ts';
import { addressOf, userAt, type Part, type Row, type State } from './platform.ts';

export const PLAYED = KINDS.filter((kind) => kind !== 'identity.confirm');

/** A person's wish, before it is known what exists. */
export interface Wish {
  readonly kind: ChangeKind;
  readonly n: number;
  readonly roles: readonly string[];
  readonly flag: boolean;
}

const ADDRESSES = ['zoe', 'new', 'eve', 'ben', 'ada', 'cid', 'next'].map(addressOf);
const GONE: Row = { id: 'gone', name: 'gone', email: addressOf('gone') };

export const partOf = ({ kind }: Pick<ChangeInput, 'kind'>): Part => kind.split('.')[0] as Part;

/** The order that a person makes of a wish, chosen from the existing rows. */
export function orderOf({ kind, n, roles, flag }: Wish, state: State): ChangeInput {
  // Most wishes are possible; every eighth is not.
  const isOdd = n % 8 === 7;
  const pick = <T>(all: readonly T[], instead?: T): T => (all[n % all.length] ?? instead) as T;
  const token = pick(state.token, GONE);
  const isFitting = ({ enabled }: Row): boolean =>
    isOdd || kind === 'recipient.delete' || enabled === (kind === 'recipient.disable');
  const recipient = pick(state.recipient.filter(isFitting), GONE);
  const isNew = (email: string): boolean => isOdd || userAt(state, email) === undefined;
  const unset = state.alert.length === 0 ? 'alert.create' : 'alert.replace';
  const parts: Record<Part, object> = {
    alert: {
      kind: isOdd || kind === 'alert.delete' ? kind : unset,
      amount: 100 * (1 + (n % 5)),
    },
    user: { email: pick(kind === 'user.add' ? ADDRESSES.filter(isNew) : ADDRESSES, GONE.email) },
    token:
      kind === 'token.create'
        ? {
            name: pick(['ci', 'cd']),
            ...(n % 2 === 0 && { expiresAt: '2027-01-31T12:00:00.000Z' }),
          }
        : { tokenId: token.id, name: token.name },
    org: {
      name: isOdd ? 'acme' : pick(['web', 'data']),
      invitees: [addressOf('eve')],
      superuser: flag,
    },
    recipient:
      kind === 'recipient.add'
        ? { email: pick(['one', 'two', 'books'].map(addressOf)) }
        : { recipientId: recipient.id, email: recipient.email },
    quota: { org: 'acme', quotaName: pick(['cpu', 'memory', 'disk']), requestedMax: 16 + (n % 3) },
  };
  // Each kind takes the values that it has a field for.
  const all = { kind, roles, enabled: flag, description: '', ...parts[partOf({ kind })] };
  return ChangeInput.parse(all);
}

/** The one call that carries an order out (spec 4.3). */
const CALLS: { readonly [Kind in ChangeKind]: (order: InputOf<Kind>) => readonly unknown[] } = {
  'alert.create': ({ amount, enabled }) => ['createAlert', { amount, enabled }],
  'alert.replace': ({ amount, enabled }) => ['replaceAlert', { amount, enabled }],
  'alert.delete': () => ['removeAlert'],
  'user.add': ({ email, roles }) => ['addUser', { email, roles }],
  'user.roles': ({ email, roles }) => ['setUserRoles', { email, roles }],
  'user.remove': ({ email }) => ['removeUser', email],
  'token.create': ({ name, roles, expiresAt }) => [
    'createToken',
    { name, roles, ...(expiresAt && { expiresAt }) },
  ],
  'token.delete': ({ tokenId }) => ['removeToken', tokenId],
  'org.create': ({ name, invitees, superuser }) => [
    'createOrg',
    { org: { name }, invitees, createSuperuserServiceAccount: superuser },
  ],
  'recipient.add': ({ email, enabled }) => ['addRecipient', { email, enabled }],
  'recipient.enable': ({ recipientId }) => ['setRecipientEnabled', recipientId, true],
  'recipient.disable': ({ recipientId }) => ['setRecipientEnabled', recipientId, false],
  'recipient.delete': ({ recipientId }) => ['removeRecipient', recipientId],
  'quota.request': ({ org, quotaName, requestedMax }) => [
    'requestQuotaIncrease',
    org,
    { quotaName, requestedMax },
  ],
  // It calls nothing of the platform, and is not played here.
  'identity.confirm': () => [],
};

export const callOf = <Kind extends ChangeKind>(order: InputOf<Kind>): readonly unknown[] =>
  CALLS[order.kind](order);

/** The row that an order is about, if it exists. */
export function rowOf(order: ChangeInput, state: State): Row | undefined {
  const rows = state[partOf(order)];
  if ('recipientId' in order) return rows.find(({ id }) => id === order.recipientId);
  if ('tokenId' in order) return rows.find(({ id }) => id === order.tokenId);
  if ('email' in order) {
    return rows.find(({ email }) => email?.toLowerCase() === order.email.toLowerCase());
  }
  if ('quotaName' in order) return rows.find(({ name }) => name === order.quotaName);
  if (order.kind === 'org.create') return rows.find(({ name }) => name === order.name);
  return order.kind === 'token.create' ? undefined : rows[0];
}

/** The part of the platform that an order is about: while it is the same, the order does the same. */
export function sceneOf(order: ChangeInput, state: State): string {
  const { kind } = order;
  const { user, recipient } = state;
  const row = rowOf(order, state);
  const isAdmin = ({ roles = [] }: Pick<Row, 'roles'>): boolean => roles.includes('billing_admin');
  const isDemotion = kind === 'user.remove' || (kind === 'user.roles' && !isAdmin(order));
  const isDisabling = kind === 'recipient.disable' || kind === 'recipient.delete';
  return JSON.stringify([
    row && { ...row, created: 0, modified: 0, fired: !!row.fired && kind !== 'alert.delete' },
    kind === 'token.create' && state.token.some(({ name }) => name === order.name),
    // The plan mentions it when the last one goes.
    isDemotion && row && user.filter(isAdmin).every((one) => one === row) && isAdmin(row),
    isDisabling && row?.enabled && recipient.every((one) => one === row || !one.enabled),
  ]);
}

/** Whether the state is already as ordered. */
export function isReached(order: ChangeInput, state: State): boolean {
  const row = rowOf(order, state);
  if (/\.(?:delete|remove)$/.test(order.kind)) return row === undefined;
  if (row === undefined) return false;
  if (order.kind === 'quota.request') return (row.max ?? 0) >= order.requestedMax;
  const goal: Row = {
    ...order,
    ...(order.kind === 'recipient.enable' && { enabled: true }),
    ...(order.kind === 'recipient.disable' && { enabled: false }),
  };
  const isSo = (name: 'amount' | 'enabled' | 'roles'): boolean =>
    goal[name] === undefined || String(goal[name]) === String(row[name]);
  return isSo('amount') && isSo('enabled') && isSo('roles');
}

/** Whether an order cannot be carried out as things are. */
export function isBarred(order: ChangeInput, state: State): boolean {
  const { kind } = order;
  const isThere = rowOf(order, state) !== undefined;
  if (kind === 'token.create') return false;
  if (kind === 'org.create') return !state.tou && !isThere;
  if (['alert.create', 'user.add', 'recipient.add'].includes(kind)) return isThere;
  return !isThere || (kind !== 'alert.replace' && isReached(order, state));
}

/** Whether its answer brings a secret. */
export const hasSecret = (order: ChangeInput): boolean =>
  order.kind === 'token.create' || (order.kind === 'org.create' && order.superuser);

/** Whether it may be sent twice: the second call has the same effect (ADR 13). */
export const isRepeatable = ({ kind }: ChangeInput): boolean =>
  !['token.create', 'org.create', 'quota.request'].includes(kind);
