import type { Secret } from '../../lib/secret.ts';
import { checkEmail, refusal } from '../errors.ts';
import { pathOf } from '../http.ts';
import { idOf, isNothing, membersOf, numberOf, objectOf, timeOf } from '../json.ts';
import type { ReadOptions } from '../concurrency.ts';
import { createCalls, malformed, newSecretOf, unwrap } from './calls.ts';
import type { BillingContext } from './context.ts';

interface NewOrg {
  readonly org: {
    /** Global and permanent. */
    readonly name: string;
    readonly description?: string;
    readonly tags?: Readonly<Record<string, string>>;
  };
  /** E-mail addresses, at least one, because a service account token creates the org; each gets an e-mail. */
  readonly invitees: readonly string[];
  readonly createSuperuserServiceAccount?: boolean;
}

/** Spec 2.3, 4.3. */
export function createOrgs(context: BillingContext) {
  const readers = context.accountFor('billing_admin', 'billing_viewer', 'org_creator');
  const creators = context.accountFor('billing_admin', 'org_creator');
  const asReader = createCalls(context, readers);
  const asCreator = createCalls(context, creators);
  const pathTo = () => context.accountPath('org');

  return {
    listOrgs: async (options?: ReadOptions) =>
      asReader.readList({ path: pathTo(), wrappers: ['items'] }, toOrg, options),
    /** Creates an org billed to the account. @throws PlatformError `bad-request` naming the unmet precondition */
    async createOrg(order: NewOrg) {
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
        /** False when this account had created it before (200): then there is no key. */
        created: status === 201,
        /** Of the superuser service account; shown once. */
        ...(key && { superuserServiceAccountToken: key }),
      };
    },
  };
}

/** Spec 2.3. */
export type Org = NonNullable<ReturnType<typeof toOrg>>;

function toOrg(row: unknown) {
  const { name, accountId, created } = membersOf(row);
  if (typeof name !== 'string' || name === '') return undefined;
  return { name, accountId: idOf(accountId), created: timeOf(created) };
}

/**
 * The key beside or inside the org. For an empty body the status is enough.
 * @throws PlatformError `malformed` for another org, or an unreadable key
 */
function keyOf(body: unknown, name: string, status: number): Secret | undefined {
  if (isNothing(body)) return undefined;
  const org = objectOf(unwrap(body, 'org'));
  if (!org || (org['name'] ?? name) !== name) {
    throw malformed('the org that was asked for', status);
  }
  const said = [membersOf(body), org]
    .map((place) => place['superuserServiceAccountToken'] ?? '')
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

/** All fields of a record, as text in their order (spec 2.17 does not list them). */
export type QuotaRecord = ReadonlyMap<string, string>;

interface QuotaIncrease {
  readonly quotaName: string;
  /** In the quota's own unit, above 0. */
  readonly requestedMax: number;
}

/** The specification has only the paths (spec 4.3). */
export function createQuotas(context: BillingContext) {
  const callsOf = (org: string) => createCalls(context, () => context.org(org));

  return {
    async listQuotas(org: string, options?: ReadOptions) {
      const path = pathOf('org', org, 'quotas');
      return callsOf(org).readList({ path, wrappers: ['items', 'quotas'] }, toRecord, options);
    },
    /** The returned record has a `status`; its shape is open, so an answer of another one is an empty record. */
    async requestQuotaIncrease(org: string, { quotaName, requestedMax }: QuotaIncrease) {
      if (quotaName.trim() === '') throw refusal('an increase needs the name of the quota');
      if (!Number.isFinite(requestedMax) || requestedMax <= 0) {
        throw refusal('requestedMax must be a number above 0');
      }
      const { body } = await callsOf(org).write({
        method: 'POST',
        path: pathOf('org', org, 'quota-increase-requests'),
        body: { quotaName, requestedMax },
      });
      return toRecord(body) ?? new Map();
    },
  };
}

const FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'unit', 'current', 'max']);

export type Quota = ReturnType<typeof quotaOf>;

/** Reads the publicly known fields (the API reference shows none); empty ones count as absent. */
export function quotaOf(record: QuotaRecord) {
  const said = (field: string): string | undefined => record.get(field)?.trim() || undefined;
  return {
    // Untrimmed, because a request names the quota by it.
    name: record.get('name'),
    description: said('description'),
    unit: said('unit'),
    /** Unparsed; a number in most cases. */
    current: said('current'),
    max: said('max'),
    others: [...record].filter(([field]) => !FIELDS.has(field)),
  };
}

function toRecord(row: unknown): QuotaRecord | undefined {
  const record = objectOf(row);
  return (
    record && new Map(Object.entries(record).flatMap(([name, value]) => fieldsOf(name, value)))
  );
}

/** A member as text; members of an object are named `outer.inner`, deeper ones are omitted. */
function fieldsOf(name: string, value: unknown): [string, string][] {
  const text = toText(value);
  if (text !== undefined) return [[name, text]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, member]) => {
    const memberText = toText(member);
    return memberText === undefined ? [] : [[`${name}.${inner}`, memberText]];
  });
}

/** Numbers in full, without an exponent. */
function toText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return numberOf(value)?.toFixed();
}
