import { ADMINS, ANY_ROLE, ORG_CREATORS, READERS } from '../../../src/access/policy.ts';
import type { Facts } from '../../support/authorizer.ts';
import { SILENCE } from './changes-core-books.ts';
import { refusal, type Area, type Entry } from '../entry.ts';
import { gateOf, type Known } from './changes-core-office.ts';
import { CLEO } from './changes-feature-data.ts';

type Gate = ReturnType<typeof gateOf>;

/** Cleo is kept out. */
function closed(
  name: string,
  when: string,
  known: Known,
  attempt: (gate: Gate) => Promise<unknown>,
  over: Facts = {},
): Entry {
  return refusal(`access-${name}`, when, () =>
    attempt(gateOf(new Map([[CLEO.userId, { email: CLEO.email, ...known }]]), over)),
  );
}

const admits = (name: string, when: string, known: Known): Entry =>
  closed(name, when, known, (gate) => gate.authorize(CLEO));

export const accessAdmission: Area = {
  id: 'access-admission',
  title: 'Access: people whom Purser does not admit',
  entries: [
    admits('bot', 'A bot types a command.', { bot: true }),
    admits('stranger', 'A person of another workspace, in a shared channel, types a command.', {
      stranger: true,
    }),
    admits('other-team', 'A person of another workspace of the organisation types a command.', {
      teamId: 'T0OTHER',
    }),
    admits('deactivated', 'The account was deactivated a moment ago.', { deleted: true }),
    admits('guest', 'A guest of the workspace types a command.', { guest: true }),
    admits('unknown-person', 'Slack does not answer who it is.', { silent: SILENCE }),
  ],
};

const NEEDS = [
  { name: 'readers', what: 'data for billing viewers', roles: READERS },
  { name: 'admins', what: 'data for billing admins only', roles: ADMINS },
  { name: 'creators', what: 'an action for org creators', roles: ORG_CREATORS },
  { name: 'any-role', what: 'data for everybody with a billing role', roles: ANY_ROLE },
] as const;

const UNCONFIRMED: Known = { email: undefined, unconfirmed: CLEO.email };
const PERSONS: readonly [name: string, when: string, known: Known][] = [
  ['no-email', 'without an e-mail address in Slack', { email: undefined }],
  ['unconfirmed', 'whose e-mail address no one has confirmed', UNCONFIRMED],
  ['no-user', 'who is no billing user', { roles: undefined }],
  ['no-role', 'who is a billing user without a role', { roles: [] }],
];
const OTHERS: readonly (readonly [name: string, roles: readonly string[]])[] = [
  ['readers', ['org_creator']],
  ['admins', ['billing_viewer', 'org_creator']],
  ['creators', ['billing_viewer']],
];

export const accessRoles: Area = {
  id: 'access-roles',
  title: 'Access: roles that are missing',
  entries: [
    ...NEEDS.flatMap(({ name, what, roles }) => [
      ...PERSONS.map(([person, when, known]) =>
        closed(`${name}-${person}`, `A person ${when} asks for ${what}.`, known, (gate) =>
          gate.requireRole(CLEO, roles),
        ),
      ),
      ...OTHERS.filter(([other]) => other === name).map(([, held]) =>
        closed(
          `${name}-other-role`,
          `A person with other roles asks for ${what}.`,
          { roles: held },
          (gate) => gate.requireRole(CLEO, roles),
        ),
      ),
    ]),
    closed(
      'billing-off',
      'Purser has no access to a billing account.',
      {},
      (gate) => gate.requireRole(CLEO, READERS),
      { users: undefined },
    ),
    closed(
      'roles-unknown',
      'The roles cannot be looked up, for a reason that is not the platform’s.',
      { roles: new Error('a defect') },
      (gate) => gate.requireRole(CLEO, READERS),
    ),
    closed(
      'roles-silent',
      'The platform does not answer which roles a person has.',
      { roles: SILENCE },
      (gate) => gate.requireRole(CLEO, READERS),
    ),
  ],
};

const GROUP: Facts = { orgAccess: { kind: 'usergroup', id: 'S0PLATFORM' } };
const BY_ROLE: Facts = { orgAccess: { kind: 'roles' } };
const orgs = (gate: Gate): Promise<void> => gate.requireOrgAccess(CLEO);

export const accessOrgs: Area = {
  id: 'access-orgs',
  title: 'Access: people who may not read the orgs',
  entries: [
    closed(
      'orgs-group',
      'The orgs are open to one user group, and another person asks.',
      {},
      orgs,
      GROUP,
    ),
    closed('orgs-group-unknown', 'Slack omits who is in that user group.', {}, orgs, {
      ...GROUP,
      groupMembers: () => Promise.reject(SILENCE),
    }),
    ...PERSONS.map(([name, when, known]) =>
      closed(
        `orgs-role-${name}`,
        `The orgs are open to everybody with a billing role, and a person asks ${when}.`,
        known,
        orgs,
        BY_ROLE,
      ),
    ),
    closed(
      'orgs-role-billing-off',
      'The orgs are open to everybody with a billing role, and Purser has no access to a billing account.',
      {},
      orgs,
      { ...BY_ROLE, users: undefined },
    ),
    closed(
      'unknown-right',
      'A button of an older Purser is clicked, and its right no longer exists.',
      {},
      (gate) => gate.requireRight(CLEO, 'a-right-of-old'),
    ),
  ],
};
