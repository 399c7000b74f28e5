import { play, type Shown, type PlayOptions } from '../../../src/rollouts/play.ts';
import { minuteOf, type Records } from '../../stories/watch/records.ts';
import { at, known, linesOf, until, type Story } from '../../stories/watch/story.ts';
import { STORIES } from '../../stories/watch/table.ts';
import { broadcast, post, reply, type Entry } from '../entry.ts';

const KINDS = { post, reply, broadcast };

export const LINKS = [
  { name: 'Logs ↗', template: 'https://logs.example.com/{org}/{gvc}/{workload}?from={start}' },
  { name: 'Runbook ↗', template: 'https://wiki.example.com/runbooks/{workload}' },
  { name: 'Dashboard ↗', template: 'https://dashboards.example.com/{org}/{gvc}' },
];

interface Reading extends PlayOptions {
  /** The minute of the story in which the message is read; absent: as it was posted. */
  at?: number;
}

const played = new Map<string, Shown[]>();

/**
 * One message of a story.
 * @param story a title of the table of stories, or one of the catalogue alone
 * @param message `HOW KEY`, the key without `acme/shop/`
 */
export function scene(
  id: string,
  story: string | Story,
  message: string,
  { at: minute, ...options }: Reading = {},
): Entry {
  const chosen = typeof story === 'string' ? storyOf(story) : story;
  const [how = '', key = ''] = message.split(' ');
  const kind = KINDS[how as keyof typeof KINDS];
  return kind(
    id,
    minute === undefined ? chosen.title : `${chosen.title} (minute ${minute})`,
    () => {
      const all = shownIn(chosen, options).filter(
        (one) => one.key.replace('acme/shop/', '') === key,
      );
      const [first] = all;
      if (first?.how !== how) throw new Error(`${key} of "${chosen.title}" is no ${how}`);
      const last = all.findLast((one) => minuteOf(one.at) <= (minute ?? -Infinity));
      return last ?? first;
    },
  );
}

function shownIn(story: Story, options: PlayOptions): Shown[] {
  const all = { ...story.options, ...options };
  const name = JSON.stringify([story.of, story.title, all]);
  const shown = played.get(name) ?? play(linesOf(story), all);
  played.set(name, shown);
  return shown;
}

function storyOf(title: string): Story {
  const found = STORIES.find((story) => story.title === title);
  if (found === undefined) throw new Error(`no story "${title}"`);
  return found;
}

/** A story of the catalogue alone: these records half an hour before it, then each list from its minute on. */
export function storyFrom(
  title: string,
  before: readonly Records[],
  ...then: readonly (readonly [minute: number, ...records: readonly Records[]])[]
): Story {
  const last = then.at(-1)?.[0] ?? 0;
  const polls = [
    ...(before.length === 0 ? [] : [known(...before)]),
    ...then.map(([minute, ...records]) => at(minute, ...records)),
    until(last + 15),
  ];
  return { of: 'catalogue', title, polls, messages: [] };
}
