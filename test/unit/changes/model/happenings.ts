import type { ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import { BILLING_ROLES } from '../../../../src/platform/billing/roles.ts';
import { partOf, rowOf } from './orders.ts';
import { addressOf, put, userAt, type Row, type State } from './platform.ts';
import type { Weather, World } from './world.ts';

const ROLES = {
  admin: ['billing_admin'],
  viewer: ['billing_viewer'],
  creator: ['org_creator'],
  noOne: undefined,
};

/** Changes to a person in Slack. */
const BECOMES = {
  deactivated: () => ({ deleted: true }),
  active: () => ({ deleted: false }),
  guest: ({ guest }) => ({ guest: !guest }),
  moved: () => ({ email: addressOf('zoe') }),
  'no e-mail': () => ({ email: undefined }),
  'own e-mail': (_, who) => ({ email: addressOf(who) }),
  group: ({ inGroup }) => ({ inGroup: !inGroup }),
} satisfies Record<string, (person: Person, who: string) => Partial<Person>>;
type Person = NonNullable<World['facts']['people'][string]>;

/** Redis fails over or is restored, to what it had some moves ago; its replica takes nothing, or does again. */
export const OF_REDIS = ['goes back', 'no replica', 'replica'] as const;

/** An event outside the bot. */
export interface Happening {
  /** `drift`: another person changes the target of an open change. */
  readonly what:
    | 'time goes by'
    | 'drift'
    | (typeof OF_REDIS)[number]
    | keyof typeof ROLES
    | keyof typeof BECOMES
    | Weather;
  readonly who?: string;
  /** In which of several ways; of time: seconds. */
  readonly n: number;
}

export function befall(
  world: World,
  { what, who = '', n }: Happening,
  order: ChangeInput = { kind: 'alert.delete' },
): void {
  const { facts, clock, stage, durability } = world;
  const { people, state } = facts;
  const person = people[who];
  if (what === 'time goes by') stage.pass(n * 1_000);
  else if (what === 'goes back') world.goBack(n);
  else if (what === 'no replica') durability.isConfirmed = false;
  else if (what === 'replica') durability.isConfirmed = true;
  else if (what === 'drift') drift(state, order, n, clock.at);
  else if (what in ROLES) giveRoles(state, addressOf(who), ROLES[what as keyof typeof ROLES]);
  else if (what in BECOMES && person) {
    people[who] = { ...person, ...BECOMES[what as keyof typeof BECOMES](person, who) };
  } else facts.weather = what as Weather;
}

/** @param roles undefined: the user was removed */
function giveRoles(state: State, email: string, roles: readonly string[] | undefined): void {
  put(state.user, userAt(state, email), roles && { email, roles });
}

/** Something that an order is about changes, in one of several ways. */
function drift(state: State, order: ChangeInput, n: number, now: number): void {
  const rows = state[partOf(order)];
  const row = rowOf(order, state);
  const id = `hand${now}-${n}-${rows.length}`;
  const oneOf = <T>(...all: readonly T[]): T => all[n % all.length] as T;
  if (order.kind === 'token.create') {
    const { name } = order;
    // Never the very token that is ordered: no one could distinguish the two.
    const roles = order.roles.length === 3 ? ROLES.viewer : BILLING_ROLES;
    const made = { id, name, description: 'by hand', roles, created: now };
    const [old, next] = oneOf([rows.find((one) => one.name === name)], [undefined, made]);
    put(rows, old, next);
  } else if (order.kind === 'org.create') {
    state.tou = oneOf(!state.tou, state.tou, state.tou);
    put(rows, row, oneOf(row, { name: order.name, created: now }, row));
  } else if ('recipientId' in order || order.kind === 'recipient.add') {
    const one = row ?? { id, email: order.email };
    const others = oneOf(
      [],
      [],
      rows.filter((other) => other !== row),
    );
    for (const other of others) put(rows, other, { ...other, enabled: false });
    put(rows, row, oneOf(undefined, { ...one, enabled: !one.enabled }, { ...one, enabled: true }));
  } else if ('email' in order) {
    const both = [...ROLES.admin, ...ROLES.creator];
    const roles = oneOf(ROLES.noOne, ROLES.viewer, both, ROLES.creator);
    giveRoles(state, order.email.toLowerCase(), roles);
  } else if ('quotaName' in order) {
    put(rows, row, { ...row, max: oneOf(8, 12) });
  } else if ('tokenId' in order) {
    put(rows, row, undefined);
  } else {
    const one = row ?? { amount: 50, enabled: true, created: now };
    const set = (amount: number): Row => ({ ...one, amount, enabled: true, modified: now });
    put(rows, row, oneOf(set(77 + n), { ...one, fired: now }, undefined, one, set(400)));
  }
}
