import type { Change } from '../../../../src/changes/change.ts';
import { addressOf, userIdOf } from './state.ts';
import type { Facts, Name, State } from './state.ts';
import type { ChangeInput } from '../../../../src/changes/kinds/kinds.ts';

/** What happens without the bot. */
export type Happening =
  /** Somebody else changes what an open change is about. */
  | { readonly kind: 'drift'; readonly n: number }
  | {
      readonly kind: 'person';
      readonly who: Name;
      readonly what:
        | 'admin'
        | 'viewer'
        | 'creator'
        | 'nobody'
        | 'deactivated'
        | 'active'
        | 'guest'
        | 'moved'
        | 'no e-mail'
        | 'own e-mail'
        | 'group';
    }
  | {
      readonly kind: 'weather';
      readonly what: 'platform silent' | 'Slack silent' | 'unreadable row' | 'clear';
    };

export function befall(
  facts: Facts,
  happening: Happening,
  { change, now }: { change: Change | undefined; now: number },
): void {
  if (happening.kind === 'weather') return turn(facts, happening.what);
  if (happening.kind === 'person') return become(facts, happening);
  drift(facts.state, change?.order ?? { kind: 'alert.delete' }, { n: happening.n, now });
}

function turn({ weather }: Facts, what: string): void {
  weather.platformSilent = what === 'platform silent';
  weather.slackSilent = what === 'Slack silent';
  weather.unreadableRow = what === 'unreadable row';
}

function become(
  { people, state }: Facts,
  { who, what }: Extract<Happening, { kind: 'person' }>,
): void {
  const person = people[userIdOf(who)];
  if (person === undefined) return;
  switch (what) {
    case 'admin':
      return giveRoles(state, addressOf(who), ['billing_admin']);
    case 'viewer':
      return giveRoles(state, addressOf(who), ['billing_viewer']);
    case 'creator':
      return giveRoles(state, addressOf(who), ['org_creator']);
    case 'nobody':
      return giveRoles(state, addressOf(who), undefined);
    case 'deactivated':
    case 'active':
      person.deleted = what === 'deactivated';
      return;
    case 'guest':
      person.guest = !person.guest;
      return;
    case 'moved':
      person.email = addressOf('zoe');
      return;
    case 'no e-mail':
      person.email = undefined;
      return;
    case 'own e-mail':
      person.email = addressOf(who);
      return;
    case 'group':
      person.inGroup = !person.inGroup;
  }
}

/** @param roles undefined: there is no such user any more */
function giveRoles(state: State, email: string, roles: string[] | undefined): void {
  const isOther = (user: { email: string }): boolean => user.email.toLowerCase() !== email;
  state.users = [...state.users.filter(isOther), ...(roles ? [{ email, roles }] : [])];
}

interface By {
  readonly n: number;
  readonly now: number;
}

/** Something that an order is about changes. */
function drift(state: State, order: ChangeInput, by: By): void {
  switch (order.kind) {
    case 'alert.create':
    case 'alert.replace':
    case 'alert.delete':
      return driftAlert(state, by);
    case 'user.add':
    case 'user.roles':
    case 'user.remove':
      return driftUser(state, order.email, by);
    case 'token.create':
    case 'token.delete':
      return driftTokens(state, order, by);
    case 'org.create':
      if (by.n % 3 === 0) state.tou = !state.tou;
      else if (by.n % 3 === 1) state.orgs.push({ name: order.name, created: by.now });
      return;
    case 'recipient.add':
    case 'recipient.enable':
    case 'recipient.disable':
    case 'recipient.delete':
      return driftRecipients(state, order.email, by);
    case 'quota.request':
      for (const quota of state.quotas) quota.max = by.n % 2 === 0 ? 8 : 12;
  }
}

function driftAlert(state: State, { n, now }: By): void {
  const { alert } = state;
  const fresh = { amount: 50, enabled: true, created: now, modified: now, fired: undefined };
  const next = [
    alert && { ...alert, amount: 77 + n, modified: now },
    alert && { ...alert, fired: now },
    undefined,
    alert ?? fresh,
    alert && { ...alert, amount: 400, enabled: true, modified: now },
  ];
  state.alert = next[n % next.length];
}

function driftUser(state: State, email: string, { n }: By): void {
  const all = [undefined, ['billing_viewer'], ['billing_admin', 'org_creator'], ['org_creator']];
  giveRoles(state, email.toLowerCase(), all[n % all.length]);
}

function driftTokens(
  state: State,
  order: Extract<ChangeInput, { kind: 'token.create' | 'token.delete' }>,
  { n, now }: By,
): void {
  if (order.kind === 'token.delete') {
    state.tokens = state.tokens.filter(({ id }) => id !== order.tokenId);
    return;
  }
  if (n % 2 === 0) {
    state.tokens = state.tokens.filter(({ name }) => name !== order.name);
    return;
  }
  const made = { description: 'by hand', expiresAt: undefined, created: now, madeFor: undefined };
  // Never the very token that is ordered: nobody could tell the two apart.
  const roles = order.roles.length === 3 ? ['billing_viewer'] : [...ALL_ROLES];
  state.tokens.push({ id: `hand${now}-${state.tokens.length}`, name: order.name, roles, ...made });
}

const ALL_ROLES = ['billing_admin', 'billing_viewer', 'org_creator'];

function driftRecipients(state: State, email: string, { n, now }: By): void {
  const one = state.recipients.find((recipient) => recipient.email === email);
  if (one === undefined || n % 3 === 0) {
    const others = state.recipients.filter((recipient) => recipient !== one);
    const added = { id: `hand${now}-${n}`, email, enabled: n % 2 === 0 };
    state.recipients = one === undefined ? [...others, added] : others;
    return;
  }
  if (n % 3 === 1) one.enabled = !one.enabled;
  else for (const recipient of state.recipients) recipient.enabled = recipient === one;
}
