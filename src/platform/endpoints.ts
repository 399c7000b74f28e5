import type { Api, CallStatus, Endpoint } from '../metrics.ts';
import type { PlatformError } from './errors.ts';

/** The endpoints of each API by the end of their path (spec section 4); the first that fits. */
const ENDS: Readonly<Record<Api, readonly (readonly [Endpoint, RegExp])[]>> = {
  deployments: [
    ['gvc', /\/gvc\/[^/]+\/workload\/-deployment$/],
    ['workload', /\/workload\/[^/]+\/deployment$/],
    ['location', /\/workload\/[^/]+\/deployment\/[^/]+$/],
  ],
  usage: [
    ['tag-values', /\/org\/[^/]+\/tags\/values\/query$/],
    ['query', /\/org\/[^/]+\/query$/],
  ],
  billing: [
    ['charges', /\/account\/[^/]+\/charges\/-query$/],
    ['org-charges', /\/org\/[^/]+\/charges\/-query$/],
    ['invoices', /\/account\/[^/]+\/charges\/invoices(?:\/|$)/],
    ['tag-values', /\/account\/[^/]+\/tags\/values\/query$/],
    ['invoice-recipients', /\/invoice-delivery\/recipients(?:\/|$)/],
    ['invoice-deliveries', /\/invoice-delivery\/deliveries$/],
    ['tokens', /\/account\/[^/]+\/service-account-token(?:\/|$)/],
    ['users', /\/account\/[^/]+\/user(?:\/|$)/],
    ['orgs', /\/account\/[^/]+\/org$/],
    ['alert', /\/account\/[^/]+\/alert$/],
    ['chargeable-items', /\/chargeable_items$/],
    ['org-account', /\/org\/[^/]+\/account$/],
    ['quotas', /\/org\/[^/]+\/quotas$/],
    ['quota-requests', /\/org\/[^/]+\/quota-increase-requests$/],
    ['account', /\/account\/[^/]+$/],
    ['accounts', /\/account$/],
  ],
};

/** A closed set, as a path holds names. */
export function endpointOf(api: Api, path: string): Endpoint {
  return ENDS[api].find(([, end]) => end.test(path))?.[0] ?? 'other';
}

const NAMED = [401, 404, 429] as const;

/** A class of statuses, or one with a meaning of its own. */
export function statusOf(status: number): CallStatus {
  const named = NAMED.find((one) => one === status);
  if (named !== undefined) return `${named}`;
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}

export function failureOf({ reason }: PlatformError): CallStatus {
  return reason === 'timeout' ? 'timeout' : 'network';
}
