import type { Change, Plan } from './change.ts';
import type { OfficeDeps } from './office.ts';

interface Person {
  readonly userId: string;
  readonly teamId: string;
}

/** A change as somebody who may decide on it is shown it now. */
export interface ReviewView {
  readonly change: Change;
  /** Fresh. */
  readonly plan: Plan;
  /** It is not what was requested any more. */
  readonly isChanged: boolean;
}

/** Deciding on changes (design section 5). Every no is a Refusal: one sentence. */
export interface Bench {
  /** What is to be decided on, for somebody who may. @throws Refusal, PlatformError */
  review(person: Person, id: string): Promise<ReviewView>;
  /** Approves what the person was shown. `shown`: planHash of that plan. @throws Refusal, PlatformError */
  approve(
    person: Person,
    id: string,
    decision: { comment: string; shown: string },
  ): Promise<Change>;
  /** @throws Refusal, PlatformError */
  reject(person: Person, id: string, decision: { comment: string }): Promise<Change>;
  /** By the requester alone. @throws Refusal */
  withdraw(person: Person, id: string): Promise<Change>;
}

export function createBench(deps: OfficeDeps): Bench {
  void deps;
  throw new Error('not there yet');
}
