import { hasRole } from '../../access/authorizer.ts';
import { ADMINS, READERS } from '../../access/policy.ts';
import { askButton, openingOf, type RequestForms } from '../../changes/forms/form.ts';
import { UsageError } from '../../lib/errors.ts';
import { nearest, truncate, type Word } from '../../lib/text.ts';
import { refuseSingleQuotes, typed } from '../../reporting/query-words.ts';
import { readTypedAmount } from '../../reporting/amounts.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import type { Feature, Services } from '../../services.ts';
import {
  commandRoute,
  type Answer,
  type CommandHelp,
  type Parsed,
  type Person,
} from '../../slack/routing/routes.ts';
import { alertAnswer, createAlertPart, readView } from './view.ts';

/** `/alert …` (design section 3). */
type AlertCommand =
  | { readonly kind: 'show' | 'off' | 'delete' }
  /** A plain decimal number of whole units such as "1000.5"; undefined: the form asks for it. */
  | { readonly kind: 'set'; readonly amount: string | undefined };

const SUBCOMMANDS = ['set', 'off', 'delete'] as const;
const ALIKE: Readonly<Record<string, string>> = {
  on: 'set',
  create: 'set',
  change: 'set',
  disable: 'off',
  remove: 'delete',
};

/**
 * Parses the words after `/alert`, in any case.
 * @param currency of the alert; its code or sign may be written beside the amount
 * @throws UsageError with the nearest match
 */
export function parseAlert(words: readonly Word[], currency: string): AlertCommand {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'show' };
  refuseSingleQuotes(words, '/alert');
  const kind = SUBCOMMANDS.find((word) => !first.quoted && word === first.text.toLowerCase());
  if (kind === undefined) throw noSubcommand(first, words, currency);
  if (kind === 'set') {
    return { kind, amount: rest.length === 0 ? undefined : readAmount(rest, currency) };
  }
  if (rest.length === 0) return { kind };
  throw new UsageError(`Nothing follows "${kind}".`, `/alert ${kind}`);
}

function noSubcommand(first: Word, words: readonly Word[], currency: string): UsageError {
  if ('amount' in readTypedAmount(textOf(words), currency)) {
    const amount = words.map(typed).join(' ');
    return new UsageError(
      'An amount alone does not say what to do with it.',
      `/alert set ${amount}`,
    );
  }
  const word = first.quoted ? '' : first.text.toLowerCase();
  const meant = Object.hasOwn(ALIKE, word) ? ALIKE[word] : nearest(word, SUBCOMMANDS);
  return new UsageError(
    `"${truncate(first.text, 60)}" is not a word of /alert.`,
    meant && ['/alert', meant, ...words.slice(1).map(typed)].join(' '),
  );
}

function textOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ');
}

const WANTED = {
  negative: 'an amount of 0 or more',
  'no amount': 'an amount',
  'too large': 'an amount that the platform takes',
} as const;

/** "500", "1,000.50", "500 USD", "$500" as a plain decimal number. @throws UsageError */
function readAmount(words: readonly Word[], currency: string): string {
  const text = textOf(words);
  const read = readTypedAmount(text, currency);
  if ('amount' in read) return read.amount;
  if (read.problem === 'foreign') {
    throw new UsageError(`The spend alert is in ${currency}.`, `/alert set ${read.number}`);
  }
  throw new UsageError(
    `"${truncate(text.trim(), 60)}" is not ${WANTED[read.problem]}: the form of /alert set asks for it.`,
    '/alert set',
  );
}

type AlertServices = Pick<Services, 'access' | 'billing' | 'clock' | 'config'>;

export const ALERT_HELP: CommandHelp = {
  command: '/alert',
  summary: 'The spend alert, and this month’s spend against it.',
  usages: [
    {
      text: '/alert',
      does: 'shows the alert, how much of it this month has used, and whether the month will exceed it',
    },
    {
      text: '/alert set [AMOUNT]',
      does: 'opens a form to set the alert or change its amount; it proposes one above the projection',
    },
    { text: '/alert off', does: 'opens a form to switch the alert off; it keeps its amount' },
    { text: '/alert delete', does: 'opens a form to delete the alert' },
  ],
  notes: [
    'A form asks for a change: with approvals on, somebody else approves it before it is made',
  ],
  examples: ['/alert', '/alert set', '/alert off'],
};

/** `/alert`: the spend alert, this month's spend against it, and the forms that request a change (spec 2.4). */
export function createAlertFeature(services: AlertServices, forms: RequestForms): Feature {
  return {
    name: 'alert',
    home: [createAlertPart(services)],
    commands: [
      commandRoute({
        help: ALERT_HELP,
        parse: (words) => parsedFor(forms, parseAlert(words, services.config.currency)),
        run: (_, { person }) => show(services, forms, person),
      }),
    ],
  };
}

function parsedFor(forms: RequestForms, command: AlertCommand): Parsed<'show'> {
  switch (command.kind) {
    case 'show':
      return { command: 'show' };
    case 'set': {
      const { amount } = command;
      return openingOf(forms, 'alert.set', amount === undefined ? {} : { amount });
    }
    case 'off':
      return openingOf(forms, 'alert.off');
    case 'delete':
      return openingOf(forms, 'alert.delete');
  }
}

/** @throws Refusal, PlatformError when the alert itself cannot be read */
async function show(services: AlertServices, forms: RequestForms, person: Person): Promise<Answer> {
  const { access } = services;
  await access.requireRole(person, READERS);
  const view = await readView(services, await hasRole(access, person, ADMINS));
  return alertAnswer(view, view.mayAsk && !view.isReadOnly ? asksFor(forms, view.alert) : []);
}

function asksFor(forms: RequestForms, alert: Alert | undefined) {
  if (alert === undefined) return [askButton(forms, 'alert.set', 'Set an alert')];
  return [
    askButton(forms, 'alert.set', 'Change'),
    ...switchFor(forms, alert.enabled),
    askButton(forms, 'alert.delete', 'Delete'),
  ];
}

/** Omitted while the platform does not report whether the alert is on; the form can switch it, too. */
function switchFor(forms: RequestForms, enabled: boolean | undefined) {
  if (enabled === undefined) return [];
  return enabled
    ? [askButton(forms, 'alert.off', 'Turn off')]
    : [askButton(forms, 'alert.set', 'Turn on', { enabled: 'true' })];
}
