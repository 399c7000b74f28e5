import type { ChangeKind, Order } from '../change.ts';
import type { Kind } from './kind.ts';

/** All kinds of changes (design section 5). */
const KINDS: Partial<{ readonly [K in ChangeKind]: Kind<K> }> = {};

/** What is known of the kind of an order. */
export function kindOf(order: Order): Kind {
  const kind = KINDS[order.kind];
  if (kind === undefined) throw new Error(`There is no kind ${order.kind}`);
  return kind as unknown as Kind;
}
