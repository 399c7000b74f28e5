import { z } from 'zod';
import { ORG_CREATORS } from '../../access/policy.ts';
import { Refusal } from '../../lib/errors.ts';
import { plural } from '../../lib/text.ts';
import type { Account } from '../../platform/billing/account.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Org } from '../../platform/billing/orgs.ts';
import {
  checked,
  emailsField,
  flagField,
  inputOf,
  nameField,
  tagsField,
  textField,
  type FormsOf,
  type Submitted,
} from '../forms/fields.ts';
import {
  type Conflict,
  type Fact,
  type Kind,
  conflict,
  fact,
  FRESH,
  kindGroup,
  listOf,
  NOT_SAID,
  short,
  tagsText,
  timeText,
  yesNo,
} from './kind.ts';

const NewOrg = z.object({
  kind: z.literal('org.create'),
  name: z.string().min(1),
  description: z.string(),
  /** Absent: no tags. */
  tags: z.record(z.string(), z.string()).optional(),
  invitees: z.array(z.string().min(1)).min(1),
  /** Also creates a superuser service account, whose key is returned once. */
  superuser: z.boolean(),
});
type NewOrg = z.infer<typeof NewOrg>;

interface State {
  readonly account: Account;
  readonly orgs: Listing<Org>;
}

async function read(platform: BillingClient): Promise<State> {
  const [{ value: account }, { value: orgs }] = await Promise.all([
    platform.getAccount(FRESH),
    platform.listOrgs(FRESH),
  ]);
  return { account, orgs };
}

const BY_CREATORS = { roles: ORG_CREATORS };

const orgCreate: Kind<NewOrg, State> = {
  title: ({ name }) => `Create the org ${short(name)}`,
  needs: { request: BY_CREATORS, approve: BY_CREATORS },
  hasSecret: ({ superuser }) => superuser,
  // The second answer lacks the key of the first.
  repeatable: false,
  read,
  plan(state, input) {
    const org = sameOf(state, input);
    // Repeating a request creates no second org, so no conflict is possible (spec 4.3).
    const problems = org ? [] : problemsOf(state);
    return {
      conflict: problems.length > 0 ? refusedFor(problems) : undefined,
      // The whole request is shown, even when it would change nothing.
      before: [],
      after: factsOf(input),
      consequences: org ? alreadyThere(input) : consequencesOf(input),
      changesNothing: org && true,
      passing: { sentences: org ? [] : cardNote(state) },
      now: org ? [fact('Name', org.name), fact('Created', createdOf(org))] : [],
      baseline: { orgs: org ? [org.name] : [] },
    };
  },
  async send(platform, { name, description, tags, invitees, superuser }) {
    const { created, superuserServiceAccountToken: key } = await platform.createOrg({
      org: { name, ...(description && { description }), ...(tags && { tags }) },
      invitees,
      createSuperuserServiceAccount: superuser,
    });
    if (superuser && key) return { secret: { value: key, what: 'superuser key' } };
    if (!created) return { note: alreadyCreated(name, superuser), ended: 'nothing' };
    return superuser ? { note: KEYLESS, ended: 'partly' } : {};
  },
  settle(state, input, { orgs = [] }) {
    const org = sameOf(state, input);
    if (org === undefined) return { kind: state.orgs.skipped === 0 ? 'not done' : 'unclear' };
    if (orgs.includes(org.name) || !input.superuser) return { kind: 'done' };
    return { kind: 'secret lost', what: 'superuser key', tokenIds: [] };
  },
  refusals({ name }, words) {
    return {
      conflict: `The name ${short(name)} is taken (${words}): ask again with another name.`,
      refused: `The platform does not create the org ${short(name)} (${words}): put that right, which /billing account helps with, and ask again.`,
    };
  },
};

/** Changes of orgs (spec 2.3, 4.3). */
export const orgKinds = kindGroup({
  inputs: [NewOrg],
  look: '/billing orgs',
  commands: { 'org.create': { ask: '/billing orgs create', button: 'Create an org' } },
  create: () => ({ 'org.create': orgCreate }),
});

const KEYLESS =
  'The platform gave no superuser key: create a service account with a key in the org itself.';

function alreadyCreated(name: string, superuser: boolean): string {
  const key = superuser ? ' and there is no key' : '';
  return `The org ${short(name)} was already created by this account, so nothing was created${key}: for a new org, ask again with another name.`;
}

function sameOf({ orgs }: State, { name }: NewOrg): Org | undefined {
  return orgs.items.find((one) => one.name === name);
}

function createdOf({ created }: Org): string {
  return created === undefined ? NOT_SAID : timeText(created);
}

function factsOf({ name, description, tags, invitees, superuser }: NewOrg): Fact[] {
  return [
    fact('Name', name),
    fact('Description', description || 'none'),
    ...(tags ? [fact('Tags', tagsText(tags))] : []),
    fact('Invitees', invitees.join(', ')),
    fact('Superuser key', yesNo(superuser)),
  ];
}

function alreadyThere({ name }: NewOrg): string[] {
  return [
    `⚠ Best rejected: this account created the org ${short(name)} already, so nothing is created, and no key will be shown; for a new org, choose another name.`,
    'By the platform’s specification, no one is invited again.',
  ];
}

function consequencesOf({ name, invitees, superuser }: NewOrg): string[] {
  return [
    `The name ${short(name)} is global and permanent, and the billing account pays for whatever runs in the org.`,
    invitees.length === 1
      ? `An invitation is e-mailed to ${short(invitees[0] ?? '')}.`
      : `An invitation is e-mailed to each of the ${invitees.length} invitees.`,
    ...(superuser
      ? [
          '⚠ The superuser key may do everything in the org, is shown once, to the requester only, and cannot be deleted by the API.',
        ]
      : []),
  ];
}

/** Known reasons for a refusal by the platform (spec 4.3); absent facts are no obstacle. */
function problemsOf(state: State): string[] {
  const { tou, enabled, orgQuota } = state.account;
  return [
    ...(tou === false ? ['the Terms of Use are not accepted'] : []),
    ...(enabled === false ? ['the account is not enabled'] : []),
    ...(orgQuota !== undefined && countOf(state) >= orgQuota
      ? [`its org quota of ${orgQuota} is used up`]
      : []),
  ];
}

function countOf({ orgs: { items, skipped } }: State): number {
  return items.length + skipped;
}

function refusedFor(problems: readonly string[]): Conflict {
  return conflict(
    `The account can have no new org now, because ${listOf(problems)}`,
    'have that put right on the platform, look with /billing account, and ask again.',
    true,
  );
}

/** The cards are one way to pay among others (spec 2.2, 2.8): the platform decides whether there is one. */
function cardNote({ account: { paymentMethods } }: State): string[] {
  return paymentMethods?.length === 0
    ? ['⚠ The account has no card: unless it pays in another way, the platform refuses a new org.']
    : [];
}

const MAX_NAME = 64;

/** The specification has no rule for names, but a name with a blank could not be typed in a command. */
const NAME = checked(
  nameField({
    id: 'org.create.name',
    label: 'Name',
    missing: 'Give the org a name.',
    max: MAX_NAME,
  }),
  (name) => (/\s/.test(name) ? 'The name of an org has no spaces: leave them out.' : undefined),
);
const AGAIN = textField({
  id: 'org.create.again',
  label: 'Type the name again',
  hint: 'It can never be changed.',
  max: MAX_NAME,
});
const FIELDS = {
  name: NAME,
  again: {
    ...AGAIN,
    /** An error of the name is enough. */
    read(submitted: Submitted) {
      const [name, again] = [NAME.read(submitted), AGAIN.read(submitted)];
      const isSame = 'error' in name || ('value' in again && again.value === name.value);
      return isSame ? { value: '' } : { error: ANOTHER_NAME };
    },
  },
  description: textField({
    id: 'org.create.description',
    label: 'Description',
    optional: true,
    max: 500,
  }),
  tags: tagsField({
    id: 'org.create.tags',
    label: 'Tags',
    hint: 'One on each line, such as team=payments.',
  }),
  invitees: emailsField({
    id: 'org.create.invitees',
    label: 'Invitees',
    hint: 'At least one e-mail address; several with commas, spaces or on lines of their own.',
  }),
  superuser: flagField({
    id: 'org.create.superuser',
    label: 'Superuser key',
    text: 'Also create a superuser service account with a key',
  }),
};

const ANOTHER_NAME = 'This is not the same name: type it exactly as above.';

/** The form for a new org (spec 2.3, 4.3). @param secretsOff without SECRET_KEY */
export function orgForms(secretsOff: boolean): FormsOf<'org.create', NewOrg> {
  const { name, again, description, tags, invitees, superuser } = FIELDS;
  return {
    'org.create': {
      title: 'Create an org',
      conflictField: name.id,
      async open({ platform, given }) {
        const state = await read(platform);
        const problems = problemsOf(state);
        if (problems.length > 0) throw new Refusal(refusedFor(problems).sentence);
        return {
          notes: [...cardNote(state), quotaNote(state)],
          consequences: [
            'The name of an org is global and permanent: it can never be changed or used again.',
            'Every invitee gets an e-mail.',
            secretsOff ? NO_KEY : ONE_KEY,
          ],
          fields: [
            name.block(given['name']),
            again.block(),
            description.block(given['description']),
            tags.block(given['tags']),
            invitees.block(given['invitees']),
            ...(secretsOff ? [] : [superuser.block(given['superuser'] === 'true')]),
          ],
        };
      },
      read: (submitted) =>
        inputOf(FIELDS, submitted, ({ name, description, tags, invitees, superuser }) => ({
          kind: 'org.create',
          name,
          description,
          ...(tags && { tags }),
          invitees,
          superuser: superuser && !secretsOff,
        })),
    },
  };
}

const NO_KEY =
  'A superuser key cannot be created here because SECRET_KEY is not set, so it could not rest encrypted: your Purser administrator has to set it.';
const ONE_KEY =
  'A superuser key is shown once, to you alone, behind Reveal, within 15 minutes; an unrevealed key has to be deleted in the org itself.';

function quotaNote(state: State): string {
  const { orgQuota } = state.account;
  const limit = orgQuota === undefined ? '' : `, and its quota is ${orgQuota}`;
  return `The account pays for ${plural(countOf(state), 'org')} now${limit}.`;
}
