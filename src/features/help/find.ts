import { truncate } from '../../lib/text.ts';
import { nearest } from '../../lib/words.ts';
import { context, lines, section } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, CommandHelp } from '../../slack/routing/routes.ts';
import type { QuickTask } from '../tasks.ts';

type Usage = CommandHelp['usages'][number] & { readonly command: string };

/** A place that no command stands for. */
const HOME: Usage = {
  command: '',
  text: '',
  does: '',
  wish: 'home tab app overview dashboard start me mine my roles requests spend watches',
};
const HOME_LINE = mrkdwn`Open *Purser under Apps, Home*: what waits for you, at a glance`;

interface Found {
  /** The corrected words, when none of the typed ones is known. */
  readonly instead?: string;
  readonly usages: readonly Usage[];
}

/** Of a question; each one is compared with every known word. */
const MAX_WORDS = 20;

/** Too common to search for. */
const EMPTY_WORDS: ReadonlySet<string> = new Set([
  'tell',
  ...`the and for from with without are was its you our not does did how what where when which who why
  can could has there here this that these those any all one some please want see show give get
  have use off them much many`.split(/\s+/),
]);

/**
 * A word matches where a known one begins with it, or is another form ("invoice",
 * "invoices"). Undefined: no match. Pure.
 */
export function find(text: string, commands: readonly CommandHelp[]): Found | undefined {
  const all = commands.flatMap(({ command, usages }) => usages.map((one) => ({ ...one, command })));
  const known = [HOME, ...all].map((usage) => ({
    usage,
    words: wordsIn(`${usage.text} ${usage.does} ${usage.wish ?? ''}`),
  }));
  const search = (asked: readonly string[]): Usage[] => {
    const scored = known.map(({ usage, words }) => ({
      usage,
      score: asked.filter((word) => words.some((one) => isAlike(one, word))).length,
    }));
    const most = Math.max(1, ...scored.map(({ score }) => score));
    return scored.filter(({ score }) => score === most).map(({ usage }) => usage);
  };
  const asked = wordsIn(text).slice(0, MAX_WORDS);
  const found = search(asked);
  if (found.length > 0) return { usages: found };
  const words = [...new Set(known.flatMap((one) => one.words))];
  const instead = asked.flatMap((word) => nearest(word, words) ?? []);
  const near = search(instead);
  return near.length > 0 ? { usages: near, instead: instead.join(' ') } : undefined;
}

/** A word this short only matches other forms: "add" is no beginning of "address". */
const SHORT = 3;
const ENDING = 3;

function isAlike(known: string, asked: string): boolean {
  if (known.length > asked.length && asked.length > SHORT) return known.startsWith(asked);
  const [short, long] = known.length < asked.length ? [known, asked] : [asked, known];
  return long.startsWith(short) && long.length - short.length <= ENDING;
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

/** By command, why it is off here, as a sentence; undefined: it is on. */
export type Off = Readonly<Record<string, string | undefined>>;

const MAX_USAGES = 8;

const INTRO = mrkdwn`*Purser* answers questions about costs and deployments, and posts rollouts to channels.`;
const HOW = mrkdwn`Commands work after @Purser and in direct messages, too. ${code('/charges help')} shows all that /charges takes.`;

/**
 * The answer to `/purser help`: at most five buttons, one opens all commands (design section 3). Pure.
 * @param access.refusal why Purser answers the person nothing
 * @param unknown a search without a result
 */
export function overview(
  commands: readonly CommandHelp[],
  access: { readonly tasks: readonly QuickTask[]; readonly refusal?: string },
  unknown: string | undefined,
): Answer {
  const { tasks, refusal } = access;
  const title =
    unknown === undefined ? INTRO : mrkdwn`Nothing here is about *${truncate(unknown, 60)}*.`;
  return {
    blocks: [
      section(refusal === undefined ? title : mrkdwn`${refusal}`),
      ...tasks.map(({ wish, button }) => section(mrkdwn`*${wish}*`, button)),
      ...(refusal === undefined ? [context(HOW)] : []),
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
export function foundAnswer(typed: string, { instead, usages }: Found, off: Off): Answer {
  const title =
    instead === undefined
      ? mrkdwn`Commands for *${truncate(typed, 60)}*`
      : mrkdwn`Nothing here is about *${truncate(typed, 60)}*. Commands for *${instead}*`;
  const shown = usages.slice(0, MAX_USAGES);
  const reasons = new Set(shown.flatMap(({ command }) => off[command] ?? []));
  const commands = new Set(usages.map(({ command }) => command));
  const helps = [...commands]
    .filter((command) => command !== '/purser' && command !== HOME.command)
    .map((command) => code(`${command} help`));
  const lineOf = (usage: Usage): Mrkdwn => {
    const { command, text, example = text, does } = usage;
    if (usage === HOME) return HOME_LINE;
    return mrkdwn`${code(example)} ${does}${off[command] === undefined ? '' : ' (off here)'}`;
  };
  return {
    blocks: [
      section(title),
      lines(shown.map(lineOf)),
      ...(reasons.size === 0 ? [] : [context(...[...reasons].map((reason) => mrkdwn`${reason}`))]),
      ...(helps.length === 0 ? [] : [context(mrkdwn`In full: ${joinMrkdwn(helps, ' ')}`)]),
    ],
  };
}
