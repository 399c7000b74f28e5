import type { Order } from '../change.ts';
import { createAlertKinds } from './alert.ts';
import type { Kind, KindDeps, Kinds } from './kind.ts';
import { orgKinds } from './orgs.ts';
import { quotaKinds } from './quotas.ts';
import { recipientKinds } from './recipients.ts';
import { createTokenKinds } from './tokens.ts';
import { userKinds } from './users.ts';

/** All kinds of changes (design section 5). @returns what is known of the kind of an order */
export function createKinds(deps: KindDeps): (order: Pick<Order, 'kind'>) => Kind {
  const kinds: Kinds = {
    ...createAlertKinds(deps),
    ...userKinds,
    ...createTokenKinds(deps),
    ...orgKinds,
    ...recipientKinds,
    ...quotaKinds,
  };
  return ({ kind }) => kinds[kind] as Kind;
}
