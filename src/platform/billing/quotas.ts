import { pathOf } from '../http.ts';
import { refusal } from '../checks.ts';
import { numberOf, objectOf } from '../json.ts';
import type { ReadOptions, Reading } from '../read-cache.ts';
import { createCalls, malformed } from './calls.ts';
import type { BillingContext } from './context.ts';
import type { Listing } from './calls.ts';

/** Whatever fields a record has, as text in the order they came (spec 2.17 does not show them). */
export type QuotaRecord = ReadonlyMap<string, string>;

/** What a record says of the fields that people ask about, and whatever else came, in its order. */
export interface Quota {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly unit: string | undefined;
  /** As it came; a number in most cases. */
  readonly current: string | undefined;
  readonly max: string | undefined;
  readonly others: readonly (readonly [string, string])[];
}

interface QuotaIncrease {
  readonly quotaName: string;
  /** In the quota's own unit, above 0. */
  readonly requestedMax: number;
}

interface Quotas {
  /** The quotas of an org, by its service account key. @throws PlatformError `unauthorized` without one */
  listQuotas(org: string, options?: ReadOptions): Promise<Reading<Listing<QuotaRecord>>>;
  /** Asks for more; never repeated. The record that comes back has a `status`. @throws PlatformError */
  requestQuotaIncrease(org: string, increase: QuotaIncrease): Promise<QuotaRecord>;
}

/** The calls about quotas. The specification has the paths only (spec 4.3). */
export function createQuotas(context: BillingContext): Quotas {
  const callsOf = (org: string) => createCalls(context, () => context.org(org));

  return {
    async listQuotas(org, options) {
      const path = pathOf('org', org, 'quotas');
      return callsOf(org).readList({ path, wrappers: ['items', 'quotas'] }, toRecord, options);
    },
    async requestQuotaIncrease(org, { quotaName, requestedMax }) {
      if (quotaName.trim() === '') throw refusal('an increase needs the name of the quota');
      if (!Number.isFinite(requestedMax) || requestedMax <= 0) {
        throw refusal('requestedMax must be a number above 0');
      }
      const { status, body } = await callsOf(org).write({
        method: 'POST',
        path: pathOf('org', org, 'quota-increase-requests'),
        body: { quotaName, requestedMax },
      });
      const record = toRecord(body ?? {});
      if (record) return record;
      throw malformed('a quota increase request', status);
    },
  };
}

const FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'unit', 'current', 'max']);

/** Reads the fields that are public (no page of the API shows them); an empty one is none. */
export function quotaOf(record: QuotaRecord): Quota {
  const said = (field: string): string | undefined => record.get(field)?.trim() || undefined;
  return {
    // As it is, because a request names the quota by it.
    name: record.get('name'),
    description: said('description'),
    unit: said('unit'),
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

/** A member as text; those of an object in it are named `outer.inner`, what lies deeper is left out. */
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
