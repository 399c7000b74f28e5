import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checked } from './check-support.ts';

const MANIFESTS = new URL('manifests/', import.meta.url);

/** Line, severity and path of the findings in manifests as people write them. */
const FINDINGS: Readonly<Record<string, readonly string[]>> = {
  'byok-direct.yaml': [
    '2 error kind',
    '5 warning tags["svc/disableServiceMeshOutboundCIDR"]',
    '7 warning tags["svc/k8sClusterRole"]',
    '8 warning tags["svc/timeoutSecondsOverride"]',
  ],
  'export.json': [
    '7 note items[0].kind',
    '11 warning items[0].tags["svc/disableServiceMesh"]',
    '15 error items[0].spec.defaultOptions.timeoutSeconds',
    '15 note items[0].spec.defaultOptions.suspend',
    '21 error items[1].kind',
    '23 error items[1].spec.rolloutOptions.maxUnavailableReplicas',
  ],
  'gpu-inference.yaml': [
    '1 note kind',
    '4 error tags["svc/largeDisk"]',
    '5 error tags["svc/timeoutSecondsOverride"]',
    '6 warning tags["svc/tracingDisabled"]',
    '13 error spec.containers[0].gpu',
    '20 error spec.rolloutOptions.minReadySeconds',
    '21 warning spec.rolloutOptions.maxSurge',
  ],
  'grpc-external-auth.yaml': [
    '1 note kind',
    '4 error tags["svc/protocol"]',
    '5 error tags["svc/externalAuthAddress"]',
    '5 note tags["svc/externalAuthAddress"]',
    '6 error tags["svc/externalAuthPort"]',
    '7 error tags["svc/externalAuthProtocol"]',
    '9 error tags["svc/externalAuthTimeout"]',
    '10 error tags["svc/externalAuthPackAsBytes"]',
    '13 note spec.containers',
    '13 note spec.containers',
    '19 note spec.containers[0].ports[0].protocol',
    '24 error spec.requestRetryPolicy.retryOn[1]',
  ],
  'gvc-and-workloads.yaml': ['7 warning spec.loadBalancer', '14 note kind', '26 note kind'],
  'messy.yaml': [
    '2 note kind',
    '3 error name',
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
    '23 error spec.containers[0]',
    '24 error spec.containers[0].cpu',
  ],
  'minimal.yaml': [],
  'nightly-report.yaml': [
    '16 note spec.defaultOptions.timeoutSeconds',
    '17 error spec.defaultOptions.suspend',
    '19 error spec.requestRetryPolicy.attempts',
  ],
  'postgres.yaml': [
    '5 error tags["svc/multiZone"]',
    '11 warning spec.containers[0].cpu',
    '16 error spec.containers[0].resources',
    '25 error spec.rolloutOptions.scalingPolicy',
    '26 error spec.rolloutOptions.maxSurgeReplicas',
    '27 warning spec.rolloutOptions.maxUnavailableReplicas',
  ],
  'rate-limited-api.yaml': [
    '1 note kind',
    '4 error tags["svc/rateLimitPort"]',
    '7 note tags["svc/externalAuthAddress"]',
    '8 note tags["svc/rateLimitDescriptor"]',
    '13 warning spec.containers[0].cpu',
    '15 error spec.requestRetryPolicy.retryOn',
  ],
  'web-service.yaml': [
    '17 note spec.containers[0].ports[0].protocol',
    '31 warning spec.defaultOptions.timeoutSeconds',
  ],
};

const read = (name: string): string => readFileSync(new URL(name, MANIFESTS), 'utf8');

it.each(Object.entries(FINDINGS))('finds the mistakes of %s, and nothing else', (name, all) => {
  const { findings } = checked(read(name));

  expect(findings.map(({ line, severity, path }) => `${line} ${severity} ${path}`)).toEqual(all);
});

it.each(Object.keys(FINDINGS))('names the lines of the findings in %s', (name) => {
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

it('names the workloads, with each field that is not checked, and the other resources', () => {
  expect(checked(read('gvc-and-workloads.yaml'))).toMatchObject({
    workloads: ['worker', 'worker-eu'],
    fields: { total: 10, unchecked: [] },
    others: ['gvc shop', 'identity shop-worker'],
  });
  expect(checked(read('gpu-inference.yaml'))).toMatchObject({
    fields: { total: 9, unchecked: ['spec.rolloutOptions.maxSurge'] },
    others: [],
  });
  expect(checked(read('minimal.yaml'))).toMatchObject({
    workloads: [''],
    fields: { total: 1, unchecked: [] },
  });
});
