import type { KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import type { MessageContent } from '../../notify/message.ts';
import { formatDuration, plural, shorten } from '../../lib/text.ts';
import { formatExactMoney, formatMoney } from '../../reporting/amounts.ts';
import { formatInUnit } from '../../reporting/quantity.ts';
import { writeQuery } from '../../reporting/query.ts';
import {
  describeAsked,
  describeRange,
  rollingStep,
  valuesIn,
  type Range,
} from '../../reporting/range.ts';
import {
  describeSchedule,
  lastSlot,
  nextSlot,
  reportOfSlot,
  type SlotReport,
} from '../../reporting/schedule.ts';
import {
  actions,
  button,
  context,
  lines,
  overflow,
  section,
  sign,
} from '../../slack/kit/blocks.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import {
  channel,
  code,
  instant,
  joinMrkdwn,
  LIMITS,
  mentionChannel,
  mentionUser,
  moment,
  mrkdwn,
  Mrkdwn,
  person,
  rich,
  type Rich,
} from '../../slack/kit/text.ts';
import { guestWords, type Guests, READ_BY_OTHERS } from '../../slack/audience.ts';
import { isDirect } from '../../slack/directory.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { TOPICS } from '../../monitors/topics.ts';
import { type ListColumn, listed } from '../list.ts';
import { runButton, startButton, type Stopped } from '../notices.ts';
import type { ReportPage } from './report.ts';
import {
  RESUMABLE_MS,
  scheduleOf,
  type Saved,
  type SavedQuestion,
  type Threshold,
} from './saved.ts';
import { actionId, flaw } from './words.ts';

interface ViewContext {
  readonly currency: string;
  /** How often amounts are checked, ms. */
  readonly everyMs: number;
}

type Named = Pick<SavedQuestion, 'number' | 'saved'>;

interface TimedContext extends ViewContext {
  /** Ms since the epoch. */
  readonly now: number;
}

/** Without its schedule: "/charges last month by workload". */
function commandOf({ source, query }: Pick<Saved, 'source' | 'query'>): string {
  return `/${source} ${writeQuery(query)}`;
}

/** "$500.00", "500 core-hours". */
function amountWords({ amount, unit }: Threshold, currency: string, isMoney: boolean): string {
  const value = new BigNumber(amount);
  if (isMoney) return formatExactMoney(value, currency);
  return unit === undefined ? value.toFormat() : `${value.toFormat()} ${unit}`;
}

/** "`/charges yesterday` in #finance daily at 09:00 (Europe/Berlin)", or "… when it is over $500.00". */
function whatHappens(saved: Saved, { currency }: ViewContext): Mrkdwn {
  const { trigger } = saved;
  const where = isDirect(saved.channel)
    ? mrkdwn`in your messages with Purser`
    : mrkdwn`in ${mentionChannel(saved.channel)}`;
  const what = code(commandOf(saved), 200);
  if (trigger.kind === 'answer') {
    return mrkdwn`${what} ${where} *${describeSchedule(scheduleOf(trigger))}*`;
  }
  const amount = amountWords(trigger, currency, saved.source === 'charges');
  return mrkdwn`${what} ${where} when it is *over ${amount}*`;
}

/**
 * "Next 1 Nov 11:00: reports October 2026 (UTC)".
 * @param day the local day of the last slot that is over and done with; absent: the last one
 */
function whenNext({ trigger, query }: Saved, { now, everyMs }: TimedContext, day?: string): Mrkdwn {
  if (trigger.kind === 'over') {
    return mrkdwn`Checked every ${formatDuration(everyMs)}, ${howOften(query.range)}`;
  }
  const schedule = scheduleOf(trigger);
  const last = lastSlot(schedule, now);
  const isLastDue = day !== undefined && day < last.day;
  const slot = isLastDue ? last : nextSlot(schedule, now);
  const { range, dueAt } = reportOfSlot(query.range, slot);
  const what = describeAsked(range, dueAt);
  if (isLastDue && dueAt <= now) {
    const following = nextSlot(schedule, now);
    return mrkdwn`The last answer is still due, so it comes now: it reports ${what}. Next ${moment(following.at)}`;
  }
  const why = dueAt > slot.at ? ', once that is over in UTC' : '';
  return mrkdwn`Next ${moment(dueAt)}: reports ${what}${why}`;
}

/** "posted once for the same range". */
function howOften(range: string): string {
  if (rollingStep(range) === undefined) return 'posted once for the same range';
  const unit = /(hour|day|week|month)s?$/.exec(range)?.[1] ?? '';
  return `posted again only after ${unit === 'hour' ? 'an' : 'a'} ${unit} at or below the amount`;
}

/** Asks for confirmation before anything is posted to a channel (design section 6). @param guests of the channel */
export function askedAnswer(
  saved: Saved,
  { guests, ...view }: TimedContext & { readonly guests: Guests },
): Answer {
  const line = mrkdwn`*Not scheduled yet*: ${whatHappens(saved, view)}`;
  const also = guestWords(guests, 'the channel');
  const warning = also === undefined ? [] : [section(mrkdwn`:warning: ${also}.`)];
  return {
    blocks: [
      section(line),
      ...warning,
      context(mrkdwn`${whenNext(saved, view)}. It is asked with your rights each time.`),
    ],
    asked: { route: actionId(saved.source, 'schedule-now'), question: saved, page: 1 },
    controls: [
      button({
        action: actionId(saved.source, 'schedule-now'),
        text: 'Schedule',
        style: 'primary',
        confirm: {
          title: 'Post it to the channel?',
          question: shareQuestion(saved.source, guests),
          yes: 'Schedule',
          no: 'Cancel',
        },
      }),
    ],
  };
}

export function shareQuestion(source: Saved['source'], guests: Guests = 0): string {
  const what = source === 'charges' ? 'billing data' : 'usage';
  const also = guestWords(guests);
  return `It shows ${what} to everyone in the channel, again and again until it is stopped.${also === undefined ? '' : ` ${also}.`}`;
}

export function scheduledAnswer(
  { number, saved, day }: Named & { readonly day?: string | undefined },
  view: TimedContext & { readonly done: 'Scheduled' | 'Changed' | 'Resumed' },
): Answer {
  // An amount has no schedule.
  const done = view.done === 'Scheduled' && saved.trigger.kind === 'over' ? 'Saved' : view.done;
  const line = mrkdwn`*${done}*: ${whatHappens(saved, view)}. Number ${number}.`;
  return {
    blocks: [
      section(line),
      context(
        mrkdwn`${whenNext(saved, view, day)}. ${code(`/${saved.source} watches`)} lists all.`,
      ),
    ],
    buttons: [changeButton(number, saved), button(stopping(number, saved))],
  };
}

/** @param saved undefined: the question did not exist */
export function unwatchedAnswer(
  number: string,
  saved: Saved | undefined,
  view: ViewContext & { readonly command: string },
): Answer {
  const line =
    saved === undefined
      ? mrkdwn`There is no saved question ${number}: ${code(`${view.command} watches`)} lists those of this channel.`
      : mrkdwn`${sign('over')} *Stopped*: ${whatHappens(saved, view)}`;
  return { blocks: [section(line)] };
}

export function savedListAnswer(
  all: readonly Listed[],
  stopped: readonly Stopped[],
  view: ViewContext & { readonly command: string },
): Answer {
  const head =
    all.length === 0
      ? mrkdwn`No saved questions of this channel, or of you. ${code(`${view.command} watch last 7 days daily`)} makes one.`
      : mrkdwn`*${plural(all.length, 'saved question')}* of this channel, and of you`;
  const table = listed({
    caption: 'Saved questions',
    columns: listColumns(view),
    rows: all,
    step: ({ number, saved, endedAt }) =>
      (endedAt === undefined ? changeButton : resumeButton)(number, saved),
  });
  return {
    blocks: [
      section(head),
      ...table.blocks,
      ...stopped.map((stop) =>
        section(
          mrkdwn`${sign('over')} *Stopped*: ${TOPICS[stop.topic].what}, by ${mentionUser(stop.by)}, ${moment(stop.at)}`,
          startButton(stop.topic),
        ),
      ),
    ],
  };
}

type Listed = Omit<SavedQuestion, 'text' | 'madeAt'>;

function listColumns({ currency }: ViewContext): ListColumn<Listed>[] {
  return [
    { title: 'Question', of: ({ saved }) => commandOf(saved) },
    { title: 'Number', of: ({ number }) => new Numeric(Number(number)) },
    {
      title: 'Where',
      of: ({ saved }) => (isDirect(saved.channel) ? 'Direct messages' : channel(saved.channel)),
    },
    {
      title: 'Posted',
      of: ({ saved: { source, trigger } }) =>
        trigger.kind === 'answer'
          ? describeSchedule(scheduleOf(trigger))
          : `when over ${amountWords(trigger, currency, source === 'charges')}`,
    },
    { title: 'State', of: stateOf },
    { title: 'By', of: ({ saved }) => person(saved.by.userId) },
  ];
}

function stateOf({ endedAt, heldSince }: Listed): string | Rich {
  if (endedAt !== undefined) {
    const deleted = instant(endedAt + RESUMABLE_MS, '{date_short}');
    return rich`Paused: its owner lost the right to see it, deleted on ${deleted}`;
  }
  if (heldSince === undefined) return 'Active';
  return rich`Paused since ${instant(heldSince)}: ${READ_BY_OTHERS}; it goes on by itself when they do not`;
}

/** @param slot of a schedule; times are ms since the epoch */
export function savedPost(
  one: Named,
  report: Pick<ReportPage, 'blocks'>,
  slot?: SlotReport & { readonly at: number },
): MessageContent {
  const waited =
    slot !== undefined && slot.dueAt > slot.at
      ? [mrkdwn`It waited for the end of ${describeRange(slot.range)} in UTC.`]
      : [];
  // Notes are behind Show: a channel reads this every day.
  return contentOf([...report.blocks, ...ending(one, waited)]);
}

/** The sum of a question beside its amount. */
export interface Judged {
  readonly threshold: Threshold;
  /** In the unit of the threshold. */
  readonly value: BigNumber;
  /** For a quantity: its raw unit, and how many of them make up one unit of the threshold. */
  readonly unit: string | undefined;
  readonly size: BigNumber;
  readonly range: Range;
  /** "about $6,430 by 30 November". */
  readonly estimate: string | undefined;
  /** Question, change, its driver and the projection. */
  readonly blocks: readonly KnownBlock[];
  /** Mrkdwn, a line each. */
  readonly warnings: readonly string[];
}

/**
 * ":large_orange_circle: *shop is over budget*: $828 of $800 (103%), about $1,160 by 30 November". `unclear`: the sum is
 * not over the amount, and not everything could be read; `clear` replaces that.
 */
export function judgedPost(
  how: 'crossed' | 'unclear' | 'clear',
  one: Named,
  judged: Judged,
  currency: string,
): MessageContent {
  const { query, source } = one.saved;
  const { is, of, share } = figuresOf(one.saved, judged, currency);
  const about = aboutOf(one.saved);
  const ahead = judged.estimate === undefined ? '' : `, ${judged.estimate}`;
  const limit = source === 'charges' ? 'budget' : 'its limit';
  const line = {
    crossed: mrkdwn`${sign('wrong')} *${about} is over ${limit}*: ${is} of ${of}${share}${ahead}`,
    unclear: mrkdwn`${sign('unknown')} *${about} cannot be judged*: ${is} of ${of} could be read, and there may be more`,
    clear: mrkdwn`${sign('good')} *${about} can be judged again*: ${is} of ${of}${share}`,
  }[how];
  const crossed =
    rollingStep(query.range) === undefined
      ? mrkdwn`Posted once for ${describeRange(judged.range)}.`
      : mrkdwn`It is ${howOften(query.range)}.`;
  const often = how === 'crossed' ? crossed : mrkdwn`If it goes over ${of}, that is still posted.`;
  const warnings = judged.warnings.map((text) => new Mrkdwn(text));
  return contentOf([lines([line, ...warnings]), ...judged.blocks, ...ending(one, [often])]);
}

/** The subject of a budget: "shop/api", "cpu of shop", "Spend". */
function aboutOf({ source, query }: Saved): string {
  const { where, orgs, of, items } = query;
  const valueOf = (tag: string) => only(valuesIn(tag, where[tag] ?? ''));
  const own = [valueOf('gvc'), valueOf('workload')].filter(Boolean).join('/');
  const place = own || valueOf('org') || only(orgs);
  const thing = only(items) || only(of) || valueOf('metric');
  const usual = source === 'charges' ? 'Spend' : 'Usage';
  return shorten([thing, place].filter(Boolean).join(' of ') || usual, 50);
}

function only(values: readonly string[] = []): string | undefined {
  return values.length === 1 ? values[0] : undefined;
}

/** "$828", "$800" and " (103%)"; "13,478 core-hours". */
function figuresOf({ source }: Saved, judged: Judged, currency: string) {
  const { threshold, value, unit, size } = judged;
  const isMoney = source === 'charges';
  const of = amountWords(threshold, currency, isMoney).replace(WHOLE, '');
  const whole = value.integerValue();
  const round = formatMoney(whole, currency).replace(WHOLE, '');
  const exact = isMoney ? formatMoney(value, currency) : formatInUnit(value.times(size), unit);
  // A sum that is over its amount is not rounded below it: "over budget: $800 of $800.30".
  const isSameSide = whole.comparedTo(threshold.amount) === value.comparedTo(threshold.amount);
  const isRound = isMoney && value.gte(100) && isSameSide;
  const percent = value.times(100).div(threshold.amount);
  const share = percent.isFinite()
    ? ` (${percent.integerValue(BigNumber.ROUND_FLOOR).toFormat(0)}%)`
    : '';
  return { is: isRound ? round : exact, of, share };
}

const WHOLE = /\.0+(?!\d)/;

/** A sum that is not counted, because it is in another currency. */
export function foreignWarning({
  measure,
  value,
}: NonNullable<ReportPage['sums']>[number]): string {
  const { currency } = { currency: undefined, ...measure };
  return flaw(
    mrkdwn`Without ${formatMoney(new BigNumber(value), currency)}: that is another currency.`,
  ).text.text;
}

/** Why nothing is posted while the owner's rights cannot be checked. */
export const RIGHT_UNREAD =
  'Purser could not check whether the person who scheduled it may still see it: Slack or the platform gave no answer that it can read.';
export const NO_EMAIL =
  'Slack gives no confirmed e-mail address of the person who scheduled it, so Purser cannot check whether they may still see it.';

export const NOT_CONFIRMED =
  'The e-mail address of the person who scheduled it is in use by another Slack account, so Purser cannot know whether they may still see it: they can ask a billing_admin to confirm both, with /changes confirm.';

export function otherCurrency(currency: string): string {
  return `Its charges are in another currency than ${currency}: stop it, or watch it without an amount.`;
}

export const NO_UNIT =
  'The unit of its metric cannot be read from the chargeable items, so its amount cannot be compared.';

/** @param sentence the reason; escaped here */
export function unansweredPost(one: Named, sentence: string): MessageContent {
  const line = mrkdwn`${sign('unknown')} *Not answered*: ${code(commandOf(one.saved), 200)}\n${sentence}`;
  return contentOf([section(line), ...ending(one)]);
}

/** Posted if the owner may no longer see the answer. @param now ms since the epoch */
export function endedPost({ number, saved }: Named, now: number): MessageContent {
  const role =
    saved.source === 'charges' ? 'a billing role' : 'a billing role and access to the orgs';
  const line = mrkdwn`${sign('off')} *Paused*: ${code(commandOf(saved), 200)}\n${mentionUser(saved.by.userId)}, who scheduled it, may no longer see the answer.`;
  const next = mrkdwn`→ *Resume* takes ${role}, and makes you its owner. Otherwise it is deleted on ${moment(now + RESUMABLE_MS, '{date_short}')}.`;
  return contentOf([lines([line, next]), actions(resumeButton(number, saved))]);
}

/** Posted to the owner when people from another company came to read the channel. */
export function heldPost({ number, saved }: Named): MessageContent {
  const line = mrkdwn`${sign('off')} *Paused*: ${code(commandOf(saved), 200)} in ${mentionChannel(saved.channel)}, number ${number}\nThere, ${READ_BY_OTHERS}, and billing figures stay in your company.`;
  const next = mrkdwn`→ It goes on by itself when the channel is your company’s own again. *Change* moves it to another channel.`;
  return contentOf([lines([line, next]), actions(changeButton(number, saved))]);
}

/** The same message when it goes on. @param since ms since the epoch, as is `now` */
export function releasedPost({ number, saved }: Named, since: number, now: number): MessageContent {
  const line = mrkdwn`${sign('good')} *Goes on*: ${code(commandOf(saved), 200)} in ${mentionChannel(saved.channel)}, number ${number}\nIt was paused for ${formatDuration(now - since)}.`;
  return contentOf([section(line)]);
}

/** Posted to the owner of a question that another member stopped in its channel. */
export function stoppedForOwner({ number, saved }: Named, userId: string): MessageContent {
  const line = mrkdwn`${sign('over')} ${mentionUser(userId)} stopped your question ${code(commandOf(saved), 200)} in ${mentionChannel(saved.channel)}, number ${number}`;
  return contentOf([section(line)]);
}

/** Posted to the channel of a question that a member stopped or resumed. */
export function byPost(
  done: 'stopped' | 'resumed',
  { number, saved }: Named,
  userId: string,
): MessageContent {
  const line = mrkdwn`${sign(done === 'stopped' ? 'over' : 'good')} ${mentionUser(userId)} ${done} ${code(commandOf(saved), 200)}, number ${number}`;
  return contentOf([section(line)]);
}

function ending({ number, saved }: Named, notes: readonly Mrkdwn[] = []): KnownBlock[] {
  const { trigger, source } = saved;
  const what =
    trigger.kind === 'answer'
      ? mrkdwn`Schedule ${number}, ${describeSchedule(scheduleOf(trigger))}.`
      : mrkdwn`${source === 'charges' ? 'Budget' : 'Limit'} ${number}.`;
  return [
    actions(...showButton(saved), changeButton(number, saved), overflow(stopping(number, saved))),
    context(joinMrkdwn([what, ...notes], ' ')),
  ];
}

/** Omitted if the command exceeds the value of a button. */
function showButton(saved: Saved) {
  const command = commandOf(saved);
  return command.length > LIMITS.buttonValue ? [] : [runButton('Show', command)];
}

function changeButton(number: string, { source }: Saved) {
  return button({
    action: actionId(source, 'schedule'),
    text: 'Change',
    value: `#${number}`,
    label: `Change saved question ${number}`,
  });
}

function resumeButton(number: string, { source }: Saved) {
  return button({
    action: actionId(source, 'resume'),
    text: 'Resume',
    value: number,
    label: `Resume saved question ${number}`,
  });
}

function stopping(number: string, { source, channel }: Saved) {
  const isPrivate = isDirect(channel);
  const whom = isPrivate
    ? 'It stops in your messages with Purser'
    : 'It stops for everyone in its channel, where your name is posted';
  return {
    action: actionId(source, 'unwatch'),
    text: 'Stop',
    value: number,
    label: `Stop saved question ${number}`,
    confirm: {
      title: isPrivate ? 'Stop it?' : 'Stop it for everyone?',
      question: isPrivate ? `${whom}.` : `${whom}. This takes a billing role, or to be its owner.`,
      yes: 'Stop',
      no: 'Keep',
    },
  };
}
