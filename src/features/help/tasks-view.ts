import type { KnownBlock } from '@slack/types';
import { truncate } from '../../lib/text.ts';
import { context, lines, section, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, CommandHelp } from '../../slack/routing/routes.ts';
import { type Found, PLACES, TASK_GROUPS } from './find.ts';
import type { Api, Place, Task } from './task.ts';

/** Why something is off here, as a sentence; undefined: it is there. */
export type Off = Readonly<Record<Api, string | undefined>>;

const MAX_TASKS = 8;
const MAX_USAGES = 6;

const INTRO = mrkdwn`*What do you want to know?* Names like ${code('shop')} are examples.`;

/**
 * What `/purser help` answers: what people want, and the command for it, a line each; a button opens all
 * of them (design section 3). Pure.
 * @param unknown what was looked for in vain
 */
export function overview(
  commands: readonly CommandHelp[],
  off: Off,
  unknown: string | undefined,
): Answer {
  const groups = TASK_GROUPS.map(({ question, tasks }) => ({
    question,
    tasks: tasks.filter(({ more }) => more !== true),
  }));
  const title =
    unknown === undefined
      ? INTRO
      : mrkdwn`Nothing here is about *${truncate(unknown, 60)}*. ${INTRO}`;
  const helps = joinMrkdwn(
    commands.map(({ command }) => code(command)),
    ' ',
  );
  return {
    text: topText(title),
    blocks: [
      section(title),
      lines(groups.map(({ question, tasks }) => groupLine(question, tasks, off))),
      ...offNotes(
        groups.flatMap(({ tasks }) => tasks),
        off,
      ),
      context(
        ...PLACES.map((place) => taskLine(place, off)),
        mrkdwn`${code('/purser help invoice')} finds by a word; ${code('help')} after a command shows all its words: ${helps}`,
      ),
    ],
    rest: {
      button: 'All tasks',
      title: '/purser help',
      blocks: TASK_GROUPS.map(({ question, tasks }) =>
        lines([mrkdwn`*${question}*`, ...tasks.map((task) => taskLine(task, off))]),
      ),
    },
  };
}

/** "*What does it cost?* `/charges last month` or any other span · `/usage last 7 days` quantities, no prices" */
function groupLine(question: string, tasks: readonly Task[], off: Off): Mrkdwn {
  const all = tasks.map((task) => taskLine(task, off));
  return mrkdwn`*${question}* ${joinMrkdwn(all, ' · ')}`;
}

/** What `/purser help WORD` answers. Pure. */
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
    text: topText(title),
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

/** Why something is off, for the people who can switch it on. */
function offNotes(tasks: readonly (Task | Place)[], off: Off): KnownBlock[] {
  const needed = new Set(tasks.flatMap((task) => ('needs' in task ? (task.needs ?? []) : [])));
  const reasons = [...new Set([...needed].flatMap((api) => off[api] ?? []))];
  return reasons.length === 0 ? [] : [context(...reasons.map((reason) => mrkdwn`${reason}`))];
}
