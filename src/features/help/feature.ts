import type { Button } from '@slack/types';
import { type Authorizer, BILLING_OFF } from '../../access/authorizer.ts';
import { type Principal, type Right, rightsOf } from '../../access/policy.ts';
import type { Config } from '../../config/config.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { grammarOf } from '../../grammar/grammar.ts';
import { typed, unknownWord } from '../../grammar/typed.ts';
import { Refusal } from '../../lib/errors.ts';
import { type Word } from '../../lib/words.ts';
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
  const helpOn = async (words: readonly Word[], { person }: CommandContext): Promise<Answer> => {
    const text = words.map((word) => word.text).join(' ');
    const all = commands();
    const help = words[0] && named(all, words[0].text);
    if (help !== undefined) return helpAnswer(help);
    const isEmpty = meansNothing(text);
    const found = isEmpty ? undefined : find(text, withoutOwn(all));
    if (found !== undefined) return foundAnswer(text, found, off);
    return overview(all, await tasksFor(services.access, person), isEmpty ? undefined : text);
  };
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

/** Spec section 5: the platform caches permissions. */
const DELAY = mrkdwn`A role that was given or taken can take 5 minutes to work`;
const OWN = mrkdwn`You cannot decide on your own request, nor on a change of your own billing user`;
const MAX_ORGS = 20;

/**
 * Rights first, then missing rights, then identity (design section 6). Also answers while Slack or the platform is away.
 * @param billingOff why roles cannot be looked up; undefined: they can
 */
async function whoami(
  { access, askForAccess, orgsOf }: HelpServices,
  person: Person,
  billingOff: string | undefined,
): Promise<Answer> {
  const you = mrkdwn`You are ${mentionUser(person.userId)} (${code(person.userId)})`;
  const principal = await access.principal(person).catch(unknown);
  if ('unknown' in principal) {
    const head = mrkdwn`*What you may do is not known just now.* ${principal.unknown}`;
    return { blocks: [section(head), context(you)] };
  }
  const { refusal, email, roles } = principal;
  const orgs = refusal === undefined ? await orgsOf?.(person) : undefined;
  const rights = rightsOf(principal);
  const open = rights.filter((right) => right.refusal === undefined);
  const missing = new Set(rights.flatMap((right) => right.missing ?? []));
  // Something is missing that may take effect soon, because the account knows the person.
  const mayWait =
    email !== undefined &&
    roles !== undefined &&
    missing.size > 0 &&
    refusal === undefined &&
    billingOff === undefined;
  // Without a confirmed address there is no one to give a role to.
  const isAsked = email !== undefined && missing.size > 0;
  return {
    blocks: [
      section(headline(open.length, rights.length, principal)),
      ...(open.length === 0 ? [] : [lines(open.map(({ what }) => mrkdwn`✓ ${what}`))]),
      ...(orgs === undefined ? [] : [lines([orgLine(orgs)])]),
      ...[...closed(rights, principal, billingOff)].map(([reason, whats]) =>
        lines([mrkdwn`*You may not* · ${reason}`, ...whats.map((what) => mrkdwn`✗ ${what}`)]),
      ),
      context(
        joinMrkdwn([you, emailWords(principal), roleWords(principal, billingOff)], ' · '),
        ...(mayWait ? [DELAY] : []),
        ...(open.some(({ what }) => what.includes('approve')) ? [OWN] : []),
      ),
    ],
    buttons: isAsked && askForAccess ? [askForAccess([...missing])] : [],
  };
}

function unknown(error: unknown): { unknown: string } {
  if (error instanceof Refusal) return { unknown: error.message };
  throw error;
}

function orgLine(orgs: readonly string[]): Mrkdwn {
  const named = joinFirst(
    orgs.toSorted().map((org) => code(org)),
    MAX_ORGS,
  );
  return mrkdwn`*Orgs you may ask about* · ${orgs.length === 0 ? mrkdwn`no org` : named}`;
}

function headline(open: number, all: number, { refusal }: Principal): Mrkdwn {
  if (open === all) return mrkdwn`*You have full access*`;
  if (open > 0) return mrkdwn`*You may*`;
  return refusal === undefined
    ? mrkdwn`*You may do nothing here*`
    : mrkdwn`*Purser does not answer this account*`;
}

function emailWords({ email, unconfirmed }: Principal): Mrkdwn {
  if (unconfirmed !== undefined) return mrkdwn`${code(unconfirmed)}, which is not confirmed`;
  return email === undefined ? mrkdwn`no e-mail address in Slack` : code(email);
}

function roleWords(
  { email, roles, refusal, rolesRefusal }: Principal,
  billingOff: string | undefined,
): Mrkdwn {
  if (billingOff !== undefined) return mrkdwn`roles not known, billing isn’t set up`;
  if (refusal !== undefined) return mrkdwn`roles not looked up`;
  if (rolesRefusal !== undefined) return mrkdwn`no role for this Slack account`;
  if (email !== undefined && roles === undefined) return mrkdwn`no user of the billing account`;
  if (email === undefined || roles === undefined || roles.length === 0) {
    return mrkdwn`no billing role`;
  }
  const named = joinMrkdwn(
    roles.map((role) => code(role)),
    ', ',
  );
  return mrkdwn`${roles.length === 1 ? 'role' : 'roles'} ${named}`;
}

/** Missing rights by their reason. */
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
