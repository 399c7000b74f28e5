import type { KnownBlock } from '@slack/types';
import { BILLING_OFF } from '../../access/authorizer.ts';
import { rightsOf } from '../../access/policy.ts';
import type { Principal } from '../../access/policy.ts';
import type { Config } from '../../config/config.ts';
import { context, section } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mentionUser, mrkdwn } from '../../slack/kit/text.ts';
import type { Mrkdwn } from '../../slack/kit/text.ts';
import type { HomePart } from '../../slack/routing/routes.ts';
import type { Feature } from '../../services.ts';

/** What of the home tab belongs to no other feature; they bring their own parts. */
export function createHomeFeature({
  config,
}: {
  readonly config: Pick<Config, 'billing'>;
}): Feature {
  return { name: 'home', home: [createRolesPart(config.billing ? undefined : BILLING_OFF)] };
}

/**
 * "Your roles" on the home tab (design section 3): in short what `/purser whoami` says.
 * @param billingOff why roles cannot be looked up; undefined: they can
 */
function createRolesPart(billingOff: string | undefined): HomePart<Principal> {
  return {
    title: 'Your roles',
    rank: 10,
    fill: async (_, who) => rolesBlocks(await who(), billingOff),
  };
}

/** Pure. */
export function rolesBlocks(who: Principal, billingOff: string | undefined): KnownBlock[] {
  const email = who.email === undefined ? mrkdwn`` : mrkdwn` · ${code(who.email)}`;
  return [
    section(mrkdwn`${mentionUser(who.userId)}${email} · ${rolesOf(who, billingOff)}`),
    context(rightsLine(who)),
  ];
}

function rolesOf({ email, roles }: Principal, billingOff: string | undefined): Mrkdwn {
  if (billingOff !== undefined) return mrkdwn`roles are not known, because billing is off here`;
  if (email === undefined)
    return mrkdwn`no billing role without a confirmed e-mail address in Slack`;
  if (roles === undefined) return mrkdwn`no user of the billing account, so no role`;
  if (roles.length === 0) return mrkdwn`no billing role`;
  return joinMrkdwn(
    roles.map((role) => code(role, 40)),
    ', ',
  );
}

function rightsLine(who: Principal): Mrkdwn {
  const rights = rightsOf(who);
  const open = rights.filter(({ refusal }) => refusal === undefined).map(({ what }) => what);
  const more = mrkdwn`${code('/purser whoami')} says what takes which role.`;
  if (open.length === rights.length) return mrkdwn`You may do everything that Purser does. ${more}`;
  if (open.length === 0) return mrkdwn`You may do none of what Purser does. ${more}`;
  return mrkdwn`You may ${open.join('; ')}. ${more}`;
}
