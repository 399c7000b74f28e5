import { nearest } from '../../lib/nearest.ts';
import { Refusal, Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import { code, context, lines, mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { Answer, CommandHelp } from '../../slack/routes.ts';
import type { Feature } from '../feature.ts';

const PURSER_HELP: CommandHelp = {
  command: '/purser',
  summary: 'What Purser can do.',
  usages: [{ text: '/purser help', does: 'all commands, by task' }],
  examples: ['/purser help'],
};

const WORDS = ['help'] as const;
/** Words of the manifest whose feature is not built yet. */
const LATER = new Set(['whoami', 'doctor']);

/** `/purser`. `commands`: the help of every command there is, asked when someone wants it. */
export function createHelpFeature(commands: () => readonly CommandHelp[]): Feature {
  return {
    name: 'help',
    commands: [
      {
        help: PURSER_HELP,
        run({ words }) {
          const [first] = words;
          if (first === undefined) return Promise.resolve(overview(commands()));
          const word = first.text.toLowerCase();
          if (LATER.has(word)) {
            throw new Refusal(
              `/purser ${word} is not there yet: it comes with one of the next versions of Purser. Until then, /purser help shows what works.`,
            );
          }
          const named = commands().find(({ command }) => command === `/${word.replace(/^\//, '')}`);
          const meant =
            named?.command ?? (nearest(word, WORDS) === undefined ? undefined : '/purser');
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
  const title = mrkdwn`*Purser* tells what your workloads cost and whether they are deployed, and lets two people agree on a change.`;
  return {
    text: topText(title),
    blocks: [
      section(title),
      lines(
        commands.map(({ command, summary }) => mrkdwn`${code(command)} ${summary}`),
        30,
      ),
      context(mrkdwn`Add ${code('help')} to any command for its words and an example.`),
    ],
  };
}
