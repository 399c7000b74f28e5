import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checked } from './check-support.ts';

const MANIFESTS = new URL('manifests/', import.meta.url);

/** Line, severity and path of what is found in manifests as people write them. */
const FINDINGS: Readonly<Record<string, readonly string[]>> = {
  'byok-direct.yaml': [
    '5 warning tags["svc/disableServiceMeshOutboundCIDR"]',
    '7 warning tags["svc/k8sClusterRole"]',
    '8 warning tags["svc/timeoutSecondsOverride"]',
  ],
  'export.json': [
    '11 warning items[0].tags["svc/disableServiceMesh"]',
    '14 note items[0].spec.containers',
    '15 error items[0].spec.defaultOptions.timeoutSeconds',
    '15 note items[0].spec.defaultOptions.suspend',
    '23 error items[1].spec.rolloutOptions.maxUnavailableReplicas',
  ],
  'gpu-inference.yaml': [
    '4 error tags["svc/largeDisk"]',
    '5 error tags["svc/timeoutSecondsOverride"]',
    '6 warning tags["svc/tracingDisabled"]',
    '8 note spec.containers',
    '20 error spec.rolloutOptions.minReadySeconds',
    '21 warning spec.rolloutOptions.maxSurge',
  ],
  'grpc-external-auth.yaml': [
    '4 error tags["svc/protocol"]',
    '5 error tags["svc/externalAuthAddress"]',
    '5 note tags["svc/externalAuthAddress"]',
    '6 error tags["svc/externalAuthPort"]',
    '7 error tags["svc/externalAuthProtocol"]',
    '9 error tags["svc/externalAuthTimeout"]',
    '10 error tags["svc/externalAuthPackAsBytes"]',
    '13 note spec.containers',
    '24 error spec.requestRetryPolicy.retryOn[1]',
    '25 note spec.requestRetryPolicy.retryOn[2]',
  ],
  'gvc-and-workloads.yaml': [
    '7 warning spec.loadBalancer',
    '17 note spec.containers',
    '23 note spec.defaultOptions.multiZone.enabled',
    '29 note spec.containers',
    '35 note spec.rolloutOptions.scalingPolicy',
  ],
  'messy.yaml': [
    '5 warning tags["svc/ignore"]',
    '6 error tags["svc/disableServiceMeshOutboundCIDR"]',
    '7 error tags["svc/k8sClusterRole"]',
    '8 note tags["svc/publishnotreadyaddresses"]',
    '9 error tags["svc/disableServiceMeshInboundPort"]',
    '14 warning spec.defaultOptions.timeoutseconds',
    '15 error spec.defaultOptions.multiZone',
    '17 warning spec.defaultOptions.suspend',
    '17 error spec.defaultOptions.suspend',
    '18 error spec.rolloutOptions',
    '22 note spec.containers',
  ],
  'minimal.yaml': [],
  'nightly-report.yaml': [
    '10 note spec.containers',
    '16 note spec.defaultOptions.timeoutSeconds',
    '17 error spec.defaultOptions.suspend',
    '19 error spec.requestRetryPolicy.attempts',
    '19 note spec.requestRetryPolicy.attempts',
  ],
  'postgres.yaml': [
    '5 error tags["svc/multiZone"]',
    '16 error spec.containers[0].resources',
    '18 warning spec.containers[0].resources.limits.ephemeral-storage',
    '25 error spec.rolloutOptions.scalingPolicy',
    '26 error spec.rolloutOptions.maxSurgeReplicas',
  ],
  'rate-limited-api.yaml': [
    '4 error tags["svc/rateLimitPort"]',
    '7 note tags["svc/externalAuthAddress"]',
    '8 note tags["svc/rateLimitDescriptor"]',
    '10 note spec.containers',
    '15 error spec.requestRetryPolicy.retryOn',
  ],
  'web-service.yaml': [
    '10 note spec.containers',
    '31 warning spec.defaultOptions.timeoutSeconds',
    '38 note spec.defaultOptions.debug',
  ],
};

const read = (name: string): string => readFileSync(new URL(name, MANIFESTS), 'utf8');

it.each(Object.entries(FINDINGS))('in %s is found what is wrong, and nothing else', (name, all) => {
  const { findings } = checked(read(name));

  expect(findings.map(({ line, severity, path }) => `${line} ${severity} ${path}`)).toEqual(all);
});

it.each(Object.keys(FINDINGS))('what is found in %s stands in the line that is named', (name) => {
  const lines = read(name).split('\n');
  for (const { line, path } of checked(read(name)).findings) {
    const [last = ''] = /[\w/-]+(?="?\]?$)/.exec(path.replace(/(\[\d+\])+$/, '')) ?? [];
    const isItem = /\[\d+\]$/.test(path);
    expect([path, isItem || lines[line - 1]?.includes(last)]).toEqual([path, true]);
  }
});

it('each manifest of the folder is among them', () => {
  const own = readdirSync(MANIFESTS).filter((name) => name.includes('.'));

  expect(own.toSorted()).toEqual(Object.keys(FINDINGS).toSorted());
});

it('the workloads are named, with each field whose value was not looked at, and what is no workload', () => {
  expect(checked(read('gvc-and-workloads.yaml'))).toMatchObject({
    workloads: ['worker', 'worker-eu'],
    fields: {
      total: 10,
      unchecked: [
        'spec.containers[0].name',
        'spec.containers[0].image',
        'spec.containers[0].cpu',
        'spec.containers[0].name',
        'spec.containers[0].image',
        'spec.containers[0].cpu',
        'spec.containers[0].memory',
      ],
    },
    others: [{ name: 'gvc shop', except: 'its load balancer' }, { name: 'identity shop-worker' }],
  });
  expect(checked(read('export.json'))).toMatchObject({
    workloads: ['gateway', 'sessions'],
    fields: {
      total: 7,
      unchecked: ['spec.containers[0].name', 'spec.containers[0].cpu', 'spec.containers[0].image'],
    },
    others: [],
  });
  expect(checked(read('minimal.yaml'))).toMatchObject({
    workloads: [''],
    fields: { total: 1, unchecked: [] },
  });
});
