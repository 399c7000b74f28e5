import { z } from 'zod';
import { ORG_CREATORS } from '../../../access/policy.ts';
import type { Account } from '../../../platform/billing/account.ts';
import type { BillingClient } from '../../../platform/billing/client.ts';
import {
  type Fact,
  type Kind,
  fact,
  kindGroup,
  listOf,
  meaningOf,
  NOT_SAID,
  quoted,
  short,
  tagsText,
  timeText,
  yesNo,
} from '../kind.ts';
import { NO_CARD } from './words.ts';

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
const INPUTS = [NewOrg] as const;

const BY_CREATORS = { roles: ORG_CREATORS };

const orgCreate: Kind<NewOrg> = {
  kind: 'org.create',
  title: ({ name }) => `Create the org ${short(name)}`,
  needs: { request: BY_CREATORS, approve: BY_CREATORS },
  hasSecret: ({ superuser }) => superuser,
  subjects: () => [],
  // The second answer lacks the key of the first.
  repeatable: false,
  async plan(platform, input) {
    const [{ org, count, now }, { value: account }] = await Promise.all([
      see(platform, input),
      platform.getAccount({ fresh: true }),
    ]);
    // The whole request is shown, even when it would change nothing.
    const warnings = org || account.paymentMethods?.length !== 0 ? [] : [NO_CARD];
    const consequences = [...(org ? alreadyThere(input) : consequencesOf(input)), ...warnings];
    return {
      plan: { before: [], after: factsOf(input), consequences, passing: warnings },
      now,
      baseline: { orgs: org ? [org.name] : [] },
      // Repeating a request creates no second org, so no conflict is possible (spec 4.3).
      ...(org ? {} : conflictOf(account, count)),
    };
  },
  async send(platform, { name, description, tags, invitees, superuser }) {
    const { created, superuserServiceAccountToken: key } = await platform.createOrg({
      org: { name, ...(description && { description }), ...(tags && { tags }) },
      invitees,
      createSuperuserServiceAccount: superuser,
    });
    if (superuser && key) return { secret: { value: key, what: 'superuser key' } };
    if (!created) return { note: ALREADY, ended: 'nothing' };
    return superuser ? { note: KEYLESS, ended: 'partly' } : {};
  },
  async reconcile(platform, input, { baseline }) {
    const { org, isComplete } = await see(platform, input);
    if (org === undefined) return { kind: isComplete ? 'not done' : 'unclear' };
    if (baseline['orgs']?.includes(org.name)) return { kind: 'done' };
    return input.superuser
      ? { kind: 'secret lost', what: 'superuser key', tokenIds: [] }
      : { kind: 'done' };
  },
  explain({ name }, error) {
    const refused = `The platform does not create the org ${short(name)} (${quoted(error)}): put that right, which /billing account helps with, and ask again.`;
    return meaningOf(error, { conflict: refused, refused });
  },
};

/** Changes of orgs (spec 2.3, 4.3). */
export const orgKinds = kindGroup({
  inputs: INPUTS,
  commands: {
    'org.create': { ask: '/billing orgs create', look: '/billing orgs', button: 'Create an org' },
  },
  create: () => ({ 'org.create': orgCreate }),
});

const ALREADY =
  'The org was already created by this account, so nothing was created, and there is no key.';
const KEYLESS =
  'The platform gave no superuser key: create a service account with a key in the org itself.';

async function see(platform: BillingClient, { name }: NewOrg) {
  const { items, skipped } = (await platform.listOrgs({ fresh: true })).value;
  const org = items.find((one) => one.name === name);
  const created = org?.created === undefined ? NOT_SAID : timeText(org.created);
  const now = org ? [fact('Name', org.name), fact('Created', created)] : [];
  return { org, now, count: items.length + skipped, isComplete: skipped === 0 };
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
    'As far as the platform’s specification says, nobody is invited anew.',
  ];
}

function consequencesOf({ name, invitees, superuser }: NewOrg): string[] {
  return [
    `The name ${short(name)} is global and permanent: it can be neither changed nor taken back.`,
    'The billing account pays for whatever runs in the org.',
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
function conflictOf({ tou, enabled, orgQuota }: Account, count: number): { conflict?: string } {
  const problems = [
    tou === false ? ['the Terms of Use are not accepted'] : [],
    enabled === false ? ['the account is not enabled'] : [],
    orgQuota !== undefined && count >= orgQuota ? [`its org quota of ${orgQuota} is used up`] : [],
  ].flat();
  if (problems.length === 0) return {};
  return {
    conflict: `The account can have no new org now, because ${listOf(problems)}: have that put right on the platform, look with /billing account, and ask again.`,
  };
}
