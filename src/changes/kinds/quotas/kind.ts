import { z } from 'zod';
import { BigNumber } from 'bignumber.js';
import { ADMINS } from '../../../access/policy.ts';
import { quotaOf, type Quota, type QuotaRecord } from '../../../platform/billing/orgs.ts';
import { numberOf } from '../../../platform/json.ts';
import type { BillingClient } from '../../../platform/billing/client.ts';
import {
  fact,
  kindGroup,
  meaningOf,
  NOT_SAID,
  quoted,
  short,
  type Fact,
  type Kind,
  type Sent,
} from '../kind.ts';

const Increase = z.object({
  kind: z.literal('quota.request'),
  org: z.string().min(1),
  quotaName: z.string().min(1),
  /** In the quota's own unit. */
  requestedMax: z.number(),
});
type Increase = z.infer<typeof Increase>;
const INPUTS = [Increase] as const;

/** The same name before and after, so that both share a line. */
const MAXIMUM = 'Maximum';

const MAX_FIELDS = 20;

const REQUESTED = 'The request goes to the platform, which approves it, puts it off or denies it.';

/** The fields of quotas are not specified (spec 2.17): known ones are used when present. */
const quotaRequest: Kind<Increase> = {
  kind: 'quota.request',
  title: ({ org, quotaName, requestedMax }) =>
    `Request ${short(exact(requestedMax), 24)} for the quota ${short(quotaName, 24)} of ${short(org, 24)}`,
  needs: { request: 'orgs', approve: { roles: ADMINS } },
  hasSecret: () => false,
  subjects: () => [],
  repeatable: false,
  async plan(platform, input) {
    const { quota, isUnknown } = await see(platform, input);
    const max = quota?.max === undefined ? NOT_SAID : measured(quota.max, quota);
    // Current usage and the unknown fields change by themselves.
    const passing = quota === undefined ? [] : asides(quota);
    return {
      plan: {
        before: isUnknown ? [] : factsOf(input, quota, max),
        after: factsOf(input, quota, measured(exact(input.requestedMax), quota)),
        consequences: [REQUESTED, ...passing],
        passing,
      },
      now: isUnknown ? [] : [fact(MAXIMUM, max)],
      baseline: {},
      ...conflictOf(input, isUnknown, quota?.max),
    };
  },
  send: async (platform, { org, quotaName, requestedMax }) =>
    sentOf(await platform.requestQuotaIncrease(org, { quotaName, requestedMax })),
  async reconcile(platform, input) {
    const { quota } = await see(platform, input);
    // A pending or denied request is visible nowhere.
    return { kind: numberOf(quota?.max)?.gte(input.requestedMax) ? 'done' : 'unclear' };
  },
  explain({ org, quotaName }, error) {
    const refused = `The platform does not take the request for ${short(quotaName)} (${quoted(error)}): compare with /billing quotas org ${short(org)}, and ask again.`;
    return meaningOf(error, {
      conflict: refused,
      gone: `The platform knows no quota ${short(quotaName)} of ${short(org)}: compare with /billing quotas org ${short(org)}.`,
      refused,
    });
  },
};

/** Requests to raise quotas (spec 2.17, 4.3). */
export const quotaKinds = kindGroup({
  inputs: INPUTS,
  commands: {
    'quota.request': {
      ask: '/billing quotas request',
      look: '/billing quotas',
      button: 'Request an increase',
    },
  },
  isDecidedLater: true,
  create: () => ({ 'quota.request': quotaRequest }),
});

/** The quota of that name; `isUnknown` when quotas have names, but not this one. */
async function see(platform: BillingClient, { org, quotaName }: Increase) {
  const { items } = (await platform.listQuotas(org, { fresh: true })).value;
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
): { conflict?: string } {
  if (isUnknown) {
    return {
      conflict: `The org ${short(org)} has no quota ${short(quotaName)}: /billing quotas org ${short(org)} shows which it has.`,
    };
  }
  const present = numberOf(max);
  if (!present?.gte(requestedMax)) return {};
  return {
    conflict: `The maximum of ${short(quotaName)} in ${short(org)} is ${present.toFixed()} already: ask for more than that.`,
  };
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
        note: 'The platform took the request and does not say what becomes of it.',
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
