/**
 * The rooms of the house and the arrows between them: which room may import which. The lint rules are
 * generated from this matrix, the test of the rules reads it, and `docs/architecture.md` shows it.
 */

/** A room is a folder of `src`, or a file directly in `src`. */
export interface Room {
  /** The purpose of the room, in a line. */
  readonly purpose: string;
  /** The other rooms that it may import. */
  readonly imports: readonly string[];
  /** Packages that are guarded and open to this room. */
  readonly packages?: readonly GuardedPackage[];
}

/** Packages that only some rooms may know. */
export const GUARDED_PACKAGES = ['@slack/', 'bullmq', 'ioredis', 'prom-client', 'undici'] as const;
export type GuardedPackage = (typeof GUARDED_PACKAGES)[number];

const LOW = ['lib', 'metrics.ts', 'store', 'platform'];
const BELOW_SERVICES = [...LOW, 'access', 'config', 'jobs', 'notify', 'slack'];
const BELOW_FEATURES = [...BELOW_SERVICES, 'grammar', 'reporting', 'services.ts'];

export const ROOMS: Readonly<Record<string, Room>> = {
  lib: {
    purpose: 'logger, clock, texts, errors, shutdown; no business words',
    imports: [],
    packages: ['@slack/', 'prom-client'],
  },
  'metrics.ts': {
    purpose: 'every metric: name, labels, meaning; and how rooms record it',
    imports: ['lib'],
  },
  store: {
    purpose: 'the Redis connection, keys and locks',
    imports: ['lib'],
    packages: ['ioredis'],
  },
  grammar: {
    purpose: 'the syntax of commands: from a table to a parser, its mistakes and its help; pure',
    imports: ['lib'],
  },
  platform: {
    purpose: 'the three APIs as the specification has them',
    imports: ['lib', 'metrics.ts'],
  },
  access: {
    purpose: 'the rights of a person, from Slack user to billing roles',
    imports: LOW,
  },
  reporting: {
    purpose: 'ranges, the question language, money, units, CSV, charts; pure',
    imports: ['lib', 'grammar', 'platform'],
  },
  config: { purpose: 'the environment as a typed Config', imports: ['lib', 'platform'] },
  jobs: {
    purpose: 'BullMQ queues, workers and schedulers',
    imports: ['lib', 'metrics.ts', 'store'],
    packages: ['bullmq', 'ioredis'],
  },
  slack: {
    purpose: 'the Bolt edge: connection, routing, replies, files, blocks',
    imports: ['lib', 'metrics.ts', 'store', 'grammar'],
    packages: ['@slack/', 'ioredis'],
  },
  notify: {
    purpose: 'the outbox: claim, post or edit, record; exactly once',
    imports: ['lib', 'metrics.ts', 'store', 'slack', 'jobs'],
    packages: ['@slack/', 'ioredis'],
  },
  'services.ts': {
    purpose: 'services of every role, built once',
    imports: BELOW_SERVICES,
    packages: ['@slack/', 'ioredis'],
  },
  rollouts: {
    purpose: 'watches, polls, states and the messages about them',
    imports: [...LOW, 'config', 'jobs', 'notify', 'services.ts', 'slack'],
    packages: ['@slack/', 'ioredis'],
  },
  changes: {
    purpose: 'request, review, execute, reconcile, reveal; policy, store, audit',
    imports: BELOW_FEATURES,
    packages: ['@slack/', 'ioredis'],
  },
  monitors: {
    purpose: 'watches money: facts, memory, messages; and outages of the platform',
    imports: BELOW_FEATURES,
    packages: ['@slack/'],
  },
  features: {
    purpose: 'one folder for each thing that people type or read',
    imports: [...BELOW_FEATURES, 'monitors', 'rollouts', 'changes'],
    packages: ['@slack/'],
  },
  'report-thread.ts': {
    purpose: 'the entry of the thread that makes reports',
    imports: ['lib', 'platform', 'reporting', 'features'],
  },
  'scrape.ts': {
    purpose: 'the metrics for Prometheus: the gauges in Redis, and all threads added up',
    imports: [...BELOW_SERVICES, 'services.ts', 'rollouts', 'changes', 'monitors'],
  },
  'app.ts': {
    purpose: 'createApp: the one list of features, start and stop',
    imports: [...BELOW_FEATURES, 'rollouts', 'changes', 'features', 'scrape.ts'],
    packages: ['@slack/', 'ioredis'],
  },
  'state.ts': {
    purpose: 'the commands of an operator: `npm run state`',
    imports: ['lib', 'store', 'access', 'config', 'notify', 'monitors', 'rollouts', 'features'],
  },
  'main.ts': {
    purpose: 'the process: role, signals, exit code, the thread of the workers',
    imports: ['lib', 'metrics.ts', 'config', 'jobs', 'app.ts'],
  },
};

/** The files of the process, one room in the drawing. */
export const PROCESS = [
  'main.ts',
  'app.ts',
  'report-thread.ts',
  'scrape.ts',
  'state.ts',
  'tracing.ts',
];

/** They serve all rooms, and are not drawn. */
export const EVERYWHERE = ['lib', 'metrics.ts'];

/** Where `undici` is called: nowhere else. */
export const HTTP_FILES = ['src/platform/http.ts', 'src/platform/bare-http.ts'];

/** Pure parts of a room that may import less than the room itself. */
export const PURE_PARTS: Readonly<
  Record<string, { readonly imports: readonly string[]; readonly siblings: readonly string[] }>
> = {
  'rollouts/watch': { imports: ['lib', 'platform'], siblings: [] },
};
