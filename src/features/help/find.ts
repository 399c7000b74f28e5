import { nearest } from '../../lib/text.ts';
import type { CommandHelp } from '../../slack/routing/routes.ts';
import { MONEY_TASKS } from './money-tasks.ts';
import type { Place, Task, TaskGroup } from './task.ts';
import { WORK_TASKS } from './work-tasks.ts';

/** What people come with, in the order in which they mostly do (design section 3). */
export const TASK_GROUPS: readonly TaskGroup[] = [...MONEY_TASKS, ...WORK_TASKS];

export const PLACES: readonly Place[] = [
  {
    place: 'Purser under Apps, Home',
    wish: 'what waits for you, at one look',
    words: 'home tab app overview dashboard start me mine my roles requests spend watches',
  },
];

export interface Found {
  /** The word that the rest was found by, where none of those that were typed is known. */
  readonly instead: string | undefined;
  /** Best first. */
  readonly tasks: readonly (Task | Place)[];
  /** Ways of writing a command, as its help has them. */
  readonly usages: readonly CommandHelp['usages'][number][];
  /** Commands that have to do with it and have a help of their own words. */
  readonly commands: readonly string[];
}

/** Words that stand everywhere and mean nothing in a search. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `the and for from with without are was its you our not does did how what where when which who why
  can could has there here this that these those any all one some please want see show tell give get
  have use off them much many`.split(/\s+/),
);

const TASKS: readonly { task: Task | Place; words: readonly string[] }[] = [
  ...TASK_GROUPS.flatMap(({ question, tasks }) =>
    tasks.map((task) => ({ task, words: wordsIn(`${question} ${textOf(task)}`) })),
  ),
  ...PLACES.map((task) => ({ task, words: wordsIn(textOf(task)) })),
];

/**
 * Looks for what people may mean by these words: tasks, and ways of writing a command. A word counts
 * where a known one begins with it, or is another form of it ("invoice", "invoices"). Undefined: nothing
 * fits. Pure.
 */
export function find(text: string, commands: readonly CommandHelp[]): Found | undefined {
  const asked = wordsIn(text);
  const found = search(asked, commands);
  if (found !== undefined) return found;
  const known = [...new Set(TASKS.flatMap(({ words }) => words))];
  const meant = asked.flatMap((word) => nearest(word, known) ?? []);
  const near = search(meant, commands);
  return near && { ...near, instead: meant.join(' ') };
}

function search(asked: readonly string[], commands: readonly CommandHelp[]): Found | undefined {
  const tasks = best(
    asked,
    TASKS.map(({ task, words }) => ({ item: task, words })),
  );
  const usages = best(
    asked,
    commands.flatMap(({ usages: all }) =>
      all.map((usage) => ({ item: usage, words: wordsIn(`${usage.text} ${usage.does}`) })),
    ),
  );
  if (tasks.length === 0 && usages.length === 0) return undefined;
  const typed = [
    ...tasks.flatMap((task) => ('command' in task ? task.command : [])),
    ...usages.map((usage) => usage.text),
  ];
  return {
    instead: undefined,
    tasks,
    usages,
    commands: [...new Set(typed.map((one) => one.split(' ')[0] ?? ''))].filter(
      (command) => command !== '/purser',
    ),
  };
}

/** What has most of the words, of what has any; in the order in which it came. */
function best<Item>(
  asked: readonly string[],
  all: readonly { item: Item; words: readonly string[] }[],
): Item[] {
  const scored = all.map(({ item, words }) => ({
    item,
    score: asked.filter((word) => words.some((one) => isAlike(one, word))).length,
  }));
  const most = Math.max(0, ...scored.map(({ score }) => score));
  return most === 0 ? [] : scored.filter(({ score }) => score === most).map(({ item }) => item);
}

/** Of a word so short only other forms are meant by it: "add" is no beginning of "address". */
const SHORT = 3;
const ENDING = 3;

function isAlike(known: string, asked: string): boolean {
  if (known.length > asked.length && asked.length > SHORT) return known.startsWith(asked);
  const [short, long] = known.length < asked.length ? [known, asked] : [asked, known];
  return long.startsWith(short) && long.length - short.length <= ENDING;
}

function textOf(task: Task | Place): string {
  const { wish, words = '' } = task;
  return `${'command' in task ? task.command : task.place} ${wish} ${words}`;
}

/** In lower case, without what means nothing. */
function wordsIn(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll('e-mail', 'email mail')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 2 && !EMPTY_WORDS.has(word));
}

/** Whether there is nothing to look for in what was typed ("how do I?"). */
export function meansNothing(text: string): boolean {
  return /^[\p{L}\p{P}\s]*$/u.test(text) && wordsIn(text).length === 0;
}
