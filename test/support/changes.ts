import { lineOf, refusedLine } from '../../src/changes/audit.ts';
import { dueOf, lastSentAt, move } from '../../src/changes/states.ts';
import { Change, inputKey, isOpen } from '../../src/changes/change.ts';
import { slotsOf, type ChangeStore } from '../../src/changes/store.ts';
import type { ChangeInput } from '../../src/changes/kinds/kinds.ts';
import type { Requested, RequestService } from '../../src/changes/request.ts';
import type { Person } from '../../src/slack/routing/routes.ts';
import { systemClock, type Clock } from '../../src/lib/time.ts';
import type { AuditEntry } from '../../src/store/audit.ts';

/** When the change of `changeOf` was requested: 2026-11-20 09:00 UTC, in ms since the epoch. */
export const REQUESTED_AT = Date.UTC(2026, 10, 20, 9);

/** Every request has one. */
export const REASON = 'The launch in December, FIN-17';

/** Files a request, for `REASON`. */
export async function requestedBy(
  requests: Pick<RequestService, 'consider' | 'request'>,
  person: Person,
  input: ChangeInput,
): Promise<Requested> {
  return requests.request(await requests.consider(person, input), REASON);
}

/** A request to set the spend alert to $500.00 that no one has decided on. */
export function changeOf(overrides: Partial<Change> = {}): Change {
  return {
    id: 'k3m9x2ab',
    version: 1,
    order: { kind: 'alert.replace', amount: 500, enabled: true },
    title: 'Set the spend alert to $500.00',
    reason: REASON,
    approvers: ['billing_admin'],
    state: 'pending',
    requester: { userId: 'U0ADA', teamId: 'T0ACME', email: 'ada@acme.example' },
    requestedAt: REQUESTED_AT,
    expiresAt: REQUESTED_AT + 8 * 3_600_000,
    reminders: 0,
    plan: {
      before: [{ name: 'Amount', text: '$400.00' }],
      after: [{ name: 'Amount', text: '$500.00' }],
      consequences: ['Saving re-arms the alert.'],
    },
    channel: 'C0APPROVALS',
    dm: 'D0ADA',
    sendings: 0,
    ...overrides,
  };
}

/** A Redis that hides its run, until a test gives it one. */
export function durabilityAt(clock: Clock) {
  const durability = {
    run: undefined as string | undefined,
    isConfirmed: true,
    moment: async () => ({ run: durability.run, at: clock.now() }),
    confirmed: async () => durability.isConfirmed,
  };
  return durability;
}

export interface MemoryChanges extends ChangeStore {
  /** As a Redis that was set back, or written by others. */
  put(change: Change): Promise<void>;
  /** Everything as it is now; calling the result brings it back. */
  snapshot(): () => void;
}

/** As the changes in Redis, for tests without one. It wakes no one. @param clock for secrets that run out */
export function createMemoryChanges(clock: Clock = systemClock): MemoryChanges {
  const kept = new Map<string, string>();
  const secrets = new Map<string, { sealed: string; until: number }>();
  const lines: AuditEntry[] = [];
  const reported = new Map<string, number>();

  const read = (id: string): Change | undefined => {
    const text = kept.get(id);
    return text === undefined ? undefined : Change.parse(JSON.parse(text));
  };
  /** The older request first. */
  const all = (): Change[] =>
    [...kept.keys()].flatMap((id) => read(id) ?? []).toSorted(inOrder((one) => one.requestedAt));
  const open = (): Change[] => all().filter(isOpen);
  const write = (change: Change, event: Parameters<typeof lineOf>[1]): void => {
    kept.set(change.id, JSON.stringify(change));
    const line = lineOf(change, event);
    if (line)
      lines.push(
        structuredClone({ ...line, entry: `${lines.length + 1}-0`, hash: `${lines.length + 1}` }),
      );
  };

  return {
    async create(change) {
      const same = open().find((one) => inputKey(one.order) === inputKey(change.order));
      if (same) return same.id === change.id ? { made: true } : { same };
      const [slot, { length: full }] = [slotsOf(change.requester)[0], slotsOf(change.requester)];
      const own = open().filter((one) => slotsOf(one.requester)[0] === slot);
      if (own.length >= full) return { full };
      if (kept.has(change.id)) throw new Error(`there is a change ${change.id} already`);
      write(change, { kind: 'request', at: change.requestedAt });
      return { made: true };
    },
    snapshot() {
      const [changes, sealed] = [new Map(kept), new Map(secrets)];
      return () => {
        for (const [all, then] of [
          [kept, changes],
          [secrets, sealed],
        ] as [Map<string, unknown>, Map<string, unknown>][]) {
          all.clear();
          for (const [id, value] of then) all.set(id, value);
        }
      };
    },
    async put(change) {
      kept.set(change.id, JSON.stringify(change));
    },
    isGenuine: () => true,
    shelve: async () => undefined,
    async note(change, event) {
      const line = lineOf(change, event);
      if (line)
        lines.push({ ...line, entry: `${lines.length + 1}-0`, hash: `${lines.length + 1}` });
    },
    get: async (id) => read(id),
    async move(change, event, { secret } = {}) {
      const next = move(change, event);
      if (next === undefined || read(change.id)?.version !== change.version) return undefined;
      write(next, event);
      if (secret === 'drop') secrets.delete(change.id);
      else if (secret) {
        secrets.set(change.id, { sealed: secret.sealed, until: clock.now() + secret.forMs });
      }
      return read(change.id);
    },
    async refused(refusal) {
      const { about, at, by, what, why } = refusal;
      const isOfChange = typeof about === 'object';
      const name = JSON.stringify([isOfChange ? about.id : (about ?? what), by, why]);
      const mark = !isOfChange ? Math.floor(at / 86_400_000) : 0;
      if (reported.get(name) === mark) return;
      reported.set(name, mark);
      lines.push({
        ...refusedLine(refusal),
        entry: `${lines.length + 1}-0`,
        hash: `${lines.length + 1}`,
      });
    },
    lastSent: async (kinds) =>
      kinds.flatMap((kind) => {
        const sent = all().filter((one) => one.order.kind === kind && one.sentAt !== undefined);
        return sent.toSorted(inOrder((one) => lastSentAt(one))).at(-1) ?? [];
      }),
    list: async (offset, count) =>
      all()
        .toReversed()
        .slice(offset, offset + count),
    count: async () => kept.size,
    open: async () => open(),
    async due(now) {
      const waiting = all().filter((change) => {
        const at = dueOf(change);
        return at !== undefined && at <= now;
      });
      return waiting.toSorted(inOrder((change) => dueOf(change)!)).map(({ id }) => id);
    },
    async takeSecret(id) {
      const secret = secrets.get(id);
      secrets.delete(id);
      return secret && secret.until > clock.now() ? secret.sealed : undefined;
    },
    async *audit(change) {
      yield* structuredClone(
        lines.filter((line) => change === undefined || line.change === change),
      );
    },
  };
}

/** By a time; of the same moment by id. */
const inOrder =
  (at: (change: Change) => number) =>
  (a: Change, b: Change): number =>
    at(a) - at(b) || (a.id < b.id ? -1 : 1);
