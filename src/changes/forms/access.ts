import type { Authorizer } from '../../access/authorizer.ts';
import { denied, type Principal } from '../../access/policy.ts';
import { Refusal } from '../../lib/errors.ts';
import { knownRoles, type BillingRole } from '../../platform/billing/roles.ts';
import type { Person } from '../../slack/routing/routes.ts';
import { NO_EMAIL } from '../kinds/identity.ts';
import { short, theRoles } from '../kinds/kind.ts';
import type { UserInput } from '../kinds/users.ts';
import { inputOf, rolesField, rolesIn, type FormsOf, type Given } from './fields.ts';

const ROLES = rolesField('access.ask.roles');

/** The form with which a person asks for roles that they lack: the only one for one's own billing user. */
export function accessForms(
  access: Pick<Authorizer, 'principal'>,
): FormsOf<'access.ask', UserInput> {
  return {
    'access.ask': {
      title: 'Ask for access',
      isAlwaysReviewed: true,
      isOwn: true,
      conflictField: ROLES.id,
      async open({ given, person }) {
        const { email, held } = await ownUser(access, person);
        return {
          notes: [`This asks for roles of your own e-mail address, ${email}.`, standing(held)],
          consequences: ['Someone else with billing_admin has to approve it.', ...effectsOn(held)],
          fields: [ROLES.block([...(held ?? []), ...leastOf(given, held)])],
        };
      },
      // The address, and whether it has a billing user, are read only when it is sent.
      read: (submitted) =>
        inputOf({ roles: ROLES }, submitted, ({ roles }) => ({
          kind: 'user.roles',
          email: '',
          roles,
          own: true,
        })),
      complete: async (input, person) =>
        orderFor(await ownUser(access, person), 'roles' in input ? knownRoles(input.roles) : []),
    },
  };
}

interface OwnUser {
  readonly email: string;
  /** Undefined: the account has no such user. */
  readonly held: readonly BillingRole[] | undefined;
}

/** Read afresh from Slack and the platform. @throws Refusal for people without an address that could have a role */
async function ownUser(access: Pick<Authorizer, 'principal'>, person: Person): Promise<OwnUser> {
  const who = await access.principal(person);
  const { email, roles } = who;
  const denial = closedTo(who);
  if (denial !== undefined) throw denial;
  if (email === undefined) throw new Refusal(NO_EMAIL);
  return { email, held: roles && knownRoles(roles) };
}

/** Without an account in this workspace, or with the address of another one, no role can be asked for. */
function closedTo({ refusal, why, rolesRefusal, rolesWhy }: Principal): Refusal | undefined {
  if (refusal !== undefined) return denied(why ?? 'stranger', refusal);
  return rolesRefusal === undefined ? undefined : denied(rolesWhy ?? 'role', rolesRefusal);
}

/** @throws Refusal when nothing would be gained */
function orderFor({ email, held }: OwnUser, roles: BillingRole[]): UserInput {
  if (roles.every((role) => held?.includes(role))) {
    throw new Refusal(
      `${short(email)} has ${theRoles(roles)} already: tick the one that is missing.`,
    );
  }
  return { kind: held === undefined ? 'user.add' : 'user.roles', email, roles, own: true };
}

function effectsOn(held: readonly BillingRole[] | undefined): string[] {
  if (held === undefined) return ['The platform then sends an invitation to your address.'];
  return held.length === 0 ? [] : [REPLACED];
}

const REPLACED = 'The roles that are ticked replace the present ones: an unticked role is lost.';

function standing(held: readonly BillingRole[] | undefined): string {
  if (held === undefined) return 'The billing account has no such user yet.';
  return held.length === 0 ? 'It has no role now.' : `It has ${theRoles(held)} now.`;
}

/** From the role with the fewest rights to the one with all. */
const BY_RIGHTS: readonly BillingRole[] = ['billing_viewer', 'org_creator', 'billing_admin'];

/** Of roles any of which would do, the one with the fewest rights; none of those that the person has. */
function leastOf(given: Given, held: readonly BillingRole[] = []): BillingRole[] {
  const missing = rolesIn(given);
  const least = BY_RIGHTS.find((role) => missing.includes(role) && !held.includes(role));
  return least === undefined ? [] : [least];
}
