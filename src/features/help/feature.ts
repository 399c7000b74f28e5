import type { Standing } from '../../access/changes.ts';
import { Refusal, Unreadable } from '../../lib/refusal.ts';
import { nearest } from '../../lib/nearest.ts';
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
import type { Answer, CommandHelp, Person } from '../../slack/routes.ts';
import type { Feature } from '../feature.ts';
import { notThereYet } from '../not-there-yet.ts';
import { whoamiAnswer } from './whoami-view.ts';

export interface HelpFeatureDeps {
  /** The help of every command there is, asked when someone wants it. */
  readonly commands: () => readonly CommandHelp[];
  /** What is known of a person now. @throws Refusal when Slack or the platform does not say */
  readonly standing: (person: Person) => Promise<Standing>;
  /** Why nobody's roles can be looked up; undefined: they can. */
  readonly billingOff: string | undefined;
}

const PURSER_HELP: CommandHelp = {
  command: '/purser',
  summary: 'What Purser can do, and who you are to it.',
  usages: [
    { text: '/purser help', does: 'all commands' },
    { text: '/purser help COMMAND', does: 'the words of one command, and examples' },
    { text: '/purser whoami', does: 'your e-mail, your roles, and what they allow' },
  ],
  examples: ['/purser help', '/purser help deployments', '/purser whoami'],
};

/** `/purser`. */
export function createHelpFeature(deps: HelpFeatureDeps): Feature {
  const named = (word: string): CommandHelp | undefined =>
    deps.commands().find(({ command }) => command === `/${word.toLowerCase().replace(/^\//, '')}`);
  return {
    name: 'help',
    commands: [
      {
        help: PURSER_HELP,
        helpOn([first]) {
          const help = first === undefined ? undefined : named(first.text);
          return help === undefined ? overview(deps.commands()) : helpAnswer(help);
        },
        async run({ words, person }) {
          const [first, ...rest] = words;
          if (first === undefined) return overview(deps.commands());
          const word = first.quoted ? '' : first.text.toLowerCase();
          if (word === 'whoami') {
            if (rest.length === 0) return whoami(deps, person);
            throw new Unreadable('Nothing follows "whoami": it is about you.', '/purser whoami');
          }
          // Of the manifest; its feature is not built yet.
          if (word === 'doctor') throw notThereYet(`/purser ${word}`, '/purser help');
          const meant = named(first.text)?.command;
          const near = nearest(word, ['whoami', 'doctor']);
          throw new Unreadable(
            `"${truncate(first.text, 60)}" is no word of /purser.`,
            meant === undefined ? near && `/purser ${near}` : `${meant} help`,
          );
        },
      },
    ],
  };
}

/** Who the person is to Purser; also where somebody who has to say it is silent. */
async function whoami({ standing, billingOff }: HelpFeatureDeps, person: Person): Promise<Answer> {
  const known = await standing(person).catch(unknown);
  return whoamiAnswer({ userId: person.userId, standing: known, billingOff });
}

function unknown(error: unknown): { unknown: string } {
  if (error instanceof Refusal) return { unknown: error.message };
  throw error;
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
