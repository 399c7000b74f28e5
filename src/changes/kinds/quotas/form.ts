import { Refusal } from '../../../lib/errors.ts';
import type { QuotaRecord } from '../../../platform/billing/orgs.ts';
import { resolveOrg, type Orgs } from '../../../platform/deployments/target.ts';
import {
  choiceIn,
  FRESH,
  inOrder,
  inputOf,
  missedNote,
  numberIn,
  unreadNote,
} from '../../forms/fields.ts';
import type { Forms } from '../../forms/form.ts';

const QUOTA = 'quota.request.quota';
const MAXIMUM = 'quota.request.maximum';

/** The form for a higher quota of an org (spec 4.3). */
export function quotaForms(orgs: Orgs): Forms<'quota.request'> {
  return {
    'quota.request': {
      title: 'Raise a quota',
      // A number that is too low belongs below its field; every other conflict is about the quota.
      conflictField: (why) => (why.endsWith('ask for more than that.') ? MAXIMUM : QUOTA),
      async fill(platform, given) {
        const org = resolveOrg(given['org'], orgs);
        const { items, skipped } = (await platform.listQuotas(org, FRESH)).value;
        const quotas = items.flatMap((record) => optionOf(record) ?? []);
        const notes = unreadNote(skipped + items.length - quotas.length, 'quota');
        if (quotas.length === 0) throw new Refusal([noQuotas(org), ...notes].join(' '));
        const { name } = given;
        const chosen = quotas.find(({ value }) => value === name);
        return {
          notes: [`Quotas of org ${org}.`, ...missedNote(name, chosen, 'quota'), ...notes],
          consequences: ['The platform decides on the request, and may grant, hold or deny it.'],
          fields: [
            {
              id: QUOTA,
              type: 'choice',
              label: 'Quota',
              options: inOrder(quotas),
              ...(chosen && { initial: chosen.value }),
            },
            {
              id: MAXIMUM,
              type: 'number',
              label: 'Requested maximum',
              hint: 'In the unit of the quota; above 0.',
              min: '0',
            },
          ],
          memory: { org },
        };
      },
      read: (values, memory) =>
        inputOf(
          {
            org: orgIn(memory['org'] ?? orgs.fallback),
            quotaName: choiceIn(values, QUOTA),
            requestedMax: numberIn(values, MAXIMUM, 'above 0'),
          },
          (request) => ({ kind: 'quota.request', ...request }),
        ),
    },
  };
}

function orgIn(org: string | undefined) {
  return org === undefined || org === ''
    ? { id: QUOTA, error: 'The org of this form is not known any more: please open it again.' }
    : { id: QUOTA, value: org };
}

function noQuotas(org: string): string {
  return `Org ${org} shows no quota that could be raised: /billing quotas shows all that is known.`;
}

/** A quota as an option, whatever fields it has; undefined without a name, which a request needs. */
function optionOf(quota: QuotaRecord) {
  const name = quota.get('name') ?? quota.get('quotaName') ?? quota.get('id') ?? '';
  if (name === '') return undefined;
  const max = [quota.get('max'), quota.get('unit')].filter((text) => text !== undefined).join(' ');
  const used = quota.get('current');
  const about = [
    ...(max === '' ? [] : [`max ${max}`]),
    ...(used === undefined ? [] : [`used ${used}`]),
  ];
  return { text: name, value: name, ...(about.length > 0 && { about: about.join(' · ') }) };
}
