import type { Principal } from '../access/policy.ts';
import { Refusal } from '../lib/errors.ts';
import type { Person } from '../slack/routing/routes.ts';
import type { Change } from './change.ts';
import type { Plan } from './kinds/kind.ts';
import { actorOf, createPolicy, isRequester, rulesOf, secretRefusal } from './policy.ts';
import { enqueueOrSweep } from './context.ts';
import type { ChangeContext } from './context.ts';
import type { AnyKind, ChangeKind, ChangeInput } from './kinds/kinds.ts';

/** What came of a request. */
export type Requested =
  | { readonly kind: 'requested'; readonly change: Change }
  /** The same is open already. */
  | { readonly kind: 'same'; readonly change: Change };

/** Asking for changes (design section 5). */
export interface RequestService {
  /** Whether this person may ask for a change of this kind, of those billing users, now; nothing else is read. @throws Refusal */
  authorize(person: Person, kind: ChangeKind, subjects?: readonly string[]): Promise<void>;
  /** What a change would do now, if this person may ask for it and nothing stands against it. @throws Refusal, PlatformError */
  preview(person: Person, input: ChangeInput): Promise<Plan>;
  /** Files a request, if this person may ask for it and nothing stands against it. With APPROVALS=off it is carried out at once. @throws Refusal, PlatformError */
  request(person: Person, input: ChangeInput): Promise<Requested>;
}

/** A request without a decision expires after this time (design section 5). Milliseconds. */
const OPEN_MS = 8 * 3_600_000;

export function createRequestService(context: ChangeContext): RequestService {
  const { changes, clock, approvals } = context;
  const policy = createPolicy(context);

  /** Who asks, and what they would have done. */
  async function considered(person: Person, input: ChangeInput): Promise<Considered> {
    const billing = context.billing();
    const kind = enabled(input);
    const who = await policy.requester(person, rulesOf(kind, input));
    const { conflict, plan } = await kind.plan(billing, input);
    if (conflict !== undefined) throw new Refusal(conflict);
    return { kind, who, plan };
  }

  function enabled(input: ChangeInput): AnyKind {
    const kind = context.kindOf(input);
    const refusal = secretRefusal(kind, input, context);
    if (refusal !== undefined) throw new Refusal(refusal);
    return kind;
  }

  /** APPROVALS=off: submitting the modal was the confirmation. @param plan as it was read after that */
  async function confirmed(change: Change, plan: Plan): Promise<Change> {
    const { id } = change;
    const event = { kind: 'approve', at: clock.now(), comment: '', plan, self: false } as const;
    const moved = (await changes.move(change, event)) ?? (await changes.get(id));
    await enqueueOrSweep(context, id);
    return moved ?? change;
  }

  return {
    async authorize(person, kind, subjects = []) {
      context.billing();
      // There is no input yet: whether a kind is off goes by its name alone.
      const { needs } = enabled({ kind } as ChangeInput);
      await policy.requester(person, { ...needs, subjects });
    },
    async preview(person, input) {
      return (await considered(person, input)).plan;
    },
    async request(person, input) {
      const change = await draft(context, person, input, await considered(person, input));
      const created = await changes.create(change);
      if ('full' in created) throw new Refusal(tooMany(created.full));
      if ('same' in created) {
        const { same } = created;
        // A crash between filing and confirming it: asking again goes on with it.
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
  readonly kind: AnyKind;
  readonly who: Principal;
  readonly plan: Plan;
}

/** A request as it is filed. */
async function draft(
  context: ChangeContext,
  { userId, teamId }: Person,
  input: ChangeInput,
  { kind, who, plan }: Considered,
): Promise<Change> {
  const { approve } = kind.needs;
  const [dm, group] = await Promise.all([
    orNothing(context.directChannel(userId)),
    approve === 'orgs' ? undefined : orNothing(context.groupFor(approve.roles)),
  ]);
  const requestedAt = context.clock.now();
  return {
    id: context.newId(),
    version: 1,
    order: input,
    title: kind.title(input),
    approvers: approve === 'orgs' ? [] : [...approve.roles],
    state: 'pending',
    requester: actorOf({ userId, teamId }, who),
    requestedAt,
    expiresAt: requestedAt + OPEN_MS,
    reminders: 0,
    plan,
    channel: context.channel,
    ...(dm !== undefined && { dm }),
    ...(group !== undefined && { group }),
    sendings: 0,
  };
}

/** What is good to know, and stops nothing when Slack does not say it. */
function orNothing<T>(asked: Promise<T | undefined>): Promise<T | undefined> {
  return asked.catch(() => undefined);
}
