import { BigNumber } from 'bignumber.js';

import { ADMINS } from '../../access/roles.ts';
import type { QuotaRecord } from '../../platform/billing/quotas.ts';
import { numberOf } from '../../platform/members.ts';
import type { Fact, OrderOf } from '../change.ts';
import type { Kind, Kinds, Platform, Sent } from './kind.ts';
import { NOT_SAID, fact, meaningOf, quoted, short } from './words.ts';

type Increase = OrderOf<'quota.request'>;

/** More fields than this are not a record that people read. */
const MAX_FIELDS = 20;

/** The fields of quotas are not specified (spec 2.17): `name`, `max` and `status` are used where they are there. */
const quotaRequest: Kind<'quota.request'> = {
  kind: 'quota.request',
  title: ({ org, quotaName, requestedMax }) =>
    `Request ${short(exact(requestedMax))} for the quota ${short(quotaName, 24)} of ${short(org, 24)}`,
  needs: { request: 'orgs', approve: { roles: ADMINS } },
  hasSecret: () => false,
  subjects: () => [],
  repeatable: false,
  async look(platform, order) {
    const { quota, isUnknown } = await see(platform, order);
    const max = quota?.get('max');
    return {
      plan: {
        before: isUnknown ? [] : factsOf(order, quota, max ?? NOT_SAID),
        after: factsOf(order, quota, exact(order.requestedMax)),
        consequences: [
          'The request goes to the platform, which approves it, puts it off or denies it.',
        ],
      },
      now: isUnknown ? [] : [fact('Present maximum', max ?? NOT_SAID)],
      marks: {},
      ...conflictOf(order, isUnknown, max),
    };
  },
  send: async (platform, { org, quotaName, requestedMax }) =>
    sentOf(await platform.requestQuotaIncrease(org, { quotaName, requestedMax })),
  async settle(platform, order) {
    const { quota } = await see(platform, order);
    // A request that was put off or denied shows nowhere.
    return { kind: numberOf(quota?.get('max'))?.gte(order.requestedMax) ? 'done' : 'unclear' };
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
export const quotaKinds: Pick<Kinds, 'quota.request'> = { 'quota.request': quotaRequest };

/** The quota of that name; `isUnknown` where quotas have names, and none has this one. */
async function see(platform: Platform, { org, quotaName }: Increase) {
  const { items } = (await platform.listQuotas(org, { fresh: true })).value;
  const quota = items.find((record) => record.get('name') === quotaName);
  const isUnknown = quota === undefined && items.some((record) => record.has('name'));
  return { quota, isUnknown };
}

function factsOf(
  { org, quotaName }: Increase,
  quota: QuotaRecord | undefined,
  max: string,
): Fact[] {
  const unit = quota?.get('unit');
  return [
    fact('Org', org),
    fact('Quota', quotaName),
    ...(unit ? [fact('Unit', unit)] : []),
    fact('Requested maximum', max),
  ];
}

function fieldsOf(record: QuotaRecord): Fact[] {
  return [...record]
    .slice(0, MAX_FIELDS)
    .map(([name, text]) => fact(NAMES.get(name) ?? name, text));
}

/** What is named otherwise on the card already. */
const NAMES: ReadonlyMap<string, string> = new Map([
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

/** What the platform made of the request. */
function sentOf(record: QuotaRecord): Sent {
  const status = record.get('status') ?? '';
  const said = fieldsOf(record);
  switch (status.toLowerCase()) {
    case 'approved':
      return { said, note: 'The platform approved the request.' };
    case 'pending':
      return {
        said,
        note: 'The platform has the request and decides on it later, so the maximum stays as it is for now.',
      };
    case 'denied':
      return {
        said,
        denied: 'The platform denied the request: ask for less, or ask its support for the reason.',
      };
    case '':
      return { said, note: 'The platform took the request and does not say what becomes of it.' };
    default:
      return { said, note: `The platform took the request, and its status is ${short(status)}.` };
  }
}

/** All digits, no exponent. */
function exact(number: number): string {
  return new BigNumber(number).toFixed();
}
