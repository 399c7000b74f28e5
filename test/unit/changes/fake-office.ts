import type { Standing } from '../../../src/access/changes.ts';
import { createClerk } from '../../../src/changes/execute.ts';
import type { Change, Order, Plan } from '../../../src/changes/change.ts';
import type { Kind, Platform, Sent, Settled, Sight } from '../../../src/changes/kinds/kind.ts';
import type { OfficeDeps } from '../../../src/changes/office.ts';
import type { Vault } from '../../../src/changes/vault.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { changeOf, createMemoryChanges, REQUESTED_AT } from '../../support/changes.ts';

export const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };
export const BEN = { userId: 'U0BEN', teamId: 'T0ACME' };
export const MINUTE = 60_000;

const ADMIN: readonly string[] = ['billing_admin'];
const ADMINS = { roles: ['billing_admin'] } as const;

/** Seals nothing, but can be seen to have been asked. */
const vault: Vault = {
  seal: (id, secret) => `${id}:${Buffer.from(secret.reveal()).toString('base64')}`,
  open(id, sealed) {
    if (!sealed.startsWith(`${id}:`)) throw new Error('it belongs to something else');
    return new Secret(Buffer.from(sealed.slice(id.length + 1), 'base64').toString());
  },
};

/** An office in which nothing is real but the rules: what people are, and what the platform says, is set. */
export function fakeOffice(overrides: Partial<OfficeDeps> = {}) {
  const clock = { at: REQUESTED_AT, now: (): number => clock.at };
  const office = {
    clock,
    changes: createMemoryChanges(clock),
    /** What Slack and the platform say of people; an error when they do not. */
    people: new Map<string, Partial<Standing> | Error>([
      [ADA.userId, { email: 'ada@acme.example', roles: ADMIN }],
      [BEN.userId, { email: 'ben@acme.example', roles: ADMIN }],
    ]),
    /** What is there. */
    sight: { plan: planTo('500.00 USD'), now: [], marks: {} } as Sight,
    look: async (): Promise<Sight> => office.sight,
    send: async (): Promise<Sent> => ({}),
    settle: async (): Promise<Settled> => ({ kind: 'not done' }),
    removeToken: async (_tokenId: string): Promise<void> => undefined,
    repeatable: true,
    subjects: [] as string[],
    /** What was called on the platform and changed something. */
    calls: [] as string[],
    advanced: [] as string[],
    held: true,
    kind: {} as Kind,
    deps: {} as OfficeDeps,
    /** Files a change as it is. */
    async file(overridden: Partial<Change> = {}): Promise<Change> {
      const change = changeOf({ plan: office.sight.plan, ...overridden });
      await office.changes.create(change);
      return change;
    },
    async now(): Promise<Change> {
      const change = await office.changes.get('k3m9x2ab');
      if (change === undefined) throw new Error('there is no change');
      return change;
    },
    /** One worker takes up the change. */
    async advance(): Promise<Change> {
      await createClerk(office.deps).advance('k3m9x2ab');
      return office.now();
    },
    /** So many milliseconds in which a worker looks every ten seconds; gives what has become of it. */
    async whileWorking(ms: number): Promise<Change> {
      for (const end = clock.at + ms; clock.at < end;) {
        clock.at += 10_000;
        await office.advance();
      }
      return office.now();
    },
  };
  office.kind = kindIn(office);
  office.deps = { ...depsOf(office), ...overrides };
  return office;
}
type FakeOffice = ReturnType<typeof fakeOffice>;

export function planTo(amount: string): Plan {
  return {
    before: [{ name: 'Amount', text: '400.00 USD' }],
    after: [{ name: 'Amount', text: amount }],
    consequences: [],
  };
}

/** A change of tokens: with a secret, and never sent twice. */
export const TOKEN: Order = {
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

function kindIn(office: Omit<FakeOffice, 'kind'>): Kind {
  return {
    kind: 'alert.replace',
    title: () => 'Set the spend alert to 500.00 USD',
    needs: { request: ADMINS, approve: ADMINS },
    hasSecret: ({ kind }) => kind === 'token.create',
    subjects: () => office.subjects,
    get repeatable() {
      return office.repeatable;
    },
    look: () => office.look(),
    async send() {
      office.calls.push('send');
      return office.send();
    },
    settle: () => office.settle(),
    explain: (_, { status }) => (status === 409 ? 'It is there already: see /alert.' : undefined),
  };
}

function depsOf(office: Omit<FakeOffice, 'deps'>): OfficeDeps {
  const platform = {
    async removeToken(tokenId: string) {
      office.calls.push(`remove ${tokenId}`);
      await office.removeToken(tokenId);
    },
  };
  return {
    changes: office.changes,
    platform: () => platform as Platform,
    kindOf: () => office.kind,
    alone: (_, work) => work(() => office.held),
    async standing({ userId }) {
      const known = office.people.get(userId);
      if (known instanceof Error) throw known;
      return { userId, email: undefined, roles: undefined, ...known };
    },
    explain: (error) => (error instanceof Error ? `It says: ${error.message}.` : undefined),
    vault,
    approvals: { required: true, allowSelf: false },
    channel: 'C0APPROVALS',
    directChannel: async () => 'D0ADA',
    groupFor: async () => 'S0ADMINS',
    advance: async (id) => void office.advanced.push(id),
    newId: () => 'k3m9x2ab',
    clock: office.clock,
    logger: createLogger({ level: 'silent', secrets: [] }),
  };
}
