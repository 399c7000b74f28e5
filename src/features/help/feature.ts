import { Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import {
  code,
  context,
  joinMrkdwn,
  lines,
  mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import { helpAnswer } from '../../slack/help-view.ts';
import type { Answer, CommandHelp } from '../../slack/routes.ts';
import type { Feature } from '../feature.ts';
import { notThereYet } from '../not-there-yet.ts';

const PURSER_HELP: CommandHelp = {
  command: '/purser',
  summary: 'What Purser can do.',
  usages: [
    { text: '/purser help', does: 'all commands' },
    { text: '/purser help COMMAND', does: 'the words of one command, and examples' },
  ],
  examples: ['/purser help', '/purser help deployments'],
};

/** Words of the manifest whose feature is not built yet. */
const LATER = new Set(['whoami', 'doctor']);

/** `/purser`. `commands`: the help of every command there is, asked when someone wants it. */
export function createHelpFeature(commands: () => readonly CommandHelp[]): Feature {
  const named = (word: string): CommandHelp | undefined =>
    commands().find(({ command }) => command === `/${word.toLowerCase().replace(/^\//, '')}`);
  return {
    name: 'help',
    commands: [
      {
        help: PURSER_HELP,
        helpOn([first]) {
          const help = first === undefined ? undefined : named(first.text);
          return help === undefined ? overview(commands()) : helpAnswer(help);
        },
        run({ words }) {
          const [first] = words;
          if (first === undefined) return Promise.resolve(overview(commands()));
          const word = first.text.toLowerCase();
          if (LATER.has(word)) {
            throw notThereYet(`/purser ${word}`, '/purser help');
          }
          const meant = named(word)?.command;
          throw new Unreadable(
            `"${truncate(first.text, 60)}" is no word of /purser.`,
            meant === undefined ? undefined : `${meant} help`,
          );
        },
      },
    ],
  };
}

/** Everything at a glance; each command explains itself. */
export function overview(commands: readonly CommandHelp[]): Answer {
  const there = commands.filter((help) => help.later !== true);
  const later = commands.filter((help) => help.later).map(({ command }) => code(command));
  const title = mrkdwn`*Purser* tells what your workloads cost and whether they are deployed, and lets two people agree on a change.`;
  return {
    text: topText(title),
    blocks: [
      section(title),
      lines(there.map(({ command, summary }) => mrkdwn`${code(command)} ${summary}`)),
      context(mrkdwn`Add ${code('help')} to any command for its words and an example.`),
      ...(later.length > 0 ? [context(mrkdwn`Not there yet: ${joinMrkdwn(later, ', ')}`)] : []),
    ],
  };
}
