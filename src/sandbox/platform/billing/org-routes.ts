import type { FastifyInstance } from 'fastify';

import { body, optional, switchField } from '../control-schema.ts';
import { SandboxError } from '../errors.ts';
import { emails, freeText } from './body-fields.ts';
import type { Account, AccountOrg, BillingRole } from './model.ts';
import type { Office } from './office.ts';
import { openQuotas } from './quotas.ts';
import { type AccountCall, accountRoute, ANY_ROLE, time } from './route.ts';

interface CreateBody {
  org: { name: string; description?: string; tags?: Record<string, string> };
  invitees?: string[];
  createSuperuserServiceAccount?: boolean;
}

const CREATORS: readonly BillingRole[] = ['billing_admin', 'org_creator'];

const CREATE = body({
  org: {
    schema: body({
      name: { schema: { type: 'string', pattern: '^[a-z]([a-z0-9-]{0,62}[a-z0-9])?$' } },
      description: optional(freeText),
      tags: optional({ schema: { type: 'object', additionalProperties: freeText.schema } }),
    }),
  },
  invitees: optional(emails),
  createSuperuserServiceAccount: optional(switchField),
});

/** The orgs of an account: listing them and creating one (spec 2.3 and 4.3). */
export function registerOrgRoutes(app: FastifyInstance, office: Office): void {
  const { guard } = office;
  const path = '/org';

  accountRoute(app, guard, { method: 'GET', path, roles: ANY_ROLE }, ({ account }) => ({
    kind: 'list',
    itemKind: 'org',
    accountUUID: account.id,
    items: [...account.orgs.values()].map((org) => renderOrg(account, org)),
  }));

  accountRoute<CreateBody>(
    app,
    guard,
    { method: 'POST', path, roles: CREATORS, body: CREATE },
    (call) => createOrg(office, call),
  );
}

function createOrg(
  office: Office,
  { account, caller, body, reply }: AccountCall<CreateBody, object>,
) {
  const { org, invitees = [] } = body;
  if (caller.kind === 'service-account' && invitees.length === 0) {
    throw new SandboxError(400, 'invitees are required when a token creates an org');
  }

  const existing = account.orgs.get(org.name);
  // A repeated request changes nothing, and a key that was reported once is not reported again.
  if (existing !== undefined) return { ...renderCreated(account, existing), Created: false };

  checkPreconditions(account);
  if (office.orgs.has(org.name)) throw new SandboxError(400, `the org name ${org.name} is taken`);
  const created = openOrg(office, account, org);
  for (const to of invitees) invite(office, created.name, to);
  reply.code(201);
  return {
    ...renderCreated(account, created),
    Created: true,
    ...(body.createSuperuserServiceAccount === true ? superuserKey(office, created.name) : {}),
  };
}

function checkPreconditions({ tou, paymentMethods, enabled, orgs, orgQuota }: Account): void {
  const problems = [
    tou ? [] : ['the Terms of Use are not accepted'],
    paymentMethods.length > 0 ? [] : ['there is no valid payment method'],
    enabled ? [] : ['the account is not enabled'],
    orgs.size < orgQuota ? [] : [`the org quota of ${orgQuota} is used up`],
  ].flat();
  if (problems.length > 0) throw new SandboxError(400, problems.join('; '));
}

function openOrg(office: Office, account: Account, org: CreateBody['org']): AccountOrg {
  const { name, description, tags = {} } = org;
  const opened: AccountOrg = {
    name,
    created: office.clock.now(),
    ...(description === undefined ? {} : { description }),
    tags,
    active: true,
    quotas: openQuotas(name),
  };
  account.orgs.set(name, opened);
  office.orgs.set(name, { name, gvcs: new Map() });
  return opened;
}

function superuserKey({ auth, ids }: Office, org: string): object {
  const superuserServiceAccountToken = `sandbox-superuser-${org}-${ids.secret()}`;
  auth.issueSuperuserKey(org, superuserServiceAccountToken);
  return { superuserServiceAccountToken };
}

function invite({ mailbox, clock }: Office, org: string, to: string): void {
  mailbox.send({
    at: clock.now(),
    kind: 'invitation',
    to,
    subject: `You are invited to the org ${org}`,
    text: `The org ${org} was created, and you are invited to it.`,
  });
}

function renderOrg(account: Account, { name, created }: AccountOrg): object {
  return { kind: 'org', name, accountId: account.id, created: time(created) };
}

function renderCreated(account: Account, org: AccountOrg): object {
  const { description, tags } = org;
  return {
    ...renderOrg(account, org),
    ...(description === undefined ? {} : { description }),
    tags,
  };
}
