import type { Random } from '../../random.ts';
import { imageAt } from './failures.ts';
import type { Execution, Observation, ObservedVersion, Trouble, Workload } from './model.ts';
import type { Listed } from './simulator.ts';

export const LOCATION_DOMAIN = 'svc-sandbox.example';
const FLOAT_MARK = '@float:';
const REPORT_EVERY_MS = 10_000;

/** Values that carry meaning even as zero: without them "scaled to zero" could not be reported. */
const STATED = new Set(['desiredScale', 'replicas', 'replicasReady']);

type Json = Record<string, unknown>;
type Reported = Listed & { observation: Observation };

export function isReported(listed: Listed): listed is Reported {
  return listed.observation !== undefined;
}

/** One deployment as the API answers it (spec 2.12), in the wire style of its workload. */
export function renderDeployment(listed: Reported, baseUrl: string, random: Random): Json {
  const { org, gvc, workload, record, observation } = listed;
  const origin = workload.wire.links === 'absolute' ? baseUrl : '';
  const self = `/org/${org}/gvc/${gvc.name}/workload/${workload.name}`;
  const status = renderStatus(listed, random);
  return {
    kind: 'deployment',
    name: record.location,
    lastModified: iso(Math.floor(observation.at / REPORT_EVERY_MS) * REPORT_EVERY_MS),
    ...(status === undefined ? {} : { status }),
    links: [
      { rel: 'self', href: `${origin}${self}/deployment/${record.location}` },
      { rel: 'workload', href: `${origin}${self}` },
      { rel: 'location', href: `${origin}/org/${org}/location/${record.location}` },
    ],
  };
}

/** JSON with the float-like version numbers of some workloads (`11.0`) written out. */
export function serialize(value: unknown): string {
  return JSON.stringify(value).replaceAll(new RegExp(`"${FLOAT_MARK}(\\d+)"`, 'g'), '$1.0');
}

function renderStatus(listed: Reported, random: Random): Json | undefined {
  const { gvc, workload, record, observation } = listed;
  const version = versionWriter(workload);
  const domain = `${record.location}.${LOCATION_DOMAIN}`;
  let status: Json | undefined = {
    endpoint: `https://${workload.name}-${gvc.alias}.${domain}/`,
    remote: `https://control.${domain}`,
    ready: observation.ready,
    deploying: observation.deploying,
    message: observation.message,
    lastProcessedVersion: version(observation.processed),
    expectedDeploymentVersion: version(observation.expected),
    ...(observation.desiredScale === undefined ? {} : { desiredScale: observation.desiredScale }),
    versions: observation.versions.flatMap((one) =>
      zonesOf(workload, record.location).map((zone, index, zones) =>
        renderVersion(workload, one, zone, (count) => shareOf(count, index, zones.length)),
      ),
    ),
    ...(observation.executions === undefined
      ? {}
      : { jobExecutions: observation.executions.map((run) => renderExecution(run, listed)) }),
  };
  if (workload.wire.lean) status = withoutEmpty(status);
  status['internal'] = noise(random);
  for (const patch of record.patches) {
    status = patch === null ? undefined : withPatch(status ?? {}, patch);
  }
  return status;
}

function renderVersion(
  workload: Workload,
  observed: ObservedVersion,
  zone: string | undefined,
  share: (count: number) => number,
): Json {
  const { revision, ready, message, desiredScale, replicas } = observed;
  const version = versionWriter(workload);
  const named = workload.type === 'serverless';
  const counts =
    typeof replicas === 'object'
      ? { replicas: share(replicas.total), replicasReady: share(replicas.ready) }
      : undefined;
  return {
    ...(named ? { name: `${workload.name}-${String(revision.workload).padStart(5, '0')}` } : {}),
    workload: version(revision.workload),
    gvc: revision.gvc,
    created: iso(revision.createdAt),
    ready,
    message,
    ...(zone === undefined ? {} : { zone }),
    ...(desiredScale === undefined ? {} : { desiredScale: share(desiredScale) }),
    ...(replicas === undefined ? {} : { containers: renderContainers(workload, observed, counts) }),
  };
}

function renderContainers(
  workload: Workload,
  { revision, trouble }: ObservedVersion,
  counts: { replicas: number; replicasReady: number } | undefined,
): Json {
  return Object.fromEntries(
    workload.containers.map((container, place) => {
      const ill = place === 0 ? trouble : undefined;
      const { name, cpu, memory } = container;
      const ready =
        ill === undefined && counts !== undefined && counts.replicasReady === counts.replicas;
      const resources = ill === undefined && trouble !== undefined ? healthy(counts) : counts;
      const status = {
        name,
        image: imageAt(container, revision.workload),
        ready: ready && counts.replicas > 0,
        ...(ill === undefined ? {} : { message: ill.message }),
        resources: { ...resources, cpu, memory },
        ...(counts === undefined ? {} : { restarts: renderRestarts(ill) }),
      };
      return [name, status];
    }),
  );
}

/** The sidecars of a failing container are fine. */
function healthy(counts: { replicas: number } | undefined) {
  return counts && { replicas: counts.replicas, replicasReady: counts.replicas };
}

function renderRestarts(trouble: Trouble | undefined): Json {
  const restarts = trouble?.restarts;
  if (restarts === undefined) return { count: 0 };
  const { count, exitCode, reason, lastRestartAt } = restarts;
  return { count, exitCode, reason, lastRestartTime: iso(lastRestartAt) };
}

function renderExecution(run: Execution, { workload, record, observation }: Reported): Json {
  const reasons: Partial<Record<string, string>> = {
    failed: 'BackoffLimitExceeded',
    invalid: 'InvalidSchedule',
  };
  const messages: Partial<Record<string, string>> = {
    failed: `Container ${workload.name} exited with code 1; Job has reached the specified backoff limit`,
    invalid: 'The job could not be created: invalid schedule',
  };
  const detected = iso(run.completedAt ?? observation.at);
  const condition = {
    type: run.status in reasons ? 'Failed' : 'Complete',
    status: 'True',
    reason: reasons[run.status] ?? '',
    message: messages[run.status] ?? '',
    lastDetectionTime: detected,
    lastTransitionTime: detected,
  };
  const started = run.startedAt !== undefined;
  return {
    name: run.name,
    // No replica means that nothing ever ran (platform notes).
    ...(started ? { replica: `${run.name}-x7q${record.index}` } : {}),
    status: run.status,
    workloadVersion: versionWriter(workload)(run.version),
    ...(run.startedAt === undefined ? {} : { startTime: iso(run.startedAt) }),
    completionTime: run.completedAt === undefined ? null : iso(run.completedAt),
    conditions: run.completedAt === undefined ? [] : [condition],
    containers: started ? executionContainers(workload, run) : {},
    message: messages[run.status] ?? '',
  };
}

function executionContainers(workload: Workload, run: Execution): Json {
  return Object.fromEntries(
    workload.containers.map((container) => {
      const { name, cpu, memory } = container;
      const image = imageAt(container, run.version);
      const isOver = run.completedAt !== undefined;
      const replicas = isOver ? 0 : 1;
      const restarts =
        run.status === 'failed'
          ? { count: 1, exitCode: 1, reason: 'Error', lastRestartTime: iso(run.startedAt ?? 0) }
          : { count: 0 };
      const resources = { replicas, replicasReady: replicas, cpu, memory };
      return [name, { name, image, ready: !isOver, message: '', resources, restarts }];
    }),
  );
}

/** Bookkeeping that contradicts the rest on purpose: anyone who reads it is wrong soon. */
function noise(random: Random): Json {
  return {
    syncId: random.hex(16),
    ready: random.next() < 0.5,
    deploying: random.next() < 0.5,
    lastProcessedVersion: Math.floor(random.next() * 1000),
    podStatus: { [random.hex(6)]: { phase: random.next() < 0.5 ? 'Failed' : 'Running' } },
    message: `reconcile ${random.hex(8)}`,
  };
}

/** Multi-zone workloads list each version once per zone. */
function zonesOf(workload: Workload, location: string): (string | undefined)[] {
  if (!workload.multiZone) return [undefined];
  const region = location.slice(location.indexOf('-') + 1);
  return [`${region}a`, `${region}b`];
}

function shareOf(count: number, index: number, parts: number): number {
  return Math.floor((count + parts - 1 - index) / parts);
}

function versionWriter({ wire }: Workload): (version: number) => number | string {
  if (wire.versions === 'string') return String;
  return wire.versions === 'float' ? (version) => `${FLOAT_MARK}${version}` : (version) => version;
}

function withoutEmpty(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, pruned(member)] as const)
      .filter(([key, member]) => STATED.has(key) || !isEmpty(member)),
  );
}

function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  return typeof value === 'object' && value !== null ? withoutEmpty(value as Json) : value;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === false || value === 0 || value === '' || value === null;
}

function withPatch(status: Json, patch: Json): Json {
  const merged = { ...status, ...patch };
  return Object.fromEntries(Object.entries(merged).filter(([, member]) => member !== null));
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
