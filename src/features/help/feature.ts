import type { Standing } from '../../access/changes.ts';
import { nearest } from '../../lib/nearest.ts';
import { Refusal, Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import type { Word } from '../../lib/words.ts';
import { helpAnswer } from '../../slack/help-view.ts';
import type { Answer, CommandHelp, Person } from '../../slack/routes.ts';
import type { Feature } from '../feature.ts';
import { find, meansNothing } from './find.ts';
import { foundAnswer, overview } from './tasks-view.ts';
import type { Off } from './tasks-view.ts';
import { whoamiAnswer } from './whoami-view.ts';

export interface HelpFeatureDeps {
  /** The help of every command there is, asked when someone wants it. */
  readonly commands: () => readonly CommandHelp[];
  /** What is known of a person now. @throws Refusal when Slack or the platform does not say */
  readonly standing: (person: Person) => Promise<Standing>;
  /** What `/purser doctor` answers. */
  readonly doctor: (person: Person) => Promise<Answer>;
  /** Why nobody's roles can be looked up; undefined: they can. */
  readonly billingOff: string | undefined;
  /** Why nobody can ask for charges; undefined: those can who have the right. */
  readonly chargesOff: string | undefined;
  /** Why nobody can ask for usage; undefined: everybody can. */
  readonly usageOff: string | undefined;
}

const PURSER_HELP: CommandHelp = {
  command: '/purser',
  summary: 'What Purser can do, who you are to it, and whether it is well.',
  usages: [
    { text: '/purser help', does: 'what you may want, and the command for it' },
    {
      text: '/purser help WORD',
      does: 'everything about a word such as invoice, or all words of a command',
    },
    { text: '/purser whoami', does: 'your e-mail, your roles, and what they allow' },
    {
      text: '/purser doctor',
      does: 'checks every credential, scope, channel and connection of Purser, and says how to mend what fails',
    },
  ],
  examples: ['/purser help', '/purser help approve', '/purser help deployments', '/purser whoami'],
};

/** `/purser`: help by what people want, who they are to it, and whether it is well (design section 3). */
export function createHelpFeature(deps: HelpFeatureDeps): Feature {
  return {
    name: 'help',
    commands: [
      {
        help: PURSER_HELP,
        helpOn: (words) => helpOn(deps, words),
        run: async ({ words, person }) => answerTo(deps, words, person),
      },
    ],
  };
}

async function answerTo(
  deps: HelpFeatureDeps,
  [first, ...rest]: readonly Word[],
  person: Person,
): Promise<Answer> {
  if (first === undefined) return helpOn(deps, []);
  const word = first.quoted ? '' : first.text.toLowerCase();
  if (word === 'whoami') {
    if (rest.length === 0) return whoami(deps, person);
    throw new Unreadable('Nothing follows "whoami": it is about you.', '/purser whoami');
  }
  if (word === 'doctor') {
    if (rest.length === 0) return deps.doctor(person);
    throw new Unreadable('Nothing follows "doctor": it checks everything.', '/purser doctor');
  }
  throw new Unreadable(
    `"${truncate(first.text, 60)}" is no word of /purser.`,
    meantBy(deps, word, first.text),
  );
}

/** A word of its own, a command, or something that help knows. */
function meantBy(deps: HelpFeatureDeps, word: string, text: string): string | undefined {
  const near = nearest(word, ['whoami', 'doctor', 'help']);
  if (near !== undefined) return `/purser ${near}`;
  const command = named(deps, text)?.command;
  if (command !== undefined) return `${command} help`;
  const found = find(word, withoutOwn(deps.commands()));
  return found && `/purser help ${found.instead ?? word}`;
}

function helpOn(deps: HelpFeatureDeps, words: readonly Word[]): Answer {
  const { billingOff: billing, chargesOff: charges, usageOff: usage } = deps;
  const off: Off = { billing, charges, usage };
  const commands = deps.commands();
  const typed = words.map(({ text }) => text).join(' ');
  const help = words[0] && named(deps, words[0].text);
  if (help !== undefined) return helpAnswer(help);
  if (meansNothing(typed)) return overview(commands, off, undefined);
  const found = find(typed, withoutOwn(commands));
  return found === undefined ? overview(commands, off, typed) : foundAnswer(typed, found, off);
}

/** Its own help speaks of words that may be looked for, and is not about them. */
function withoutOwn(commands: readonly CommandHelp[]): readonly CommandHelp[] {
  return commands.filter((help) => help !== PURSER_HELP);
}

function named({ commands }: HelpFeatureDeps, word: string): CommandHelp | undefined {
  const name = `/${word.toLowerCase().replace(/^\//, '')}`;
  return commands().find(({ command }) => command === name);
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
