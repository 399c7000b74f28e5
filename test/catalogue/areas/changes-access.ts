import { ADMINS, ANY_ROLE, denied, roleRefusal } from '../../../src/access/policy.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';
import { createAccessAnswer } from '../../../src/features/changes/refusals.ts';
import type { BillingRole } from '../../../src/platform/billing/roles.ts';
import { noted } from '../../../src/slack/routing/modals.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { authorizerFor, usersWith } from '../../support/authorizer.ts';
import { user, type PlatformData } from '../../unit/changes/forms/harness.ts';
import { answer, direct, modal, post, refusal, type Area, type Entry } from '../entry.ts';
import { card, openChanges, reported } from './changes-core-office.ts';
import { ADA, CLEO, DANA, GROUND } from './changes-feature-data.ts';
import { faulty, formsOf, notOpened, opened } from './changes-feature-modals.ts';

const MEMBER = { teamId: 'T0ACME', deleted: false, bot: false, guest: false, stranger: false };
const NO_USERS = usersWith(async () => undefined);
const OWN: ChangeInput = {
  kind: 'user.roles',
  email: CLEO.email,
  roles: ['billing_admin', 'billing_viewer'],
  own: true,
};
const NEW: ChangeInput = { ...OWN, kind: 'user.add', email: DANA.email, roles: ['billing_viewer'] };

/** Below the refusal is the button that asks. */
function refused(needed: typeof ANY_ROLE, roles: readonly string[] | undefined): Answer {
  const sentence = roleRefusal(needed, { email: CLEO.email, roles }) ?? '';
  const made = createAccessAnswer(formsOf({}).routes)(denied('role', sentence, needed));
  if (made === undefined) throw new Error('there is no button');
  return made;
}

/** Ada, who asks, has these roles; undefined: no billing user. */
function withRoles(roles: readonly BillingRole[] | undefined): PlatformData {
  const others = (GROUND.users ?? []).filter(({ email }) => email !== ADA.email);
  return { ...GROUND, users: [...(roles ? [user(ADA.email, ...roles)] : []), ...others] };
}

const VIEWER = withRoles(['billing_viewer']);
const NO_ROLE = withRoles([]);

const form = (name: string, when: string, platformData: PlatformData, roles: string): Entry =>
  opened(`ask-access-form-${name}`, when, { name: 'access.ask', platformData, given: { roles } });

const ALL = ANY_ROLE.join();

export const askAccess: Area = {
  id: 'ask-access',
  title: 'A person asks for a missing role',
  entries: [
    answer('ask-access-refused', 'A viewer asks for data for billing admins only.', () =>
      refused(ADMINS, ['billing_viewer']),
    ),
    answer('ask-access-no-user', 'A person asks for the account who is no billing user.', () =>
      refused(ANY_ROLE, undefined),
    ),
    modal('ask-access-window', 'A viewer types /alert set 500.', () => ({
      title: 'Set the spend alert',
      blocks: noted(refused(ADMINS, ['billing_viewer']), []),
    })),
    form('viewer', 'A viewer asks for the missing role.', VIEWER, 'billing_admin'),
    form('no-user', 'A person asks who is no billing user.', withRoles(undefined), ALL),
    form('no-role', 'A billing user without a role asks for one.', NO_ROLE, ALL),
    faulty('ask-access-form-none', 'It was sent without a role.', {
      name: 'access.ask',
      platformData: NO_ROLE,
      filled: { Roles: [] },
    }),
    faulty('ask-access-form-held', 'It was sent with no other role than the present one.', {
      name: 'access.ask',
      platformData: VIEWER,
      filled: { Roles: ['billing_viewer'] },
    }),
    notOpened('ask-access-no-email', 'The profile no longer has a confirmed address.', {
      name: 'access.ask',
      deps: { access: authorizerFor({ member: async () => MEMBER, users: NO_USERS }) },
    }),
    notOpened('ask-access-billing-off', 'Billing was switched off since the refusal.', {
      name: 'access.ask',
      deps: {
        access: authorizerFor({ member: async () => ({ ...MEMBER, email: ADA.email }) }),
      },
    }),
    refusal('ask-access-other-address', 'The e-mail address of who asked is another one now.', () =>
      openChanges().ask(OWN, DANA),
    ),
    post('ask-access-card', 'A viewer has asked for more.', async () =>
      card(await openChanges().ask(OWN, CLEO)),
    ),
    post('ask-access-card-new', 'A person has asked who is no billing user.', async () =>
      card(await openChanges().ask(NEW, DANA)),
    ),
    direct('ask-access-expired', 'No one decided for eight hours.', async () => {
      const office = openChanges();
      const { expiresAt } = await office.ask(OWN, CLEO);
      office.clock.at = expiresAt;
      return reported(await office.work());
    }),
  ],
};
