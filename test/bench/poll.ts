import { readPage } from '../../src/platform/deployments/list.ts';
import type { DeploymentList } from '../../src/platform/deployments/list.ts';
import { advance, EMPTY_STATE } from '../../src/rollouts/advance.ts';
import { median } from './measure.ts';
import type { Figure } from './measure.ts';

const WORKLOADS = 2_000;
const LOCATIONS = [
  'aws-us-west-2',
  'aws-eu-central-1',
  'gcp-europe-west4',
  'azure-eastus2',
  'gcp-us-east1',
];

/** One poll of 10,000 deployments, against JSON.parse of the same body. */
export function benchPoll(): Figure[] {
  const body = JSON.stringify({ items: items() });
  const parse = median(() => JSON.parse(body));
  const parsed = (JSON.parse(body) as { items: unknown[] }).items;
  const read = median(() => readItems(parsed));
  const list = readItems(parsed);
  const state = advance(EMPTY_STATE, list, 1).state;
  const step = median(() => advance(state, list, 2));
  console.log(
    `10,000 deployments, ${(body.length / 1e6).toFixed(1)} MB: JSON.parse ${parse.toFixed(0)} ms, read ${read.toFixed(0)} ms, step ${step.toFixed(0)} ms`,
  );
  return [
    { what: 'read and check every item / JSON.parse', ratio: read / parse, target: 0.35 },
    { what: 'the step of an unchanged poll / JSON.parse', ratio: step / parse, target: 0.35 },
  ];
}

function readItems(items: readonly unknown[]): DeploymentList {
  const list: DeploymentList = { deployments: [], unreadable: [], unidentified: 0 };
  readPage({ items }, undefined, list);
  return list;
}

function items(): object[] {
  return Array.from({ length: WORKLOADS }).flatMap((_, index) =>
    LOCATIONS.map((location) => deployment(`workload-${index}`, location, 10 + (index % 7))),
  );
}

function deployment(workload: string, location: string, version: number): object {
  const link = `/org/acme/gvc/shop/workload/${workload}`;
  return {
    kind: 'deployment',
    name: location,
    lastModified: '2026-11-20T09:00:00Z',
    links: [
      { rel: 'self', href: `${link}/deployment/${location}` },
      { rel: 'workload', href: link },
      { rel: 'location', href: `/org/acme/location/${location}` },
    ],
    status: {
      endpoint: `https://${workload}-a1b2c3d4e5f6g.${location}.example/`,
      remote: `https://${location}.control.example`,
      ready: true,
      deploying: false,
      message: '',
      lastProcessedVersion: version,
      expectedDeploymentVersion: version,
      desiredScale: 2,
      versions: [versionEntry(version, true), versionEntry(version - 1, false)],
      internal: { noise: 'x'.repeat(120), list: [1, 2, 3, 4, 5] },
    },
  };
}

function versionEntry(workload: number, ready: boolean): object {
  const container = (name: string): object => ({
    name,
    image: `registry.example/acme/${name}:${workload}`,
    ready,
    message: '',
    resources: { replicas: 2, replicasReady: ready ? 2 : 0, cpu: 250, memory: 256 },
    restarts: { count: 0 },
  });
  return {
    workload,
    gvc: 3,
    created: '2026-11-20T08:00:00Z',
    ready,
    message: '',
    containers: { main: container('main'), sidecar: container('sidecar') },
  };
}
