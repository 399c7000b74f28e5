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
 * `edition` either some of them say something else, or all say the same in another text.
 */
export function fleetItems(count: number, changing: Changing = 'none', edition = 0): object[] {
  const replicas = changing === 'some' ? 2 + edition : 2;
  const lastModified = `2026-11-20T09:00:0${changing === 'all' ? edition : 0}Z`;
  return Array.from({ length: count }, (_, index) => {
    const workload = Math.floor(index / LOCATIONS.length);
    const location = LOCATIONS[index % LOCATIONS.length] ?? '';
    // One in a hundred says something else when its replicas are others.
    const own = index % 100 === 0 ? replicas : 2;
    const version = 10 + (workload % 7);
    return { ...deployment(`workload-${workload}`, location, { version, own }), lastModified };
  });
}

function deployment(
  workload: string,
  location: string,
  { version, own }: { version: number; own: number },
): object {
  const link = `/org/acme/gvc/shop/workload/${workload}`;
  return {
    kind: 'deployment',
    name: location,
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
      desiredScale: own,
      versions: [versionEntry(version, own), versionEntry(version - 1, 0)],
      internal: { noise: 'x'.repeat(120), list: [1, 2, 3, 4, 5] },
    },
  };
}

function versionEntry(workload: number, replicas: number): object {
  const ready = replicas > 0;
  const container = (name: string): object => ({
    name,
    image: `registry.example/acme/${name}:${workload}`,
    ready,
    message: '',
    resources: { replicas, replicasReady: replicas, cpu: 250, memory: 256 },
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
