import type { KnownBlock } from '@slack/types';
import type { UsageError } from '../../lib/errors.ts';
import { context, lines, section, topText } from '../kit/blocks.ts';
import { code, mrkdwn } from '../kit/text.ts';
import type { Mrkdwn } from '../kit/text.ts';
import type { Answer, CommandHelp } from '../routing/routes.ts';

/** What `/x help` answers. */
export function helpAnswer(help: CommandHelp): Answer {
  const title = mrkdwn`*${help.command}* – ${help.summary}`;
  return {
    text: topText(title),
    blocks: [section(title), ...usageBlocks(help)],
  };
}

/**
 * What something unreadable is answered with: what is wrong, the nearest match, usage, an example.
 * Of a command with subcommands only what begins as the error says, where there is any of it.
 */
export function unreadableAnswer(help: CommandHelp, error: UsageError): Answer {
  const problem =
    error.suggestion === undefined
      ? mrkdwn`:warning: ${error.message}`
      : mrkdwn`:warning: ${error.message} Did you mean ${code(error.suggestion)}?`;
  return {
    text: topText(problem),
    blocks: [section(problem), ...usageBlocks(partOf(help, error.usage))],
  };
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
