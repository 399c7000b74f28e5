import type { Outcome, WorkloadType } from '../deployments/model.ts';
import type { Simulator } from '../deployments/simulator.ts';
import type { Faults } from '../faults.ts';

/** Where a story is to happen. A story about one location takes one of its own without `location`. */
export interface Target {
  readonly org: string;
  readonly gvc: string;
  readonly workload: string;
  readonly location?: string;
}

/** The description of a story. */
interface Stage {
  readonly simulator: Simulator;
  readonly faults: Faults;
  readonly target: Target;
  /** The locations of the workload. */
  readonly locations: readonly string[];
  /** Does something later, in real seconds. */
  readonly later: (seconds: number, step: () => void) => void;
}

export interface Story {
  readonly label: string;
  /** The place that it happens to. */
  readonly of: 'workload' | 'location' | 'gvc' | 'platform';
  /** Answers with one line: what will happen, and when; commands to type are in backticks. */
  play(stage: Stage): string;
}

/** Commands are about it unless they name another. */
const DEMO_ORG = 'acme';
const ROLLOUT_SECONDS = 20;
/** Long enough to type a command. */
const TYPING_SECONDS = 15;

/** Every story by its name. */
export const STORIES: Readonly<Record<string, Story>> = {
  ready: workload('Rollout becomes ready', (stage) => roll(stage, 'ready', 'ready')),
  oom: failing('Out of memory', 'oom'),
  'image-pull': failing('Image pull', 'image-pull'),
  'missing-secret': failing('Missing secret', 'missing-secret'),
  'exec-format': failing('Wrong architecture', 'exec-format'),
  probe: failing('Failing probe', 'probe'),
  'crash-loop': failing('Crash loop', 'crash-loop'),
  hang: workload('Rollout gets stuck', (stage) => {
    const { name, where } = started(stage, 'hang');
    return `${name}: deploying for good in ${where}; stuck after ten minutes of the watch`;
  }),
  held: workload('Rollout waits for a secret', (stage) => {
    const { name, where } = started(stage, 'held-secret');
    return `${name}: a secret is missing in ${where}, and it goes on trying; stuck after three minutes of the watch`;
  }),
  lag: workload('One location keeps its version', (stage) => {
    const { name, where } = started(oneLocation(stage), 'lag');
    return `${name}: ready except in ${where}, which keeps its version; stuck after ten minutes of the watch`;
  }),
  behind: workload('One location is late', (stage) => {
    const { simulator, target, later } = oneLocation(stage);
    simulator.stale({ ...target, stale: true, overdue: false });
    const { name } = started({ ...stage, target: everywhere(target) }, 'ready');
    later(2 * ROLLOUT_SECONDS, () => simulator.stale({ ...target, stale: false }));
    return `${name}: has not reached ${target.location} yet, and does in ${2 * ROLLOUT_SECONDS} s`;
  }),
  diverge: workload('One location is ahead', (stage) => {
    const { simulator, target } = oneLocation(stage);
    simulator.diverge({ ...target, diverged: true });
    return `${target.workload}: ${target.location} is ahead of its version; a remark on its card after ten minutes of the watch`;
  }),
  superseded: workload('A newer version overtakes it', (stage) => {
    const { name } = started(stage, 'ready');
    stage.later(8, () => started(stage, 'ready'));
    return `${name}: a newer version overtakes it in 8 s and is ready ${ROLLOUT_SECONDS} s later`;
  }),
  flapping: workload('Workload comes and goes', ({ simulator, target }) => {
    simulator.sicken({ ...target, times: 3, seconds: 25 });
    return `${target.workload}: not ready 3 times within three minutes in ${place(target)}; the third call says that it flaps`;
  }),
  suspended: workload('Workload is suspended', ({ simulator, target, later }) => {
    simulator.suspend({ ...target, suspend: true });
    later(40, () => simulator.suspend({ ...target, suspend: false }));
    return `${target.workload}: suspended in ${place(target)} now, resumed in 40 s`;
  }),
  zero: workload('Workload is scaled to 0', ({ simulator, target, later }) => {
    const replicas = simulator.select(target)[0]?.workload.replicas ?? 1;
    simulator.scale({ ...target, replicas: 0 });
    later(10, () => simulator.scale({ ...target, replicas: Math.max(1, replicas) }));
    return `${target.workload}: scaled to zero now, back in 10 s; neither is news`;
  }),
  vanished: workload('Workload is not listed', ({ simulator, target }) => {
    simulator.vanish({ ...target, vanished: true, seconds: 15 });
    return `${target.workload}: not listed in ${place(target)} for 15 s; its card says so`;
  }),
  muted: workload('Rollout in a muted channel', (stage) => {
    stage.later(TYPING_SECONDS, () => started(stage, 'ready'));
    return `Type \`/deployments mute 5m\` now: ${rollsOutSoon(stage)}. Later type \`/deployments mute off\``;
  }),
  quiet: workload('Rollout in a quiet watch', (stage) => {
    const { gvc, workload } = stage.target;
    const what = `${gvc}/${workload}${inOrg(stage.target)}`;
    stage.later(TYPING_SECONDS, () => started(stage, 'ready'));
    return `Type \`/deployments watch ${what} in #approvals quiet\`: ${rollsOutSoon(stage)}`;
  }),
  'location-stale': {
    label: 'A location goes silent',
    of: 'location',
    play(stage) {
      const { simulator, target, later } = oneLocation(stage);
      const all = { org: target.org, gvc: target.gvc, location: target.location };
      simulator.stale({ ...all, stale: true });
      later(30, () => simulator.stale({ ...all, stale: false }));
      return `${target.location}: stale for every workload now, back in 30 s`;
    },
  },
  'location-fails': {
    label: 'A location fails',
    of: 'location',
    play(stage) {
      const { simulator, target } = oneLocation(stage);
      const all = { org: target.org, gvc: target.gvc, location: target.location };
      simulator.sicken({ ...all, seconds: 30 });
      return `${target.location}: every workload unhealthy now, well in 30 s`;
    },
  },
  reroll: {
    label: 'All workloads roll again',
    of: 'gvc',
    play({ simulator, target }) {
      const { version } = simulator.rerollGvc(target);
      return `${target.gvc}: every workload rolls again under GVC version ${version}, ready in 20 s`;
    },
  },
  adopted: {
    label: 'A new watch finds trouble',
    of: 'gvc',
    play({ simulator, target }) {
      const { org, gvc } = target;
      const workload = inGvc(simulator, target, (type) => type !== 'cron');
      if (workload === undefined) return `${gvc}: none of its workloads has rollouts`;
      simulator.sicken({ org, gvc, workload, seconds: 45 });
      return `${workload} is ill for 45 s; the first \`/deployments watch ${gvc}${inOrg(target)}\` lists it without a call; its end is posted`;
    },
  },
  'job-fails': {
    label: 'A cron run fails',
    of: 'gvc',
    play(stage) {
      const { simulator, target } = oneLocation(stage);
      const { org, gvc, location } = target;
      const workload = inGvc(simulator, target, (type) => type === 'cron');
      if (workload === undefined) return `${gvc}: it has no cron workload; shop and data do`;
      simulator.addExecution({ org, gvc, workload, location, status: 'failed' });
      return `${workload}: one run failed in ${location} now`;
    },
  },
  'gvc-empty': {
    label: 'A list is suddenly empty',
    of: 'gvc',
    play({ simulator, target: { org, gvc } }) {
      simulator.vanish({ org, gvc, vanished: true });
      return `${gvc}: its list is empty now; only #ops gets a message, because its workloads are still there`;
    },
  },
  'gvc-back': {
    label: 'The list is back',
    of: 'gvc',
    play({ simulator, target: { org, gvc } }) {
      simulator.vanish({ org, gvc, vanished: false });
      return `${gvc}: all that was not listed is listed again`;
    },
  },
  'gvc-deleted': {
    label: 'A GVC is deleted',
    of: 'gvc',
    play({ simulator, target: { org, gvc } }) {
      const workloads = new Set(simulator.list({ org, gvc }).map(({ workload }) => workload.name));
      for (const workload of workloads) simulator.remove({ org, gvc, workload });
      return `${gvc}: its workloads are deleted; a message for each says so after three minutes of the watch`;
    },
  },
  outage: {
    label: 'The platform is down',
    of: 'platform',
    play({ faults }) {
      faults.replace([{ path: '/workload/', status: 503, seconds: 30 }]);
      return 'The deployments API: 503 on every call for 30 s, then back; #ops gets a message';
    },
  },
};

function workload(label: string, play: Story['play']): Story {
  return { label, of: 'workload', play };
}

function failing(label: string, outcome: Outcome): Story {
  return workload(label, (stage) => roll(stage, outcome, 'failed'));
}

function roll(stage: Stage, outcome: Outcome, word: string): string {
  const { name, where } = started(stage, outcome);
  return `${name}: ${word} in ${where} within ${ROLLOUT_SECONDS} s`;
}

function started({ simulator, target }: Stage, outcome: Outcome) {
  const { version } = simulator.rollout({ ...target, outcome, seconds: ROLLOUT_SECONDS });
  return { name: `${target.workload} v${version}`, where: place(target) };
}

function rollsOutSoon({ target }: Stage): string {
  return `${target.workload} rolls out in ${TYPING_SECONDS} s`;
}

/** How a command names the org, which the demo's default one needs not. */
function inOrg({ org }: Target): string {
  return org === DEMO_ORG ? '' : ` org ${org}`;
}

function everywhere({ org, gvc, workload }: Target): Target {
  return { org, gvc, workload };
}

/** The chosen workload if its type fits, else the first of its GVC that does. */
function inGvc(
  simulator: Simulator,
  { org, gvc, workload }: Target,
  fits: (type: WorkloadType) => boolean,
): string | undefined {
  const names = simulator
    .list({ org, gvc })
    .filter((listed) => fits(listed.workload.type))
    .map((listed) => listed.workload.name);
  return names.includes(workload) ? workload : names[0];
}

function place({ location }: Target): string {
  return location ?? 'all locations';
}

/** The same story in one location: the chosen one, or the last. */
function oneLocation(stage: Stage): Stage & { target: { location: string } } {
  const location = stage.target.location ?? stage.locations.at(-1) ?? '';
  return { ...stage, target: { ...stage.target, location } };
}
