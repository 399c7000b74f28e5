import { authorizerFor } from '../../../support/authorizer.ts';
import type { Change } from '../../../../src/changes/change.ts';
import {
  createSecretCipher,
  type ChangeContext,
  type SecretCipher,
} from '../../../../src/changes/context.ts';
import { createKinds, type ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import { messagesOf } from '../../../../src/changes/messages/messages.ts';
import type { ChangeEvent } from '../../../../src/changes/states.ts';
import type { ChangeStore } from '../../../../src/changes/store.ts';
import type { Clock } from '../../../../src/lib/time.ts';
import { createLogger } from '../../../../src/lib/logger.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import type { Message } from '../../../../src/notify/message.ts';
import { durabilityAt } from '../../../support/changes.ts';
import type { Act, Setup } from './any-act.ts';
import { addressOf, firstState, platformFor, START } from './platform.ts';
import { createDice, createStage, type CallKind, type Process } from './stage.ts';
import { memoryIdentities } from '../../../support/identities.ts';

const TEAM = 'T0ACME';
/** The Slack ids of people. Ada has two accounts. Gus is a guest. */
export const PEOPLE = ['ada', 'ben', 'cid', 'dee', 'eve', 'ada2', 'gus'] as const;
export const asPerson = (userId: string) => ({ userId, teamId: TEAM });

/** Who does not answer just now, or not with all there is. */
export type Weather = 'clear' | 'platform silent' | 'Slack silent' | 'unreadable row';

function firstFacts() {
  const person = (name: string) => ({
    email: addressOf(name === 'ada2' ? 'ada' : name) as string | undefined,
    deleted: false,
    guest: name === 'gus',
    /** In the user group that ORG_ACCESS may name. */
    inGroup: name !== 'eve',
  });
  return {
    state: firstState(),
    people: Object.fromEntries(PEOPLE.map((name) => [name, person(name)])),
    weather: 'clear' as Weather,
  };
}

/** Everything as it was from one moment on, until something else happened. */
export type Snapshot = ReturnType<typeof firstFacts>;

/** Something that a person does, or a worker. */
export interface Deed extends Process {
  readonly act: Act;
  /** Slack id; a worker's has no meaning. */
  readonly person: string;
  /** The change that it is about, once there is one. */
  change: string;
  readonly order: ChangeInput | undefined;
  /** Nothing else goes on at the same time. */
  readonly isAlone: boolean;
  /** When it began: place in the history, and ms since the epoch. */
  readonly since: number;
  readonly startedAt: number;
  /** The plan that a review or an approval showed, and when: places in the history. */
  seen?: { readonly shown: string; readonly from: number; readonly until: number } | undefined;
  /** Place in the history. */
  until?: number;
  /** Absent: it did not end, because its process did. */
  isDone?: boolean;
  readonly errors: unknown[];
}

/** A move that the store has made. */
export interface Commit {
  readonly kind: 'request' | ChangeEvent['kind'];
  readonly by: Deed;
  /** Place in the history. */
  readonly index: number;
  readonly at: number;
  /** As it is after it. */
  readonly change: Change;
}

/** A call that changes something, as it was sent to the platform. */
export interface Sending {
  readonly by: Deed;
  readonly change: string;
  readonly call: readonly unknown[];
  readonly index: number;
  readonly at: number;
  /** Where in the history it has had its effect; absent: it never got there, or was refused. */
  doneAt?: number;
  /** The caller got an answer. */
  isAnswered?: boolean;
}

/** The store and the cipher of a world. */
export interface Backing {
  readonly open: (clock: Clock) => ChangeStore;
  /** Everything that the store holds, as text. */
  readonly peek?: () => Promise<readonly string[]>;
  /** Everything as it is now; calling the result brings it back. Absent: this store forgets nothing. */
  readonly snapshot?: () => () => void;
  /** Another than the real one. */
  readonly cipher?: SecretCipher;
}

const realCipher = createSecretCipher(() => [Buffer.alloc(32, 'k')]);
/** Does not encrypt: a search for secrets has to find the stored ones. */
export const PLAINTEXT_CIPHER: SecretCipher = {
  seal: ({ id }, secret) => `${id} ${secret.reveal()}`,
  open: ({ id }, sealed) => new Secret(sealed.slice(id.length + 1)),
};

export type World = ReturnType<typeof createWorld>;

/** A workspace, a platform, a store, and all that happens there, for the judges. */
export function createWorld(setup: Setup, { open, peek, snapshot, cipher = realCipher }: Backing) {
  const clock = { at: START, now: (): number => clock.at };
  const stageParts = { clock, dice: createDice(0) };
  const facts = firstFacts();
  const history: Snapshot[] = [];
  const said: { readonly text: string; readonly change: string }[] = [];
  const texts: string[] = [];
  const world = {
    setup,
    clock,
    facts,
    cipher,
    durability: durabilityAt(clock),
    kept: open(clock),
    stage: createStage(stageParts),
    history,
    commits: [] as Commit[],
    sendings: [] as Sending[],
    deeds: [] as Deed[],
    /** Secrets in the hands of a person; `isShown`: Slack has shown it. */
    handed: [] as { by: Deed; index: number; text: string; isShown: boolean }[],
    /** Every secret that the platform has given out, with its change. */
    said,
    /** All text that left the process or was kept: messages, log lines, arguments of the store. */
    texts,
    /** Asked of a worker, and not begun. */
    jobs: new Set<string>(),
    /** The messages as they are, by channel and key. */
    messages: new Map<string, Message>(),
    ids: 0,
    /** The contents of Redis after each move, and the places in the history at which it went back to one of these. */
    snapshots: [] as (() => void)[],
    wentBack: [] as number[],
    keep: (): unknown => snapshot && world.snapshots.push(snapshot()),
    /** Redis is started anew with its contents of so many moves ago. */
    goBack(moves: number): void {
      world.durability.run = `run ${world.wentBack.length + 2}`;
      world.snapshots.at(-1 - moves)?.();
      world.wentBack.push(world.place());
    },
    roll(seed: number): void {
      stageParts.dice = createDice(seed);
    },
    /** To be called after everything that happens. */
    remember: (): unknown => history.push(structuredClone(facts)),
    place: (): number => history.length - 1,
    span: (from = 0, until = history.length - 1): readonly Snapshot[] =>
      history.slice(from, until + 1),
    /** Keeps the contents of the store, for the judges. */
    async peek(): Promise<void> {
      if (peek && said.length > 0) texts.push(...(await peek()));
    },
  };
  world.remember();
  return world;
}

/** The parts that a process of the bot works with; every call can fail, or be its last. */
export function officeFor(world: World, deed: Deed): ChangeContext {
  const { clock, setup, stage, facts } = world;
  const call = <T>(kind: CallKind, effect: () => T | Promise<T>): Promise<T> =>
    stage.call(deed, kind, effect);
  const platform = platformFor(world, deed);
  const slack = <T>(answer: () => T): Promise<T> =>
    call('slack', () => {
      if (facts.weather === 'Slack silent') throw new Error('Slack does not answer');
      return answer();
    });
  const access = authorizerFor({
    member: (userId) =>
      slack(() => {
        const { email, deleted = true, guest = false } = facts.people[userId] ?? { email: '' };
        return { teamId: TEAM, deleted, bot: false, guest, stranger: false, email };
      }),
    groupMembers: () =>
      slack(() => new Set(PEOPLE.filter((name) => facts.people[name]?.inGroup === true))),
    users: platform,
    orgAccess:
      setup.orgAccess === 'group' ? { kind: 'usergroup', id: 'S0ORGS' } : { kind: setup.orgAccess },
    stopwatch: { elapsed: clock.now },
    // Each account uses the roles of its address: which ones may is another test's.
    identities: { pinOf: async () => undefined, admit: async () => undefined },
  });
  return {
    changes: storeFor(world, deed),
    billing: () => platform,
    kindOf: createKinds('USD', memoryIdentities()),
    withLock: (name, work) => stage.withLock(deed, name, work),
    access,
    cipher: setup.hasKey ? world.cipher : undefined,
    durability: world.durability,
    approvals: setup.approvals,
    channel: 'C0APPROVALS',
    directChannel: (userId) => slack(() => `D${userId}`),
    groupFor: () => slack(() => 'S0ADMINS'),
    jobs: { add: (_queue, _name, { id = '' }) => call('jobs', () => void world.jobs.add(id)) },
    newId: () => `change-${(world.ids += 1)}`,
    clock,
    logger: createLogger({
      level: 'trace',
      secrets: [],
      destination: { write: (line: string) => void world.texts.push(line) },
    }),
  };
}

/** The store, as a process sees it; its commits are recorded, and its arguments are kept for the judges. */
function storeFor(world: World, deed: Deed): ChangeStore {
  const { stage, kept, clock, texts, commits, messages } = world;

  function committed(kind: Commit['kind'], change: Change): void {
    world.remember();
    commits.push({ kind, by: deed, index: world.place(), at: clock.at, change });
    world.keep();
    for (const message of messagesOf(change)) {
      messages.set(`${message.channel} ${message.key}`, message);
      texts.push(JSON.stringify(message));
    }
  }

  const store: ChangeStore = {
    ...kept,
    async create(change) {
      const known = await kept.get(change.id);
      const created = await kept.create(change);
      if ('made' in created && known === undefined) committed('request', change);
      return created;
    },
    async move(change, event, beside) {
      const moved = await kept.move(change, event, beside);
      if (moved !== undefined) committed(event.kind, moved);
      return moved;
    },
  };
  const risky =
    (work: (...given: unknown[]) => Promise<unknown>) =>
    (...given: unknown[]) =>
      stage.call(deed, 'store', () => {
        texts.push(JSON.stringify(given));
        return work(...given);
      });
  const calls = Object.entries(store).map(([name, work]) => [name, risky(work as never)] as const);
  return { ...Object.fromEntries(calls), isGenuine: kept.isGenuine } as unknown as ChangeStore;
}
