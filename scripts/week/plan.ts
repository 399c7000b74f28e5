import { createRandom } from '../../src/sandbox/random.ts';

/** A control call of the stand-in platform. */
interface Act {
  /** Milliseconds from the beginning of the week. */
  at: number;
  path: string;
  body: object;
  /** A status of the version that the rollout before it made. */
  status?: (version: number) => object;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
/** Where in the week an hour of a day is. */
const on = (day: (typeof DAYS)[number], hour: number): number =>
  (DAYS.indexOf(day) * 24 + hour) * HOUR;

const ORG = 'acme';
const [WEST, EUROPE, EAST] = ['aws-us-west-2', 'gcp-europe-west4', 'azure-eastus2'] as const;
/** When the GVC `shop` gets its version 5. */
const REROLL_AT = on('Thu', 7.8);
const words = (text: string): string[] => text.split(' ');

export const ROLLOUTS = 210;
/** The GVCs that the channel watches. */
export const GVCS = ['shop', 'data'].map((gvc) => ({ org: ORG, gvc }));

/** The workloads that are rolled out, as often as they are listed. */
const TEAMS = [
  ...words('web web web web cart cart cart checkout checkout catalog catalog search search'),
  ...words('payments payments recommendations orders-db ingest ingest stream-processor'),
  ...words('stream-processor dashboard warehouse'),
];
const DATA = new Set(words('ingest stream-processor dashboard warehouse etl'));
/** Of the failures in their order; those that are taken back have some of them again. */
const CAUSES = [
  ...words('image-pull oom missing-secret probe image-pull crash-loop held-quota oom image-pull'),
  ...words('exec-format crash-loop missing-secret probe oom crash-loop image-pull'),
];

/** How often a rollout does not go well. */
const COUNTS = { fails: 16, 'taken-back': 6, slow: 3, stuck: 4, overtaken: 4, secret: 2, lag: 1 };
type Kind = 'well' | keyof typeof COUNTS;
/** Those whose rollout is fixed, overtaken or taken back by another: two rollouts each. */
const TWICE: ReadonlySet<Kind> = new Set(['fails', 'taken-back', 'overtaken', 'lag']);

const random = createRandom(7);
const between = (from: number, to: number): number =>
  Math.round(from + random.next() * (to - from));

/** The rollouts of working hours; no one rolls out what was rolled out a moment ago. */
function rollouts(): Act[] {
  const counts = Object.entries(COUNTS) as [Kind, number][];
  const troubles = counts.flatMap(([kind, count]) => Array<Kind>(count).fill(kind));
  const seconds = troubles.filter((kind) => TWICE.has(kind));
  const well = Array<Kind>(ROLLOUTS - troubles.length - seconds.length).fill('well');
  const deck = [...well, ...troubles]
    .map((kind) => ({ kind, place: random.next() }))
    .sort((a, b) => a.place - b.place);
  const busyUntil = new Map<string, number>();
  let failures = 0;
  return deck.flatMap(({ kind }, slot) => {
    const day = Math.floor((slot * 7) / deck.length);
    const first = Math.ceil((day * deck.length) / 7);
    const at = (day * 24 + 8) * HOUR + (slot - first) * 26 * MINUTE + between(0, 26 * MINUTE);
    const free = TEAMS.filter((name) => (busyUntil.get(name) ?? 0) <= at);
    const workload = free[Math.floor(random.next() * free.length)] ?? 'web';
    const acts = story(kind, at, workload, failures);
    if (kind === 'fails' || kind === 'taken-back') failures += 1;
    busyUntil.set(workload, Math.max(...acts.map((act) => act.at)) + 15 * MINUTE);
    return acts;
  });
}

/** How a rollout goes, and what people do about it. @param failures how many there were before */
function story(kind: Kind, at: number, workload: string, failures: number): Act[] {
  const roll = (when: number, more: object): Act => act(when, 'rollout', workload, more);
  const next = (from: number, to: number): Act =>
    roll(at + between(from, to) * MINUTE, { seconds: between(20, 90) });
  const outcome = CAUSES[failures % CAUSES.length];
  const somewhere = failures % 3 === 2 ? { location: EUROPE } : {};
  switch (kind) {
    case 'well':
      return [roll(at, { seconds: between(20, 360) })];
    case 'slow':
      return [roll(at, { seconds: between(1_300, 2_400) })];
    case 'lag':
      return [roll(at, { seconds: 60, outcome: 'lag', location: EAST }), next(70, 90)];
    case 'overtaken':
      return [roll(at, { seconds: 300 }), roll(at + between(60, 150) * 1_000, { seconds: 120 })];
    case 'stuck':
    case 'secret': {
      const status = (version: number): object =>
        kind === 'secret'
          ? withoutSecret(workload, version, at)
          : { ready: false, deploying: true };
      const places = kind === 'stuck' ? [WEST, EUROPE, EAST] : [WEST, EUROPE];
      const held = places.map((location) => act(at, 'patch', workload, { location }));
      const back = act(at + between(12, 30) * MINUTE, 'patch/clear', workload);
      return [roll(at, { seconds: 20 }), ...held.map((one) => ({ ...one, status })), back];
    }
    case 'fails':
      return [roll(at, { seconds: between(40, 180), outcome, ...somewhere }), next(8, 45)];
    case 'taken-back':
      return [roll(at, { seconds: between(40, 120), outcome }), next(3, 7)];
  }
}

/** The version is held because a secret is gone; as soon as it is back, the rollout has gone on. */
function withoutSecret(workload: string, version: number, at: number): object {
  const message = `The secret ${workload}-credentials no longer exists. Workload updates are paused until the secret is restored or the reference to it is removed.`;
  const gvc = DATA.has(workload) ? 2 : at < REROLL_AT ? 4 : 5;
  const image = `registry.example.com/${ORG}/${workload}:v1.${version - 1}.0`;
  const main = { name: workload, image, resources: { replicas: 2, replicasReady: 2 } };
  const held = { workload: version, gvc, ready: false, message };
  const serving = { workload: version - 1, gvc, ready: true, containers: { [workload]: main } };
  return { ready: false, deploying: true, versions: [held, serving] };
}

/** Events without a rollout: incidents, nights, people who switch things off. */
function events(): Act[] {
  const sick = (at: number, workload: string, minutes: number, more: object = {}): Act =>
    act(at, 'sicken', workload, { seconds: minutes * 60, ...more });
  const stale = (at: number, isStale: boolean): Act[] =>
    GVCS.map((gvc) => ({ at, path: 'stale', body: { ...gvc, location: EUROPE, stale: isStale } }));
  return [
    // Short illnesses, as there are some every week.
    sick(on('Mon', 10.2), 'search', 0.5, { location: WEST }),
    sick(on('Tue', 15.4), 'payments', 4, { location: EAST }),
    sick(on('Thu', 21.7), 'ingest', 1, { location: WEST }),
    sick(on('Fri', 4.1), 'catalog', 7, { location: EUROPE }),
    sick(on('Sun', 22.3), 'warehouse', 0.7, { location: EAST }),
    // Flapping: everywhere for a few minutes, and in one location for long.
    sick(on('Mon', 21.1), 'search', 0.75, { times: 5 }),
    sick(on('Fri', 20.6), 'payments', 1, { location: WEST, times: 12 }),
    // A location stops to report for an hour.
    ...stale(on('Tue', 11.2), true),
    ...stale(on('Tue', 12.2), false),
    // A location fails under seven workloads.
    ...words('web cart checkout catalog search payments orders-db').map((workload) =>
      sick(on('Wed', 20.3), workload, 18, { location: WEST }),
    ),
    // A workload is ill everywhere: by day, and at night.
    sick(on('Thu', 7.2), 'checkout', 14),
    sick(on('Sat', 3.2), 'web', 6),
    // Switched off for the night, and to nothing for another.
    act(on('Wed', 21), 'suspend', 'dashboard', { suspend: true }),
    act(on('Thu', 6.5), 'suspend', 'dashboard', { suspend: false }),
    act(on('Fri', 21), 'scale', 'stream-processor', { replicas: 0 }),
    act(on('Sat', 6), 'scale', 'stream-processor', { replicas: 3 }),
    // Cron runs that fail.
    act(on('Tue', 2.5), 'cron', 'nightly-report', { status: 'failed' }),
    act(on('Thu', 2.5), 'cron', 'nightly-report', { status: 'failed' }),
    act(on('Fri', 1.1), 'cron', 'etl', { status: 'failed', location: WEST }),
    // A workload that comes and goes, a new version of the GVC, a list with a gap, a version ahead.
    act(on('Tue', 9), 'create', 'gift-cards', { seconds: 90 }),
    act(on('Sat', 12), 'delete', 'gift-cards'),
    { at: REROLL_AT, path: 'gvc-rollout', body: { org: ORG, gvc: 'shop', seconds: 240 } },
    act(on('Sun', 6.1), 'vanish', 'cart', { location: EAST, vanished: true, seconds: 180 }),
    act(on('Sun', 6.8), 'diverge', 'orders-db', { location: WEST, diverged: true }),
    act(on('Sun', 7.2), 'diverge', 'orders-db', { location: WEST, diverged: false }),
  ];
}

function act(at: number, path: string, workload: string, more: object = {}): Act {
  const gvc = DATA.has(workload) ? 'data' : 'shop';
  return { at, path, body: { org: ORG, gvc, workload, ...more } };
}

/** All that happens, in order: the rollouts of the week, and what befalls the workloads beside them. */
export const PLAN = [...rollouts(), ...events()].sort((a, b) => a.at - b.at);
