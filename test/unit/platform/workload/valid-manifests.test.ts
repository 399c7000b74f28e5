import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import * as fc from '../../../support/fast-check.ts';
import { checked } from './check-support.ts';

type Fields = Record<string, unknown>;

const TYPES = ['serverless', 'standard', 'stateful', 'cron', 'vm'] as const;
type Type = (typeof TYPES)[number];

const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });
const SIZES = [
  { cpu: '100m', memory: '128Mi' },
  { cpu: '0.5', memory: '1Gi' },
  { cpu: '1', memory: '2048Mi' },
  { cpu: '4', memory: '14Gi' },
];
const PORTS = [80, 3_000, 8_080, 5_432, 65_535];

const probe = (port: number) =>
  fc.record({
    way: fc.constantFrom<Fields>(
      {
        httpGet: { path: '/ready', port, scheme: 'HTTP', httpHeaders: [{ name: 'A', value: 'b' }] },
      },
      { tcpSocket: { port } },
      { grpc: { port } },
      { exec: { command: ['ready', '--now'] } },
    ),
    times: fc.constantFrom<Fields>({}, { initialDelaySeconds: 0, periodSeconds: 600 }),
  });
const flat = ({ way, times }: { way: Fields; times: Fields }) => ({ ...way, ...times });

const METRICS: Readonly<Record<Type, readonly Fields[]>> = {
  serverless: [
    { metric: 'concurrency', target: 100, minScale: 0, maxScale: 5, scaleToZeroDelay: 30 },
    { metric: 'rps', target: 20_000, minScale: 0, maxScale: 9, maxConcurrency: 1_000 },
  ],
  standard: [
    { metric: 'latency', metricPercentile: 'p99', target: 500, minScale: 2, maxScale: 4 },
    { multi: [{ metric: 'cpu', target: 80 }, { metric: 'memory' }], minScale: 1, maxScale: 5 },
    {
      metric: 'keda',
      minScale: 0,
      maxScale: 9,
      keda: {
        triggers: [{ type: 'kafka', metricType: 'AverageValue', metadata: { lag: '5' } }],
        fallback: { failureThreshold: 3, replicas: 2, behavior: 'static' },
        pollingInterval: 30,
      },
    },
  ],
  stateful: [
    { metric: 'disabled', minScale: 3, maxScale: 3 },
    { metric: 'cpu', target: 90, minScale: 1, maxScale: 2 },
  ],
  cron: [{ metric: 'cpu', minScale: 1, maxScale: 1 }],
  vm: [{ minScale: 1, maxScale: 1 }],
};

const VOLUMES: Readonly<Record<Type, readonly Fields[]>> = {
  serverless: [{ uri: 'scratch://cache', path: '/var/cache/web' }],
  standard: [{ uri: 's3://bucket/x', path: '/data' }],
  stateful: [{ uri: 'svc://volumeset/db', path: '/var/lib/db', recoveryPolicy: 'retain' }],
  cron: [{ uri: 'svc://secret/conf', path: '/etc/conf' }],
  vm: [{ uri: 'svc://volumeset/db', name: 'db', bus: 'virtio', bootOrder: 2 }],
};

function container(type: Type, at: number): fc.Arbitrary<Fields> {
  const port = PORTS[at] ?? 8_080;
  const hasPorts = type !== 'cron' && !(type === 'serverless' && at > 0);
  return fc
    .record({
      size: fc.constantFrom(...SIZES),
      probe: probe(port),
      protocol: fc.constantFrom('http', 'grpc'),
      volumes: fc.boolean(),
      more: fc.boolean(),
    })
    .map(({ size, probe: way, protocol, volumes, more }) => ({
      name: `part-${at}`,
      ...(type === 'vm' ? { cpu: '2000m', memory: '4Gi' } : { ...size, image: 'nginx:1.27' }),
      ...(hasPorts ? { ports: [{ number: port, protocol }] } : {}),
      ...(hasPorts && type !== 'vm' ? { readinessProbe: flat(way) } : {}),
      ...(volumes ? { volumes: VOLUMES[type] } : {}),
      ...(more
        ? {
            env: [
              { name: 'LOG_LEVEL', value: 'info' },
              { name: 'PORT', value: String(port) },
              { name: 'KEY', value: 'svc://secret/keys.api' },
              { name: 'API', value: 'https://api.example.com' },
              { name: 'POD', value: 'svc://reference/status.podIP' },
            ],
            ...(type === 'vm'
              ? {}
              : {
                  command: '/bin/run',
                  args: ['--fast'],
                  workingDir: '/app',
                  lifecycle: { preStop: { exec: { command: ['sleep', '10'] } } },
                }),
            ...(hasPorts ? { metrics: { port, path: '/metrics', dropMetrics: ['go_.*'] } } : {}),
            inheritEnv: true,
          }
        : {}),
    }));
}

/** Specifications that use only the documented options. */
function spec(type: Type): fc.Arbitrary<Fields> {
  const options = fc.record({
    autoscaling: fc.constantFrom(...METRICS[type]),
    capacityAI: fc.constant(false),
    timeoutSeconds: fc.integer({ min: 1, max: 600 }),
    debug: fc.boolean(),
    spot: fc.boolean(),
    multiZone: fc.record({ enabled: fc.boolean() }),
  });
  const fields: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constant(type),
    containers: fc
      .integer({ min: 1, max: type === 'vm' ? 1 : 4 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => container(type, at)))),
    identityLink: fc.constantFrom('//identity/web', '//gvc/shop/identity/web'),
    defaultOptions: options,
    localOptions: maybe(
      options.map((one) => [{ location: '//location/aws-us-east-1', ...one, suspend: false }]),
    ),
    firewallConfig: fc.record({
      external: fc.record({
        inboundAllowCIDR: fc.constantFrom(['0.0.0.0/0', '::/0'], ['203.0.113.7']),
        outboundAllowHostname: fc.constantFrom(['*.example.com'], ['api.example.com', 'a.b']),
        outboundAllowPort: fc.constantFrom([], [{ protocol: 'https', number: 443 }]),
        http: maybe(
          fc.constant({ inboundHeaderFilter: [{ key: 'X-Env', allowedValues: ['^prod$'] }] }),
        ),
      }),
      internal: fc.constantFrom(
        { inboundAllowType: 'same-org' },
        {
          inboundAllowType: 'workload-list',
          inboundAllowWorkload: ['//gvc/shop/workload/web', '/org/acme/gvc/a/workload/b'],
        },
      ),
    }),
    rolloutOptions: maybe(
      fc.record({
        minReadySeconds: fc.nat(60),
        terminationGracePeriodSeconds: fc.integer({ min: 30, max: 900 }),
        ...(type === 'vm' ? {} : { maxSurgeReplicas: fc.constantFrom<unknown>('50%', 1, '2') }),
        ...(['vm', 'stateful'].includes(type)
          ? {}
          : { maxUnavailableReplicas: fc.constantFrom<unknown>('25%', 0, 1) }),
      }),
    ),
    requestRetryPolicy: maybe(fc.constant({ attempts: 3, retryOn: ['unavailable', '503'] })),
    supportDynamicTags: maybe(fc.boolean()),
    ...(type === 'cron'
      ? {
          job: fc.constantFrom(
            { schedule: '0 3 * * *', concurrencyPolicy: 'Replace', historyLimit: 10 },
            {
              schedule: '*/5 * * * 1-5',
              restartPolicy: 'OnFailure',
              activeDeadlineSeconds: 86_400,
            },
          ),
        }
      : {}),
    ...(type === 'vm'
      ? {
          vm: fc.constant({
            guestOS: 'linux',
            runStrategy: 'Always',
            cloudInit: { userData: '#cloud-config' },
            bootDisk: {
              source: { oci: { image: 'example/disk:1' } },
              persist: { volumeSet: 'boot' },
            },
          }),
        }
      : {
          securityOptions: maybe(fc.constant({ runAsUser: 1_000, filesystemGroupId: 65_534 })),
          loadBalancer: maybe(
            fc.constantFrom<Fields>(
              { geoLocation: { enabled: true, headers: { country: 'x-country' } } },
              {
                replicaDirect: type === 'stateful',
                direct: {
                  enabled: true,
                  ports: [
                    { externalPort: 443, protocol: 'TCP', scheme: 'tcp', containerPort: 8_080 },
                  ],
                },
              },
            ),
          ),
        }),
  };
  return fc.record(fields, { noNullPrototype: true });
}

it.each(TYPES)('200 valid manifests of the type %s raise nothing', (type) => {
  fc.assert(
    fc.property(spec(type), fc.boolean(), (one, json) => {
      const workload = {
        kind: 'workload',
        name: 'web',
        gvc: 'shop',
        description: 'Web',
        tags: { team: 'shop', 'svc/protected': 'true' },
        spec: JSON.parse(JSON.stringify(one)) as unknown,
      };
      const text = json ? JSON.stringify(workload, null, 2) : stringify(workload);

      expect(checked(text).findings.map(({ path, what }) => `${path} ${what}`)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
