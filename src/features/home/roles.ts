import type { KnownBlock } from '@slack/types';
import type { Standing } from '../../access/changes.ts';
import { rightsOf } from '../../access/rights.ts';
import { code, context, joinMrkdwn, mentionUser, mrkdwn, section } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { HomePart } from '../../slack/routes.ts';

export interface RolesDeps {
  /** Why nobody's roles can be looked up; undefined: they can. */
  readonly billingOff: string | undefined;
}

/** "Your roles" on the home tab (design section 3): in short what `/purser whoami` says. */
export function createRolesPart({ billingOff }: RolesDeps): HomePart<Standing> {
  return {
    title: 'Your roles',
    rank: 10,
    fill: async (_, who) => rolesBlocks(await who(), billingOff),
  };
}

/** Pure. */
export function rolesBlocks(who: Standing, billingOff: string | undefined): KnownBlock[] {
  const email = who.email === undefined ? mrkdwn`` : mrkdwn` · ${code(who.email)}`;
  return [
    section(mrkdwn`${mentionUser(who.userId)}${email} · ${rolesOf(who, billingOff)}`),
    context(rightsLine(who)),
  ];
}

function rolesOf({ email, roles }: Standing, billingOff: string | undefined): Mrkdwn {
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

function rightsLine(who: Standing): Mrkdwn {
  const rights = rightsOf(who);
  const open = rights.filter(({ refusal }) => refusal === undefined).map(({ what }) => what);
  const more = mrkdwn`${code('/purser whoami')} says what takes which role.`;
  if (open.length === rights.length) return mrkdwn`You may do everything that Purser does. ${more}`;
  if (open.length === 0) return mrkdwn`You may do none of what Purser does. ${more}`;
  return mrkdwn`You may ${open.join('; ')}. ${more}`;
}
