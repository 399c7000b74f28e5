import type { Button } from '@slack/types';
import { type Authorizer, BILLING_OFF } from '../../access/authorizer.ts';
import { type Principal, type Right, rightsOf } from '../../access/policy.ts';
import type { Config } from '../../config/config.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { grammarOf } from '../../grammar/grammar.ts';
import { typed, unknownWord } from '../../grammar/typed.ts';
import { Refusal } from '../../lib/errors.ts';
import { type Word } from '../../lib/text.ts';
import { type Feature, type Services, USAGE_OFF } from '../../services.ts';
import { context, lines, section } from '../../slack/kit/blocks.ts';
import {
  code,
  joinFirst,
  joinMrkdwn,
  mentionUser,
  mrkdwn,
  type Mrkdwn,
} from '../../slack/kit/text.ts';
import { helpAnswer } from '../../slack/replies/help-view.ts';
import {
  type Answer,
  type CommandContext,
  type CommandHelp,
  commandRoute,
  type Person,
} from '../../slack/routing/routes.ts';
import { type TaskAccess, tasksFor } from '../tasks.ts';
import { find, foundAnswer, meansNothing, type Off, overview } from './find.ts';

type HelpServices = Pick<Services, 'orgCharges'> & {
  /** The button that asks for one of these roles; absent: changes are off. */
  readonly askForAccess?: (roles: readonly BillingRole[]) => Button;
  readonly access: Pick<Authorizer, 'principal'> & TaskAccess;
  /** The orgs that a person may ask about; absent: one rule is for every org. */
  readonly orgsOf?: (person: Person) => Promise<readonly string[]>;
  readonly config: Pick<Config, 'billing' | 'usageUrl'>;
};

type PurserCommand = 'help' | 'whoami' | 'doctor';

/** `help` is answered earlier, as for every command. */
const createGrammar = (commands: () => readonly CommandHelp[]) =>
  grammarOf<PurserCommand>()({
    command: '/purser',
    hint: 'help [WORD] | whoami | doctor',
    summary: 'Help, your roles, and a check of Purser’s connections.',
    usages: [
      { words: '', to: () => 'help' },
      {
        words: 'help',
        does: 'what you can do here, with a button for each',
        examples: ['/purser help'],
        to: () => 'help',
      },
      {
        words: 'help WORD',
        does: 'everything about a word such as invoice, or all words of a command',
        examples: ['/purser help approve', '/purser help deployments'],
        to: () => 'help',
      },
      {
        words: 'whoami',
        does: 'your e-mail, your roles, and what they allow',
        wish: 'permission access denied email right who',
        examples: ['/purser whoami'],
        to: () => 'whoami',
      },
      {
        words: 'doctor',
        does: 'checks every credential, scope, channel and connection of Purser, and shows how to fix what fails',
        wish: 'health wrong broken redis error problem diagnose well',
        to: () => 'doctor',
      },
    ],
    readers: { WORD: (text: string) => text },
    long: 'WORD',
    otherwise(words, meant) {
      const [first] = words;
      if (first === undefined || first.quoted || meant !== undefined) return undefined;
      throw unknownWord(first.text, helpWith(commands(), words));
    },
  });

/**
 * `/purser` (design section 3).
 * @param doctor the answer to `/purser doctor`
 * @param commands the help of every command, read when needed
 */
export function createHelpFeature(
  services: HelpServices,
  doctor: (context: CommandContext) => Promise<Answer>,
  commands: () => readonly CommandHelp[],
): Feature {
  const { config, orgCharges } = services;
  const grammar = createGrammar(commands);
  const billing = config.billing === undefined ? BILLING_OFF : undefined;
  const off: Off = {
    '/billing': billing,
    '/invoices': billing,
    '/alert': billing,
    '/charges': orgCharges === undefined ? billing : undefined,
    '/usage': config.usageUrl === undefined ? USAGE_OFF : undefined,
  };
  const helpOn = (words: readonly Word[], { person }: CommandContext): Promise<Answer> =>
    answerHelp(
      { commands: commands(), off, tasks: () => tasksFor(services.access, person) },
      words,
    );
  return {
    name: 'help',
    commands: [
      {
        ...commandRoute({
          help: grammar.help,
          parse: (words) => ({ command: grammar.parse(words) }),
          async run(command, context) {
            if (command === 'help') return helpOn([], context);
            if (command === 'doctor') return doctor(context);
            return whoami(services, context.person, billing);
          },
        }),
        helpOn,
      },
    ],
  };
}

/** The help that words may be about: of a command, or a result of the search. */
function helpWith(commands: readonly CommandHelp[], words: readonly Word[]): string | undefined {
  const command = named(commands, words[0]?.text ?? '')?.command;
  if (command !== undefined) return `${command} help`;
  const text = words.map(typed).join(' ');
  const found = find(text, withoutOwn(commands));
  return found && `/purser help ${found.instead ?? text}`;
}

interface HelpView {
  readonly commands: readonly CommandHelp[];
  readonly off: Off;
  /** That the person may do. */
  readonly tasks: () => ReturnType<typeof tasksFor>;
}

async function answerHelp(
  { commands, off, tasks }: HelpView,
  words: readonly Word[],
): Promise<Answer> {
  const text = words.map((word) => word.text).join(' ');
  const help = words[0] && named(commands, words[0].text);
  if (help !== undefined) return helpAnswer(help);
  if (meansNothing(text)) return overview(commands, await tasks(), undefined);
  const found = find(text, withoutOwn(commands));
  return found === undefined
    ? overview(commands, await tasks(), text)
    : foundAnswer(text, found, off);
}

/** `/purser help` mentions many words without being about them. */
function withoutOwn(commands: readonly CommandHelp[]): readonly CommandHelp[] {
  return commands.map((help) => ({
    ...help,
    usages: help.usages.filter(({ text }) => !text.startsWith('/purser help')),
  }));
}

function named(commands: readonly CommandHelp[], word: string): CommandHelp | undefined {
  const name = `/${word.toLowerCase().replace(/^\//, '')}`;
  return commands.find(({ command }) => command === name);
}

/** Also answers while Slack or the platform is away. */
async function whoami(
  { access, askForAccess, orgsOf }: HelpServices,
  person: Person,
  billingOff: string | undefined,
): Promise<Answer> {
  const principal = await access.principal(person).catch(unknown);
  const isShut = 'unknown' in principal || principal.refusal !== undefined;
  const orgs = isShut ? undefined : await orgsOf?.(person);
  const answer = whoamiAnswer({ userId: person.userId, principal, billingOff, orgs });
  const missing = 'unknown' in principal ? [] : missingOf(principal);
  return missing.length === 0 || askForAccess === undefined
    ? answer
    : { ...answer, buttons: [askForAccess(missing)] };
}

/** Roles that the person can ask for, each once. */
function missingOf(principal: Principal): BillingRole[] {
  // Without a confirmed address there is no one to give a role to.
  if (principal.email === undefined) return [];
  return [...new Set(rightsOf(principal).flatMap(({ missing = [] }) => missing))];
}

function unknown(error: unknown): { unknown: string } {
  if (error instanceof Refusal) return { unknown: error.message };
  throw error;
}

export interface WhoamiView {
  readonly userId: string;
  /** The person's rights, or why they are unknown, as a sentence. */
  readonly principal: Principal | { readonly unknown: string };
  /** Why roles cannot be looked up; undefined: they can. */
  readonly billingOff: string | undefined;
  /** That the person may ask about; undefined: one rule is for every org. */
  readonly orgs?: readonly string[] | undefined;
}

/** Spec section 5: the platform caches permissions. */
const DELAY = mrkdwn`A role that was given or taken can take 5 minutes to work`;
const OWN = mrkdwn`You cannot decide on your own request, nor on a change of your own billing user`;

/** Rights first, then missing rights, then identity (design section 6). Pure. */
function whoamiAnswer({ userId, principal, billingOff, orgs }: WhoamiView): Answer {
  const you = mrkdwn`You are ${mentionUser(userId)} (${code(userId)})`;
  if ('unknown' in principal) {
    const head = mrkdwn`*What you may do is not known just now.* ${principal.unknown}`;
    return { blocks: [section(head), context(you)] };
  }
  const rights = rightsOf(principal);
  const head = headline(rights, principal);
  const open = allowed(rights);
  return {
    blocks: [
      section(head),
      ...(open.length === 0 ? [] : [lines(open.map(({ what }) => mrkdwn`✓ ${what}`))]),
      ...(orgs === undefined ? [] : [lines([orgLine(orgs)])]),
      ...[...closed(rights, principal, billingOff)].map(([reason, whats]) =>
        lines([mrkdwn`*You may not* · ${reason}`, ...whats.map((what) => mrkdwn`✗ ${what}`)]),
      ),
      context(
        joinMrkdwn([you, emailWords(principal), roleWords(principal, billingOff)], ' · '),
        ...(mayWait(principal, rights, billingOff) ? [DELAY] : []),
        ...(open.some(({ what }) => what.includes('approve')) ? [OWN] : []),
      ),
    ],
  };
}

const MAX_ORGS = 20;

function orgLine(orgs: readonly string[]): Mrkdwn {
  const named = joinFirst(
    orgs.toSorted().map((org) => code(org)),
    MAX_ORGS,
  );
  return mrkdwn`*Orgs you may ask about* · ${orgs.length === 0 ? mrkdwn`no org` : named}`;
}

function headline(rights: readonly Right[], { refusal }: Principal): Mrkdwn {
  const count = allowed(rights).length;
  if (count === rights.length) return mrkdwn`*You have full access*`;
  if (count > 0) return mrkdwn`*You may*`;
  return refusal === undefined
    ? mrkdwn`*You may do nothing here*`
    : mrkdwn`*Purser does not answer this account*`;
}

/** Something is missing that may take effect soon, because the account knows the person. */
function mayWait(
  { refusal, email, roles }: Principal,
  rights: readonly Right[],
  billingOff: string | undefined,
): boolean {
  const isKnown = email !== undefined && roles !== undefined;
  const isMissing = rights.some(({ missing }) => missing !== undefined);
  return isKnown && isMissing && refusal === undefined && billingOff === undefined;
}

function emailWords({ email, unconfirmed }: Principal): Mrkdwn {
  if (unconfirmed !== undefined) return mrkdwn`${code(unconfirmed)}, which is not confirmed`;
  return email === undefined ? mrkdwn`no e-mail address in Slack` : code(email);
}

function roleWords({ email, roles, refusal }: Principal, billingOff: string | undefined): Mrkdwn {
  if (billingOff !== undefined) return mrkdwn`roles not known, billing isn’t set up`;
  if (refusal !== undefined) return mrkdwn`roles not looked up`;
  if (email === undefined) return mrkdwn`no billing role`;
  if (roles === undefined) return mrkdwn`no user of the billing account`;
  if (roles.length === 0) return mrkdwn`no billing role`;
  const named = joinMrkdwn(
    roles.map((role) => code(role)),
    ', ',
  );
  return mrkdwn`${roles.length === 1 ? 'role' : 'roles'} ${named}`;
}

function allowed(rights: readonly Right[]): Right[] {
  return rights.filter(({ refusal }) => refusal === undefined);
}

function closed(
  rights: readonly Right[],
  { refusal: shut, orgRefusal }: Principal,
  billingOff: string | undefined,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { what, refusal, missing } of rights) {
    if (refusal === undefined) continue;
    // Without billing the cause is not a missing role.
    const isOff = billingOff !== undefined && shut === undefined && refusal !== orgRefusal;
    const [reason, takes] = isOff ? [billingOff] : [refusal, missing?.join(' or ')];
    const item = takes === undefined ? what : `${what} (${takes})`;
    groups.set(reason, [...(groups.get(reason) ?? []), item]);
  }
  return groups;
}
