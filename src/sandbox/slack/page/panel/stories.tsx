import { useState } from 'preact/hooks';

import type { StoryState } from './control.ts';
import type { Send } from './use-platform.ts';

type Target = {
  readonly org: string;
  readonly gvc: string;
  readonly workload: string;
  readonly location?: string;
};

type Props = {
  readonly stories: readonly StoryState[];
  readonly target: Target;
  /** Rollouts of cron workloads have nothing to tell. */
  readonly isCron: boolean;
  /** What the platform said last. */
  readonly said: string;
  readonly send: Send;
};

/** The causes of the menu; every other story has a button of its own. */
const CAUSES = ['image-pull', 'oom', 'missing-secret', 'exec-format', 'probe', 'crash-loop'];
const GROUPS = ['workload', 'location', 'gvc', 'platform'] as const;

/** Things to see: each button plays one, and one line says what will happen and when. */
export function Stories({ stories, target, isCron, said, send }: Props) {
  const play = (name: string): void => void send('story', { name, ...target });
  const causes = CAUSES.flatMap((cause) => stories.filter(({ name }) => name === cause));
  return (
    <section aria-label="Stories">
      <h3>
        Stories
        <small>{targetWords(target)}</small>
      </h3>
      {!isCron && <Rollouts causes={causes} play={play} />}
      <dl class="stories">
        {GROUPS.filter((group) => !(isCron && group === 'workload')).map((group) => (
          <div key={group}>
            <dt>{titles[group]}</dt>
            <dd class="levers">
              {stories
                .filter(({ of, name }) => of === group && name !== 'ready')
                .filter((story) => !causes.includes(story))
                .map(({ name, label }) => (
                  <button key={name} type="button" class="button small" onClick={() => play(name)}>
                    {label}
                  </button>
                ))}
            </dd>
          </div>
        ))}
      </dl>
      <p class="said" role="status">
        {withCommands(said)}
      </p>
    </section>
  );
}

/** What stands in backticks is a command to type. */
function withCommands(said: string) {
  return said
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : <code key={part}>{part}</code>));
}

const titles = { workload: 'Workload', location: 'Location', gvc: 'GVC', platform: 'Platform' };

function targetWords({ gvc, workload, location }: Target): string {
  return `${gvc}/${workload} in ${location ?? 'all locations'}`;
}

type RolloutProps = {
  readonly causes: readonly StoryState[];
  readonly play: (name: string) => void;
};

/** A rollout that becomes ready, and one that fails for a chosen cause. */
function Rollouts({ causes, play }: RolloutProps) {
  const [cause, setCause] = useState('image-pull');
  return (
    <>
      <button type="button" class="button solid primary wide" onClick={() => play('ready')}>
        Start a rollout
      </button>
      <div class="levers">
        <button type="button" class="button small danger" onClick={() => play(cause)}>
          Start one that fails
        </button>
        <select
          aria-label="Cause"
          value={cause}
          onChange={(event) => setCause(event.currentTarget.value)}
        >
          {causes.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}
