import { z } from 'zod';
import { BigNumber } from 'bignumber.js';
import { ADMINS } from '../../access/policy.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { quotaOf, type Quota, type QuotaRecord } from '../../platform/billing/orgs.ts';
import { resolveOrg, type Orgs } from '../../platform/deployments/target.ts';
import { numberOf } from '../../platform/json.ts';
import {
  choiceField,
  choiceOf,
  inputOf,
  numberField,
  type Field,
  type Option,
  type FormsOf,
} from '../forms/fields.ts';
import {
  conflict,
  fact,
  FRESH,
  gone,
  kindGroup,
  NOT_SAID,
  short,
  type Conflict,
  type Fact,
  type Kind,
  type Sent,
} from './kind.ts';

const Increase = z.object({
  kind: z.literal('quota.request'),
  org: z.string().min(1),
  quotaName: z.string().min(1),
  /** In the quota's own unit. */
  requestedMax: z.number(),
});
type Increase = z.infer<typeof Increase>;
type Quotas = Listing<QuotaRecord>;

async function read(platform: BillingClient, { org }: Pick<Increase, 'org'>): Promise<Quotas> {
  return (await platform.listQuotas(org, FRESH)).value;
}

/** The same name before and after, so that both share a line. */
const MAXIMUM = 'Maximum';

const MAX_FIELDS = 20;

const REQUESTED = 'The request goes to the platform, which approves it, puts it off or denies it.';

/** The fields of quotas are not specified (spec 2.17): known ones are used when present. */
const quotaRequest: Kind<Increase, Quotas> = {
  title: ({ org, quotaName, requestedMax }) =>
    `Request ${short(exact(requestedMax), 24)} for the quota ${short(quotaName, 24)} of ${short(org, 24)}`,
  needs: { request: 'orgs', approve: { roles: ADMINS } },
  repeatable: false,
  read,
  plan(quotas, input) {
    const { quota, isUnknown } = named(quotas, input);
    const max = quota?.max === undefined ? NOT_SAID : measured(quota.max, quota);
    return {
      conflict: conflictOf(input, isUnknown, quota?.max),
      before: isUnknown ? [] : factsOf(input, quota, max),
      after: factsOf(input, quota, measured(exact(input.requestedMax), quota)),
      consequences: [REQUESTED],
      passing: { sentences: quota === undefined ? [] : asides(quota) },
      now: isUnknown ? [] : [fact(MAXIMUM, max)],
    };
  },
  send: async (platform, { org, quotaName, requestedMax }) =>
    sentOf(await platform.requestQuotaIncrease(org, { quotaName, requestedMax })),
  settle(quotas, input) {
    const { quota } = named(quotas, input);
    // A pending or denied request is visible nowhere.
    return { kind: numberOf(quota?.max)?.gte(input.requestedMax) ? 'done' : 'unclear' };
  },
  refusals({ org, quotaName }, words) {
    const refused = `The platform does not take the request for ${short(quotaName)} (${words}): compare with /billing quotas org ${short(org)}, and ask again.`;
    return {
      conflict: refused,
      gone: gone(
        `The platform knows no quota ${short(quotaName)} of ${short(org)}`,
        `compare with /billing quotas org ${short(org)}.`,
      ),
      refused,
    };
  },
};

/** Requests to raise quotas (spec 2.17, 4.3). */
export const quotaKinds = kindGroup({
  inputs: [Increase],
  look: '/billing quotas',
  commands: {
    'quota.request': { ask: '/billing quotas request', button: 'Request an increase' },
  },
  create: () => ({ 'quota.request': quotaRequest }),
});

/** The quota of that name; `isUnknown` when quotas have names, but not this one. */
function named({ items }: Quotas, { quotaName }: Increase) {
  const quotas = items.map(quotaOf);
  const quota = quotas.find(({ name }) => name === quotaName);
  const isUnknown = quota === undefined && quotas.some(({ name }) => name !== undefined);
  return { quota, isUnknown };
}

/** "50 count" adds nothing to "50". */
function unitOf(quota: Pick<Quota, 'unit'> | undefined): string | undefined {
  return quota?.unit === 'count' ? undefined : quota?.unit;
}

/** A number with the quota's unit, if the unit adds something: `128 cores`. */
function measured(number: string, quota: Pick<Quota, 'unit'> | undefined): string {
  const unit = unitOf(quota);
  return unit === undefined ? number : `${number} ${unit}`;
}

function factsOf({ org, quotaName }: Increase, quota: Quota | undefined, max: string): Fact[] {
  const { description } = quota ?? {};
  return [
    fact('Org', org),
    fact('Quota', quotaName),
    ...(description === undefined ? [] : [fact('Description', description)]),
    fact(MAXIMUM, max),
  ];
}

function asides({ current, max, unit, others }: Quota): string[] {
  const of = max === undefined ? '' : ` of ${short(max)}`;
  const known = unitOf({ unit });
  const ofUnit = known === undefined ? '' : ` (${short(known)})`;
  const shown = others.slice(0, MAX_FIELDS).map(([name, text]) => `${short(name)} ${short(text)}`);
  return [
    ...(current === undefined ? [] : [`In use now: ${short(current)}${of}${ofUnit}.`]),
    ...(shown.length === 0 ? [] : [`The platform also says: ${shown.join(', ')}.`]),
  ];
}

function fieldsOf(record: QuotaRecord): Fact[] {
  return [...record]
    .slice(0, MAX_FIELDS)
    .map(([name, text]) => fact(NAMES.get(name) ?? name, text));
}

/** Already on the card under other names. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['name', 'Quota'],
  ['description', 'Description'],
  ['unit', 'Unit'],
  ['current', 'In use'],
  ['max', MAXIMUM],
  ['status', 'Status'],
  ['org', 'Org'],
  ['quotaName', 'Quota'],
  ['requestedMax', 'Requested maximum'],
]);

function conflictOf(
  { org, quotaName, requestedMax }: Increase,
  isUnknown: boolean,
  max: string | undefined,
): Conflict | undefined {
  const present = numberOf(max);
  if (isUnknown) {
    return gone(
      `The org ${short(org)} has no quota ${short(quotaName)}`,
      `/billing quotas org ${short(org)} shows which it has.`,
    );
  }
  if (!present?.gte(requestedMax)) return undefined;
  return conflict(
    `The maximum of ${short(quotaName)} in ${short(org)} is ${present.toFixed()} already`,
    'ask for more than that.',
  );
}

function sentOf(record: QuotaRecord): Sent {
  const status = record.get('status') ?? '';
  const facts = fieldsOf(record);
  switch (status.toLowerCase()) {
    case 'approved':
      return { facts, note: 'The platform approved the request.', ended: 'granted' };
    case 'pending':
      return {
        facts,
        ended: 'later',
        note: 'The platform has the request and decides on it later, so the maximum stays as it is for now.',
      };
    case 'denied':
      return {
        facts,
        denied: 'The platform denied the request: ask for less, or ask its support for the reason.',
      };
    case '':
      return {
        facts,
        ended: 'unsaid',
        note: 'The platform took the request and reports no result.',
      };
    default:
      return {
        facts,
        ended: 'unsaid',
        note: `The platform took the request, and its status is ${short(status)}.`,
      };
  }
}

/** All digits, no exponent. */
function exact(number: number): string {
  return new BigNumber(number).toFixed();
}

const QUOTA = choiceField({ id: 'quota.request.quota', label: 'Quota' });
const REQUESTED_MAXIMUM = numberField({
  id: 'quota.request.maximum',
  label: 'Requested maximum',
  hint: 'In the unit of the quota; above 0.',
  least: 'above 0',
});

/** The form for a higher quota of an org (spec 4.3). */
export function quotaForms(orgs: Orgs): FormsOf<'quota.request', Increase> {
  const ORG: Field<string> = {
    id: QUOTA.id,
    read({ memory }) {
      const org = memory['org'] ?? orgs.fallback;
      return org ? { value: org } : { error: NO_ORG };
    },
  };
  return {
    'quota.request': {
      title: 'Raise a quota',
      conflictField: REQUESTED_MAXIMUM.id,
      async open({ platform, given }) {
        const org = resolveOrg(given['org'], orgs);
        const { items, skipped } = await read(platform, { org });
        // A request names the quota.
        const named = items.flatMap((record) => optionOf(record) ?? []);
        const { chosen, options, notes } = choiceOf(
          { items: named, skipped: skipped + items.length - named.length },
          {
            what: 'quota',
            by: 'name',
            optionOf: (option) => option,
            none: `Org ${org} shows no quota that could be raised: /billing quotas org ${org} shows all that is known.`,
            look: `/billing quotas org ${org}`,
          },
          { name: given['name'] },
        );
        return {
          notes: [`Quotas of org ${org}.`, ...notes],
          consequences: ['The platform decides on the request, and may grant, hold or deny it.'],
          fields: [
            QUOTA.block(options, chosen?.value),
            REQUESTED_MAXIMUM.block(given['requestedMax']),
          ],
          memory: { org },
        };
      },
      read: (submitted) =>
        inputOf(
          { org: ORG, quotaName: QUOTA, requestedMax: REQUESTED_MAXIMUM },
          submitted,
          (request) => ({ kind: 'quota.request', ...request }),
        ),
    },
  };
}

const NO_ORG = 'The org of this form is no longer known: please open it again.';

/** A quota as an option, whatever fields it has; undefined without a name, which a request needs. */
function optionOf(record: QuotaRecord): Option | undefined {
  const name = record.get('name') ?? record.get('quotaName') ?? record.get('id') ?? '';
  if (name === '') return undefined;
  const quota = quotaOf(record);
  const { max, current } = quota;
  const most = max && `max ${short(measured(max, quota))}`;
  const used = current === undefined ? undefined : `used ${current}`;
  const about = [most, used].filter(Boolean).join(' · ');
  return { text: name, value: name, ...(about && { about }) };
}
