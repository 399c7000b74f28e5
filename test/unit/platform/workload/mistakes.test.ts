import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { checked } from './check-support.ts';

type Fields = Record<string, unknown>;

interface Workload {
  readonly type?: string;
  readonly container?: Fields;
  readonly spec?: Fields;
  readonly tags?: Fields;
  readonly beside?: readonly Fields[];
}

const PROBE = { httpGet: { path: '/', port: 8080 } };

/** A sound workload with these changes; undefined takes a field out. */
function text({ type = 'standard', container, spec, tags, beside = [] }: Workload): string {
  const web = {
    name: 'web',
    image: '//image/web:1',
    cpu: '500m',
    memory: '512Mi',
    ...(type === 'cron' ? {} : { ports: [{ number: 8080, protocol: 'http' }] }),
    ...(['standard', 'stateful'].includes(type) ? { readinessProbe: PROBE } : {}),
    ...container,
  };
  const workload = {
    kind: 'workload',
    name: 'web',
    gvc: 'shop',
    tags,
    spec: {
      type,
      containers: [web],
      defaultOptions: {
        autoscaling: { metric: 'rps', target: 100, minScale: 1, maxScale: 3 },
        capacityAI: false,
        timeoutSeconds: 30,
      },
      firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
      ...(type === 'cron' ? { job: { schedule: '0 3 * * *' } } : {}),
      ...spec,
    },
  };
  return [...beside, workload].map((one) => stringify(one)).join('---\n');
}

const raised = (workload: Workload): string[] =>
  checked(text(workload)).findings.map(({ severity, path }) => `${severity} ${path}`);

const options = (more: Fields) => ({
  spec: { defaultOptions: { capacityAI: false, timeoutSeconds: 30, ...more } },
});
const scaling = (autoscaling: Fields, more: Fields = {}) => options({ autoscaling, ...more });
const external = (more: Fields): Workload => ({
  spec: { firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'], ...more } } },
});
const outbound = (host: string, protocol: string, number: number) =>
  external({ outboundAllowHostname: [host], outboundAllowPort: [{ protocol, number }] });
const ports = (...all: Fields[]): Workload => ({ container: { ports: all } });
const volume = (uri: string, path: string) => ({ container: { volumes: [{ uri, path }] } });
const rollout = (rolloutOptions: Fields) => ({ spec: { rolloutOptions } });
const preStop = (...command: string[]) => ({
  container: { lifecycle: { preStop: { exec: { command } } } },
});
const env = (name: string, value: unknown) => ({ env: [{ name, value }] });
const C = 'spec.containers[0]';
const IDENTITY = '//gvc/shop/identity/web';
const SECRET = env('KEY', 'svc://secret/keys.api');
const policy = (more: Fields) => ({
  kind: 'policy',
  name: 'web-secrets',
  targetKind: 'secret',
  targetLinks: ['//secret/keys'],
  bindings: [{ permissions: ['reveal'], principalLinks: [IDENTITY] }],
  ...more,
});
const bindings = (permission: string, link: string) => ({
  bindings: [{ permissions: [permission], principalLinks: [link] }],
});
const withPolicy = (more: Fields): Workload => ({
  container: SECRET,
  spec: { identityLink: IDENTITY },
  beside: [policy(more)],
});

it.each(['serverless', 'standard', 'stateful', 'cron'])(
  'the sound %s workload that the mistakes are made in raises nothing',
  (type) => {
    expect(raised({ type })).toEqual([]);
  },
);

it.each<[string, Workload]>([
  [
    'a GPU beside the metric cpu, which switches Capacity AI off by itself',
    {
      ...scaling({ metric: 'cpu' }, { capacityAI: undefined }),
      container: { cpu: '4', memory: '8Gi', gpu: { nvidia: { model: 't4' } } },
    },
  ],
  [
    'no GPU at all',
    {
      ...options({ capacityAI: true }),
      container: { gpu: { nvidia: { model: 't4', quantity: 0 } } },
    },
  ],
  ['a scale of 0 and 0, which means off', scaling({ metric: 'rps', minScale: 0, maxScale: 0 })],
  [
    'a host with a listed port',
    {
      container: env('DATABASE', 'postgres://db.example.com:5432/app'),
      ...external({
        outboundAllowHostname: ['db.example.com'],
        outboundAllowPort: [
          { protocol: 'tcp', number: 5_432 },
          { protocol: 'https', number: 443 },
        ],
      }),
    },
  ],
  ['its own address', { container: env('GF_SERVER_ROOT_URL', 'https://grafana.example.com') }],
  ['half a core', { container: { cpu: '.5' } }],
])('%s raises nothing', (_, workload) => {
  expect(raised(workload)).toEqual([]);
});

it('a policy that reveals the secret to the identity raises nothing', () => {
  expect(raised(withPolicy({}))).toEqual([]);
});

describe('the twenty mistakes of public accounts are found', () => {
  const DATA = volume('svc://volumeset/data', '/data');
  const EXT4 = { kind: 'volumeset', name: 'data', spec: { fileSystemType: 'ext4' } };
  const local = (more: Fields): Workload => ({
    spec: { localOptions: [{ location: '//location/aws-us-east-1', ...more }] },
  });

  it.each<[number, string, Workload]>([
    [1, `error ${C}.resources`, { container: { resources: { limits: { cpu: '1' } } } }],
    [1, 'error spec.replicas', { spec: { replicas: 2 } }],
    [2, 'warning spec', { container: SECRET }],
    [2, 'warning spec', volume('svc://secret/conf', '/etc/conf')],
    [3, 'warning bindings[0]', withPolicy(bindings('view', IDENTITY))],
    [3, 'warning bindings[0]', withPolicy({ bindings: [{ principalLinks: [IDENTITY] }] })],
    [3, 'warning targetKind', withPolicy({ targetLinks: ['//secret/others'] })],
    [3, 'warning bindings[0].principalLinks[0]', withPolicy(bindings('reveal', '//identity/web'))],
    [4, `error ${C}.memory`, { container: { cpu: '100m', memory: '1Gi' } }],
    [4, `error ${C}.memory`, { container: { cpu: '1', memory: '8001Mi' } }],
    [5, 'error spec.defaultOptions.capacityAI', scaling({ metric: 'cpu' }, { capacityAI: true })],
    [
      5,
      `error ${C}.gpu`,
      {
        ...options({ capacityAI: true }),
        container: { cpu: '4', memory: '8Gi', gpu: { nvidia: { model: 't4', quantity: 1 } } },
      },
    ],
    [
      5,
      `error ${C}.gpu`,
      {
        ...options({ capacityAI: undefined }),
        container: { cpu: '4', memory: '8Gi', gpu: { custom: { resource: 'amd.com/gpu' } } },
      },
    ],
    [6, 'error spec.defaultOptions.autoscaling.metric', scaling({ metric: 'concurrency' })],
    [
      6,
      'error spec.defaultOptions.autoscaling.metric',
      { type: 'serverless', ...scaling({ metric: 'latency' }) },
    ],
    [7, 'note spec.containers', { spec: { firewallConfig: undefined } }],
    [
      7,
      'note spec.containers',
      { spec: { firewallConfig: { internal: { inboundAllowType: 'none' } } } },
    ],
    [8, 'error spec.defaultOptions.autoscaling.minScale', scaling({ metric: 'rps', minScale: 0 })],
    [
      8,
      'error spec.defaultOptions.autoscaling.minScale',
      { type: 'stateful', ...scaling({ metric: 'cpu', minScale: 0 }) },
    ],
    [9, `warning ${C}.env[0].value`, { container: env('API', 'https://api.example.com/v1') }],
    [
      9,
      `warning ${C}.env[0].value`,
      {
        container: env('DATABASE', 'postgres://app:x@db.example.com:5432/app'),
        ...external({ outboundAllowHostname: ['api.example.com'] }),
      },
    ],
    [
      9,
      `warning ${C}.env[0].value`,
      {
        container: env('CACHE', 'redis://cache.example.com:6379'),
        ...external({ outboundAllowHostname: ['*.example.com'] }),
      },
    ],
    [
      10,
      'warning spec.firewallConfig.external.outboundAllowPort',
      outbound('api.example.com', 'tcp', 5_432),
    ],
    [
      10,
      'warning spec.firewallConfig.external.outboundAllowPort',
      outbound('*.example.com', 'http', 80),
    ],
    [11, `error ${C}.ports[1].number`, ports({ number: 8080 }, { number: 9090 })],
    [11, `error ${C}.metrics.port`, { container: { metrics: { port: 15020 } } }],
    [12, 'note spec.containers', options({ timeoutSeconds: undefined })],
    [12, 'note spec.containers', { type: 'serverless', spec: { defaultOptions: undefined } }],
    [13, `note ${C}.ports`, { container: { readinessProbe: undefined } }],
    [13, `note ${C}.ports`, { type: 'stateful', container: { readinessProbe: undefined } }],
    [13, `note ${C}.ports`, { container: { readinessProbe: null } }],
    [14, `note ${C}.env[0].value`, { container: env('PORT', '3000') }],
    [
      14,
      `note ${C}.readinessProbe.httpGet.port`,
      { container: { readinessProbe: { httpGet: { port: 3000 } } } },
    ],
    [15, `note ${C}.ports[0].protocol`, ports({ number: 8080, protocol: 'http2' })],
    [15, `note ${C}.port`, { container: { ports: undefined, port: 8080 } }],
    [16, 'warning spec.localOptions[0]', local({ autoscaling: { minScale: 2, maxScale: 4 } })],
    [16, 'warning spec.localOptions[0]', local({ timeoutSeconds: 60 })],
    [
      17,
      `error ${C}.cpu`,
      { type: 'stateful', container: { cpu: '2', minCpu: '250m', memory: '1Gi' } },
    ],
    [17, `error ${C}.cpu`, { type: 'stateful', container: { cpu: '500m', minCpu: '100m' } }],
    [
      17,
      `error ${C}.minCpu`,
      { type: 'stateful', container: { cpu: undefined, memory: '256Mi', minCpu: '100m' } },
    ],
    [18, `warning ${C}.volumes[0].uri`, DATA],
    [18, `error ${C}.volumes[0].uri`, { type: 'serverless', ...DATA, beside: [EXT4] }],
    [19, `error ${C}.ports`, { type: 'cron', ...ports({ number: 8080 }) }],
    [19, 'error spec.type', { type: 'cron', spec: { job: undefined } }],
    [19, 'warning spec.job.schedule', { type: 'cron', spec: { job: { schedule: '* * * * *' } } }],
    [20, `warning ${C}.lifecycle.preStop`, preStop('sh', '-c', 'sleep 90')],
    [20, `warning ${C}.lifecycle.preStop`, preStop('sh', '-c', 'sleep 60; ./drain; sleep 30')],
    [
      20,
      `warning ${C}.lifecycle.preStop`,
      { ...preStop('sleep', '30'), ...rollout({ terminationGracePeriodSeconds: 30 }) },
    ],
  ])('%i: %s', (_, finding, workload) => {
    expect(raised(workload)).toEqual([finding]);
  });
});

describe('further mistakes are found', () => {
  it.each<[string, Workload]>([
    ['error spec.defaultOptions.autoscaling', scaling({ metric: 'rps', minScale: 5, maxScale: 1 })],
    [`error ${C}.readinessProbe`, { container: { readinessProbe: { ...PROBE, tcpSocket: {} } } }],
    [`error ${C}.name`, { container: { name: 'Web_1' } }],
    [`error ${C}.name`, { container: { name: 'queue-proxy' } }],
    [`error ${C}.command`, { container: { command: ['a', 'b'] } }],
    [`error ${C}.env[0].name`, { container: env('SVC_TOKEN', 'x') }],
    [`error ${C}.env[0].name`, { container: env('K_SERVICE', 'x') }],
    [`warning ${C}.env[0].value`, { container: env('COUNT', 5) }],
    ['error spec.job', { spec: { job: { schedule: '0 3 * * *' } } }],
    [
      'error spec.job',
      { ...options({}), spec: { type: undefined, job: { schedule: '0 3 * * *' } } },
    ],
    ['error kind', { spec: { containers: [] } }],
    ['error spec.job.schedule', { type: 'cron', spec: { job: { schedule: 'daily at 3 in UTC' } } }],
    [
      'error spec.firewallConfig.external.inboundAllowCIDR[1]',
      external({ inboundAllowCIDR: ['2001:db8::1', '10.0.0.0/33'] }),
    ],
    [
      'warning spec.rolloutOptions.maxUnavailableReplicas',
      { type: 'stateful', ...rollout({ maxUnavailableReplicas: 1 }) },
    ],
    [`warning ${C}.cpu`, { container: { cpu: 1 } }],
    [`error ${C}.volumes[0].path`, volume('scratch://a', '/tmp')],
    [`error ${C}.minCpu`, { container: { minCpu: '1' }, ...options({ capacityAI: true }) }],
    ['error spec.identityLink', { spec: { identityLink: '//gvc/other/identity/web' } }],
    ['error spec.loadBalancer.replicaDirect', { spec: { loadBalancer: { replicaDirect: true } } }],
    ['error spec.securityOptions.runAsUser', { spec: { securityOptions: { runAsUser: 1337 } } }],
    [
      'warning spec.firewallConfig.external.outboundAllowCIDR[0]',
      external({ outboundAllowCIDR: ['10.0.0.0/8'] }),
    ],
    ['error spec.defaultOptions.autoscaling.target', scaling({ metric: 'cpu', target: 101 })],
  ])('%s', (finding, workload) => {
    expect(raised(workload).filter((one) => !one.startsWith('note'))).toEqual([finding]);
  });

  it('a deprecated port has a probe beside it, too', () => {
    const container = { ports: undefined, port: 8_080, readinessProbe: undefined };

    expect(raised({ container })).toEqual([`note ${C}.port`, `note ${C}.port`]);
  });

  it('a percentile that a location omits is the one of the platform there', () => {
    const latency = { metric: 'latency', target: 100, minScale: 1, maxScale: 3 };
    const own = { capacityAI: false, timeoutSeconds: 30, autoscaling: latency };
    const localOptions = [{ location: '//location/aws-us-east-1', ...own }];
    const defaultOptions = { ...own, autoscaling: { ...latency, metricPercentile: 'p99' } };

    expect(raised({ spec: { defaultOptions, localOptions } })).toEqual([
      'warning spec.localOptions[0]',
    ]);
  });

  it('a vm with ports needs an open firewall', () => {
    const container = '{name: vm, cpu: "1", memory: 1Gi, ports: [{number: 3389, protocol: tcp}]}';
    const disk = '{source: {http: {url: a}}, persist: {volumeSet: a}}';
    const vm = `kind: workload\nname: win\nspec: {type: vm, vm: {bootDisk: ${disk}}, containers: [${container}]}`;

    expect(checked(vm).findings.map(({ path }) => path)).toEqual(['spec.containers']);
  });

  it('a workload has a specification', () => {
    expect(checked('kind: workload\nname: web').findings.map(({ path }) => path)).toEqual(['kind']);
  });

  it('a part of a manifest, without a kind, need not have a type', () => {
    expect(checked('spec: {job: {schedule: 0 3 * * *}}').findings).toEqual([]);
  });

  it('two containers of one name are one too many', () => {
    const web = { name: 'web', image: 'a:1' };

    expect(raised({ spec: { containers: [web, web] } })).toEqual(['error spec.containers[1].name']);
  });
});

describe('the contents of localOptions', () => {
  const full = {
    location: '//location/aws-us-east-1',
    autoscaling: { metric: 'rps', target: 100, minScale: 1, maxScale: 3 },
    capacityAI: false,
    timeoutSeconds: 30,
  };
  const local = (more: Fields, beside: readonly Fields[] = []) =>
    raised({ spec: { localOptions: [{ ...full, ...more }] }, beside }).filter(
      (one) => !one.startsWith('note'),
    );

  it.each<[string, Fields]>([
    ['warning spec.localOptions[0].timeoutSeconds', { timeoutSeconds: 900 }],
    ['error spec.localOptions[0].timeoutSeconds', { timeoutSeconds: 0 }],
    ['error spec.localOptions[0].suspend', { suspend: 'yes' }],
    ['error spec.localOptions[0].multiZone', { multiZone: true }],
    [
      'error spec.localOptions[0].autoscaling.metric',
      { autoscaling: { ...full.autoscaling, metric: 'concurrency' } },
    ],
    [
      'error spec.localOptions[0].autoscaling',
      { autoscaling: { ...full.autoscaling, minScale: 9 } },
    ],
  ])('counts: %s', (finding, more) => {
    expect(local(more)).toEqual([finding]);
  });

  it('may switch a location off, and is right when it is whole', () => {
    expect(local({})).toEqual([]);
    expect(local({ suspend: true, autoscaling: undefined })).toEqual([]);
    expect(local({ autoscaling: { minScale: 0, maxScale: 0 } })).toEqual([]);
  });

  it('is for a location that the GVC of the same text has', () => {
    const gvc = (name: string) => ({
      kind: 'gvc',
      name: 'shop',
      spec: { staticPlacement: { locationLinks: [`//location/${name}`] } },
    });

    expect(local({}, [gvc('aws-us-east-1')])).toEqual([]);
    expect(local({}, [gvc('gcp-us-east1')])).toEqual(['warning spec.localOptions[0].location']);
  });
});

it('a volume set that is not shared is for one workload of its GVC', () => {
  const set = (fileSystemType: string) => ({
    kind: 'volumeset',
    name: 'data',
    spec: { fileSystemType },
  });
  const mounting = (system: string, gvc: string) => {
    const first = text({ type: 'stateful', ...volume('svc://volumeset/data', '/data') });
    const second = first.replace('name: web', 'name: api').replace('gvc: shop', `gvc: ${gvc}`);
    return checked([stringify(set(system)), first, second].join('---\n')).findings.map(
      ({ document, path }) => `${document} ${path}`,
    );
  };

  expect(mounting('xfs', 'shop')).toEqual([`web ${C}.volumes[0].uri`, `api ${C}.volumes[0].uri`]);
  expect(mounting('shared', 'shop')).toEqual([]);
  expect(mounting('xfs', 'lab')).toEqual([]);
});

it('several documents are checked, each finding with its workload and its line', () => {
  const wrong = options({ timeoutSeconds: 0 });
  const all = [text({}), text(wrong).replace('name: web', 'name: api')].join('---\n');
  const { findings, workloads } = checked(all);

  expect(workloads).toEqual(['web', 'api']);
  expect(findings.map(({ document, path }) => `${document ?? ''} ${path}`)).toEqual([
    'api spec.defaultOptions.timeoutSeconds',
  ]);
  expect(all.split('\n')[(findings[0]?.line ?? 0) - 1]).toContain('timeoutSeconds: 0');
});
