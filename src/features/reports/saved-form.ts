import { writeQuery, type ReportQuery } from '../../reporting/query.ts';
import { CADENCES, formatTime, readTime, type Cadence } from '../../reporting/schedule.ts';
import { readTypedAmount } from '../../reporting/typed-amount.ts';
import { context, section } from '../../slack/kit/blocks.ts';
import { select, textInput, type Choice } from '../../slack/kit/inputs.ts';
import { code, mrkdwn } from '../../slack/kit/text.ts';
import type { FormContent, FormValues } from '../../slack/routing/routes.ts';
import type { Saved } from './saved.ts';
import type { WatchWords } from './saved-parse.ts';
import { shareQuestion } from './saved-view.ts';

/** The fields of the form, by block id. */
export const SCHEDULE_FIELDS = {
  every: 'schedule-every',
  at: 'schedule-at',
  over: 'schedule-over',
  channel: 'schedule-channel',
} as const;

/** In the place of a channel: the person's own messages with the bot. */
export const OWN_MESSAGES = 'own';
/** In the place of a cadence: an amount alone. */
const NEVER = 'never';

const EVERY: Readonly<Record<Cadence, string>> = {
  daily: 'Daily',
  weekly: 'Weekly, on Monday',
  monthly: 'Monthly, on the 1st',
};

export interface ScheduleForm {
  readonly source: Saved['source'];
  readonly query: ReportQuery;
  /** What is saved already; undefined: it is new. */
  readonly tells: Saved['tells'] | undefined;
  /** "09:00" */
  readonly usualTime: string;
  /** Where it can be posted, the first one being where it is now. */
  readonly channels: readonly Choice[];
  /** What an amount is counted in: "USD", or "as the answer has it". */
  readonly currency: string;
  /** Of the form, as `FormContent` has it. */
  readonly state: string;
}

/** **Schedule**: how often, when, over which amount, and where. Pure. */
export function scheduleForm(form: ScheduleForm): FormContent {
  const { source, query, tells, usualTime, channels, state } = form;
  const answer = tells?.kind === 'answer' ? tells : undefined;
  return {
    title: tells === undefined ? 'Schedule' : 'Change schedule',
    submit: tells === undefined ? 'Schedule' : 'Change',
    state,
    blocks: [
      section(mrkdwn`${code(`/${source} ${writeQuery(query)}`, 400)}`),
      select({
        id: SCHEDULE_FIELDS.every,
        label: 'How often',
        options: [
          ...CADENCES.map((every) => ({ text: EVERY[every], value: every })),
          { text: 'Only when it is over an amount', value: NEVER },
        ],
        initial: tells?.kind === 'over' ? NEVER : (answer?.every ?? 'daily'),
      }),
      textInput({
        id: SCHEDULE_FIELDS.at,
        label: 'At',
        initial: answer?.at ?? usualTime,
        hint: 'In your time zone, as your Slack profile has it.',
        optional: true,
        maxLength: 5,
      }),
      textInput({
        id: SCHEDULE_FIELDS.over,
        label: 'Over',
        ...(tells?.kind === 'over' ? { initial: tells.amount } : {}),
        hint: overHint(form),
        optional: true,
        maxLength: 30,
      }),
      select({
        id: SCHEDULE_FIELDS.channel,
        label: 'Channel',
        options: channels,
        ...(channels[0] === undefined ? {} : { initial: channels[0].value }),
      }),
      context(mrkdwn`${shareQuestion(source)} It is asked with your rights each time.`),
    ],
  };
}

function overHint({ source, currency }: ScheduleForm): string {
  const what = source === 'charges' ? `An amount in ${currency}` : 'A quantity of one metric';
  return `${what}: told only when it is crossed, once for the same range.`;
}

/** What was filled in; errors by block id, each one sentence. Pure. */
export function readScheduleForm(
  values: FormValues,
  { query, currency }: { readonly query: ReportQuery; readonly currency: string | undefined },
): WatchWords | { readonly errors: Record<string, string> } {
  const text = (id: string): string => {
    const value = values[id];
    return typeof value === 'string' ? value.trim() : '';
  };
  const every = CADENCES.find((one) => one === text(SCHEDULE_FIELDS.every));
  const errors: Record<string, string> = {};
  const at = readTime(text(SCHEDULE_FIELDS.at));
  const typedAmount = text(SCHEDULE_FIELDS.over);
  const over = typedAmount === '' ? undefined : readTypedAmount(typedAmount, currency);
  if (at === undefined && text(SCHEDULE_FIELDS.at) !== '') {
    errors[SCHEDULE_FIELDS.at] = 'This is no time of day: write it from 00:00 to 23:59.';
  }
  if (over !== undefined && !('amount' in over)) {
    errors[SCHEDULE_FIELDS.over] = 'This is no amount: write a number, such as 500.';
  }
  if (every === undefined && over === undefined) {
    errors[SCHEDULE_FIELDS.over] = 'Which amount? Write one, or choose how often above.';
  }
  if (Object.keys(errors).length > 0) return { errors };
  return {
    query,
    every,
    ...(at === undefined ? {} : { at: formatTime(at) }),
    ...(over !== undefined && 'amount' in over ? { over: over.amount } : {}),
    channel: text(SCHEDULE_FIELDS.channel),
  };
}

/** Where it can be posted: where it is now, where the form was opened, where money is told, and in private. */
export function channelsFor(
  here: string,
  now: string | undefined,
  billing: string | undefined,
): Choice[] {
  const all: Choice[] = [
    ...(now === undefined ? [] : [{ text: 'Where it is now', value: now }]),
    ...(here === OWN_MESSAGES ? [] : [{ text: 'This channel', value: here }]),
    ...(billing === undefined ? [] : [{ text: 'The channel for money', value: billing }]),
    { text: 'My messages with Purser', value: OWN_MESSAGES },
  ];
  return all.filter(({ value }, at) => all.findIndex((one) => one.value === value) === at);
}
