import { ADMINS, denied } from '../../access/policy.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Services } from '../../services.ts';
import { isChannelMember } from '../../slack/directory.ts';
import type { Answer, CommandContext, Person } from '../../slack/routing/routes.ts';

/**
 * Opens the doctor to billing admins and to the members of an OPS_CHANNEL that is set by itself. In that channel no call
 * is needed for it, so the doctor also runs while Slack or the platform is away. Where it cannot be known who these
 * people are, such as with a wrong account id, it is open to all members: it is there to find that out.
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
      ownOps === undefined ? undefined : await isChannelMember(slack, context, ownOps);
    if (isOperator && context.channelId === ownOps) return privately(await examine());
    const isAdmin = await isBillingAdmin(access, context.person);
    if (isAdmin) return examine();
    const isClosed = isAdmin === false || isOperator === false;
    if (isClosed && !isOperator) throw denied('role', ownOps === undefined ? ADMINS_ONLY : CLOSED);
    return privately(await examine());
  };
}

/** Undefined when it cannot be known. @throws Refusal for people without access to the bot */
async function isBillingAdmin(
  access: Pick<Services['access'], 'requireRole'>,
  person: Person,
): Promise<boolean | undefined> {
  try {
    await access.requireRole(person, ADMINS);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.why === 'role') return false;
    if (error.why !== undefined) throw error;
    return undefined;
  }
}

/** Sharing takes the right of an admin; opening more of the answer does not. */
function privately({ shareable: _shareable, needs: _needs, ...own }: Answer): Answer {
  return own;
}

const CLOSED =
  'Only a billing_admin and members of OPS_CHANNEL can run /purser doctor: ask one of them to run it.';
const ADMINS_ONLY =
  'Only a billing_admin can run /purser doctor: ask one to run it, or ask your Purser administrator to set OPS_CHANNEL to a channel that you are in.';
