type Raw = Record<string, unknown>;

export const NOON = Date.UTC(2026, 9, 5, 12);

/** What goes on in one location of a workload: the platform's side of the story. */
export interface Place {
  listed: boolean;
  E: number;
  gvc: number;
  phase: Phase;
  scale: number;
  restarts: number;
  /** When the last restart was, if the platform says so. */
  restartedAt: number | undefined;
  message: string;
  executions: { name: string; status: string }[] | undefined;
  /** Its executions are not only those of commands. */
  isCron: boolean;
}

export type Phase =
  | 'ready'
  | 'pending'
  | 'rolling'
  | 'outgoing'
  | 'broken'
  | 'said by a container'
  | 'said by the status'
  | 'suspended'
  | 'stale'
  | 'idle'
  | 'diverged'
  | 'bare'
  | 'silent'
  /** Serves and says of which version neither. */
  | 'unversioned'
  /** Says what it processed last, and not what is expected; serves while it has no message. */
  | 'unexpected'
  | 'unprocessed'
  /** Ready by its flags: no replica is by its counts, or by its words alone. */
  | 'empty'
  | 'only words'
  /** No replica is ready, and none is stated as wanted. */
  | 'uncounted'
  /** Zero replicas are wanted of a version that is listed: ready all the same, or not. */
  | 'ready at zero'
  | 'down to zero'
  /** On the way, with a message; `held` where the version has not come. */
  | 'stuck'
  | 'held'
  | 'unreadable';

/** Ready by the flags. */
const SERVING: readonly Phase[] = [
  'ready',
  'outgoing',
  'diverged',
  'unversioned',
  'empty',
  'only words',
  'uncounted',
  'ready at zero',
];

/** How an item is written: the same facts in the manners of real answers. */
export interface Manner {
  /** 0: `11`, 1: `"11"`, 2: `"11.0"`. */
  numbers: number;
  /** What is false, empty or zero is left out. */
  lean: boolean;
  zones: boolean;
  /** A member of the status that is missing altogether. */
  without: string | undefined;
}

export function itemOf(name: string, place: Place, manner: Manner): Raw {
  const [workload = '', location = ''] = name.split('/');
  const status = place.phase === 'bare' ? undefined : statusOf(place, manner);
  return {
    kind: 'deployment',
    name: location,
    ...(status === undefined ? {} : { status }),
    links: [{ rel: 'workload', href: `/org/acme/gvc/shop/workload/${workload}` }],
  };
}

function statusOf(place: Place, manner: Manner): Raw {
  const { E, phase } = place;
  const number = (value: number): unknown => [value, String(value), `${value}.0`][manner.numbers];
  const processed = { pending: E - 1, held: E - 1, diverged: E + 1 }[phase as 'pending'] ?? E;
  const down = ['idle', 'suspended', 'ready at zero', 'down to zero'].includes(phase);
  const status: Raw = {
    ready: SERVING.includes(phase) || (phase === 'unexpected' && place.message === ''),
    deploying: phase === 'rolling' || phase === 'stuck',
    message: messageOf(place),
    expectedDeploymentVersion: number(E),
    lastProcessedVersion: number(processed),
    desiredScale: down ? 0 : place.scale,
    versions: versionsOf(place, manner, number),
    ...(place.executions === undefined ? {} : { jobExecutions: [...place.executions] }),
    internal: { ready: false, message: 'not to be read' },
  };
  if (phase === 'silent') {
    delete status['desiredScale'];
    status['versions'] = [];
  }
  if (phase === 'uncounted') delete status['desiredScale'];
  if (phase === 'unversioned' || phase === 'unexpected') delete status['expectedDeploymentVersion'];
  if (phase === 'unversioned' || phase === 'unprocessed') delete status['lastProcessedVersion'];
  if (manner.without !== undefined) delete status[manner.without];
  if (phase === 'unreadable') status['ready'] = 'yes';
  return manner.lean ? lean(status) : status;
}

/** Zero wanted replicas are stated: left out they would mean something else. */
function lean(status: Raw): Raw {
  const said = Object.entries(status).filter(
    ([member, value]) =>
      member === 'desiredScale' ||
      member === 'jobExecutions' ||
      !(value === false || value === '' || (Array.isArray(value) && value.length === 0)),
  );
  return Object.fromEntries(said);
}

function messageOf({ phase, message }: Place): string {
  if (phase === 'suspended') return 'This location is deactivated because suspend is set to true.';
  if (phase === 'stale') return 'Status details are stale';
  const bySelf = [
    'said by the status',
    'unexpected',
    'unprocessed',
    'held',
    'only words',
    'down to zero',
  ];
  return bySelf.includes(phase) ? message : '';
}

function versionsOf(place: Place, manner: Manner, number: (value: number) => unknown): Raw[] {
  const { E, phase, gvc } = place;
  if (phase === 'idle' || phase === 'suspended') return [];
  const before = elements(
    { ...place, E: E - 1, restarts: 0, restartedAt: undefined },
    true,
    manner,
    number,
  );
  if (['pending', 'outgoing', 'held'].includes(phase)) return E > 1 ? before : [];
  const served = SERVING.includes(phase) || phase === 'stale';
  const scale = phase === 'ready at zero' || phase === 'down to zero' ? 0 : place.scale;
  const own = elements({ ...place, gvc, scale }, served, manner, number);
  return phase === 'rolling' && E > 1 ? [...own, ...before] : own;
}

function elements(
  place: Place,
  ready: boolean,
  { zones, lean: bare }: Manner,
  number: (value: number) => unknown,
): Raw[] {
  const { phase, message, scale, restarts, restartedAt } = place;
  const inContainer = !ready && phase === 'said by a container' ? message : '';
  const isEmpty = !ready || phase === 'empty' || phase === 'uncounted';
  const says = ['broken', 'stuck'].includes(phase) ? !ready : phase === 'empty';
  const said = phase === 'only words' && ready ? 'Replica(s) Initializing...' : says ? message : '';
  const element = (zone: string | undefined, replicas: number, count: number): Raw => ({
    workload: number(place.E),
    gvc: place.gvc,
    created: new Date(NOON).toISOString(),
    ready,
    ...(zone === undefined ? {} : { zone }),
    ...(said === '' ? {} : { message: said }),
    containers: {
      main: {
        name: 'main',
        ready,
        ...(inContainer === '' && bare ? {} : { message: inContainer }),
        resources: {
          ...(phase === 'uncounted' ? {} : { replicas }),
          ...(phase === 'only words' ? {} : { replicasReady: isEmpty ? 0 : replicas }),
        },
        restarts: {
          count,
          ...(restartedAt === undefined
            ? {}
            : { lastRestartTime: new Date(restartedAt).toISOString() }),
        },
      },
    },
  });
  if (!zones || scale < 2) return [element(undefined, scale, restarts)];
  return [element('a', scale - 1, restarts), element('b', 1, 0)];
}
