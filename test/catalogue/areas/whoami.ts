import type { SlackProfile, OrgAccessRule } from '../../../src/access/policy.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { Person } from '../../../src/slack/routing/routes.ts';
import { authorizerFor, usersWith } from '../../support/authorizer.ts';
import { memoryIdentities } from '../../support/identities.ts';
import { billing, load } from '../../unit/config/environment.ts';
import { answer, type Area } from '../entry.ts';
import { purser } from './help-data.ts';

export const ADA: Person = { userId: 'U0ADA', teamId: 'T0ACME' };
const MEMBER: SlackProfile = {
  teamId: 'T0ACME',
  deleted: false,
  bot: false,
  guest: false,
  stranger: false,
  email: 'ada@acme.example',
};

/** Ada's profile and roles, as Slack and the platform answer. */
export interface Case {
  readonly applicant?: Partial<SlackProfile>;
  /** Undefined: no user of the account. */
  readonly roles?: readonly string[] | undefined;
  readonly orgAccess?: OrgAccessRule;
  /** ORG_CHARGES */
  readonly orgCharges?: boolean;
  readonly billing?: 'off' | 'away' | 'broken' | 'unread';
  readonly silent?: 'slack' | 'group';
  /** She is in the group of ORG_ACCESS. */
  readonly inGroup?: boolean;
  /** The Slack accounts that are remembered with her address; undefined: none. */
  readonly remembered?: readonly string[];
}

const away = () => Promise.reject(new PlatformError('unavailable', '', { status: 503 }));
const unread = () => Promise.resolve({ value: { items: [], skipped: 1 }, readAt: 0 });
const silence = () => Promise.reject(new Error('Slack is silent'));

/** The rules of the bot, for Ada with this profile and these roles. */
export function authorizerOf({ applicant, roles, orgAccess, orgCharges = false, ...known }: Case) {
  const users = {
    off: undefined,
    away: { getUser: away, listUsers: away },
    unread: { ...usersWith(() => Promise.resolve(undefined)), listUsers: unread },
    broken: usersWith(() => Promise.reject(new TypeError())),
    on: usersWith(() => Promise.resolve(roles)),
  }[known.billing ?? 'on'];
  return authorizerFor({
    member: known.silent === 'slack' ? silence : () => Promise.resolve({ ...MEMBER, ...applicant }),
    groupMembers:
      known.silent === 'group'
        ? silence
        : () => Promise.resolve(new Set(known.inGroup === true ? [ADA.userId] : [])),
    users,
    identities: memoryIdentities(known.remembered && { 'ada@acme.example': known.remembered }),
    ...(orgAccess && { orgAccess }),
    orgCharges,
  });
}

/** The configuration of that place. */
export const configOf = ({ billing: state }: Case) => load(state === 'off' ? {} : billing);

const GROUP: OrgAccessRule = { kind: 'usergroup', id: 'S0DEVS' };

/** People that Purser does not answer. */
export const SHUT_OUT: readonly (readonly [name: string, when: string, Partial<SlackProfile>])[] = [
  ['guest', 'The person is a guest of the workspace.', { guest: true }],
  ['stranger', 'The person is of another workspace, in a shared channel.', { stranger: true }],
  ['deactivated', 'The Slack account of the person is deactivated.', { deleted: true }],
  ['bot', 'A bot asks.', { bot: true }],
];

const CASES: readonly (readonly [id: string, when: string, state: Case])[] = [
  ['admin', 'The person may do everything.', { roles: ['billing_admin'] }],
  ['viewer', 'The person may read billing.', { roles: ['billing_viewer'] }],
  ['org-creator', 'The person may have orgs created.', { roles: ['org_creator'] }],
  ['two-roles', 'The person has two roles.', { roles: ['billing_viewer', 'org_creator'] }],
  ['foreign-role', 'The only role is one that Purser does not know.', { roles: ['janitor'] }],
  ['no-role', 'The person is a user of the billing account and has no role.', { roles: [] }],
  ['no-user', 'The billing account does not know the e-mail address.', {}],
  ['no-email', 'Slack shows no e-mail address of the person.', { applicant: { email: undefined } }],
  [
    'unconfirmed',
    'Slack says that no one has confirmed the e-mail address of the person.',
    { applicant: { email: undefined, unconfirmed: 'ada@acme.example' } },
  ],
  [
    'other-account',
    'Another Slack account is remembered with the e-mail address.',
    { roles: ['billing_admin'], remembered: ['U0OLD'] },
  ],
  [
    'org-charges',
    'The person has no role, and charges of single orgs are open to members (ORG_CHARGES).',
    { roles: [], orgCharges: true },
  ],
  ['billing-off', 'Billing is not set up, so no one has roles.', { billing: 'off' }],
  [
    'orgs-by-role',
    'Only people with a role may ask about the orgs, and the person has none.',
    { orgAccess: { kind: 'roles' } },
  ],
  [
    'orgs-by-role-billing-off',
    'Only people with a role may ask about the orgs, and billing is not set up.',
    { orgAccess: { kind: 'roles' }, billing: 'off' },
  ],
  [
    'outside-group',
    'Only a user group may ask about the orgs, and the person is not in it.',
    { orgAccess: GROUP, roles: ['billing_viewer'] },
  ],
  [
    'outside-group-without-role',
    'The person is in no group and has no role: nothing is allowed.',
    { orgAccess: GROUP, roles: [] },
  ],
  [
    'in-group',
    'Only a user group may ask about the orgs, and the person is in it.',
    { orgAccess: GROUP, roles: ['billing_viewer'], inGroup: true },
  ],
  [
    'group-unknown',
    'Slack does not list the user group.',
    { orgAccess: GROUP, roles: ['billing_viewer'], silent: 'group' },
  ],
  [
    'roles-unknown',
    'The platform does not answer which roles the person has.',
    { billing: 'away' },
  ],
  [
    'roles-unread',
    'A user of the billing account cannot be read, and the person is no other one.',
    { billing: 'unread' },
  ],
  [
    'roles-unknown-by-defect',
    'A defect of Purser keeps it from reading the roles.',
    { billing: 'broken' },
  ],
  ['person-unknown', 'Slack does not answer who the person is.', { silent: 'slack' }],
  [
    'guest-since-lately',
    'The person was made a guest of the workspace a minute ago.',
    { applicant: { guest: true } },
  ],
];

export const whoami: Area = {
  id: 'whoami',
  title: '/purser whoami',
  entries: [
    ...CASES.map(([id, when, state]) =>
      answer(`whoami-${id}`, when, () =>
        purser({ access: authorizerOf(state), config: configOf(state) }).type('whoami'),
      ),
    ),
    answer(
      'whoami-by-org',
      'Each org has a rule of its own, and two are open to the person.',
      () => {
        const state = { roles: ['billing_viewer'] };
        const orgsOf = () => Promise.resolve(['globex', 'acme']);
        return purser({ access: authorizerOf(state), config: configOf(state), orgsOf }).type(
          'whoami',
        );
      },
    ),
  ],
};
