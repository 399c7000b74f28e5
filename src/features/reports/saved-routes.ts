import { z } from 'zod';
import { hasRole } from '../../access/authorizer.ts';
import { askable, denied, READERS } from '../../access/policy.ts';
import { twoReadingsOfField } from '../../grammar/typed.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Message } from '../../notify/message.ts';
import { oneReading, readingsOf, readTypedAmount } from '../../reporting/amounts.ts';
import { type ReportQuery, writeQuery } from '../../reporting/query.ts';
import { type Cadence, CADENCES, formatTime, readTime } from '../../reporting/schedule.ts';
import { guestWords, type Guests } from '../../slack/audience.ts';
import { isDirect, openDirect } from '../../slack/directory.ts';
import { context, section } from '../../slack/kit/blocks.ts';
import { type Choice, select, textInput } from '../../slack/kit/inputs.ts';
import { code, mrkdwn } from '../../slack/kit/text.ts';
import { questionIn } from '../../slack/replies/shelf.ts';
import type {
  ActionContext,
  ActionRoute,
  Answer,
  CommandContext,
  FormContent,
  FormRoute,
  FormValues,
  Person,
} from '../../slack/routing/routes.ts';
import { stoppedTopics } from '../notices.ts';
import { actionId } from './words.ts';
import { State } from './question.ts';
import { hasFigures, readRight, savedOf, type SavedServices, type Wanted } from './saved-make.ts';
import type { WatchWords } from './grammar.ts';
import {
  askedAnswer,
  byPost,
  savedListAnswer,
  scheduledAnswer,
  shareQuestion,
  stoppedForOwner,
  unwatchedAnswer,
} from './saved-view.ts';
import {
  makeSaved,
  messageOf,
  readAllSaved,
  readSaved,
  removeSaved,
  replaceSaved,
  Saved,
  savedLimit,
  type SavedQuestion,
  type SavedSchedule,
} from './saved.ts';
import type { Source } from './source.ts';

/** By block id. */
export const SCHEDULE_FIELDS = {
  every: 'schedule-every',
  at: 'schedule-at',
  over: 'schedule-over',
  channel: 'schedule-channel',
} as const;

/** Replaces a channel: the member's own messages with the bot. */
const OWN_MESSAGES = 'own';
/** Replaces a cadence: only an amount. */
const NEVER = 'never';

const EVERY: Readonly<Record<Cadence, string>> = {
  daily: 'Daily',
  weekly: 'Weekly, on Monday',
  monthly: 'Monthly, on the 1st',
};

interface AskedForm extends Pick<ScheduleForm, 'query' | 'trigger'> {
  /** Undefined: an amount is a quantity. */
  readonly currency: string | undefined;
}

export interface ScheduleForm {
  readonly source: Saved['source'];
  readonly query: ReportQuery;
  readonly trigger: Saved['trigger'] | undefined;
  /** "09:00". */
  readonly usualTime: string;
  readonly channels: readonly Choice[];
  readonly currency: string;
  readonly state: string;
}

/** **Schedule**: cadence, time, amount and channel. Pure. */
export function scheduleForm(form: ScheduleForm): FormContent {
  const { source, query, trigger, usualTime, channels, state } = form;
  const answer = trigger?.kind === 'answer' ? trigger : undefined;
  return {
    title: trigger === undefined ? 'Schedule' : 'Change schedule',
    submit: trigger === undefined ? 'Schedule' : 'Change',
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
        initial: trigger?.kind === 'over' ? NEVER : (answer?.every ?? 'daily'),
      }),
      textInput({
        id: SCHEDULE_FIELDS.at,
        label: 'At',
        initial: answer?.at ?? usualTime,
        hint: atHint(answer),
        optional: true,
        maxLength: 5,
      }),
      textInput({
        id: SCHEDULE_FIELDS.over,
        label: 'Over',
        ...(trigger?.kind === 'over' ? { initial: oneReading(trigger.amount) } : {}),
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

function atHint(answer: SavedSchedule | undefined): string {
  return answer === undefined
    ? 'In your time zone, as your Slack profile has it.'
    : `${answer.at} is in the time zone ${answer.zone}. Another time is in your own, as your Slack profile has it.`;
}

function overHint({ source, currency }: ScheduleForm): string {
  const what = source === 'charges' ? `An amount in ${currency}` : 'A quantity of one metric';
  return `${what}: posted only when it is crossed, once for the same range.`;
}

const ONE_OF_BOTH =
  'With an amount it is posted only when it is crossed: choose “Only when it is over an amount”, or empty this field.';

/** Errors by block id, one sentence each. Pure. */
export function readScheduleForm(
  values: FormValues,
  { query, currency, trigger }: AskedForm,
): Wanted | { readonly errors: Record<string, string> } {
  const text = (id: string): string => {
    const value = values[id];
    return typeof value === 'string' ? value.trim() : '';
  };
  const every = CADENCES.find((one) => one === text(SCHEDULE_FIELDS.every));
  const errors: Record<string, string> = {};
  const at = readTime(text(SCHEDULE_FIELDS.at));
  const typedAmount = text(SCHEDULE_FIELDS.over);
  const over = typedAmount === '' ? undefined : readTypedAmount(typedAmount, currency);
  const readings = readingsOf(typedAmount);
  if (at === undefined && text(SCHEDULE_FIELDS.at) !== '') {
    errors[SCHEDULE_FIELDS.at] = 'This is no time of day: write it from 00:00 to 23:59.';
  }
  if (over !== undefined && !('amount' in over)) {
    errors[SCHEDULE_FIELDS.over] = 'This is no amount: write a number, such as 500.';
  } else if (readings !== undefined) {
    errors[SCHEDULE_FIELDS.over] = twoReadingsOfField(typedAmount, readings);
  }
  if (every === undefined && over === undefined) {
    errors[SCHEDULE_FIELDS.over] = 'Which amount? Write one, or choose how often above.';
  }
  if (every !== undefined && over !== undefined) errors[SCHEDULE_FIELDS.over] ??= ONE_OF_BOTH;
  if (Object.keys(errors).length > 0) return { errors };
  const amount = over && 'amount' in over ? over.amount : undefined;
  const time = at && formatTime(at);
  // An unchanged time keeps its zone and an unchanged amount its unit, when another person changes the rest.
  const isSameTime = trigger?.kind === 'answer' && trigger.at === time;
  const isSameAmount = trigger?.kind === 'over' && trigger.amount === amount;
  const typed = { every, at: time, over: amount };
  return {
    query,
    channel: text(SCHEDULE_FIELDS.channel),
    trigger:
      every !== undefined && isSameTime ? { ...trigger, every } : isSameAmount ? trigger : typed,
  };
}

/** The current channel, the one where the form was opened, the billing channel, and direct messages. */
export function channelsFor(
  here: string,
  now: string | undefined,
  billing: string | undefined,
): Choice[] {
  const all: Choice[] = [
    ...(now === undefined ? [] : [{ text: 'Where it is now', value: now }]),
    ...(here === OWN_MESSAGES ? [] : [{ text: 'This channel', value: here }]),
    ...(billing === undefined ? [] : [{ text: 'The billing channel', value: billing }]),
    { text: 'My messages with Purser', value: OWN_MESSAGES },
  ];
  return all.filter(({ value }, at) => all.findIndex((one) => one.value === value) === at);
}

export function createSavedRoutes(source: Source, services: SavedServices) {
  const { clock, config } = services;
  const command = source.help.command;
  const view = () => ({
    currency: config.currency,
    everyMs: config.billingPollMs,
    now: clock.now(),
    command,
  });
  const scheduled: Scheduled = (question, done) => scheduledAnswer(question, { ...view(), done });
  const unwatch = async (number: string, person: Person): Promise<Answer> =>
    unwatchedAnswer(number, await stop(services, number, person), view());
  return {
    async watch(
      { query, channel, ...trigger }: WatchWords,
      { person, channelId: here }: CommandContext,
    ): Promise<Answer> {
      const wanted = { query, channel, trigger };
      const saved = await savedOf(source, services, { person, here }, wanted);
      // Direct messages need no confirmation: no one else reads them.
      if (isDirect(saved.channel)) return scheduled(await makeSaved(services, saved), 'Scheduled');
      const guests = await guestsOf(services, saved, saved.channel);
      return askedAnswer(saved, { ...view(), guests });
    },
    list: (context: CommandContext) => list(services, context, view()),
    unwatch,
    actions: [
      {
        actionId: actionId(source.name, 'schedule-now'),
        inPlace: true,
        async run(context) {
          const { person } = context;
          const wanted = await questionIn(services.kept, context, Saved);
          // Everything is validated again: rights and channels can change between the question and the click.
          const here = context.channelId ?? wanted.channel;
          const saved = await savedOf(source, services, { person, here }, wanted);
          return scheduled(await makeSaved(services, saved), 'Scheduled');
        },
      },
      {
        actionId: actionId(source.name, 'resume'),
        run: async (context) => scheduled(await resume(source, services, context), 'Resumed'),
      },
      {
        actionId: actionId(source.name, 'unwatch'),
        run: ({ person, value = '' }) => unwatch(value, person),
      },
    ] satisfies ActionRoute[],
    form: createScheduleForm(source, services, scheduled),
  };
}

/** @returns undefined if there is no such question @throws Refusal */
async function stop(
  services: SavedServices,
  number: string,
  person: Person,
): Promise<Saved | undefined> {
  const question = await readSaved(services, number);
  const owner = question?.saved.by.userId;
  const isOwn = owner === person.userId;
  if (!isOwn) await services.access.requireRole(person, READERS);
  if (question !== undefined && !isSeenBy(question, person)) return undefined;
  // A question can be stopped also when Slack does not show its owner's messages with Purser.
  const ownChannel =
    isOwn || owner === undefined
      ? undefined
      : await openDirect(services.slack, owner).catch(() => undefined);
  const removed = await removeSaved(services, number, person.userId, (one) => [
    ...byMessages('stopped', one, person),
    ...(ownChannel === undefined
      ? []
      : [messageOf(one, 'stopped/owner', stoppedForOwner(one, person.userId), ownChannel)]),
  ]);
  return removed?.saved;
}

/** Questions of a person's direct messages do not exist for others. */
function isSeenBy({ saved: { by, channel } }: SavedQuestion, { userId }: Person): boolean {
  return !isDirect(channel) || by.userId === userId;
}

type Scheduled = (
  question: Awaited<ReturnType<typeof makeSaved | typeof replaceSaved>>,
  done: 'Scheduled' | 'Changed' | 'Resumed',
) => Answer;

/** A paused question goes on as that of the member, in its own time zone. @throws Refusal */
async function resume(
  source: Source,
  services: SavedServices,
  { person, channelId, value = '' }: ActionContext,
): ReturnType<typeof replaceSaved> {
  const { question } = await questionFor(source, services, person, `#${value}`);
  if (question?.endedAt === undefined) throw new Refusal(`Saved question ${value} is not paused.`);
  // Not from the memory of roles, which may be older than the loss.
  const { who, refusal } = await readRight(source, services, person);
  if (refusal !== undefined) throw denied('role', refusal, askable({ roles: READERS }, who));
  const { channel, by } = question.saved;
  const here = by.userId === person.userId ? channel : (channelId ?? '');
  const checked = await savedOf(source, services, { person, here }, question.saved);
  const saved = { ...question.saved, by: checked.by };
  return replaceSaved(services, value, saved, {
    event: 'report.resume',
    isWanted: ({ endedAt }) => endedAt !== undefined,
    messages: byMessages('resumed', question, person, services.clock.now()),
  });
}

/** For the channel of a question that a member stops or resumes; none in direct messages. */
function byMessages(
  done: 'stopped' | 'resumed',
  one: SavedQuestion,
  { userId }: Person,
  now?: number,
): Message[] {
  if (isDirect(one.saved.channel)) return [];
  // A number is stopped once, and may be resumed again.
  const what = now === undefined ? done : `${done}/${new Date(now).toISOString().slice(0, 16)}`;
  return [messageOf(one, what, byPost(done, one, userId))];
}

/** Saved questions of this channel, and of the member. @throws Refusal */
async function list(
  services: SavedServices,
  { person, channelId }: CommandContext,
  view: Parameters<typeof savedListAnswer>[2],
): Promise<Answer> {
  const { access } = services;
  const all = await readAllSaved(services);
  const isReader = await hasRole(access, person, READERS);
  // Creators can always stop their own questions, even after losing the role.
  const shown = all.filter(
    (one) =>
      one.saved.by.userId === person.userId ||
      (isReader && one.saved.channel === channelId && isSeenBy(one, person)),
  );
  if (!isReader && shown.length === 0) await access.requireRole(person, READERS);
  return savedListAnswer(shown, await stoppedTopics(services), view);
}

/** `of`: the id of an answer, or the number of a saved question; `here`: where the form was opened. */
const FormState = z.object({ of: z.string(), here: z.string() });

/** `question` is absent for a new one. @throws Refusal if it no longer exists */
async function questionFor(
  source: Source,
  services: SavedServices,
  person: Person,
  of: string,
): Promise<{ query: ReportQuery; question?: SavedQuestion }> {
  const number = /^#(\d+)$/.exec(of)?.[1];
  if (number === undefined) {
    return questionIn(services.kept, { person, answerId: of }, State);
  }
  const question = await readSaved(services, number);
  if (question?.saved.source !== source.name || !isSeenBy(question, person)) {
    throw new Refusal(`Saved question ${number} no longer exists.`);
  }
  return { query: question.saved.query, question };
}

/** **Schedule** below an answer, and **Change** of a saved question. */
function createScheduleForm(
  source: Source,
  services: SavedServices,
  scheduled: Scheduled,
): FormRoute {
  const { access, config } = services;
  return {
    actionId: actionId(source.name, 'schedule'),
    callbackId: actionId(source.name, 'scheduled'),
    title: 'Schedule',
    async fill({ person, channelId = OWN_MESSAGES, value, answerId }, show) {
      await access.requireRole(person, READERS);
      const of = value ?? answerId ?? '';
      const { query, question } = await questionFor(source, services, person, of);
      const choices = channelsFor(channelId, question?.saved.channel, config.channels.billing);
      await show(
        scheduleForm({
          source: source.name,
          query,
          trigger: question?.saved.trigger,
          usualTime: formatTime(config.digest.time),
          channels: await Promise.all(
            choices.map((choice) => withReaders(services, source, choice)),
          ),
          currency: config.currency,
          state: JSON.stringify({ of, here: channelId }),
        }),
      );
    },
    async submit({ person, values, state }) {
      const { of, here } = FormState.parse(JSON.parse(state));
      const { query, question } = await questionFor(source, services, person, of);
      const currency = source.name === 'charges' ? config.currency : undefined;
      const wanted = readScheduleForm(values, {
        query,
        currency,
        trigger: question?.saved.trigger,
      });
      if ('errors' in wanted) return wanted;
      const isNew = question === undefined;
      const full = isNew && (await savedLimit(services, source.name, person.userId));
      if (typeof full === 'string') return { errors: { [SCHEDULE_FIELDS.every]: full } };
      return {
        async answer() {
          // Direct messages are a channel that is opened on demand, so the member is always in it.
          const isOwn = wanted.channel === OWN_MESSAGES;
          const own = isOwn ? await openDirect(services.slack, person.userId) : undefined;
          const channel = own ?? wanted.channel;
          const place = { person, here: own ?? here };
          const saved = await savedOf(source, services, place, { ...wanted, channel });
          return question === undefined
            ? scheduled(await makeSaved(services, saved), 'Scheduled')
            : scheduled(await replaceSaved(services, question.number, saved), 'Changed');
        },
      };
    },
  };
}

async function guestsOf(
  { audience }: Pick<SavedServices, 'audience'>,
  { source }: Pick<Saved, 'source'>,
  channel: string,
): Promise<Guests> {
  return hasFigures({ name: source }) ? audience.guestsIn(channel) : 0;
}

/** "This channel (2 guests read it, too)": the form is the confirmation. */
async function withReaders(
  services: SavedServices,
  source: Source,
  { text, value }: Choice,
): Promise<Choice> {
  if (value === OWN_MESSAGES) return { text, value };
  const also = guestWords(await guestsOf(services, { source: source.name }, value));
  return { text: also === undefined ? text : `${text} (${also})`, value };
}
