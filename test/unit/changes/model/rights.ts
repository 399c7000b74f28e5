import { userIdOf } from './state.ts';
import type { Name, Snapshot } from './state.ts';
import type { ChangeInput } from '../../../../src/changes/kinds/kinds.ts';

/** How the bot is set up. */
export interface Setup {
  readonly approvals: { readonly required: boolean; readonly allowSelf: boolean };
  readonly hasKey: boolean;
  readonly orgAccess: 'members' | 'roles' | 'group';
  /** The platform’s answer to a create does not say which token it is. */
  readonly isIdless: boolean;
}

type Part = 'request' | 'approve';

/** A stretch of the history. */
export type Span = readonly Snapshot[];

/** The table of design section 6. */
function rolesFor({ kind }: ChangeInput, part: Part): readonly string[] | 'orgs' {
  if (kind === 'org.create') return ['billing_admin', 'org_creator'];
  if (kind === 'quota.request' && part === 'request') return 'orgs';
  return ['billing_admin'];
}

/** Whether a person may, by what Slack said in one moment and the platform in another. */
function mayBy(
  [slack, platform]: readonly [Snapshot, Snapshot],
  { orgAccess }: Setup,
  name: Name,
  { order, part }: { order: ChangeInput; part: Part },
): boolean {
  const person = slack.people[userIdOf(name)];
  if (person === undefined || person.deleted || person.guest) return false;
  if (slack.weather.slackSilent || platform.weather.platformSilent) return false;
  const email = person.email?.toLowerCase();
  const user = platform.state.users.find((one) => one.email.toLowerCase() === email);
  const subject = 'email' in order && order.kind.startsWith('user.') ? order.email : undefined;
  if (subject !== undefined && (email === undefined || email === subject.toLowerCase()))
    return false;
  const needed = rolesFor(order, part);
  if (needed !== 'orgs') return user?.roles.some((role) => needed.includes(role)) ?? false;
  if (orgAccess === 'group') return person.inGroup;
  return orgAccess === 'members' || (user?.roles.length ?? 0) > 0;
}

type Question = Parameters<typeof mayBy>[3];

/** Whether the bot can have found, at any time in the span, that the person may. */
export function couldDo(span: Span, setup: Setup, name: Name, question: Question): boolean {
  return span.some((slack) =>
    span.some((platform) => mayBy([slack, platform], setup, name, question)),
  );
}

/** Whether the bot must have found, whenever in the span it asked, that the person may. */
export function alwaysMay(span: Span, setup: Setup, name: Name, question: Question): boolean {
  return span.every((slack) =>
    span.every((platform) => mayBy([slack, platform], setup, name, question)),
  );
}

/** The addresses that Slack has shown of a person in the span. */
export function addressesIn(span: Span, name: Name): readonly (string | undefined)[] {
  return [...new Set(span.map(({ people }) => people[userIdOf(name)]?.email?.toLowerCase()))];
}
