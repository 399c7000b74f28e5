import { broken, ready, rolling, stale, suspended } from '../unit/rollouts/platform-json.ts';

/** What a deployment is at one location, as the platform reports it. */
type Phase = keyof typeof STATUSES | 'absent';

/** One transition: how the locations are from now on, and which keys it makes news. */
export interface Step {
  /** Of the first location, and all others but the second; and of the second. */
  readonly phases: readonly [Phase, Phase];
  /** By design section 4; the part of the key behind `org/gvc/workload/<E>/`. */
  readonly tells: readonly string[];
  /** A newer version brings it. */
  readonly isNext?: true;
}

/**
 * What can happen to one version of a workload that was in place before, with what design section 4
 * posts of it. No plan knows anything of the code that it tests. Each state is held for longer than any
 * span of the watch, so what deploys is stuck, and what breaks is a call.
 */
export const PLANS = {
  'location by location': [
    { phases: ['deploying', 'deploying'], tells: ['card', 'stuck'] },
    { phases: ['ready', 'deploying'], tells: [] },
    { phases: ['ready', 'ready'], tells: ['ready'] },
  ],
  'fails, then comes up': [
    { phases: ['deploying', 'deploying'], tells: ['card', 'stuck'] },
    { phases: ['broken', 'deploying'], tells: ['failed'] },
    // From a partial outage to an outage: a higher level always calls.
    { phases: ['broken', 'broken'], tells: ['failed/2'] },
    // `ready` ends the trouble itself.
    { phases: ['ready', 'ready'], tells: ['ready'] },
  ],
  'breaks later': [
    { phases: ['ready', 'ready'], tells: ['card', 'ready'] },
    { phases: ['broken', 'ready'], tells: ['unhealthy'] },
    { phases: ['ready', 'ready'], tells: ['recovered'] },
  ],
  'is not heard of': [
    { phases: ['deploying', 'deploying'], tells: ['card', 'stuck'] },
    { phases: ['ready', 'ready'], tells: ['ready'] },
    { phases: ['stale', 'ready'], tells: ['stale'] },
    { phases: ['ready', 'ready'], tells: ['recovered'] },
  ],
  'is superseded under way': [{ phases: ['deploying', 'deploying'], tells: ['card', 'stuck'] }],
  'is superseded broken': [
    { phases: ['deploying', 'deploying'], tells: ['card', 'stuck'] },
    { phases: ['deploying', 'broken'], tells: ['failed'] },
    { phases: ['ready', 'ready'], tells: ['card', 'ready'], isNext: true },
  ],
  'is suspended for a while': [
    { phases: ['ready', 'ready'], tells: ['card', 'ready'] },
    { phases: ['suspended', 'suspended'], tells: ['suspended'] },
    { phases: ['ready', 'ready'], tells: ['resumed'] },
  ],
  // The card alone shows it.
  'a location leaves and returns': [
    { phases: ['ready', 'ready'], tells: ['card', 'ready'] },
    { phases: ['ready', 'absent'], tells: [] },
    { phases: ['ready', 'ready'], tells: [] },
  ],
  'keeps breaking': [
    { phases: ['ready', 'ready'], tells: ['card', 'ready'] },
    { phases: ['broken', 'ready'], tells: ['unhealthy'] },
    { phases: ['ready', 'ready'], tells: ['recovered'] },
    { phases: ['broken', 'ready'], tells: ['unhealthy/2'] },
    { phases: ['ready', 'ready'], tells: ['recovered/2'] },
    { phases: ['broken', 'ready'], tells: ['unhealthy/3'] },
    { phases: ['ready', 'ready'], tells: ['recovered/3'] },
  ],
} satisfies Readonly<Record<string, readonly Step[]>>;
export type PlanName = keyof typeof PLANS;

export const LOCATIONS = ['frankfurt', 'oregon', 'tokyo', 'sydney', 'ohio'] as const;

const STATUSES = {
  ready,
  deploying: rolling,
  broken: (version: number) => broken(version, 'The secret db-password no longer exists.'),
  stale,
  suspended,
};

/** One deployment as the API has it (spec 2.12). */
export function reportOf(
  workload: string,
  location: string,
  version: number,
  phase: Exclude<Phase, 'absent'>,
): string {
  return JSON.stringify({
    kind: 'deployment',
    name: location,
    status: STATUSES[phase](version),
    links: [{ rel: 'workload', href: `/org/acme/gvc/any/workload/${workload}` }],
  });
}
