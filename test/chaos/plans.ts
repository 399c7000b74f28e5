/** What a deployment is at one location, as the platform reports it. */
export type Phase = 'ready' | 'deploying' | 'broken' | 'stale' | 'suspended' | 'absent';

/** One transition: how the locations are from now on, and which keys it makes news. */
export interface Step {
  /** Of the first location, and all others but the second; and of the second. */
  readonly phases: readonly [Phase, Phase];
  /** By design section 4; the part of the key behind `org/gvc/workload/<E>/`. */
  readonly tells: readonly string[];
}

/**
 * What can happen to one version of a workload that was in place before, with what design section 4
 * has to be told of it. No plan knows anything of the code that it tests. At most three of its changes
 * are trouble or the end of it, because the fourth within ten minutes would be flapping.
 */
export const PLANS: Readonly<Record<string, readonly Step[]>> = {
  'location by location': [
    { phases: ['deploying', 'deploying'], tells: ['card'] },
    { phases: ['ready', 'deploying'], tells: [] },
    { phases: ['ready', 'ready'], tells: ['ready'] },
  ],
  'fails, then comes up': [
    { phases: ['deploying', 'deploying'], tells: ['card'] },
    { phases: ['broken', 'deploying'], tells: ['failed'] },
    { phases: ['broken', 'broken'], tells: [] },
    { phases: ['ready', 'ready'], tells: ['ready'] },
  ],
  'breaks later': [
    { phases: ['ready', 'ready'], tells: ['card', 'ready'] },
    { phases: ['broken', 'ready'], tells: ['unhealthy'] },
    { phases: ['ready', 'ready'], tells: ['recovered'] },
  ],
  'is not heard of': [
    { phases: ['deploying', 'deploying'], tells: ['card'] },
    { phases: ['ready', 'ready'], tells: ['ready'] },
    { phases: ['stale', 'ready'], tells: ['stale'] },
    { phases: ['ready', 'ready'], tells: ['recovered'] },
  ],
  'is superseded under way': [{ phases: ['deploying', 'deploying'], tells: ['card'] }],
  'is superseded broken': [
    { phases: ['deploying', 'deploying'], tells: ['card'] },
    { phases: ['deploying', 'broken'], tells: ['failed'] },
  ],
  'is suspended for a while': [
    { phases: ['ready', 'ready'], tells: ['card', 'ready'] },
    { phases: ['suspended', 'suspended'], tells: ['suspended'] },
    { phases: ['ready', 'ready'], tells: ['resumed'] },
  ],
  'a location leaves and returns': [
    { phases: ['ready', 'ready'], tells: ['card', 'ready'] },
    { phases: ['ready', 'absent'], tells: ['gone'] },
    { phases: ['ready', 'ready'], tells: [] },
  ],
  flaps: [
    { phases: ['ready', 'ready'], tells: ['card', 'ready'] },
    { phases: ['broken', 'ready'], tells: ['unhealthy'] },
    { phases: ['ready', 'ready'], tells: ['recovered'] },
    { phases: ['broken', 'ready'], tells: ['unhealthy/2'] },
    // The fourth change is told as flapping, which stands for it.
    { phases: ['ready', 'ready'], tells: ['recovered/2', 'flapping'] },
  ],
};

export const LOCATIONS = ['frankfurt', 'oregon', 'tokyo', 'sydney', 'ohio'] as const;

/** One deployment as the API has it (spec 2.12). */
export function reportOf(
  workload: string,
  location: string,
  version: number,
  phase: Exclude<Phase, 'absent'>,
): string {
  const current = {
    workload: version,
    gvc: 1,
    ready: phase === 'ready' || phase === 'stale',
    ...(phase === 'broken' ? { message: 'The secret db-password no longer exists.' } : {}),
    containers: {
      main: {
        name: 'main',
        image: `registry.example/${workload}:${version}`,
        ready: phase === 'ready',
        resources: { replicas: 2, replicasReady: phase === 'ready' ? 2 : 0 },
      },
    },
  };
  const outgoing = { workload: version - 1, gvc: 1, ready: true };
  return JSON.stringify({
    kind: 'deployment',
    name: location,
    status: {
      ready: phase === 'ready',
      deploying: phase === 'deploying',
      message: MESSAGES[phase] ?? '',
      expectedDeploymentVersion: version,
      lastProcessedVersion: version,
      desiredScale: 2,
      versions: phase === 'deploying' ? [outgoing, current] : [current],
    },
    links: [{ rel: 'workload', href: `/org/acme/gvc/any/workload/${workload}` }],
  });
}

const MESSAGES: Partial<Record<Phase, string>> = {
  stale: 'Status details are stale: the location has not reported for 10 minutes',
  suspended: 'Workload deactivated: it is suspended',
};
