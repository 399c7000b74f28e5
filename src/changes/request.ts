import type { Standing } from '../access/changes.ts';
import { Refusal } from '../lib/refusal.ts';
import type { Change, ChangeKind, Order, Plan } from './change.ts';
import type { Kind } from './kinds/kind.ts';
import { actorOf } from './actor.ts';
import { nudge } from './office.ts';
import type { OfficeDeps } from './office.ts';
import { createPolicy, isRequester, rulesOf, secretRefusal } from './policy.ts';

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
  /** Whether this person may ask for a change of this kind, of those billing users, now; nothing else is read. @throws Refusal */
  admit(person: Person, kind: ChangeKind, subjects?: readonly string[]): Promise<void>;
  /** What an order would do now, if this person may ask for it and nothing stands against it. @throws Refusal, PlatformError */
  preview(person: Person, order: Order): Promise<Plan>;
  /** Files a request, if this person may ask for it and nothing stands against it. With APPROVALS=off it is carried out at once. @throws Refusal, PlatformError */
  request(person: Person, order: Order): Promise<Requested>;
}

/** A request that nobody decides on is over after this time (design section 5). Milliseconds. */
const OPEN_MS = 8 * 3_600_000;

export function createDesk(deps: OfficeDeps): Desk {
  const { changes, clock, approvals } = deps;
  const policy = createPolicy(deps);

  /** Who asks, and what they would have done. */
  async function considered(person: Person, order: Order): Promise<Considered> {
    const platform = deps.platform();
    const kind = enabled(order);
    const who = await policy.requester(person, rulesOf(kind, order));
    const { conflict, plan } = await kind.look(platform, order);
    if (conflict !== undefined) throw new Refusal(conflict);
    return { kind, who, plan };
  }

  function enabled(order: Order): Kind {
    const kind = deps.kindOf(order);
    const refusal = secretRefusal(kind, order, deps);
    if (refusal !== undefined) throw new Refusal(refusal);
    return kind;
  }

  /** APPROVALS=off: submitting the modal was the confirmation. @param plan as it was read after that */
  async function confirmed(change: Change, plan: Plan): Promise<Change> {
    const { id } = change;
    const event = { kind: 'approve', at: clock.now(), comment: '', plan, self: false } as const;
    const moved = (await changes.move(change, event)) ?? (await changes.get(id));
    await nudge(deps, id);
    return moved ?? change;
  }

  return {
    async admit(person, kind, subjects = []) {
      deps.platform();
      // There is no order yet: whether a kind is off goes by its name alone.
      const { needs } = enabled({ kind } as Order);
      await policy.requester(person, { ...needs, subjects });
    },
    async preview(person, order) {
      return (await considered(person, order)).plan;
    },
    async request(person, order) {
      const change = await draft(deps, person, order, await considered(person, order));
      const created = await changes.create(change);
      if ('full' in created) throw new Refusal(tooMany(created.full));
      if ('same' in created) {
        const { same } = created;
        // A crash in the middle of the one breath: who asks again takes it up.
        const isCutOff =
          !approvals.required && same.state === 'pending' && isRequester(same, person);
        if (!isCutOff) return { kind: 'same', change: same };
        return { kind: 'requested', change: await confirmed(same, change.plan) };
      }
      if (approvals.required) return { kind: 'requested', change };
      return { kind: 'requested', change: await confirmed(change, change.plan) };
    },
  };
}

function tooMany(open: number): string {
  return `You have ${open} open requests, and nobody may have more: withdraw one of them, which /changes shows, or wait until one is decided.`;
}

/** Who asks, and what they would have done. */
interface Considered {
  readonly kind: Kind;
  readonly who: Standing;
  readonly plan: Plan;
}

/** A request as it is filed. */
async function draft(
  deps: OfficeDeps,
  { userId, teamId }: Person,
  order: Order,
  { kind, who, plan }: Considered,
): Promise<Change> {
  const { approve } = kind.needs;
  const [dm, group] = await Promise.all([
    orNothing(deps.directChannel(userId)),
    approve === 'orgs' ? undefined : orNothing(deps.groupFor(approve.roles)),
  ]);
  const requestedAt = deps.clock.now();
  return {
    id: deps.newId(),
    version: 1,
    order,
    title: kind.title(order),
    approvers: approve === 'orgs' ? [] : [...approve.roles],
    state: 'pending',
    requester: actorOf({ userId, teamId }, who),
    requestedAt,
    expiresAt: requestedAt + OPEN_MS,
    reminders: 0,
    plan,
    channel: deps.channel,
    ...(dm !== undefined && { dm }),
    ...(group !== undefined && { group }),
    sendings: 0,
  };
}

/** What is good to know, and stops nothing when Slack does not say it. */
function orNothing<T>(asked: Promise<T | undefined>): Promise<T | undefined> {
  return asked.catch(() => undefined);
}
