import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { PlatformState, StoryState } from './control.ts';
import { Mails } from './mails.tsx';
import type { Send } from './use-platform.ts';

type Target = {
  readonly org: string;
  readonly gvc: string;
  readonly workload: string;
  readonly location?: string;
};

type Props = {
  readonly state: PlatformState;
  /** Absent: the GVC has no workloads. */
  readonly target: Target | undefined;
  /** Rollouts of cron workloads have no story. */
  readonly isCron: boolean;
  /** The latest answer of the platform. */
  readonly said: string;
  readonly send: Send;
};

/** The causes of the menu; every other story has a button of its own. */
const CAUSES = ['image-pull', 'oom', 'missing-secret', 'exec-format', 'probe', 'crash-loop'];
/** The first stories; all others are behind "More". */
const GROUPS = [
  {
    title: 'A version rolls out',
    says: 'A card follows it through all locations.',
    stories: ['ready', 'superseded'],
  },
  {
    title: 'Rollout gets stuck',
    says: 'The card says why, and what to do next.',
    stories: ['hang', 'held'],
    fails: true,
  },
  {
    title: 'A location goes silent',
    says: 'One message for all its workloads.',
    stories: ['location-stale', 'location-fails'],
  },
] as const;

/** Changes of the bill: the path of the control, and its body. Without a name it is the newest invoice. */
const BILL = [
  ['Spend alert fires', 'alert/fire', {}],
  ['An invoice arrives', 'invoices/issue', {}],
  ['Its payment fails', 'invoices/status', { status: 'payment-failed' }],
  ['It is paid', 'invoices/status', { status: 'paid' }],
] as const;

/** Things to see: each button plays one, and one line says what will happen and when. */
export function Stories({ state, target, isCron, said, send }: Props) {
  const [more, setMore] = useState(false);
  const play = (name: string): void => void send('story', { name, ...target });
  const fits = (story: StoryState): boolean => !isCron || story.of !== 'workload';
  const stories = target === undefined ? [] : state.stories.filter(fits);
  const shown: readonly string[] = [...CAUSES, ...GROUPS.flatMap((group) => group.stories)];
  const button = ({ name, label }: StoryState) => (
    <button key={name} type="button" class="button small" onClick={() => play(name)}>
      {label}
    </button>
  );
  return (
    <section class="stories" aria-label="Stories">
      <h3>Stories</h3>
      {target === undefined && <p class="muted">This GVC has no workloads.</p>}
      {GROUPS.map(({ title, says, stories: names, ...group }) => (
        <Group key={title} title={title} says={says}>
          {'fails' in group && stories.length > 0 && !isCron && (
            <Failing stories={stories} play={play} />
          )}
          {names.flatMap((name) => stories.filter((story) => story.name === name)).map(button)}
        </Group>
      ))}
      <Group title="The bill changes" says="#billing gets a message.">
        {BILL.map(([words, path, body]) => (
          <button
            key={words}
            type="button"
            class="button small"
            disabled={path === 'alert/fire' && state.accounts[0]?.alert === undefined}
            onClick={() => void send(path, body)}
          >
            {words}
          </button>
        ))}
      </Group>
      <p class="said" role="status">
        {withCommands(said)}
      </p>
      <button
        type="button"
        class="button small"
        aria-expanded={more}
        onClick={() => setMore(!more)}
      >
        More
      </button>
      {more && (
        <div class="levers">
          {stories.filter(({ name }) => !shown.includes(name)).map(button)}
          <Mails emails={state.emails} />
        </div>
      )}
    </section>
  );
}

type GroupProps = {
  readonly title: string;
  readonly says: string;
  readonly children: ComponentChildren;
};

function Group({ title, says, children }: GroupProps) {
  return (
    <div>
      <h4>{title}</h4>
      <p class="muted">{says}</p>
      <div class="levers">{children}</div>
    </div>
  );
}

/** Text in backticks is a command to type. */
function withCommands(said: string) {
  return said
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : <code key={part}>{part}</code>));
}

type FailingProps = {
  readonly stories: readonly StoryState[];
  readonly play: (name: string) => void;
};

/** A rollout that fails for a chosen cause. */
function Failing({ stories, play }: FailingProps) {
  const [cause, setCause] = useState('image-pull');
  return (
    <>
      <button type="button" class="button small danger" onClick={() => play(cause)}>
        Rollout fails
      </button>
      <select
        aria-label="Cause"
        value={cause}
        onChange={(event) => setCause(event.currentTarget.value)}
      >
        {stories
          .filter(({ name }) => CAUSES.includes(name))
          .map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
      </select>
    </>
  );
}
