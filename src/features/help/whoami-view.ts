import { type Principal, type Right, rightsOf } from '../../access/policy.ts';
import { context, lines, section, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mentionUser, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';

export interface WhoamiView {
  readonly userId: string;
  /** What is known of the person now, or why it is not, as a sentence. */
  readonly principal: Principal | { readonly unknown: string };
  /** Why nobody's roles can be looked up; undefined: they can. */
  readonly billingOff: string | undefined;
}

/** Spec section 5: the platform remembers who may do what. */
const DELAY = mrkdwn`A role that was given or taken can take 5 minutes to work`;
const OWN = mrkdwn`You cannot decide on your own request, nor on a change of your own billing user`;

/** What `/purser whoami` answers: first what the person may do, then what is missing, then who they are (design section 6). Pure. */
export function whoamiAnswer({ userId, principal, billingOff }: WhoamiView): Answer {
  const you = mrkdwn`You are ${mentionUser(userId)} (${code(userId)})`;
  if ('unknown' in principal) {
    const head = mrkdwn`*What you may do is not known just now.* ${principal.unknown}`;
    return { text: topText(head), blocks: [section(head), context(you)] };
  }
  const rights = rightsOf(principal);
  const head = headline(rights, principal);
  const open = allowed(rights);
  const may = open.map(({ what }) => mrkdwn`✓ ${what}`);
  return {
    text: topText(joinMrkdwn([head, ...may], '\n')),
    blocks: [
      section(head),
      ...(open.length === 0 ? [] : [lines(may)]),
      ...[...closed(rights, principal, billingOff)].map(([reason, whats]) =>
        lines([mrkdwn`*You may not* · ${reason}`, ...whats.map((what) => mrkdwn`✗ ${what}`)]),
      ),
      context(
        joinMrkdwn([you, emailWords(principal), roleWords(principal, billingOff)], ' · '),
        ...(mayWait(principal, rights, billingOff) ? [DELAY] : []),
        ...(open.some(({ what }) => what.includes('approve')) ? [OWN] : []),
      ),
    ],
  };
}

function headline(rights: readonly Right[], { refusal }: Principal): Mrkdwn {
  const count = allowed(rights).length;
  if (count === rights.length) return mrkdwn`*You may do everything that Purser does*`;
  if (count > 0) return mrkdwn`*You may*`;
  return refusal === undefined
    ? mrkdwn`*You may do nothing here*`
    : mrkdwn`*Purser does not answer this account*`;
}

/** Something is missing that may be on its way: the account knows the person. */
function mayWait(
  { refusal, email, roles }: Principal,
  rights: readonly Right[],
  billingOff: string | undefined,
): boolean {
  const isKnown = email !== undefined && roles !== undefined;
  const isMissing = rights.some(({ missing }) => missing !== undefined);
  return isKnown && isMissing && refusal === undefined && billingOff === undefined;
}

function emailWords({ email, unconfirmed }: Principal): Mrkdwn {
  if (unconfirmed !== undefined) return mrkdwn`${code(unconfirmed)}, which is not confirmed`;
  return email === undefined ? mrkdwn`no e-mail address in Slack` : code(email);
}

function roleWords({ email, roles, refusal }: Principal, billingOff: string | undefined): Mrkdwn {
  if (billingOff !== undefined) return mrkdwn`roles not known, billing is off here`;
  if (refusal !== undefined) return mrkdwn`roles not looked up`;
  if (email === undefined) return mrkdwn`no billing role`;
  if (roles === undefined) return mrkdwn`no user of the billing account`;
  if (roles.length === 0) return mrkdwn`no billing role`;
  const named = joinMrkdwn(
    roles.map((role) => code(role)),
    ', ',
  );
  return mrkdwn`${roles.length === 1 ? 'role' : 'roles'} ${named}`;
}

function allowed(rights: readonly Right[]): Right[] {
  return rights.filter(({ refusal }) => refusal === undefined);
}

/** What a person may not do, by the sentence that says why: one often stands for several. */
function closed(
  rights: readonly Right[],
  { refusal: shut, orgRefusal }: Principal,
  billingOff: string | undefined,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { what, refusal, missing } of rights) {
    if (refusal === undefined) continue;
    // Without billing it is not the person who lacks a role.
    const isOff = billingOff !== undefined && shut === undefined && refusal !== orgRefusal;
    const [reason, takes] = isOff ? [billingOff] : [refusal, missing?.join(' or ')];
    const item = takes === undefined ? what : `${what} (${takes})`;
    groups.set(reason, [...(groups.get(reason) ?? []), item]);
  }
  return groups;
}
