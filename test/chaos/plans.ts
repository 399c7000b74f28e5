import { broken, ready, rolling, stale, suspended } from '../unit/rollouts/platform-json.ts';

/** The state of a deployment at one location, as the platform reports it. */
type Phase = keyof typeof STATUSES | 'absent';

/** One transition: how the locations are from now on, and which keys it makes news. */
export interface Step {
  /** Of the first location, and all others but the second; and of the second. */
  readonly phases: readonly [Phase, Phase];
  /** By design section 4; the part of the key behind `org/gvc/workload/<E>/`. */
  readonly trigger: readonly string[];
  /** A newer version brings it. */
  readonly isNext?: true;
}

/**
 * Plans for one version of a workload that was in place before, with the messages that design section 4
 * posts about it. No plan knows anything of the code that it tests. Each state is held for longer than
 * any span of the watch, so a deploying one is stuck, and a broken one is a call.
 */
export const PLANS = {
  'location by location': [
    { phases: ['deploying', 'deploying'], trigger: ['card', 'stuck'] },
    { phases: ['ready', 'deploying'], trigger: [] },
    { phases: ['ready', 'ready'], trigger: ['ready'] },
  ],
  'fails, then comes up': [
    { phases: ['deploying', 'deploying'], trigger: ['card', 'stuck'] },
    { phases: ['broken', 'deploying'], trigger: ['failed'] },
    // From a partial outage to an outage: a higher level always calls.
    { phases: ['broken', 'broken'], trigger: ['failed/2'] },
    // `ready` ends the trouble itself.
    { phases: ['ready', 'ready'], trigger: ['ready'] },
  ],
  'breaks later': [
    { phases: ['ready', 'ready'], trigger: ['card', 'ready'] },
    { phases: ['broken', 'ready'], trigger: ['unhealthy'] },
    { phases: ['ready', 'ready'], trigger: ['recovered'] },
  ],
  'is not heard of': [
    { phases: ['deploying', 'deploying'], trigger: ['card', 'stuck'] },
    { phases: ['ready', 'ready'], trigger: ['ready'] },
    { phases: ['stale', 'ready'], trigger: ['stale'] },
    { phases: ['ready', 'ready'], trigger: ['recovered'] },
  ],
  'is superseded under way': [{ phases: ['deploying', 'deploying'], trigger: ['card', 'stuck'] }],
  'is superseded broken': [
    { phases: ['deploying', 'deploying'], trigger: ['card', 'stuck'] },
    { phases: ['deploying', 'broken'], trigger: ['failed'] },
    { phases: ['ready', 'ready'], trigger: ['card', 'ready'], isNext: true },
  ],
  'is suspended for a while': [
    { phases: ['ready', 'ready'], trigger: ['card', 'ready'] },
    { phases: ['suspended', 'suspended'], trigger: ['suspended'] },
    { phases: ['ready', 'ready'], trigger: ['resumed'] },
  ],
  // The card alone shows it.
  'a location leaves and returns': [
    { phases: ['ready', 'ready'], trigger: ['card', 'ready'] },
    { phases: ['ready', 'absent'], trigger: [] },
    { phases: ['ready', 'ready'], trigger: [] },
  ],
  'keeps breaking': [
    { phases: ['ready', 'ready'], trigger: ['card', 'ready'] },
    { phases: ['broken', 'ready'], trigger: ['unhealthy'] },
    { phases: ['ready', 'ready'], trigger: ['recovered'] },
    { phases: ['broken', 'ready'], trigger: ['unhealthy/2'] },
    { phases: ['ready', 'ready'], trigger: ['recovered/2'] },
    { phases: ['broken', 'ready'], trigger: ['unhealthy/3'] },
    { phases: ['ready', 'ready'], trigger: ['recovered/3'] },
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
