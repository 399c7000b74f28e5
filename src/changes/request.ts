import type { Change, ChangeKind, Order, Plan } from './change.ts';
import type { OfficeDeps } from './office.ts';

/** Somebody, as Slack states it. */
interface Person {
  readonly userId: string;
  readonly teamId: string;
}

/** What came of a request. */
export type Requested =
  | { readonly kind: 'requested'; readonly change: Change }
  /** The same is open already. */
  | { readonly kind: 'same'; readonly change: Change };

/** Asking for changes (design section 5). */
export interface Desk {
  /** Whether this person may ask for anything of this kind now; nothing else is read. @throws Refusal */
  admit(person: Person, kind: ChangeKind): Promise<void>;
  /** What an order would do now, if this person may ask for it and nothing stands against it. @throws Refusal, PlatformError */
  preview(person: Person, order: Order): Promise<Plan>;
  /** Files a request. With APPROVALS=off it is carried out at once. @throws Refusal, PlatformError */
  request(person: Person, order: Order): Promise<Requested>;
}

export function createDesk(deps: OfficeDeps): Desk {
  void deps;
  throw new Error('not there yet');
}
