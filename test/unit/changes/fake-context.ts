import type { Principal } from '../../../src/access/policy.ts';
import type { Change } from '../../../src/changes/change.ts';
import { createSecretCipher, type ChangeContext } from '../../../src/changes/context.ts';
import { createExecutor } from '../../../src/changes/execute.ts';
import {
  conflict,
  type Plan,
  type Planned,
  type Reconciled,
  type Sent,
} from '../../../src/changes/kinds/kind.ts';
import type { AnyKind, ChangeInput } from '../../../src/changes/kinds/kinds.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';
import {
  changeOf,
  createMemoryChanges,
  durabilityAt,
  REQUESTED_AT,
} from '../../support/changes.ts';

export const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };
export const BEN = { userId: 'U0BEN', teamId: 'T0ACME' };
export const MINUTE = 60_000;

const ADMINS = { roles: ['billing_admin'] } as const;
const cipher = createSecretCipher(() => [Buffer.alloc(32, 'k')]);

/** A context in which only the rules are real: people and the answers of the platform are set. */
export function fakeContext(overrides: Partial<ChangeContext> = {}) {
  const clock = { at: REQUESTED_AT, now: (): number => clock.at };
  const fake = {
    clock,
    changes: createMemoryChanges(clock),
    durability: durabilityAt(clock),
    /** The people as Slack and the platform know them; an error when they do not answer. */
    people: new Map<string, Partial<Principal> | Error>([
      [ADA.userId, { email: 'ada@acme.example', ...ADMINS }],
      [BEN.userId, { email: 'ben@acme.example', ...ADMINS }],
    ]),
    planned: { plan: planTo('$500.00'), now: [], baseline: {} } as Planned,
    look: async (): Promise<Planned> => fake.planned,
    send: async (): Promise<Sent> => ({}),
    settle: (): Reconciled => ({ kind: 'not done' }),
    removeToken: async (_tokenId: string): Promise<void> => undefined,
    repeatable: true,
    subjects: [] as string[],
    /** The calls to the platform that changed something. */
    calls: [] as string[],
    advanced: [] as string[],
    held: true,
    kind: {} as AnyKind,
    context: {} as ChangeContext,
    /** Files a change as it is. */
    async file(overridden: Partial<Change> = {}): Promise<Change> {
      const change = changeOf({ plan: fake.planned.plan, ...overridden });
      await fake.changes.create(change);
      return change;
    },
    async now(): Promise<Change> {
      const change = await fake.changes.get('k3m9x2ab');
      if (change === undefined) throw new Error('there is no change');
      return change;
    },
    /** A worker with a memory of its own. */
    executor: () => createExecutor(fake.context),
    /** One worker takes up the change. */
    async advance(): Promise<Change> {
      await createExecutor(fake.context).advance('k3m9x2ab');
      return fake.now();
    },
    /** Lets a worker run every ten seconds for so many milliseconds. @returns the change after that */
    async whileWorking(ms: number): Promise<Change> {
      for (const end = clock.at + ms; clock.at < end;) {
        clock.at += 10_000;
        await fake.advance();
      }
      return fake.now();
    },
  };
  fake.kind = kindIn(fake);
  fake.context = { ...contextOf(fake), ...overrides };
  return fake;
}
type FakeContext = ReturnType<typeof fakeContext>;

export function planTo(amount: string): Plan {
  return {
    before: [{ name: 'Amount', text: '$400.00' }],
    after: [{ name: 'Amount', text: amount }],
    consequences: [],
  };
}

/** A change of tokens: with a secret, and never sent twice. */
export const TOKEN: ChangeInput = {
  kind: 'token.create',
  name: 'ci',
  description: '',
  roles: ['billing_viewer'],
};

/** That Ben has approved, at that moment. */
export function approved(at = REQUESTED_AT): Partial<Change> {
  const by = { ...BEN, email: 'ben@acme.example' };
  return {
    state: 'approved',
    decision: { verdict: 'approve', by, at, comment: '', self: false },
  };
}

/** With a change of Ada’s that Ben has approved. */
export async function afterApproval(overrides: Partial<ChangeContext> = {}) {
  const fake = fakeContext(overrides);
  await fake.file(approved());
  return fake;
}

function kindIn(fake: Omit<FakeContext, 'kind'>): AnyKind {
  return {
    title: () => 'Set the spend alert to $500.00',
    needs: { request: ADMINS, approve: ADMINS },
    hasSecret: ({ kind }) => kind === 'token.create',
    subjects: () => fake.subjects,
    get repeatable() {
      return fake.repeatable;
    },
    read: () => fake.look(),
    resolve: (_, input) => input,
    plan: (state) => state as Planned,
    consequences: async () => [],
    async send() {
      fake.calls.push('send');
      return fake.send();
    },
    settle: () => fake.settle(),
    explain: (_, { status }) =>
      status === 409 ? conflict('It is there already: see /alert.') : undefined,
  };
}

function contextOf(fake: Omit<FakeContext, 'context'>): ChangeContext {
  const platform = {
    async removeToken(tokenId: string) {
      fake.calls.push(`remove ${tokenId}`);
      await fake.removeToken(tokenId);
    },
  };
  return {
    changes: fake.changes,
    billing: () => platform as BillingClient,
    kindOf: () => fake.kind,
    withLock: (_, work) => work(() => fake.held),
    access: {
      async principal({ userId }) {
        const known = fake.people.get(userId);
        if (known instanceof Error) throw known;
        return { userId, email: undefined, roles: undefined, ...known };
      },
    },
    cipher,
    durability: fake.durability,
    approvals: { required: true, allowSelf: false },
    channel: 'C0APPROVALS',
    directChannel: async () => 'D0ADA',
    groupFor: async () => 'S0ADMINS',
    jobs: { add: async (_queue, _name, { id }) => void fake.advanced.push(id ?? '') },
    newId: () => 'k3m9x2ab',
    clock: fake.clock,
    logger: createLogger({ level: 'silent', secrets: [] }),
  };
}
