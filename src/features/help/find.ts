import type { KnownBlock } from '@slack/types';
import { nearest, truncate } from '../../lib/text.ts';
import { context, lines, section } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, CommandHelp } from '../../slack/routing/routes.ts';
import type { QuickTask } from '../tasks.ts';
import {
  type Api,
  MONEY_TASKS,
  type Place,
  type Task,
  type TaskGroup,
  WORK_TASKS,
} from './tasks.ts';

/** In the order in which people mostly ask (design section 3). */
export const TASK_GROUPS: readonly TaskGroup[] = [...MONEY_TASKS, ...WORK_TASKS];

const PLACES: readonly Place[] = [
  {
    place: 'Purser under Apps, Home',
    wish: 'what waits for you, at one look',
    words: 'home tab app overview dashboard start me mine my roles requests spend watches',
  },
];

export interface Found {
  /** The corrected words, when none of the typed ones is known. */
  readonly instead: string | undefined;
  readonly tasks: readonly (Task | Place)[];
  readonly usages: readonly CommandHelp['usages'][number][];
  readonly commands: readonly string[];
}

/** Too common to search for. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `the and for from with without are was its you our not does did how what where when which who why
  can could has there here this that these those any all one some please want see show tell give get
  have use off them much many`.split(/\s+/),
);

const TASKS: readonly { task: Task | Place; words: readonly string[] }[] = [
  ...TASK_GROUPS.flatMap(({ words, tasks }) =>
    tasks.map((task) => ({ task, words: wordsIn(`${words} ${textOf(task)}`) })),
  ),
  ...PLACES.map((task) => ({ task, words: wordsIn(textOf(task)) })),
];

/**
 * A word matches where a known one begins with it, or is another form of it ("invoice",
 * "invoices"). Undefined: no match. Pure.
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

/** A word this short only matches other forms: "add" is no beginning of "address". */
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

function wordsIn(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll('e-mail', 'email mail')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 2 && !EMPTY_WORDS.has(word));
}

/** Nothing in the text can be searched for ("how do I?"). */
export function meansNothing(text: string): boolean {
  return /^[\p{L}\p{P}\s]*$/u.test(text) && wordsIn(text).length === 0;
}

/** Why an API is off here, as a sentence; undefined: it is on. */
export type Off = Readonly<Record<Api, string | undefined>>;

const MAX_TASKS = 8;
const MAX_USAGES = 6;

const INTRO = mrkdwn`*Purser* answers questions about costs and deployments, and posts rollouts to channels.`;
const HOW = mrkdwn`Commands work after @Purser and in direct messages, too. ${code('/charges help')} shows all that /charges takes.`;

/**
 * The answer to `/purser help`: at most five buttons, one opens all commands (design section 3). Pure.
 * @param unknown a search without a result
 */
export function overview(
  commands: readonly CommandHelp[],
  tasks: readonly QuickTask[],
  unknown: string | undefined,
): Answer {
  const title =
    unknown === undefined ? INTRO : mrkdwn`Nothing here is about *${truncate(unknown, 60)}*.`;
  return {
    blocks: [
      section(title),
      ...tasks.map(({ wish, button }) => section(mrkdwn`*${wish}*`, button)),
      context(HOW),
    ],
    rest: {
      button: 'All commands',
      title: 'All commands',
      blocks: [
        lines(
          commands.map(
            ({ command, summary }) =>
              mrkdwn`${code(command)} ${summary} ${code(`${command} help`)}`,
          ),
        ),
        context(mrkdwn`${code('/purser help invoice')} finds commands by a word.`),
      ],
    },
  };
}

/** The answer to `/purser help WORD`. Pure. */
export function foundAnswer(typed: string, found: Found, off: Off): Answer {
  const { instead, tasks, usages, commands } = found;
  const title =
    instead === undefined
      ? mrkdwn`Commands for *${truncate(typed, 60)}*`
      : mrkdwn`Nothing here is about *${truncate(typed, 60)}*. Commands for *${instead}*`;
  const helps = commands.map((command) => code(`${command} help`));
  const shown = tasks.slice(0, MAX_TASKS);
  const fitting =
    shown.length > 0
      ? shown.map((task) => taskLine(task, off))
      : usages.slice(0, MAX_USAGES).map(({ text, does }) => mrkdwn`${code(text)} ${does}`);
  return {
    blocks: [
      section(title),
      lines(fitting),
      ...offNotes(shown, off),
      ...(helps.length === 0 ? [] : [context(mrkdwn`In full: ${joinMrkdwn(helps, ' ')}`)]),
    ],
  };
}

function taskLine(task: Task | Place, off: Off): Mrkdwn {
  const { wish } = task;
  if ('place' in task) return mrkdwn`Open *${task.place}*: ${wish}`;
  const { command, needs } = task;
  const isOff = needs !== undefined && off[needs] !== undefined;
  return mrkdwn`${code(command)} ${wish}${isOff ? mrkdwn` (off here)` : mrkdwn``}`;
}

function offNotes(tasks: readonly (Task | Place)[], off: Off): KnownBlock[] {
  const needed = new Set(tasks.flatMap((task) => ('needs' in task ? (task.needs ?? []) : [])));
  const reasons = [...new Set([...needed].flatMap((api) => off[api] ?? []))];
  return reasons.length === 0 ? [] : [context(...reasons.map((reason) => mrkdwn`${reason}`))];
}
