import { hasRole } from '../../access/authorizer.ts';
import { ADMINS, READERS } from '../../access/policy.ts';
import {
  askButton,
  type FormName,
  openingOf,
  type RequestForms,
} from '../../changes/forms/form.ts';
import type { Given } from '../../changes/forms/fields.ts';
import { grammarOf } from '../../grammar/grammar.ts';
import { coded, twoReadings, typed, unknownWord } from '../../grammar/typed.ts';
import { UsageError } from '../../lib/errors.ts';
import { type Word } from '../../lib/words.ts';
import { withoutSingleQuotes } from '../../reporting/query-words.ts';
import { readingsOf, readTypedAmount } from '../../reporting/amounts.ts';
import type { Feature, Services } from '../../services.ts';
import { commandRoute, type Answer, type Person } from '../../slack/routing/routes.ts';
import { alertAnswer, createAlertPart, readView, type AlertView } from './view.ts';

/** `/alert …` (design section 3). */
type AlertCommand =
  | { readonly kind: 'show' }
  /** Opens a form; `given` prefills it: `amount` is a plain decimal number of whole units such as "1000.5". */
  | { readonly kind: 'open'; readonly form: FormName; readonly given: Partial<Given> };

const createGrammar = (currency: string) =>
  grammarOf<AlertCommand>()({
    command: '/alert',
    hint: 'set [AMOUNT] | off | delete',
    summary: 'The spend alert, and this month’s spend against it.',
    usages: [
      {
        words: '',
        does: 'shows the alert, how much of it this month has used, and whether the month will exceed it',
        wish: 'budget limit pace forecast projection exceed spending cost going over',
        examples: ['/alert'],
        to: () => ({ kind: 'show' }),
      },
      {
        words: 'set [AMOUNT]',
        does: 'opens a form to set the alert or change its amount; it proposes one above the projection',
        wish: 'ask budget limit change amount going over',
        examples: ['/alert set'],
        to: ({ AMOUNT: amount }) => ({ kind: 'open', form: 'alert.set', given: { amount } }),
      },
      {
        words: 'off',
        does: 'opens a form to switch the alert off; it keeps its amount',
        wish: 'disable budget',
        examples: ['/alert off'],
        to: () => ({ kind: 'open', form: 'alert.off', given: {} }),
      },
      {
        words: 'delete',
        does: 'opens a form to delete the alert',
        wish: 'remove budget',
        to: () => ({ kind: 'open', form: 'alert.delete', given: {} }),
      },
    ],
    readers: { AMOUNT: (text: string) => readAmount(text, currency) },
    long: 'AMOUNT',
    tidy: withoutSingleQuotes('/alert'),
    notes: [
      'A form asks for a change: with approvals on, another person approves it before it is made',
    ],
    otherwise(words) {
      if (!('amount' in readTypedAmount(words.map(({ text }) => text).join(' '), currency)))
        return undefined;
      const amount = words.map(typed).join(' ');
      const [one, other] = (readingsOf(amount) ?? [amount]).map((text) => `/alert set ${text}`);
      throw unknownWord(amount).meaning(one, other);
    },
  });

export const ALERT_HELP = createGrammar('').help;

/**
 * Parses the words after `/alert`, in any case.
 * @param currency of the alert; its code or sign may be written beside the amount
 * @throws UsageError with the nearest match
 */
export function parseAlert(words: readonly Word[], currency: string): AlertCommand {
  return createGrammar(currency).parse(words);
}

const WANTED = {
  negative: 'an amount of 0 or more',
  'no amount': 'an amount',
  'too large': 'an amount that the platform takes',
} as const;

/** "500", "1,000.50", "500 USD", "$500" as a plain decimal number. @throws UsageError */
function readAmount(text: string, currency: string): string {
  const read = readTypedAmount(text, currency);
  const readings = readingsOf(text);
  if (readings !== undefined && 'amount' in read) throw twoReadings(text, readings);
  if ('amount' in read) return read.amount;
  if (read.problem === 'foreign') {
    throw new UsageError(`The spend alert is in ${currency}.`, read.number);
  }
  throw new UsageError(
    `${coded(text.trim())} is not ${WANTED[read.problem]}: the form of /alert set asks for it.`,
    '',
  );
}

type AlertServices = Pick<Services, 'access' | 'billing' | 'clock' | 'config'>;

/** `/alert`: the spend alert, this month's spend against it, and the forms that request a change (spec 2.4). */
export function createAlertFeature(services: AlertServices, forms: RequestForms): Feature {
  return {
    name: 'alert',
    home: [createAlertPart(services, (view) => asksFor(forms, view))],
    commands: [
      commandRoute({
        help: ALERT_HELP,
        parse(words) {
          const command = parseAlert(words, services.config.currency);
          return command.kind === 'open'
            ? openingOf(forms, command.form, command.given)
            : { command };
        },
        run: (_, { person }) => show(services, forms, person),
      }),
    ],
  };
}

/** @throws Refusal, PlatformError when the alert itself cannot be read */
async function show(services: AlertServices, forms: RequestForms, person: Person): Promise<Answer> {
  const { access } = services;
  await access.requireRole(person, READERS);
  const view = await readView(services, await hasRole(access, person, ADMINS));
  return alertAnswer(view, asksFor(forms, view));
}

export function asksFor(forms: RequestForms, { alert, mayAsk, isReadOnly }: AlertView) {
  if (!mayAsk || isReadOnly) return [];
  if (alert === undefined) return [askButton(forms, 'alert.set', 'Set an alert')];
  const turn = alert.enabled
    ? askButton(forms, 'alert.off', 'Turn off')
    : askButton(forms, 'alert.set', 'Turn on', { enabled: 'true' });
  return [
    askButton(forms, 'alert.set', 'Change'),
    // While the platform does not report whether the alert is on, only the form can switch it.
    ...(alert.enabled === undefined ? [] : [turn]),
    askButton(forms, 'alert.delete', 'Delete'),
  ];
}
