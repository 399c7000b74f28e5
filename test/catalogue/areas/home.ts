import type { OrgAccessRule } from '../../../src/access/policy.ts';
import { home, type Area } from '../entry.ts';
import { firstHomeIn, homeIn, type Place } from './home-data.ts';
import { SHUT_OUT } from './whoami.ts';

const ADMIN: Place = { roles: ['billing_admin'] };
const GROUP: OrgAccessRule = { kind: 'usergroup', id: 'S0DEVS' };

const PEOPLE: readonly (readonly [id: string, when: string, place: Place])[] = [
  ['admin', 'The person may do everything.', ADMIN],
  ['viewer', 'The person may read billing.', { roles: ['billing_viewer'] }],
  ['org-creator', 'The person may have orgs created.', { roles: ['org_creator'] }],
  ['no-role', 'The person is a user of the billing account and has no role.', { roles: [] }],
  ['no-user', 'The billing account does not know the person.', {}],
  ['no-email', 'Slack shows no e-mail address of the person.', { applicant: { email: undefined } }],
  [
    'other-account',
    'Another Slack account is remembered with the e-mail address.',
    { ...ADMIN, remembered: ['U0OLD'] },
  ],
  ['billing-off', 'Billing is not set up, so no one has roles.', { billing: 'off' }],
  [
    'outside-group',
    'Only a user group may ask about the orgs, and the person is not in it.',
    { ...ADMIN, orgAccess: GROUP },
  ],
  [
    'orgs-by-role',
    'Only people with a role may ask about the orgs, and the person has none.',
    { orgAccess: { kind: 'roles' } },
  ],
  [
    'orgs-by-role-no-email',
    'The same, and Slack shows no e-mail address of the person.',
    { orgAccess: { kind: 'roles' }, applicant: { email: undefined } },
  ],
  [
    'nothing-allowed',
    'The person is in no group and has no role.',
    { roles: [], orgAccess: GROUP },
  ],
  [
    'admin-of-new-place',
    'There are no requests, no watches and no alert.',
    { ...ADMIN, isNew: true },
  ],
  [
    'viewer-of-new-place',
    'The same for a billing_viewer.',
    { roles: ['billing_viewer'], isNew: true },
  ],
  [
    'roles-unknown',
    'The platform does not answer which roles the person has.',
    { billing: 'away' },
  ],
  ['person-unknown', 'Slack does not answer who the person is.', { silent: 'slack' }],
  ['too-slow', 'The platform and Redis take too long to answer.', { ...ADMIN, isSlow: true }],
  ...SHUT_OUT.map(([name, when, applicant]) => [name, when, { applicant }] as const),
];

export const homeTab: Area = {
  id: 'home',
  title: 'Home tab',
  entries: [
    ...PEOPLE.map(([id, when, place]) => home(`home-of-${id}`, when, () => homeIn(place))),
    home('home-opening', 'The tab is opened for the first time, and nothing is read yet.', () =>
      firstHomeIn({ ...ADMIN, isSlow: true }),
    ),
    home(
      'home-opening-again',
      'The tab is opened again: the known content is shown until it is read anew.',
      () => firstHomeIn(ADMIN, ADMIN),
    ),
    home(
      'home-opening-partly-known',
      'The tab is opened again, and some parts were never read.',
      () => firstHomeIn({ ...ADMIN, isSlow: true }, ADMIN),
    ),
    home(
      'home-nothing-newer',
      'The tab is opened again, and most parts can no longer be read.',
      () => homeIn(ADMIN, { ...ADMIN, isSlow: true }),
    ),
  ],
};
