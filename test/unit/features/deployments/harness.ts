import type { Authorizer } from '../../../../src/access/authorizer.ts';
import type { Config } from '../../../../src/config/config.ts';
import { createDeploymentsFeature } from '../../../../src/features/deployments/feature.ts';
import { RECONCILE_WATCHES } from '../../../../src/rollouts/jobs.ts';
import type { Jobs } from '../../../../src/jobs/jobs.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import type { Message } from '../../../../src/notify/message.ts';
import type { Outbox } from '../../../../src/notify/outbox.ts';
import type { Deployment } from '../../../../src/platform/deployments/deployment.ts';
import { changesOf, NO_POLL, type PollStatus } from '../../../../src/rollouts/gvc-store.ts';
import { CARD_ACTIONS } from '../../../../src/rollouts/render/parts.ts';
import { EMPTY_GVC, type GvcState } from '../../../../src/rollouts/watch/advance.ts';
import type { OrgState } from '../../../../src/rollouts/watch/group.ts';
import type { Location } from '../../../../src/rollouts/watch/location.ts';
import { pollTime } from '../../../../src/rollouts/watch/spans.ts';
import {
  freshStatuses,
  rememberedStatuses,
  type WorkloadStatus,
} from '../../../../src/rollouts/watch/status.ts';
import { createWatches, readMutes, type Watch } from '../../../../src/rollouts/watches.ts';
import { PAGE_ACTION } from '../../../../src/slack/replies/reply.ts';
import type { Answer, ModalContent } from '../../../../src/slack/routing/routes.ts';
import { createKeys, type RedisConnection } from '../../../../src/store/redis.ts';
import { controlOf, spoken, tableOf, wordsIn } from '../../../support/answer.ts';
import { keptHere } from '../../../support/kept.ts';
import { typeWords } from '../../../support/command.ts';
import { statusAnswer, type StatusView } from '../../../../src/features/deployments/status-view.ts';
import { MINUTE, NOON, polled, type Statuses } from '../../rollouts/platform-json.ts';

const ADA = { userId: 'U0ADA', teamId: 'T1' };
export const OPS = 'C0OPS';
/** A watch of the environment. */
export const SHOP: Watch = {
  org: 'acme',
  gvc: 'shop',
  channel: OPS,
  quiet: false,
  configured: true,
};

/** The contents of Redis: watches, and the state that polls have stored. */
interface Stored {
  /** Watches that are made by the environment. */
  configured?: readonly Watch[];
  links?: Config['links'];
  /** The stored state of a GVC; records and rollouts as far as they matter. */
  stateOf?: (gvc: string) => GvcState;
  /** The stored state that all GVCs of an org share. */
  shared?: OrgState;
  /** How the last poll of every GVC went. */
  pollStatus?: PollStatus;
  /** Of single ones, by their names. */
  pollsOf?: Readonly<Record<string, PollStatus>>;
  /** GVCs (`org/gvc`) of one outage that are not found; its message has the key of the first. */
  missing?: readonly string[];
  /** Reported when a lock is taken, and before it is released. */
  onLock?: (when: 'taken' | 'released', name: string) => Promise<void>;
}

/** The services from which watches and their state are read. */
export function storeOf({ configured = [], stateOf = () => EMPTY_GVC, ...stored }: Stored) {
  const keys = createKeys('test');
  const { pollStatus = { ...NO_POLL, at: NOON }, onLock = () => Promise.resolve() } = stored;
  const { links = [] } = stored;
  const { missing = [] } = stored;
  const posts = [missing.map((place) => ({ place, key: `${place}/@api/down/1` }))];
  const open = { missing: { kind: 'missing', down: missing, posts } };
  const outages = { book: JSON.stringify({ open, seats: {}, numbers: {} }) };
  const hashes = new Map<string, Record<string, string>>();
  const locks = new Set<string>();
  const hashAt = (key: string): Record<string, string> => {
    const hash = hashes.get(key) ?? (key === keys.outages ? outages : fieldsOf(stateOf, key));
    hashes.set(key, hash);
    return hash;
  };
  const redis = {
    hgetall: async (key: string) => ({ ...hashAt(key) }),
    hmget: async () =>
      stored.shared === undefined ? [null, null] : [JSON.stringify(stored.shared), 'r1'],
    hget: async (key: string, field: string) => hashAt(key)[field] ?? null,
    async hset(key: string, field: string, value: string) {
      const isNew = hashAt(key)[field] === undefined;
      hashAt(key)[field] = value;
      return Number(isNew);
    },
    async hdel(key: string, ...fields: string[]) {
      const there = fields.filter((field) => hashAt(key)[field] !== undefined);
      for (const field of there) delete hashAt(key)[field];
      return there.length;
    },
    get: async (key: string) =>
      JSON.stringify(stored.pollsOf?.[key.split('/').at(-1) ?? ''] ?? pollStatus),
    async set(key: string) {
      if (locks.has(key)) return null;
      locks.add(key);
      await onLock('taken', key.slice(keys.lock('').length));
      return 'OK';
    },
    async eval(_release: string, _keys: number, key: string) {
      await onLock('released', key.slice(keys.lock('').length));
      return Number(locks.delete(key));
    },
  } as unknown as RedisConnection;
  const config = {
    watches: configured,
    links,
    channels: { notify: OPS },
    polling: POLLING,
  } as unknown as Config;
  return { config, keys, redis, orgs: { known: ['acme', 'beta'], fallback: 'acme' } };
}

const ROLLOUTS = createKeys('test').rollouts('', '').slice(0, -1);
const POLLING = { activeMs: 10_000, idleMs: MINUTE, patience: 1 };

/** The fields of a hash before its first write. */
function fieldsOf(stateOf: (gvc: string) => GvcState, key: string): Record<string, string> {
  if (!key.startsWith(ROLLOUTS)) return {};
  const state = stateOf(key.split('/').at(-1) ?? '');
  return changesOf(EMPTY_GVC, state).set;
}

/** The state that polls have stored for a GVC, by `workload/location`, after a first poll five minutes ago. */
export function stored(statuses: Statuses, now = NOON): GvcState {
  return polled([statuses], now - 5 * MINUTE).state;
}

interface Setting extends Omit<Stored, 'stateOf'> {
  deployments?: readonly Deployment[];
  /** The stored state of every GVC. */
  state?: GvcState;
  /** Whether the bot, and the person, are in a channel; undefined: Slack is silent. */
  channels?: { hasBot?: boolean | undefined; hasPerson?: boolean | undefined };
  /** Whether Redis takes no messages. */
  isAway?: () => boolean;
  over?: Partial<Parameters<typeof createDeploymentsFeature>[0]>;
}

const nothing = (): never => {
  throw new Error('not asked here');
};

/** `/deployments` on services of which only Redis and the platform remember something. */
export function createDeployments(setting: Setting = {}) {
  const { state = EMPTY_GVC, deployments = [], channels = {} } = setting;
  const { hasBot, hasPerson } = { hasBot: true, hasPerson: true, ...channels };
  const asked: string[] = [];
  const signals: unknown[] = [];
  const reported: Message[] = [];
  let now = NOON;
  const store = storeOf({ ...setting, stateOf: () => state });
  const note = async (what: string) => void asked.push(what);
  const read = async (...words: unknown[]) => {
    signals.push((words.at(-1) as { signal?: unknown }).signal);
    return { deployments: [...deployments], unreadable: [], unidentified: 0 };
  };
  const stopping = new AbortController().signal;
  const services = {
    ...store,
    deployments: { listGvc: read, listWorkload: read, get: read } as never,
    usage: () => {
      throw new Refusal('The usage API is off.');
    },
    access: {
      readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
      requireOrgAccess: () => Promise.resolve(),
    } as unknown as Authorizer,
    slack: {
      conversations: {
        info: async () => ({ channel: { is_member: hasBot } }),
        open: async () => ({ channel: { id: 'D0ADA' } }),
        members: async () =>
          hasPerson === undefined ? {} : { members: hasPerson ? [ADA.userId] : [] },
      },
    } as never,
    outbox: {
      async commit(...[messages, change]: Parameters<Outbox['commit']>) {
        if (setting.isAway?.() === true) throw new Error('Redis is away');
        reported.push(...messages);
        for (const [field, text] of Object.entries(change?.set ?? {})) {
          await store.redis.hset(change?.hash ?? '', field, text);
        }
        await store.redis.hdel(change?.hash ?? '', ...(change?.remove ?? []));
        return [...new Set(messages.map(({ channel }) => channel))];
      },
      gather: () => Promise.reject(new Error('nothing is gathered here')),
    },
    identity: { get: () => Promise.reject(new Error('not asked here')), now: () => nothing() },
    sender: { read: nothing } as never,
    wake: (woken: readonly string[]) => note(`wake ${woken.join(' ')}`),
    jobs: {
      add: (_: string, name: string, { org, gvc }: Record<string, string>) =>
        note(name === RECONCILE_WATCHES ? 'changed' : `${name} ${org}/${gvc}`),
    } as Jobs,
    clock: { now: () => now },
    kept: keptHere(),
    stopping,
    ...setting.over,
  };
  const watches = createWatches(services);
  const feature = createDeploymentsFeature(services);
  const click = async (
    actionId: string,
    value: string | undefined,
    ...[channelId = OPS]: readonly (string | null)[]
  ): Promise<Answer | undefined> => {
    const action = feature.actions?.find((one) => one.actionId === actionId);
    if (action === undefined) throw new Error(`no action ${actionId}`);
    return action.run({ person: ADA, channelId: channelId ?? undefined, value });
  };
  /** Turns to a page, as the router does. */
  const turn = async ({ asked }: Answer, page: number): Promise<Answer> => {
    const question = feature.questions?.find(({ name }) => name === asked?.route);
    if (question === undefined) throw new Error('The answer has no question');
    const context = { person: ADA, channelId: OPS, value: String(page) };
    return question.ask(context, asked?.question, page);
  };
  const open = (value: string | undefined, actionId: string = CARD_ACTIONS.details) => {
    const modal = feature.modals?.find((one) => one.actionId === actionId);
    return modal?.load({ person: ADA, channelId: OPS, value });
  };
  return {
    feature,
    asked,
    signals,
    reported,
    stopping,
    watches,
    mutes: { all: (at: number) => readMutes(services, at) },
    pass(ms: number) {
      now += ms;
    },
    async type(text: string, channelId = OPS): Promise<Answer> {
      return typeWords(feature.commands![0]!, wordsIn(text), { person: ADA, channelId });
    },
    click,
    open,
    /** The answer that replaces this one when its button is pressed. */
    async press(answer: Answer, label: string): Promise<Answer> {
      const { action_id: action, value } = controlOf(answer, label);
      if (action === PAGE_ACTION) return turn(answer, Number(value));
      const answerId = await services.kept.answers.put(ADA.userId, answer);
      const route = feature.actions?.find(({ actionId }) => actionId === action);
      const pressed = await route?.run({ person: ADA, channelId: OPS, value, answerId });
      if (pressed === undefined) throw new Error(`${label} answers nothing`);
      return pressed;
    },
    turn,
    /** The modal that a button opens, or that a button in it leads to. */
    async openWith(
      shown: Pick<Answer, 'controls' | 'buttons'>,
      label: string,
    ): Promise<ModalContent> {
      const { action_id: action, value } = controlOf(shown, label);
      const modal = await open(value, action);
      if (modal === undefined) throw new Error(`${label} opens nothing`);
      return modal;
    },
  };
}

/** Everything that an answer says. */
export function wordsOf(answer: Answer | undefined): string {
  return JSON.stringify(answer?.blocks ?? []);
}

/** Without access to the orgs. */
export const noneMay = {
  access: {
    requireOrgAccess: () => Promise.reject(new Refusal('This is open to one user group only.')),
  } as unknown as Authorizer,
};

/** The stored state of a location. */
export interface Listed extends Partial<Location> {
  workload?: string;
  location?: string;
}

/** Statuses of remembered locations: ready at v12 where nothing else is named. */
export function statusesOf(listed: readonly Listed[], now = NOON): WorkloadStatus[] {
  type Workloads = Record<string, { locations: Record<string, Location> }>;
  const workloads = Object.create(null) as Workloads;
  for (const { workload = 'cart', location = 'aws-us-west-2', ...over } of listed) {
    const known = (workloads[workload] ??= {
      locations: Object.create(null) as Record<string, Location>,
    });
    known.locations[location] = {
      state: 'ready',
      since: 0,
      version: 12,
      gvc: 4,
      have: 3,
      fresh: 3,
      wanted: 3,
      wasReady: true,
      served: true,
      ...over,
    };
  }
  return rememberedStatuses({ ...EMPTY_GVC, workloads: workloads as never }, timeAt(now));
}

/** Statuses of deployments in a GVC that is not watched. */
export function freshOf(deployments: readonly Deployment[], now = NOON): WorkloadStatus[] {
  return freshStatuses({ deployments, unreadable: [], unidentified: 0 }, EMPTY_GVC, timeAt(now));
}

function timeAt(now: number): ReturnType<typeof pollTime> {
  return pollTime(now, 0, POLLING);
}

/** The answer about the GVC shop with these workloads. */
export function statusOf(
  workloads: readonly WorkloadStatus[],
  over: Partial<StatusView> = {},
): Answer {
  const usual = {
    org: 'acme',
    defaultOrg: 'acme',
    links: [],
    stuck: [],
    skipped: 0,
    page: 1,
    now: NOON,
  };
  return statusAnswer({ ...usual, target: { gvc: 'shop' }, workloads, ...over });
}

/** Rows of the table without its header and its buttons. */
export function rowsOf(answer: Answer): string[][] {
  return tableOf(answer)
    .slice(1)
    .map((row) => row.filter((cell) => !/^\[\w+\]$/.test(cell)));
}

/** The first section as it is spoken, its lines joined. */
export function headOf({ blocks }: Answer): string {
  return spoken({ blocks: blocks.slice(0, 1) }).replaceAll('\n', ' · ');
}

/** The text beside the table. */
export function wordsBeside({ blocks }: Answer): string {
  return JSON.stringify(blocks.filter(({ type }) => !type.endsWith('table')));
}
