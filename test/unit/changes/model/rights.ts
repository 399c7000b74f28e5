import type { Change } from '../../../../src/changes/change.ts';
import type { ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import { hasSecret, isBarred, sceneOf } from './orders.ts';
import { userAt } from './platform.ts';
import type { Snapshot, World } from './world.ts';

/** A stretch of the history. */
export type Span = readonly Snapshot[];
type Part = 'request' | 'approve';

/** A question of rights; with the requester where another person has to decide. */
interface Question {
  readonly order: ChangeInput;
  readonly requester?: Change['requester'];
}

/** The table of design section 6. */
function rolesFor({ kind }: ChangeInput, part: Part): readonly string[] | 'orgs' {
  if (kind === 'org.create') return ['billing_admin', 'org_creator'];
  return kind === 'quota.request' && part === 'request' ? 'orgs' : ['billing_admin'];
}

/** Whether a person may, by the answer of Slack in one moment and that of the platform in another. */
function mayBy(
  [slack, platform]: readonly [Snapshot, Snapshot],
  { orgAccess, approvals }: World['setup'],
  person: string,
  [part, { order, requester }]: readonly [Part, Question],
): boolean {
  const { email, deleted = true, guest, inGroup = false } = slack.people[person] ?? {};
  if (deleted || guest === true) return false;
  if (slack.weather === 'Slack silent' || platform.weather === 'platform silent') return false;
  const isOwn = requester?.userId === person || (email !== undefined && requester?.email === email);
  if (isOwn && !approvals.allowSelf) return false;
  const isOfUser = order.kind.startsWith('user.') && 'email' in order;
  if (isOfUser && (email === undefined || email === order.email.toLowerCase())) return false;
  const needed = rolesFor(order, part);
  const { roles = [] } = (email !== undefined && userAt(platform.state, email)) || {};
  if (needed !== 'orgs') return roles.some((role) => needed.includes(role));
  return orgAccess === 'group' ? inGroup : orgAccess === 'members' || roles.length > 0;
}

type Asked = readonly [World, Span, person: string, Part, Question];

/** Whether the bot can have found, at any time in the span, that a person may. */
export const couldDo = (...[{ setup }, span, person, ...question]: Asked): boolean =>
  span.some((slack) => span.some((platform) => mayBy([slack, platform], setup, person, question)));

/** Whether the bot must have found that, whenever in the span it asked. */
export const alwaysMay = (...[{ setup }, span, person, ...question]: Asked): boolean =>
  span.every((slack) =>
    span.every((platform) => mayBy([slack, platform], setup, person, question)),
  );

/** The rights that a request takes: without approvals (APPROVALS=off) also those of an approver. */
export const partsOf = ({ setup }: World): readonly Part[] =>
  setup.approvals.required ? ['request'] : ['request', 'approve'];

/** Without a key nothing could seal its secret. */
export const isOff = ({ setup }: World, order: ChangeInput): boolean =>
  hasSecret(order) && !setup.hasKey;

/** The scenes of an order at every time in the span. */
export const scenesIn = (span: Span, order: ChangeInput): ReadonlySet<string> =>
  new Set(span.map(({ state }) => sceneOf(order, state)));

/** Whether at some time in the span the order could be carried out, and all was as at some time in `seen`. */
export function isAsIn(span: Span, seen: Span, order: ChangeInput): boolean {
  const scenes = scenesIn(seen, order);
  return span.some(({ state }) => scenes.has(sceneOf(order, state)) && !isBarred(order, state));
}

export const isEverBarred = (span: Span, order: ChangeInput): boolean =>
  span.some(({ state }) => isBarred(order, state));
