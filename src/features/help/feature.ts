import { BILLING_OFF, type Authorizer } from '../../access/authorizer.ts';
import type { Config } from '../../config/config.ts';
import { nearest, truncate, type Word } from '../../lib/text.ts';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { USAGE_OFF, type Feature, type Services } from '../../services.ts';
import { helpAnswer } from '../../slack/replies/help-view.ts';
import {
  commandRoute,
  type Answer,
  type CommandHelp,
  type Person,
} from '../../slack/routing/routes.ts';
import { find, meansNothing } from './find.ts';
import { foundAnswer, overview, type Off } from './tasks-view.ts';
import { whoamiAnswer } from './whoami-view.ts';

type HelpServices = Pick<Services, 'orgCharges'> & {
  readonly access: Pick<Authorizer, 'principal'>;
  readonly config: Pick<Config, 'billing' | 'usageUrl'>;
};

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

/**
 * `/purser`: help by what people want, who they are to it, and whether it is well (design section 3).
 * @param doctor what `/purser doctor` answers
 * @param commands the help of every command there is, asked for when it is needed
 */
export function createHelpFeature(
  services: HelpServices,
  doctor: () => Promise<Answer>,
  commands: () => readonly CommandHelp[],
): Feature {
  const { config, orgCharges } = services;
  const billing = config.billing === undefined ? BILLING_OFF : undefined;
  const off: Off = {
    billing,
    charges: orgCharges === undefined ? billing : undefined,
    usage: config.usageUrl === undefined ? USAGE_OFF : undefined,
  };
  const helpOn = (words: readonly Word[]): Answer => answerHelp(commands(), off, words);
  return {
    name: 'help',
    commands: [
      {
        ...commandRoute({
          help: PURSER_HELP,
          parse: (words) => ({ command: parsePurser(commands(), words) }),
          async run(command, { person }) {
            if (command === 'help') return helpOn([]);
            return command === 'doctor' ? doctor() : whoami(services, person, billing);
          },
        }),
        helpOn,
      },
    ],
  };
}

type PurserCommand = 'help' | 'whoami' | 'doctor';

/** Reads the words after `/purser`; `help` is read before, as for every command. @throws UsageError */
function parsePurser(
  commands: readonly CommandHelp[],
  [first, ...rest]: readonly Word[],
): PurserCommand {
  if (first === undefined) return 'help';
  const word = first.quoted ? '' : first.text.toLowerCase();
  if (word === 'whoami') {
    if (rest.length === 0) return word;
    throw new UsageError('Nothing follows "whoami": it is about you.', '/purser whoami');
  }
  if (word === 'doctor') {
    if (rest.length === 0) return word;
    throw new UsageError('Nothing follows "doctor": it checks everything.', '/purser doctor');
  }
  throw new UsageError(
    `/purser does not know "${truncate(first.text, 60)}".`,
    meantBy(commands, word, first.text),
  );
}

/** A word of its own, a command, or something that help knows. */
function meantBy(commands: readonly CommandHelp[], word: string, text: string): string | undefined {
  const near = nearest(word, ['whoami', 'doctor', 'help']);
  if (near !== undefined) return `/purser ${near}`;
  const command = named(commands, text)?.command;
  if (command !== undefined) return `${command} help`;
  const found = find(word, withoutOwn(commands));
  return found && `/purser help ${found.instead ?? word}`;
}

function answerHelp(commands: readonly CommandHelp[], off: Off, words: readonly Word[]): Answer {
  const typed = words.map(({ text }) => text).join(' ');
  const help = words[0] && named(commands, words[0].text);
  if (help !== undefined) return helpAnswer(help);
  const others = withoutOwn(commands);
  if (meansNothing(typed)) return overview(others, off, undefined);
  const found = find(typed, others);
  return found === undefined ? overview(others, off, typed) : foundAnswer(typed, found, off);
}

/** Its own help speaks of words that may be looked for and is not about them, and `/purser help` has no words to show. */
function withoutOwn(commands: readonly CommandHelp[]): readonly CommandHelp[] {
  return commands.filter((help) => help !== PURSER_HELP);
}

function named(commands: readonly CommandHelp[], word: string): CommandHelp | undefined {
  const name = `/${word.toLowerCase().replace(/^\//, '')}`;
  return commands.find(({ command }) => command === name);
}

/** Who the person is to Purser; also where Slack or the platform does not answer. */
async function whoami(
  { access }: HelpServices,
  person: Person,
  billingOff: string | undefined,
): Promise<Answer> {
  const principal = await access.principal(person).catch(unknown);
  return whoamiAnswer({ userId: person.userId, principal, billingOff });
}

function unknown(error: unknown): { unknown: string } {
  if (error instanceof Refusal) return { unknown: error.message };
  throw error;
}
