/** Minute 0 of every story. */
const NOON = Date.UTC(2026, 10, 2, 12);
const MINUTE_MS = 60_000;

/** The moment of a minute of a story, as the API writes it. */
export function momentOf(minute: number): string {
  return new Date(NOON + minute * MINUTE_MS).toISOString();
}

/** The minute of a story at a moment, with fractions. */
export function minuteOf(moment: string): number {
  return (Date.parse(moment) - NOON) / MINUTE_MS;
}

export type Json = Record<string, unknown>;

/** An element of `status.versions`, in shorthand. */
interface Version {
  readonly workload: number;
  readonly gvc: number;
  readonly ready: boolean;
  readonly up: number;
  readonly of: number;
  readonly message?: string;
  readonly container?: string;
  readonly zone?: string;
  readonly restarts?: Restarts;
  readonly image?: number;
}

interface Restarts {
  readonly count: number;
  readonly minute: number;
  readonly reason: string;
}

/** An execution of a cron workload, in shorthand. */
export interface Run {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
}

interface Shape {
  readonly expected: number;
  readonly processed?: number;
  readonly gvcVersion: number;
  readonly ready: boolean;
  readonly deploying: boolean;
  readonly message: string;
  readonly scale?: number;
  readonly versions: readonly Version[];
  readonly runs?: readonly Run[];
  /** Replaces the whole status. */
  readonly raw?: Json;
  readonly isGone?: boolean;
  readonly isUnnamed?: boolean;
  readonly created?: number;
}

const NEW: Shape = {
  expected: 1,
  gvcVersion: 1,
  ready: false,
  deploying: false,
  message: '',
  versions: [],
};

const MAIN = { cpu: 250, memory: 512 };

/** One workload in some locations, as its deployments report it (spec 2.12). Each method gives a new one. */
export class Records {
  readonly gvc: string;
  readonly workload: string;
  readonly locations: readonly string[];
  private readonly shape: Shape;

  constructor(gvc: string, workload: string, locations: readonly string[], shape: Shape = NEW) {
    this.gvc = gvc;
    this.workload = workload;
    this.locations = locations;
    this.shape = shape;
  }

  /** The expected version; the following methods describe it. */
  v(expected: number): Records {
    return this.with({ expected });
  }

  /** Rendered under this version of the GVC. */
  under(gvcVersion: number): Records {
    return this.with({ gvcVersion });
  }

  /** Its version began in this minute; without it, when a list first has it. */
  since(created: number): Records {
    return this.with({ created });
  }

  /** Converged and serving. */
  ready(up: number, of = up): Records {
    return this.with({ ready: true, scale: of, versions: [this.newest({ ready: true, up, of })] });
  }

  /** On its way: so many replicas of the expected version are up. */
  deploying(up: number, of: number): Records {
    return this.with({ deploying: true, scale: of, versions: [this.newest({ up, of })] });
  }

  /** Stopped: neither ready nor deploying. */
  down(up: number, of: number): Records {
    return this.with({ scale: of, versions: [this.newest({ up, of })] });
  }

  /** The change has not reached the location yet. */
  pending(of: number): Records {
    return this.with({ processed: this.shape.expected - 1, scale: of });
  }

  /** All replicas are up, and the location is not ready all the same. */
  upWithout(message: string, up: number): Records {
    return this.with({ message, scale: up, versions: [this.newest({ ready: true, up, of: up })] });
  }

  /** Another version is there, too. */
  old(workload: number, up: number, of = up, gvc = 1): Records {
    const { versions } = this.shape;
    return this.with({ versions: [...versions, { workload, gvc, ready: up > 0, up, of }] });
  }

  /** The same version rendered under the GVC version before is there, too. */
  oldGvc(up: number): Records {
    return this.old(this.shape.expected, up, up, this.shape.gvcVersion - 1);
  }

  /** The expected version in zones, with the replicas that are up in each. */
  zones(up: Readonly<Record<string, number>>, of: number): Records {
    const zones = Object.entries(up);
    const versions = zones.map(([zone, count]) =>
      this.newest({ ready: count === of, up: count, of, zone }),
    );
    return this.with({ ready: true, scale: of * zones.length, versions });
  }

  /** The message of the newest entry. */
  says(message: string): Records {
    return this.withFirst({ message });
  }

  /** The diagnostics of the newest entry's container. */
  crash(container: string): Records {
    return this.withFirst({ container });
  }

  restarts(count: number, minute: number, reason = 'OOMKilled'): Records {
    return this.withFirst({ restarts: { count, minute, reason } });
  }

  /** It runs the image of another version. */
  imageOf(version: number): Records {
    return this.withFirst({ image: version });
  }

  /** The location acted on this version last. */
  processed(processed: number): Records {
    return this.with({ processed });
  }

  /** A report is overdue: all but the message stays as it was. */
  stale(): Records {
    return this.with({ message: 'Status details are stale, the last report came 46 minutes ago' });
  }

  suspended(): Records {
    const message = 'This location is deactivated because suspend is set to true.';
    return this.with({ message, scale: 0, ready: false, deploying: false, versions: [] });
  }

  zero(): Records {
    return this.with({ scale: 0, ready: false, deploying: false, versions: [] });
  }

  /** Scaled to zero by load: it is ready, and starts with the next request. */
  zeroByLoad(): Records {
    return this.with({
      ready: true,
      scale: 0,
      versions: [this.newest({ ready: true, up: 0, of: 0 })],
    });
  }

  /** A schedule with its listed executions. */
  cron(...runs: readonly Run[]): Records {
    return this.with({ runs, scale: 1, versions: [this.newest({ up: 0, of: 0 })] });
  }

  /** Executions beside all else, those of commands for one. */
  runs(...runs: readonly Run[]): Records {
    return this.with({ runs });
  }

  /** A whole status in the API's own words. */
  status(raw: Json): Records {
    return this.with({ raw });
  }

  /** A flag that is no flag: the record cannot be read. */
  unreadable(): Records {
    return this.with({ raw: { ready: 'yes', deploying: [], expectedDeploymentVersion: {} } });
  }

  /** The list lacks it from here on. */
  gone(): Records {
    return this.with({ isGone: true });
  }

  /** An item that names no workload. */
  unnamed(): Records {
    return this.with({ isUnnamed: true });
  }

  get isGone(): boolean {
    return this.shape.isGone === true;
  }

  /** The item of one location. @param created when each version was first seen there, by `workload.gvc` */
  item(location: string, created: ReadonlyMap<string, number>, org: string): Json {
    const self = `/org/${org}/gvc/${this.gvc}/workload/${this.workload}`;
    const links = [
      { rel: 'self', href: `${self}/deployment/${location}` },
      ...(this.shape.isUnnamed === true ? [] : [{ rel: 'workload', href: self }]),
      { rel: 'location', href: `/org/${org}/location/${location}` },
    ];
    return { kind: 'deployment', name: location, status: this.statusOf(created), links };
  }

  /** `workload.gvc` of every version that is listed. */
  versionKeys(): string[] {
    return this.shape.versions.map(({ workload, gvc }) => `${workload}.${gvc}`);
  }

  private with(more: Partial<Shape>): Records {
    return new Records(this.gvc, this.workload, this.locations, { ...this.shape, ...more });
  }

  private newest(more: Pick<Version, 'up' | 'of'> & Partial<Version>): Version {
    const { expected, gvcVersion } = this.shape;
    return { workload: expected, gvc: gvcVersion, ready: false, ...more };
  }

  private withFirst(more: Partial<Version>): Records {
    const [first, ...others] = this.shape.versions;
    if (first === undefined) return this.with({ message: more.message ?? more.container ?? '' });
    return this.with({ versions: [{ ...first, ...more }, ...others] });
  }

  private statusOf(created: ReadonlyMap<string, number>): Json {
    const { expected, processed, ready, deploying, message, scale, versions, runs, raw } =
      this.shape;
    if (raw !== undefined) return raw;
    return {
      ready,
      deploying,
      message,
      lastProcessedVersion: processed ?? expected,
      expectedDeploymentVersion: expected,
      ...(scale === undefined ? {} : { desiredScale: scale }),
      versions: versions.map((version) => this.element(version, created)),
      ...(runs === undefined ? {} : { jobExecutions: runs.map((one) => execution(one, expected)) }),
      internal: { ready: !ready },
    };
  }

  private element(version: Version, created: ReadonlyMap<string, number>): Json {
    const { workload, gvc, ready, up, of, message = '', container = '', zone, restarts } = version;
    const image = version.image ?? workload;
    const main = {
      name: 'main',
      image: `registry.example.com/acme/${this.workload}:v${image}`,
      ready: up === of && of > 0,
      message: container,
      resources: { replicas: of, replicasReady: up, ...MAIN },
      ...(restarts === undefined ? {} : { restarts: restartsOf(restarts) }),
    };
    return {
      workload,
      gvc,
      created: momentOf(this.shape.created ?? created.get(`${workload}.${gvc}`) ?? 0),
      ready,
      message,
      ...(zone === undefined ? {} : { zone }),
      containers: { main },
    };
  }
}

function restartsOf({ count, minute, reason }: Restarts): Json {
  return { count, exitCode: 137, reason, lastRestartTime: momentOf(minute) };
}

function execution({ name, status, message = '' }: Run, workloadVersion: number): Json {
  const started = status === 'pending' ? {} : { replica: `${name}-x7q`, startTime: momentOf(-1) };
  return { name, status, workloadVersion, ...started, conditions: [], containers: {}, message };
}

/** A workload of a story: `workload('cart').in('lima').v(12).ready(2)`. */
export function workload(
  name: string,
  gvc = 'shop',
): { in: (...locations: readonly string[]) => Records } {
  return { in: (...locations) => new Records(gvc, name, locations) };
}

export function run(name: string, status: string, message = ''): Run {
  return { name, status, message };
}
