import { authorizerFor } from '../../../support/authorizer.ts';
import { createKinds } from '../../../../src/changes/kinds/kinds.ts';
import { messagesOf } from '../../../../src/changes/messages/messages.ts';
import type { Change } from '../../../../src/changes/change.ts';
import { createSecretCipher } from '../../../../src/changes/context.ts';
import type { ChangeContext, SecretCipher } from '../../../../src/changes/context.ts';
import type { ChangeStore, MoveOptions } from '../../../../src/changes/store.ts';
import type { Clock } from '../../../../src/lib/time.ts';
import { createLogger } from '../../../../src/lib/logger.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import type { Message } from '../../../../src/notify/message.ts';
import { createDice } from './dice.ts';
import { createJournal, placeIn, remember } from './journal.ts';
import type { Commit, Look } from './journal.ts';
import { createLocks } from './locks.ts';
import { platformFor } from './platform.ts';
import type { Setup } from './rights.ts';
import { createStage } from './stage.ts';
import type { Actor } from './stage.ts';
import { firstFacts, GROUP, NOVEMBER_20, TEAM } from './state.ts';
import type { Snapshot } from './state.ts';
import type { CallKind, Trouble } from './trouble.ts';

export type World = ReturnType<typeof createWorld>;

/** What it all stands on. */
export interface Backing {
  readonly open: (clock: Clock) => ChangeStore;
  /** Everything that the store holds, as text. */
  readonly peek?: () => Promise<readonly string[]>;
  /** Another than the real one. */
  readonly cipher?: SecretCipher;
}

const realCipher = createSecretCipher(new Secret(Buffer.alloc(32, 'k').toString('base64')));

/** A workspace, a platform, a store, and processes of the bot that come and go. */
export function createWorld(setup: Setup, { open, peek, cipher = realCipher }: Backing) {
  const clock = { at: NOVEMBER_20, now: (): number => clock.at };
  const journal = createJournal();
  const facts = firstFacts();
  remember(journal, facts, clock.at);
  const locks = createLocks(clock);
  let dice = createDice(0);
  let ids = 0;
  const stage = createStage({
    clock,
    dice: () => dice,
    stalled: (...all) => locks.stalled(...all),
  });
  const world = {
    setup,
    clock,
    journal,
    facts,
    stage,
    locks,
    cipher,
    kept: open(clock),
    /** Keeps what the store holds now, for the judges. */
    async peek(): Promise<void> {
      if (peek && journal.said.length > 0) journal.texts.push(...(await peek()));
    },
    /** Asked of a worker, and not begun. */
    jobs: new Set<string>(),
    /** What a person was shown last of a change, by both. */
    looks: new Map<string, Look>(),
    /** The messages as they are, by channel and key. */
    messages: new Map<string, Message>(),
    newId(): string {
      ids += 1;
      return `change-${ids}`;
    },
    roll(seed: number): void {
      dice = createDice(seed);
    },
    /** Somebody other than the bot changes something. */
    alter(change: () => void): void {
      change();
      remember(journal, facts, clock.at);
    },
    span: (from: number, until = placeIn(journal)): readonly Snapshot[] =>
      journal.history.slice(from, until + 1),
    enter(name: string, trouble?: Trouble): Actor {
      return {
        name,
        trouble,
        change: undefined,
        steps: 0,
        diedAt: undefined,
        isHit: false,
        since: placeIn(journal),
        startedAt: clock.at,
      };
    },
  };
  return world;
}

/** All that a process of the bot works with; every call of it can fail, or be its last. */
export function officeFor(world: World, actor: Actor): ChangeContext {
  const { clock, setup, stage, journal } = world;
  const call = <T>(kind: CallKind, effect: () => T | Promise<T>): Promise<T> =>
    stage.call(actor, kind, effect);
  const platform = platformFor({ ...world, isIdless: setup.isIdless }, actor);
  const slack = <T>(answer: () => T): Promise<T> =>
    call('slack', () => {
      if (world.facts.weather.slackSilent) throw new Error('Slack does not answer');
      return answer();
    });
  const access = authorizerFor({
    member: (userId) => slack(() => profileOf(world, userId)),
    groupMembers: () => slack(() => membersOf(world)),
    users: platform,
    orgAccess:
      setup.orgAccess === 'group' ? { kind: 'usergroup', id: GROUP } : { kind: setup.orgAccess },
    stopwatch: { elapsed: clock.now },
  });
  return {
    changes: storeFor(world, actor),
    billing: () => platform,
    kindOf: createKinds('USD', clock),
    withLock: (id, work) => world.locks.alone(actor, id, call, work),
    access,
    cipher: setup.hasKey ? world.cipher : undefined,
    approvals: setup.approvals,
    channel: 'C0APPROVALS',
    directChannel: (userId) => slack(() => `D${userId}`),
    groupFor: () => slack(() => 'S0ADMINS'),
    jobs: { add: (_queue, _name, { id = '' }) => call('jobs', () => void world.jobs.add(id)) },
    newId: () => world.newId(),
    clock,
    logger: createLogger({
      level: 'trace',
      secrets: [],
      destination: { write: (line: string) => void journal.texts.push(line) },
    }),
  };
}

function profileOf({ facts }: World, userId: string) {
  const { email, deleted, guest } = facts.people[userId] ?? { deleted: true, guest: false };
  return { teamId: TEAM, deleted, bot: false, guest, stranger: false, email };
}

function membersOf({ facts }: World): ReadonlySet<string> {
  const members = Object.entries(facts.people).filter(([, { inGroup }]) => inGroup);
  return new Set(members.map(([userId]) => userId));
}

/** The store, as a process sees it; what it does is written down, and what it is given is kept for a look. */
function storeFor(world: World, actor: Actor): ChangeStore {
  const { journal, stage, kept, clock } = world;
  const call = <T>(effect: () => Promise<T>): Promise<T> => stage.call(actor, 'store', effect);

  function committed(kind: Commit['kind'], change: Change): void {
    remember(journal, world.facts, clock.at);
    journal.commits.push({ kind, actor, index: placeIn(journal), at: clock.at, change });
    for (const message of messagesOf(change)) {
      world.messages.set(`${message.channel} ${message.key}`, message);
      journal.texts.push(JSON.stringify(message));
    }
  }

  return {
    ...kept,
    create: (change) =>
      call(async () => {
        journal.texts.push(JSON.stringify(change));
        const known = await kept.get(change.id);
        const created = await kept.create(change);
        if ('made' in created && known === undefined) committed('request', change);
        return created;
      }),
    get: (id) => call(() => kept.get(id)),
    list: (from, count) => call(() => kept.list(from, count)),
    count: () => call(() => kept.count()),
    move: (change, event, beside?: MoveOptions) =>
      call(async () => {
        journal.texts.push(JSON.stringify([change, event, beside]));
        const moved = await kept.move(change, event, beside);
        if (moved !== undefined) committed(event.kind, moved);
        return moved;
      }),
    open: () => call(() => kept.open()),
    due: (now) => call(() => kept.due(now)),
    takeSecret: (id) => call(() => kept.takeSecret(id)),
  };
}
