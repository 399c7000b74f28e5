import type { KnownBlock } from '@slack/types';
import type { UsageError } from '../../lib/errors.ts';
import { truncate } from '../../lib/text.ts';
import { button, context, lines, section } from '../kit/blocks.ts';
import { thatFit } from '../kit/fit.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn, withCode } from '../kit/text.ts';
import type { Answer, CommandHelp } from '../routing/routes.ts';

export const RUN_ACTION = 'command.run';
export const WORDS_ACTION = 'command.words';

/** Limit of the sentence about a mistake, in characters. */
const MISTAKE = 240;

/** The answer to `/x help`. @param start shows only subcommands that begin so, if any */
export function helpAnswer(help: CommandHelp, start?: string): Answer {
  const title = mrkdwn`*${help.command}* – ${help.summary}`;
  const part = partOf(help, start);
  const first = firstUsages(part);
  if (first === part.usages) {
    return { blocks: [section(title), ...usageBlocks(part)] };
  }
  const { notes: _, ...short } = { ...part, usages: first };
  const isWhole = first.length === part.usages.length;
  return {
    blocks: [section(title), ...usageBlocks(short)],
    rest: {
      button: isWhole ? 'What the words mean' : `Show all (${part.usages.length})`,
      title: help.command,
      blocks: usageBlocks(part),
    },
  };
}

/** A short help, in lines and in characters of all texts. */
const SHORT = { lines: 10, characters: 1_200 };

/** All usages when the whole help is short; else as many as are. */
function firstUsages({ usages, notes = [], examples }: CommandHelp): CommandHelp['usages'] {
  const whole = [...usages.map(usageLine), ...notes, ...examples].join('\n');
  if (usages.length <= SHORT.lines && whole.length <= SHORT.characters) return usages;
  const room = SHORT.characters - examples.join('\n').length;
  return thatFit(usages.slice(0, SHORT.lines), (one) => usageLine(one).text.length, room);
}

/**
 * One line about a mistake: the problem, and the probable commands or an example. Its buttons run these commands, and
 * show the help.
 */
export function unreadableAnswer(help: CommandHelp, error: UsageError): Answer {
  const { message, suggestion, other, usage } = error;
  const sentence = sentenceOf(message);
  const example = exampleFor(help, error);
  const probable = [suggestion, other].filter((one) => one !== undefined);
  const shown = probable.map((one) => code(shownCommand(one), MISTAKE));
  const meant =
    shown.length === 0
      ? undefined
      : fitting(mrkdwn`${sentence} Did you mean ${joinMrkdwn(shown, ' or ')}?`);
  const line =
    meant ??
    (example === undefined
      ? fitting(sentence)
      : fitting(mrkdwn`${sentence} For example: ${code(example)}`)) ??
    mrkdwn`${truncate(message, MISTAKE)}`;
  // A suggestion that is cut is not offered to run.
  const runs = (meant === undefined ? [] : probable).map((value) =>
    button({
      action: RUN_ACTION,
      text: probable.length === 1 ? 'Run it' : shownCommand(value),
      value,
      style: 'primary',
      label: `Run ${shownCommand(value)}`,
    }),
  );
  const words = button({
    action: WORDS_ACTION,
    text: `Help for ${help.command}`,
    value: usage ?? help.command,
  });
  return { blocks: [section(line)], buttons: [...runs, words] };
}

/** An example with the missing part, preferably one that ends with these words. */
function exampleFor(help: CommandHelp, { usage, wanted }: UsageError): string | undefined {
  // The bare command would not show its missing part.
  const examples = partOf(help, usage).examples.filter((one) => one !== help.command);
  const [first] = examples;
  if (wanted === undefined || first === undefined) return first;
  return examples.find((one) => one.includes(` ${wanted}`)) ?? `${first} ${wanted}`;
}

/** Undefined without room for it. */
function fitting(line: Mrkdwn): Mrkdwn | undefined {
  return line.text.length <= MISTAKE ? line : undefined;
}

/** A command as people see it: a channel by its name, if Slack gives it. */
export function shownCommand(command: string): string {
  return command.replace(
    /<#[^<>|]*(?:\|([^<>]*))?>/g,
    (_, name: string | undefined) => `#${name || 'channel'}`,
  );
}

/** With the code of `coded`; between quotation marks is foreign text. */
function sentenceOf(message: string): Mrkdwn {
  const parts = message.split(/("[^"]*")/);
  return joinMrkdwn(
    parts.map((part, at) => (at % 2 === 1 ? mrkdwn`${part}` : withCode(part))),
    '',
  );
}

function partOf(help: CommandHelp, start: string | undefined): CommandHelp {
  if (start === undefined) return help;
  const isPart = (text: string): boolean => `${text} `.startsWith(`${start} `);
  const usages = help.usages.filter(({ text }) => isPart(text));
  if (usages.length === 0) return help;
  return { ...help, usages, examples: help.examples.filter(isPart) };
}

function usageBlocks(help: CommandHelp): KnownBlock[] {
  const { usages, notes = [] } = help;
  return [
    lines(usages.map(usageLine)),
    ...(notes.length === 0 ? [] : [context(...notes.map((note) => mrkdwn`${note}`))]),
    ...(help.examples.length === 0 ? [] : [examples(help)]),
  ];
}

function usageLine(usage: { text: string; does: string }): Mrkdwn {
  return mrkdwn`${code(usage.text)} ${usage.does}`;
}

function examples(help: CommandHelp): ReturnType<typeof context> {
  return context(
    ...help.examples.map((example, index) =>
      index === 0 ? mrkdwn`For example: ${code(example)}` : code(example),
    ),
  );
}
