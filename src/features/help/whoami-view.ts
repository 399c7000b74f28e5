import type { KnownBlock } from '@slack/types';
import type { Principal, Right } from '../../access/policy.ts';
import { rightsOf } from '../../access/policy.ts';
import { context, lines, section, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mentionUser, mrkdwn } from '../../slack/kit/text.ts';
import type { Mrkdwn } from '../../slack/kit/text.ts';
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
const OWN = mrkdwn`Nobody decides on their own request, or on a change of their own billing user`;

/** What `/purser whoami` answers: who the person is to Purser, and what that allows (design section 6). Pure. */
export function whoamiAnswer({ userId, principal, billingOff }: WhoamiView): Answer {
  if ('unknown' in principal) {
    const head = mrkdwn`*You* are ${mentionUser(userId)} in this workspace (${code(userId)}); what you may do is not known just now.`;
    return {
      text: topText(head),
      blocks: [section(head), section(mrkdwn`${principal.unknown}`), context(DELAY)],
    };
  }
  const head = mrkdwn`*You* are ${mentionUser(userId)}, ${memberLine(principal)} (${code(userId)})`;
  return {
    text: topText(head),
    blocks: [
      section(head),
      lines([emailLine(principal), ...roleLines(principal, billingOff)]),
      ...rightBlocks(principal, billingOff),
      context(DELAY, OWN),
    ],
  };
}

function memberLine({ refusal }: Principal): Mrkdwn {
  return refusal === undefined
    ? mrkdwn`a full member of this workspace`
    : mrkdwn`and Purser does not answer this account`;
}

function emailLine({ email, unconfirmed }: Principal): Mrkdwn {
  if (unconfirmed !== undefined) {
    return mrkdwn`• E-mail: Slack says that ${code(unconfirmed)} is not confirmed, so it gives no role`;
  }
  return email === undefined
    ? mrkdwn`• E-mail: Slack shows none of yours`
    : mrkdwn`• E-mail: ${code(email)}`;
}

function roleLines(principal: Principal, billingOff: string | undefined): Mrkdwn[] {
  const { email, roles } = principal;
  if (billingOff !== undefined)
    return [mrkdwn`• Roles on the billing account: not known. ${billingOff}`];
  const intro = '• Roles on the billing account:';
  if (email === undefined) return [mrkdwn`${intro} none without a confirmed e-mail address`];
  if (roles === undefined) return [mrkdwn`${intro} none, because it has no such user`];
  if (roles.length === 0) return [mrkdwn`${intro} none`];
  return [
    mrkdwn`${intro} ${joinMrkdwn(
      roles.map((role) => code(role)),
      ', ',
    )}`,
  ];
}

function rightBlocks(principal: Principal, billingOff: string | undefined): KnownBlock[] {
  const rights = rightsOf(principal);
  const open = allowed(rights);
  return [
    ...(open.length === 0
      ? [section(mrkdwn`*You may* do none of what Purser does.`)]
      : [lines([mrkdwn`*You may*`, ...open.map(({ what }) => mrkdwn`✓ ${what}`)])]),
    ...[...closed(rights, principal, billingOff)].map(([reason, whats]) =>
      lines([mrkdwn`*You may not* – ${reason}`, ...whats.map((what) => mrkdwn`✗ ${what}`)]),
    ),
  ];
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
