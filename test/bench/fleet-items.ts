import { container, ready, version } from '../unit/rollouts/platform-json.ts';

/** How many deployments are others with each edition: none, one in a hundred, or every text. */
export type Changing = 'none' | 'some' | 'all';

const LOCATIONS = [
  'aws-us-west-2',
  'aws-eu-central-1',
  'gcp-europe-west4',
  'azure-eastus2',
  'gcp-us-east1',
];

/**
 * Deployments of a GVC as a platform lists them: about 2.2 KB each, five to a workload. With each
 * `edition` either one in a hundred says something else, or all say the same in another text.
 */
export function fleetItems(count: number, changing: Changing = 'none', edition = 0): object[] {
  const lastModified = `2026-11-20T09:00:0${changing === 'all' ? edition : 0}Z`;
  return Array.from({ length: count }, (_, index) => {
    const workload = Math.floor(index / LOCATIONS.length);
    const location = LOCATIONS[index % LOCATIONS.length] ?? '';
    const isOther = changing === 'some' && index % 100 === 0;
    return {
      ...deployment(`workload-${workload}`, location, 10 + (workload % 7), isOther ? edition : 0),
      lastModified,
    };
  });
}

function deployment(workload: string, location: string, expected: number, more: number): object {
  const link = `/org/acme/gvc/shop/workload/${workload}`;
  const versions = [versionOf(expected, 2 + more), versionOf(expected - 1, 0)];
  return {
    kind: 'deployment',
    name: location,
    links: [
      { rel: 'self', href: `${link}/deployment/${location}` },
      { rel: 'workload', href: link },
      { rel: 'location', href: `/org/acme/location/${location}` },
    ],
    status: ready(expected, {
      endpoint: `https://${workload}-a1b2c3d4e5f6g.${location}.example/`,
      remote: `https://${location}.control.example`,
      desiredScale: 2 + more,
      versions,
      internal: { noise: 'x'.repeat(120), list: [1, 2, 3, 4, 5] },
    }),
  };
}

function versionOf(workload: number, replicas: number): object {
  const isReady = replicas > 0;
  const [main, sidecar] = ['main', 'sidecar'].map((name) =>
    container({
      name,
      image: `registry.example/acme/${name}:${workload}`,
      ready: isReady,
      message: '',
      resources: { replicas, replicasReady: replicas, cpu: 250, memory: 256 },
      restarts: { count: 0 },
    }),
  );
  return version(workload, { ready: isReady, containers: { main, sidecar } });
}
