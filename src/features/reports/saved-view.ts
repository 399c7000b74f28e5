import type { KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import type { MessageContent } from '../../notify/message.ts';
import { formatDuration, plural } from '../../lib/text.ts';
import { formatExactMoney, formatMoney } from '../../reporting/amounts.ts';
import { formatInUnit } from '../../reporting/quantity.ts';
import { writeQuery } from '../../reporting/query.ts';
import { describeRange, type Range } from '../../reporting/range.ts';
import { describeSchedule, nextSlot } from '../../reporting/schedule.ts';
import { actions, button, context, lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import {
  code,
  joinMrkdwn,
  mentionChannel,
  mentionUser,
  moment,
  mrkdwn,
  Mrkdwn,
} from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { TOPICS } from '../../monitors/topics.ts';
import { runButton, startButton, type Stopped } from '../notices.ts';
import { actionId } from './answer-view.ts';
import type { ReportPage } from './report.ts';
import { scheduleOf, type Saved, type SavedQuestion, type Threshold } from './saved.ts';

interface ViewContext {
  readonly currency: string;
  /** How often amounts are checked, ms. */
  readonly everyMs: number;
}

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
  const { tells } = saved;
  const where = saved.channel.startsWith('D')
    ? mrkdwn`in your messages with Purser`
    : mrkdwn`in ${mentionChannel(saved.channel)}`;
  const what = code(commandOf(saved), 200);
  if (tells.kind === 'answer') {
    return mrkdwn`${what} ${where} *${describeSchedule(scheduleOf(tells))}*`;
  }
  const amount = amountWords(tells, currency, saved.source === 'charges');
  return mrkdwn`${what} ${where} when it is *over ${amount}*`;
}

function whenNext({ tells }: Saved, { now, everyMs }: TimedContext): Mrkdwn {
  return tells.kind === 'answer'
    ? mrkdwn`Next ${moment(nextSlot(scheduleOf(tells), now).at)}`
    : mrkdwn`Looked at every ${formatDuration(everyMs)}, told once for the same range`;
}

/** Asks for confirmation before anything is posted to a channel (design section 6). */
export function askedAnswer(saved: Saved, id: string, view: TimedContext): Answer {
  const line = mrkdwn`*Not scheduled yet*: ${whatHappens(saved, view)}`;
  return {
    text: topText(line),
    blocks: [
      section(line),
      context(mrkdwn`${whenNext(saved, view)}. It is asked with your rights each time.`),
    ],
    buttons: [
      button({
        action: actionId(saved.source, 'schedule-now'),
        text: 'Schedule',
        value: id,
        style: 'primary',
        confirm: {
          title: 'Post it to the channel?',
          question: shareQuestion(saved.source),
          yes: 'Schedule',
          no: 'Cancel',
        },
      }),
    ],
  };
}

export function shareQuestion(source: Saved['source']): string {
  const what = source === 'charges' ? 'billing data' : 'usage';
  return `It shows ${what} to everyone in the channel, again and again until somebody stops it.`;
}

export function scheduledAnswer(
  { number, saved }: Pick<SavedQuestion, 'number' | 'saved'>,
  view: TimedContext & { readonly isChanged: boolean },
): Answer {
  const line = mrkdwn`:white_check_mark: *${view.isChanged ? 'Changed' : 'Scheduled'}*: ${whatHappens(saved, view)}`;
  return {
    text: topText(line),
    blocks: [
      section(line),
      context(
        mrkdwn`${whenNext(saved, view)}. Number ${number}: ${code(`/${saved.source} watches`)} lists all.`,
      ),
    ],
    buttons: [changeButton(number, saved), stopButton(number, saved)],
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
      : mrkdwn`${new Mrkdwn(SIGN.over)} *Stopped*: ${whatHappens(saved, view)}`;
  return { text: topText(line), blocks: [section(line)] };
}

export function savedListAnswer(
  all: readonly SavedQuestion[],
  stopped: readonly Stopped[],
  view: ViewContext & { readonly command: string },
): Answer {
  const head =
    all.length === 0
      ? mrkdwn`No saved questions of this channel, or of you. ${code(`${view.command} watch last 7 days daily`)} makes one.`
      : mrkdwn`*${plural(all.length, 'saved question')}* of this channel, and of you`;
  const shown = all.slice(0, MOST_SHOWN);
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...shown.map((one) => section(listedLine(one, view), changeButton(one.number, one.saved))),
      ...stopped.map((stop) =>
        section(
          mrkdwn`${new Mrkdwn(SIGN.over)} *Stopped*: ${TOPICS[stop.topic].what}, by ${mentionUser(stop.by)}, ${moment(stop.at)}`,
          startButton(stop.topic),
        ),
      ),
    ],
    ...(shown.length < all.length && {
      rest: {
        button: `All ${all.length}`,
        title: 'Saved questions',
        blocks: all.map((one) => section(listedLine(one, view))),
      },
    }),
  };
}

/** Keeps the list readable; the others are behind a button. */
const MOST_SHOWN = 8;

/** "3 · `/charges yesterday` in #finance daily at 09:00 UTC · by @ada". */
function listedLine({ number, saved }: SavedQuestion, view: ViewContext): Mrkdwn {
  return mrkdwn`*${number}* · ${whatHappens(saved, view)} · by ${mentionUser(saved.by.userId)}`;
}

export function savedPost(
  { number, saved }: Pick<SavedQuestion, 'number' | 'saved'>,
  report: Pick<ReportPage, 'text' | 'blocks'>,
): MessageContent {
  // Notes are behind Open: a channel reads this every day.
  return { text: report.text, blocks: [...report.blocks, ...ending(number, saved)] };
}

export interface Crossing {
  readonly threshold: Threshold;
  /** In the unit of the threshold. */
  readonly value: BigNumber;
  /** For a quantity: its raw unit, and how many of them make up one unit of the threshold. */
  readonly unit: string | undefined;
  readonly size: BigNumber;
  readonly range: Range;
}

export function crossedPost(
  { number, saved }: Pick<SavedQuestion, 'number' | 'saved'>,
  report: Pick<ReportPage, 'blocks'>,
  { threshold, value, unit, size, range }: Crossing,
  { currency }: ViewContext,
): MessageContent {
  const isMoney = saved.source === 'charges';
  const is = isMoney ? formatMoney(value, currency) : formatInUnit(value.times(size), unit);
  const amount = amountWords(threshold, currency, isMoney);
  const percent = value.times(100).div(threshold.amount);
  const share = percent.isFinite()
    ? ` (${percent.integerValue(BigNumber.ROUND_FLOOR).toFormat(0)} %)`
    : '';
  const line = mrkdwn`${new Mrkdwn(SIGN.wrong)} *Over ${isMoney ? 'budget' : 'the limit'}*: *${is}* of ${amount}${share}`;
  const next = mrkdwn`→ See what grew: ${code(commandOf(saved), 200)}`;
  return {
    text: topText(joinMrkdwn([line, next], '\n')),
    blocks: [
      lines([line]),
      // Question, change, its driver and the projection.
      ...report.blocks.slice(0, 1),
      lines([next]),
      ...ending(number, saved, mrkdwn` for ${describeRange(range)}`),
    ],
  };
}

/** Posted instead of an answer while the creator's rights cannot be checked. */
export const NOT_SAID =
  'Whether the one who scheduled it may see it is not known just now: Slack or the platform does not say it.';

/** An amount cannot be compared with charges in another currency. */
export function otherCurrency(currency: string): string {
  return `Its charges are in another currency than ${currency}: stop it, or watch it without an amount.`;
}

/** @param sentence the reason; escaped here */
export function unansweredPost(
  { number, saved }: Pick<SavedQuestion, 'number' | 'saved'>,
  sentence: string,
): MessageContent {
  const line = mrkdwn`${new Mrkdwn(SIGN.unknown)} *Not answered*: ${code(commandOf(saved), 200)}. ${sentence}`;
  return { text: topText(line), blocks: [section(line), ...ending(number, saved)] };
}

/** Posted if the creator may no longer see the answer. */
export function endedPost({ saved }: Pick<SavedQuestion, 'saved'>): MessageContent {
  const line = mrkdwn`${new Mrkdwn(SIGN.over)} *Stopped*: ${code(commandOf(saved), 200)}, because ${mentionUser(saved.by.userId)}, who scheduled it, has no right to see it any more\n→ Somebody who has can schedule it again: ${code(`/${saved.source} watch`)}`;
  return { text: topText(line), blocks: [section(line), context(WHY_ENDED)] };
}

const WHY_ENDED = mrkdwn`Sent once: rights are asked for each time.`;

function ending(number: string, saved: Saved, period = mrkdwn``): KnownBlock[] {
  const { tells } = saved;
  const why =
    tells.kind === 'answer'
      ? mrkdwn`Scheduled ${describeSchedule(scheduleOf(tells))}, as number ${number}. Days are UTC.`
      : mrkdwn`Asked for as number ${number}, and told once${period}. Days are UTC.`;
  return [
    actions(...openButton(saved), changeButton(number, saved), stopButton(number, saved)),
    context(why),
  ];
}

/** Omitted if the command exceeds the value of a button. */
function openButton(saved: Saved) {
  const command = commandOf(saved);
  return command.length > MOST_VALUE ? [] : [runButton('Open', command)];
}

/** Slack's limit for the value of a button, in characters. */
const MOST_VALUE = 2_000;

function changeButton(number: string, { source }: Saved) {
  return button({
    action: actionId(source, 'schedule'),
    text: 'Change',
    value: `#${number}`,
    label: `Change saved question ${number}`,
  });
}

function stopButton(number: string, { source }: Saved) {
  return button({
    action: actionId(source, 'unwatch'),
    text: 'Stop',
    value: number,
    label: `Stop saved question ${number}`,
    confirm: {
      title: 'Stop it for everybody?',
      question:
        'It is not posted to this channel any more. It takes a billing role, or to be the one who scheduled it.',
      yes: 'Stop',
      no: 'Keep',
    },
  });
}
