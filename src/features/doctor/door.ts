import { hasRole } from '../../access/authorizer.ts';
import { ADMINS, denied } from '../../access/policy.ts';
import type { Services } from '../../services.ts';
import { isChannelMember } from '../../slack/directory.ts';
import type { Answer, CommandContext } from '../../slack/routing/routes.ts';

/**
 * Opens the doctor to billing admins and to the members of an OPS_CHANNEL that is set by itself. In that channel no call
 * is needed for it, so the doctor also runs while Slack or the platform is away.
 */
export function createDoctorDoor(
  {
    access,
    config,
    slack,
  }: Pick<Services, 'access' | 'slack'> & {
    readonly config: Pick<Services['config'], 'channels'>;
  },
  examine: () => Promise<Answer>,
): (context: CommandContext) => Promise<Answer> {
  const { ownOps } = config.channels;
  return async (context) => {
    const isOperator =
      ownOps !== undefined && (await isChannelMember(slack, context, ownOps)) === true;
    if (isOperator && context.channelId === ownOps) return privately(await examine());
    const isAdmin = await hasRole(access, context.person, ADMINS);
    if (!isAdmin && !isOperator) throw denied('role', ownOps === undefined ? ADMINS_ONLY : CLOSED);
    const answer = await examine();
    return isAdmin ? answer : privately(answer);
  };
}

/** Sharing takes the right of an admin; opening more of the answer does not. */
function privately(answer: Answer): Answer {
  const own = { ...answer };
  delete own.shareable;
  delete own.needs;
  return own;
}

const CLOSED =
  'Only a billing_admin and members of OPS_CHANNEL can run /purser doctor: ask one of them to run it.';
const ADMINS_ONLY =
  'Only a billing_admin can run /purser doctor: ask one to run it, or ask your Purser administrator to set OPS_CHANNEL to a channel that you are in.';
