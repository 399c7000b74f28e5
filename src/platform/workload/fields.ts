import {
  copied,
  either,
  error,
  type Fields as Counted,
  type Finding,
  found,
  isOneLetterOff,
  type Judgment,
  type Nearest,
  warning,
} from './finding.ts';
import {
  everyNode,
  isStated,
  isTemplate,
  isTemplateName,
  type ManifestNode,
  type Member,
  within,
} from './manifest/node.ts';
import { OPTIONS } from './options.ts';

/** Names of the fields below a field; null: a value, or free names. */
export type Fields = ReadonlyMap<string, Fields | null>;

/** @param values space-separated names without known fields below */
function fields(values: string, groups: Readonly<Record<string, Fields>> = {}): Fields {
  const names = values.split(' ').filter((name) => name !== '');
  return new Map<string, Fields | null>([
    ...names.map((name): [string, null] => [name, null]),
    ...Object.entries(groups),
  ]);
}

const EXEC = fields('', { exec: fields('command') });

const PROBE = fields(
  'initialDelaySeconds periodSeconds timeoutSeconds successThreshold failureThreshold',
  {
    exec: fields('command'),
    grpc: fields('port'),
    tcpSocket: fields('port'),
    httpGet: fields('path port scheme', { httpHeaders: fields('name value') }),
  },
);

const CONTAINER = fields(
  'name image command args workingDir cpu memory minCpu minMemory port inheritEnv',
  {
    gpu: fields('', {
      nvidia: fields('model quantity'),
      custom: fields('resource runtimeClass quantity'),
    }),
    ports: fields('number protocol'),
    env: fields('name value'),
    volumes: fields('uri path recoveryPolicy name bus bootOrder'),
    readinessProbe: PROBE,
    livenessProbe: PROBE,
    lifecycle: fields('', { postStart: EXEC, preStop: EXEC }),
    metrics: fields('port path dropMetrics'),
  },
);

const KEDA = fields('pollingInterval cooldownPeriod initialCooldownPeriod', {
  triggers: fields('type name metadata useCachedMetrics metricType', {
    authenticationRef: fields('name'),
  }),
  advanced: fields('', {
    scalingModifiers: fields('target activationTarget metricType formula'),
  }),
  fallback: fields('failureThreshold replicas behavior'),
});

const DEFAULT_OPTIONS = fields(
  'capacityAI capacityAIUpdateMinutes timeoutSeconds spot suspend debug',
  {
    multiZone: fields('enabled'),
    autoscaling: fields(
      'metric metricPercentile target minScale maxScale scaleToZeroDelay maxConcurrency',
      { multi: fields('metric target'), keda: KEDA },
    ),
  },
);

const SPEC = fields('type identityLink supportDynamicTags', {
  containers: CONTAINER,
  firewallConfig: fields('', {
    external: fields(
      'inboundAllowCIDR inboundBlockedCIDR outboundAllowCIDR outboundBlockedCIDR outboundAllowHostname',
      {
        outboundAllowPort: fields('protocol number'),
        http: fields('', { inboundHeaderFilter: fields('key allowedValues blockedValues') }),
      },
    ),
    internal: fields('inboundAllowType inboundAllowWorkload'),
  }),
  defaultOptions: DEFAULT_OPTIONS,
  localOptions: new Map<string, Fields | null>([['location', null], ...DEFAULT_OPTIONS]),
  rolloutOptions: fields(
    'minReadySeconds maxUnavailableReplicas maxSurgeReplicas scalingPolicy terminationGracePeriodSeconds',
  ),
  requestRetryPolicy: fields('attempts retryOn'),
  job: fields('schedule concurrencyPolicy historyLimit restartPolicy activeDeadlineSeconds'),
  securityOptions: fields('runAsUser filesystemGroupId'),
  loadBalancer: fields('replicaDirect', {
    direct: fields('enabled ipSet', {
      ports: fields('externalPort protocol scheme containerPort'),
    }),
    geoLocation: fields('enabled', { headers: fields('asn city country region') }),
  }),
  sidecar: fields('', {
    envoy: fields('accessLog clusters excludedExternalAuth excludedRateLimit http network volumes'),
  }),
  extras: fields('affinity tolerations topologySpreadConstraints'),
  vm: fields('runStrategy guestOS cloudInit bootDisk'),
});

/**
 * Every published field of a workload: those that users write, those of an export, and those of the
 * operator's form. Items of a list have the fields of their list.
 */
const WORKLOAD_FIELDS: Fields = fields(
  'kind name gvc description tags ' +
    'id version created lastModified links status alias origin health ' +
    'apiVersion metadata org',
  { spec: SPEC },
);

export const STORAGE_NAME = /^ephemeral[-_ ]?(?:storage|disk)/i;

export function nameFindings(
  workload: ManifestNode,
  prefix: string,
  nearest: Nearest,
): readonly Finding[] {
  const below = (node: ManifestNode, fields: Fields, above: readonly string[]): Finding[] => {
    if (node.kind === 'value' || isTemplate(node)) return [];
    if (node.kind === 'list') return node.items.flatMap((item) => below(item, fields, above));
    return node.members.flatMap((member) => {
      const known = fields.get(member.name);
      if (known) return below(member.node, known, [...above, member.name]);
      if (known === null || isTemplateName(member.name)) return [];
      return [unknown(member, fields, above)];
    });
  };
  const unknown = ({ name, node }: Member, fields: Fields, above: readonly string[]): Finding => {
    const foreign = foreignField(name, above.at(-1) ?? '', prefix);
    if (foreign !== undefined) return found(node, error(foreign.what, foreign.fix));
    const names = [...fields.keys()];
    const close = names.find((known) => isOneLetterOff(name, known));
    const places = close === undefined ? placesOf(name, above) : [];
    if (places.length > 0) return found(node, misplaced(places));
    const meant = close ?? likely(name, names, nearest);
    const out = STORAGE_NAME.test(name)
      ? `leave it out: the storage of a replica follows from its ${copied('cpu')}`
      : 'leave it out, unless it is newer than what is known here: the platform refuses what it does not know';
    const fix = meant === undefined ? out : `write ${copied(meant)} if that is meant`;
    return found(node, unknownField('is not a field that is known here', fix));
  };
  return below(workload, WORKLOAD_FIELDS, []);
}

/** A known field in the wrong place. @param places where it belongs, '' for the top */
function misplaced(places: readonly string[]): Judgment {
  const where = places.includes('')
    ? 'at the top of the workload'
    : `under ${either(places.map(copied))}`;
  return unknownField(
    `stands in the wrong place: it belongs ${where}`,
    'move it there, or leave it out',
  );
}

function unknownField(what: string, fix: string): Judgment {
  return { ...warning(what, fix), isUnknown: true };
}

/** Shorter words are prefixes of too many names. */
const MIN_WORD = 5;

function likely(word: string, names: readonly string[], nearest: Nearest): string | undefined {
  const start = word.toLowerCase();
  const whole = names.find((name) => name.toLowerCase().startsWith(start));
  return (word.length >= MIN_WORD ? whole : undefined) ?? nearest(word, names);
}

export function countFields(workload: ManifestNode): Counted {
  const looked = lookedAt(workload);
  const unchecked: string[] = [];
  let total = 0;
  const count = (node: ManifestNode, isChecked: boolean): void => {
    total += 1;
    if (!isChecked) unchecked.push(node.path.slice(workload.path.length).replace(/^\./, ''));
  };
  const below = (node: ManifestNode, fields: Fields | null | undefined): void => {
    const isGroup = node.kind === 'map' ? node.members.length > 0 : holdsMore(node);
    if (looked.has(node) || fields === null || !isGroup || isTemplate(node)) {
      count(node, looked.has(node) && ![...everyNode(node)].some(isTemplate));
    } else if (node.kind === 'list') {
      for (const item of node.items) below(item, fields);
    } else if (node.kind === 'map') {
      for (const member of node.members) below(member.node, fields?.get(member.name));
    }
  };
  const spec = within(workload, 'spec');
  const isEmpty = spec?.kind === 'map' && spec.members.length === 0;
  if (isStated(spec) && !isEmpty) below(spec, WORKLOAD_FIELDS.get('spec'));
  return { total, unchecked };
}

function holdsMore(node: ManifestNode): boolean {
  return node.kind === 'list' && node.items.some(({ kind }) => kind !== 'value');
}

/** Checked values, and empty nodes in place of a mapping of options. */
function lookedAt(workload: ManifestNode): ReadonlySet<ManifestNode> {
  const nodes = OPTIONS.flatMap(({ path, value }) =>
    path.map((_, at) => {
      const node = within(workload, ...path.slice(0, at + 1));
      const isOption = at === path.length - 1;
      const isEmpty = node?.kind === 'map' ? node.members.length === 0 : true;
      // If an option takes anything, only a boolean is understood.
      const isUnderstood =
        value.kind !== 'anything' || (node?.kind === 'value' && typeof node.value === 'boolean');
      return (isOption ? isUnderstood : isEmpty) ? node : undefined;
    }),
  );
  return new Set(nodes.filter((node) => node !== undefined));
}

/** Suggestions name the default options instead, which have the same members. */
const LOCAL = 'localOptions';

/**
 * Where a field of that name belongs, as paths: `spec.defaultOptions`, '' for the top of a workload. Of
 * several places those nearest to the top count, and of these those nearest to the field's place.
 * @param above the names above the field
 */
function placesOf(name: string, above: readonly string[]): readonly string[] {
  const isLocal = above.includes(LOCAL);
  const all = (PLACES.get(name) ?? []).filter((place) => isLocal || !place.includes(LOCAL));
  const highest = least(all, (place) => place.length);
  const closest = least(highest, (place) => -shared(place, above));
  return closest.map((place) => place.join('.'));
}

type Place = readonly string[];

function least(places: readonly Place[], measure: (place: Place) => number): readonly Place[] {
  const lowest = Math.min(...places.map(measure));
  return places.filter((place) => measure(place) === lowest);
}

function shared(place: Place, other: Place): number {
  const differs = place.findIndex((name, at) => name !== other[at]);
  return differs === -1 ? place.length : differs;
}

/** Top-level names that users write; the others come from an export, or from the operator's form. */
const AT_THE_TOP: ReadonlySet<string> = new Set(['name', 'gvc', 'description', 'tags', 'spec']);

const PLACES: ReadonlyMap<string, readonly Place[]> = placesIn(WORKLOAD_FIELDS);

function placesIn(root: Fields): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  const walk = (fields: Fields, path: Place): void => {
    for (const [name, below] of fields) {
      const isWritten = path.length > 0 || AT_THE_TOP.has(name);
      if (isWritten) places.set(name, [...(places.get(name) ?? []), path]);
      if (below !== null) walk(below, [...path, name]);
    }
  };
  walk(root, []);
  return places;
}

interface ForeignField {
  readonly what: string;
  readonly fix: string;
}

/**
 * Fields that are certainly refused: names of Kubernetes, and misplaced fields. Undefined for all others.
 * @param parent the name directly above @param prefix of the brand
 */
function foreignField(name: string, parent: string, prefix: string): ForeignField | undefined {
  const place = ELSEWHERE.get(`${parent}.${name}`);
  if (place !== undefined) {
    return { what: `is not a field of \`${parent}\``, fix: `write \`${place}\` in its place` };
  }
  const fix = KUBERNETES.get(name)?.replace('svc://', `${prefix}://`);
  return fix === undefined
    ? undefined
    : { what: 'is a field of Kubernetes that no workload has', fix };
}

const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['job.suspend', 'spec.defaultOptions.suspend'],
  ['firewallConfig.http', 'spec.firewallConfig.external.http'],
]);

const KUBERNETES: ReadonlyMap<string, string> = new Map([
  ['resources', 'write `cpu` and `memory` of the container in its place'],
  ['containerPort', 'write `number` in its place'],
  ['volumeMounts', 'write `volumes` of the container, each with its `uri` and `path`'],
  ['valueFrom', 'write `value` in its place, for a secret `svc://secret/NAME.KEY`'],
  ['envFrom', 'write each variable below `env`'],
  [
    'startupProbe',
    'write `initialDelaySeconds` of `readinessProbe` or `livenessProbe` in its place',
  ],
  ['securityContext', 'write `spec.securityOptions` in its place'],
  ['initContainers', 'leave it out: a workload has `containers` alone'],
  ['replicas', 'write `minScale` and `maxScale` of `spec.defaultOptions.autoscaling` in its place'],
  ['imagePullPolicy', 'leave it out'],
]);
