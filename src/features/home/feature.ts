import type { KnownBlock } from '@slack/types';
import { BILLING_OFF } from '../../access/authorizer.ts';
import { rightsOf, type Principal } from '../../access/policy.ts';
import type { Config } from '../../config/config.ts';
import { context } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { HomePart } from '../../slack/routing/routes.ts';
import type { Feature } from '../../services.ts';

/** The parts of the home tab that belong to no other feature; each feature brings its own. */
export function createHomeFeature({
  config,
}: {
  readonly config: Pick<Config, 'billing'>;
}): Feature {
  return { name: 'home', home: [createRolesPart(config.billing ? undefined : BILLING_OFF)] };
}

/**
 * "Your roles" on the home tab (design section 3): a short `/purser whoami`.
 * @param billingOff why roles cannot be looked up; undefined: they can
 */
function createRolesPart(billingOff: string | undefined): HomePart<Principal> {
  return {
    title: 'Your roles',
    rank: 60,
    fill: async (_, who) => rolesBlocks(await who(), billingOff),
  };
}

export function rolesBlocks(who: Principal, billingOff: string | undefined): KnownBlock[] {
  return [
    context(
      joinMrkdwn(
        [
          rolesOf(who, billingOff),
          rightsOfPerson(who),
          mrkdwn`${code('/purser whoami')} says more`,
        ],
        ' · ',
      ),
    ),
  ];
}

function rolesOf({ email, roles }: Principal, billingOff: string | undefined): Mrkdwn {
  if (billingOff !== undefined) return mrkdwn`billing isn’t set up, so roles are not known`;
  if (email === undefined) return mrkdwn`no role without a confirmed e-mail address in Slack`;
  if (roles === undefined) return mrkdwn`no role: ${code(email)} is no user of the billing account`;
  if (roles.length === 0) return mrkdwn`no billing role`;
  return joinMrkdwn(
    roles.map((role) => code(role, 40)),
    ', ',
  );
}

function rightsOfPerson(who: Principal): Mrkdwn {
  const rights = rightsOf(who);
  const open = rights.filter(({ refusal }) => refusal === undefined).map(({ what }) => what);
  if (open.length === rights.length) return mrkdwn`you may do everything`;
  return open.length === 0 ? mrkdwn`you may do nothing here` : mrkdwn`you may ${open.join('; ')}`;
}
