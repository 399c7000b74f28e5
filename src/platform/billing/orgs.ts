import { z } from 'zod';

import type { Secret } from '../../lib/secret.ts';
import { checkEmail, refusal } from '../checks.ts';
import { idOf, objectOf, own, timeOf } from '../json.ts';
import type { ReadOptions, Reading } from '../read-cache.ts';
import { createCalls, label, malformed, memberOf, newSecretOf, unwrap } from './calls.ts';
import type { BillingContext } from './context.ts';
import type { Listing } from './calls.ts';

/** An org that the account pays for (spec 2.3). */
export interface Org {
  readonly name: string;
  readonly accountId: string;
  /** Ms since the epoch. */
  readonly created: number | undefined;
}

interface NewOrg {
  readonly org: {
    /** Global and permanent. */
    readonly name: string;
    readonly description?: string;
    readonly tags?: Readonly<Record<string, string>>;
  };
  /** E-mail addresses, one at least, because a service account token creates the org; each gets an e-mail. */
  readonly invitees: readonly string[];
  readonly createSuperuserServiceAccount?: boolean;
}

export interface OrgCreation {
  readonly name: string;
  /** False when this account had created it before (200): then there is no key. */
  readonly created: boolean;
  /** Key of the superuser service account, said once; absent when none was said. */
  readonly superuserServiceAccountToken?: Secret;
}

interface Orgs {
  /** The orgs that the account pays for (spec 2.3, 4.3). @throws PlatformError */
  listOrgs(options?: ReadOptions): Promise<Reading<Listing<Org>>>;
  /**
   * Creates an org billed to the account (spec 4.3); never repeated.
   * @throws PlatformError `bad-request` naming the precondition that is not met
   */
  createOrg(order: NewOrg): Promise<OrgCreation>;
}

/** The calls about orgs (spec 2.3, 4.3). */
export function createOrgs(context: BillingContext): Orgs {
  const readers = context.accountFor('billing_admin', 'billing_viewer', 'org_creator');
  const creators = context.accountFor('billing_admin', 'org_creator');
  const asReader = createCalls(context, readers);
  const asCreator = createCalls(context, creators);
  const pathTo = () => context.accountPath('org');

  return {
    listOrgs: async (options) =>
      asReader.readList({ path: pathTo(), wrappers: ['items'] }, toOrg, options),
    async createOrg(order) {
      checkOrder(order);
      const { org, invitees, createSuperuserServiceAccount } = order;
      const { name, description, tags } = org;
      const { status, body } = await asCreator.write({
        method: 'POST',
        path: pathTo(),
        body: { org: { name, description, tags }, invitees, createSuperuserServiceAccount },
      });
      const key = keyOf(body, name, status);
      return {
        name,
        created: status === 201,
        ...(key ? { superuserServiceAccountToken: key } : {}),
      };
    },
  };
}

/** Spec 2.3. */
const OrgRecord = z.object({ name: z.string().min(1), accountId: label, created: label });

function toOrg(row: unknown): Org | undefined {
  const record = OrgRecord.safeParse(row).data;
  return (
    record && {
      name: record.name,
      accountId: idOf(record.accountId),
      created: timeOf(record.created),
    }
  );
}

/**
 * The key beside or inside the org. Where nothing is said at all, the status says enough.
 * @throws PlatformError `malformed` when it is not this org, or a key is there and unreadable
 */
function keyOf(body: unknown, name: string, status: number): Secret | undefined {
  if (body === undefined || body === null) return undefined;
  const org = objectOf(unwrap(body, 'org'));
  if (!org || (own(org, 'name') ?? name) !== name) {
    throw malformed('the org that was asked for', status);
  }
  const said = [body, org]
    .map((place) => memberOf(place, 'superuserServiceAccountToken') ?? '')
    .find((key) => key !== '');
  const key = newSecretOf(said);
  if (said !== undefined && !key) throw malformed('an org with a key that can be read', status);
  return key;
}

function checkOrder({ org, invitees }: NewOrg): void {
  if (org.name.trim() === '') throw refusal('an org needs a name');
  if (invitees.length === 0) throw refusal('an org created with a token needs invitees');
  for (const invitee of invitees) checkEmail(invitee);
}
