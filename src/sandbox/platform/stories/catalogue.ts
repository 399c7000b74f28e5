import type { Outcome } from '../deployments/model.ts';
import type { Simulator } from '../deployments/simulator.ts';
import type { Faults } from '../faults.ts';

/** Where a story is to happen. A story about one location takes one of its own without `location`. */
export interface Target {
  readonly org: string;
  readonly gvc: string;
  readonly workload: string;
  readonly location?: string;
}

/** What a story is told with. */
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
  /** What it happens to. */
  readonly of: 'workload' | 'location' | 'gvc' | 'platform';
  /** Answers with one line: what will happen, and when. */
  play(stage: Stage): string;
}

const ROLLOUT_SECONDS = 20;

/** Every story by its name. */
export const STORIES: Readonly<Record<string, Story>> = {
  ready: workload('Becomes ready', (stage) => roll(stage, 'ready', 'ready')),
  oom: failing('Out of memory', 'oom'),
  'image-pull': failing('Image pull', 'image-pull'),
  'missing-secret': failing('Missing secret', 'missing-secret'),
  'exec-format': failing('Wrong architecture', 'exec-format'),
  probe: failing('Failing probe', 'probe'),
  'crash-loop': failing('Crash loop', 'crash-loop'),
  hang: workload('Never ready', (stage) => {
    const { name, where } = started(stage, 'hang');
    return `${name}: deploying in ${where} for good; lagging after 10 min`;
  }),
  lag: workload('Lags', (stage) => {
    const { name, where } = started(oneLocation(stage), 'lag');
    return `${name}: ready but in ${where}, which keeps its version; lagging after 10 min`;
  }),
  diverge: workload('Diverges', (stage) => {
    const { simulator, target } = oneLocation(stage);
    simulator.diverge({ ...target, diverged: true });
    return `${target.workload}: ${target.location} is ahead of its version; said in a card’s thread after 10 min`;
  }),
  superseded: workload('Overtaken', (stage) => {
    const { name } = started(stage, 'ready');
    stage.later(8, () => started(stage, 'ready'));
    return `${name}: a newer version overtakes it in 8 s and is ready 20 s later`;
  }),
  flapping: workload('Flaps', ({ simulator, target }) => {
    simulator.sicken({ ...target, times: 3, seconds: 12 });
    return `${target.workload}: not ready three times in the next minute, in ${place(target)}`;
  }),
  suspended: workload('Suspended', ({ simulator, target, later }) => {
    simulator.suspend({ ...target, suspend: true });
    later(20, () => simulator.suspend({ ...target, suspend: false }));
    return `${target.workload}: suspended in ${place(target)} now, resumed in 20 s; said in a card’s thread`;
  }),
  zero: workload('Scaled to 0', ({ simulator, target, later }) => {
    const replicas = simulator.select(target)[0]?.workload.replicas ?? 1;
    simulator.scale({ ...target, replicas: 0 });
    later(20, () => simulator.scale({ ...target, replicas: Math.max(1, replicas) }));
    return `${target.workload}: scaled to zero now, back in 20 s`;
  }),
  vanished: workload('Vanishes', ({ simulator, target }) => {
    simulator.vanish({ ...target, vanished: true, seconds: 15 });
    return `${target.workload}: out of the list in ${place(target)} for 15 s`;
  }),
  'location-stale': {
    label: 'Goes stale',
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
    label: 'Fails',
    of: 'location',
    play(stage) {
      const { simulator, target } = oneLocation(stage);
      const all = { org: target.org, gvc: target.gvc, location: target.location };
      simulator.sicken({ ...all, seconds: 30 });
      return `${target.location}: every workload unhealthy now, well in 30 s`;
    },
  },
  reroll: {
    label: 'Re-rolls',
    of: 'gvc',
    play({ simulator, target }) {
      const { version } = simulator.rerollGvc(target);
      return `${target.gvc}: every workload rolls again under GVC version ${version}, ready in 20 s`;
    },
  },
  'gvc-gone': {
    label: 'Is gone',
    of: 'gvc',
    play({ simulator, target: { org, gvc } }) {
      simulator.vanish({ org, gvc, vanished: true });
      return `${gvc}: its list is empty now; believed after 10 min, unless it is back by then`;
    },
  },
  'gvc-back': {
    label: 'Is back',
    of: 'gvc',
    play({ simulator, target: { org, gvc } }) {
      simulator.vanish({ org, gvc, vanished: false });
      return `${gvc}: all that was gone is listed again`;
    },
  },
  outage: {
    label: 'API is down',
    of: 'platform',
    play({ faults }) {
      faults.replace([{ path: '/workload/', status: 503, seconds: 30 }]);
      return 'The deployments API: 503 on every call for 30 s, then back';
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

function place({ location }: Target): string {
  return location ?? 'all locations';
}

/** The same story in one location: the chosen one, or the last. */
function oneLocation(stage: Stage): Stage & { target: { location: string } } {
  const location = stage.target.location ?? stage.locations.at(-1) ?? '';
  return { ...stage, target: { ...stage.target, location } };
}
