import type { KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { needRefusal, READERS } from '../../access/policy.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { atMost, HOUR_MS } from '../../lib/time.ts';
import type { Message, MessageContent } from '../../notify/message.ts';
import { explainPlatformError, PlatformError } from '../../platform/errors.ts';
import type { Measure } from '../../reporting/amounts.ts';
import { priceUnit } from '../../reporting/quantity.ts';
import { rangeInFileName } from '../../reporting/range.ts';
import { lastSlot } from '../../reporting/schedule.ts';
import { runMonitor, type MonitorResult } from '../notices.ts';
import { emptyAnswer } from './answer-view.ts';
import { answer, type AnswerServices } from './answer.ts';
import { newState, resolveQuestion } from './question.ts';
import type { ReportPage } from './report.ts';
import {
  memoryField,
  readAllSaved,
  readSaved,
  SavedMemory,
  scheduleOf,
  type SavedQuestion,
  type Threshold,
} from './saved.ts';
import { thresholdJob, type SavedServices } from './saved-make.ts';
import {
  crossedPost,
  endedPost,
  NOT_SAID,
  otherCurrency,
  savedPost,
  unansweredPost,
} from './saved-view.ts';
import type { Question, Source } from './source.ts';

type RunServices = SavedServices & Pick<AnswerServices, 'allowance'>;

/** Maximum delay of an answer, in ms. */
const TICK_MS = 30_000;
/** Simultaneous questions. */
const AT_ONCE = 2;
/** How long a failing question is retried before the failure is posted, in ms. */
const PATIENCE_MS = HOUR_MS;

/**
 * Runs the saved questions of a source: schedules when due, amounts every BILLING_POLL_SECONDS. Off without billing:
 * saving requires a billing role.
 */
export function createSavedJobs(source: Source, services: RunServices): JobKind[] {
  const { billing, billingPollMs } = services.config;
  if (billing === undefined) return [];
  const thresholds = skipWhileRunning(() => runAll(source, services, 'over'));
  return [
    {
      queue: 'billing',
      name: `${source.name}-schedules`,
      every: Math.min(TICK_MS, billingPollMs),
      run: skipWhileRunning(() => runAll(source, services, 'answer')),
    },
    {
      queue: 'billing',
      name: thresholdJob(source.name),
      every: billingPollMs,
      async run({ number }) {
        if (number === undefined) return thresholds();
        const one = await readSaved(services, number);
        if (one?.saved.tells.kind === 'over') await run(source, services, one);
      },
    },
  ];
}

/** Skips a run while the previous one is in progress: it would repeat the same queries. */
function skipWhileRunning(run: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await run();
    } finally {
      isRunning = false;
    }
  };
}

/** A few at a time: they are not urgent, and members wait for the same platform. */
async function runAll(
  source: Source,
  services: RunServices,
  kind: 'answer' | 'over',
): Promise<void> {
  const own = (await readAllSaved(services)).filter(
    ({ saved }) => saved.source === source.name && saved.tells.kind === kind,
  );
  const limit = atMost(AT_ONCE);
  const results = await Promise.allSettled(
    own.map((one) => limit(() => run(source, services, one))),
  );
  // A failure of one must not stop the others.
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** A question that is changed during the run posts nothing: the next run uses the change. */
async function run(source: Source, services: RunServices, one: SavedQuestion): Promise<void> {
  const { number, text } = one;
  const place = { hash: services.keys.savedQuestions, field: memoryField(number) };
  await runMonitor(services, { ...place, unchanged: { [number]: text } }, SavedMemory, (memory) =>
    check(source, services, one, memory ?? { told: [] }),
  );
}

interface Due {
  /** Ms since the epoch; the range is relative to it. */
  readonly askedAt: number;
  /** For a schedule: the local day of its slot. */
  readonly day?: string;
}

async function check(
  source: Source,
  services: RunServices,
  one: SavedQuestion,
  memory: SavedMemory,
): Promise<MonitorResult<SavedMemory> | undefined> {
  const due = dueOf(one, memory, services.clock.now());
  if (due === undefined) return undefined;
  const right = await rightOf(source, services, one);
  if (right === 'unknown') return postFailure(services, one, memory, NOT_SAID);
  if (right === 'lacks') {
    const remove = [one.number, memoryField(one.number)];
    return { memory, messages: [messageOf(one, 'ended', endedPost(one))], remove };
  }
  try {
    const { question, report, flaws } = await ask(source, services, one, due.askedAt);
    const { failingSince: _, failureTold: __, retryAt: ___, ...answered } = memory;
    if (one.saved.tells.kind === 'over') {
      return postCrossing(services, one, answered, {
        question,
        report,
        threshold: one.saved.tells,
      });
    }
    const shown = report ?? emptyAnswer(source, question, flaws);
    return postAnswer(one, answered, due.day ?? '', shown);
  } catch (error) {
    return postFailure(services, one, memory, sentenceOf(error));
  }
}

function dueOf(
  { saved: { tells } }: SavedQuestion,
  { day = '', retryAt = 0 }: SavedMemory,
  now: number,
): Due | undefined {
  if (now < retryAt && tells.kind === 'answer') return undefined;
  if (tells.kind === 'over') return { askedAt: now };
  const slot = lastSlot(scheduleOf(tells), now);
  return slot.day > day ? { askedAt: slot.at, day: slot.day } : undefined;
}

/** Whether the creator may see the answer; checked every time. No response is not a lack. */
async function rightOf(
  source: Source,
  { access }: RunServices,
  { saved: { by } }: SavedQuestion,
): Promise<'has' | 'lacks' | 'unknown'> {
  const isOfOrgs = source.name === 'usage';
  try {
    const who = await access.principal(by, { orgs: isOfOrgs });
    const lacks =
      who.refusal ??
      needRefusal({ roles: READERS }, who) ??
      (isOfOrgs ? needRefusal('orgs', who) : undefined);
    return lacks === undefined ? 'has' : 'lacks';
  } catch (error) {
    if (error instanceof Refusal) return 'unknown';
    throw error;
  }
}

/** @throws Refusal, UsageError, PlatformError */
async function ask(
  source: Source,
  services: RunServices,
  { saved: { query, by } }: SavedQuestion,
  askedAt: number,
): Promise<{
  question: Question;
  report: ReportPage | undefined;
  flaws: readonly KnownBlock[];
}> {
  const { clock } = services;
  const viewer = await source.authorize(by);
  const question = await resolveQuestion(
    source,
    viewer,
    newState(source.name, query, askedAt),
    clock,
  );
  const wanted = {
    kind: 'totals',
    page: 1,
    notes: [],
    now: clock.now(),
    isShort: true,
  } as const;
  const report = await answer(source, services, question, wanted);
  return {
    question,
    report: report.kind === 'shown' ? report : undefined,
    flaws: report.kind === 'empty' ? report.flaws : [],
  };
}

/** A day can have several answers, after the question was moved to another time. */
function postAnswer(
  one: SavedQuestion,
  memory: SavedMemory,
  day: string,
  shown: Pick<ReportPage, 'text' | 'blocks'>,
): MonitorResult<SavedMemory> {
  const count = memory.answered?.day === day ? memory.answered.count + 1 : 1;
  const key = count === 1 ? day : `${day}/${count}`;
  return {
    memory: { ...memory, day, answered: { day, count } },
    messages: [messageOf(one, key, savedPost(one, shown))],
  };
}

interface Answered {
  readonly question: Question;
  readonly report: ReportPage | undefined;
  readonly threshold: Threshold;
}

/** Once per amount and period, which is the range of the question. */
function postCrossing(
  services: RunServices,
  one: SavedQuestion,
  memory: SavedMemory,
  { question: { range }, report, threshold }: Answered,
): MonitorResult<SavedMemory> {
  const { currency, billingPollMs } = services.config;
  const period = rangeInFileName(range);
  const posted = memory.period === period ? memory.told : [];
  const current = { ...memory, period, told: posted };
  const { amount } = threshold;
  const sum = report && sumOf(report, one.saved.source === 'charges' ? currency : undefined);
  const isForeign = sum?.count === 0 && (report?.sums ?? []).length > 0;
  if (isForeign) throw new Refusal(otherCurrency(currency));
  if (
    report === undefined ||
    sum === undefined ||
    posted.includes(amount) ||
    !sum.value.gt(amount)
  ) {
    return { memory: current, messages: [] };
  }
  const key = posted.length === 0 ? period : `${period}/${posted.length + 1}`;
  const view = { currency, everyMs: billingPollMs };
  const content = crossedPost(one, report, { threshold, ...sum, range }, view);
  return {
    memory: { ...current, told: [...posted, amount] },
    messages: [messageOf(one, key, content)],
  };
}

/**
 * The sum of an answer, in the unit of the amount.
 * @param currency undefined: a quantity of one metric, which may be metered for several features
 */
function sumOf({ sums = [] }: ReportPage, currency: string | undefined) {
  const own = sums.filter(({ measure }) => isOf(measure, currency));
  const [first] = own;
  const unit = first?.measure.kind === 'quantity' ? first.measure.unit : undefined;
  const size = priceUnit(unit)?.size ?? new BigNumber(1);
  const raw = own.reduce((sum, { value }) => sum.plus(value), new BigNumber(0));
  const value = currency === undefined ? raw.div(size) : raw;
  return { count: own.length, value, unit, size };
}

function isOf(measure: Measure, currency: string | undefined): boolean {
  return measure.kind === 'money' ? measure.currency === currency : currency === undefined;
}

/** A lasting failure is posted once; the answer still follows when it succeeds. */
function postFailure(
  { clock, config }: RunServices,
  one: SavedQuestion,
  memory: SavedMemory,
  sentence: string,
): MonitorResult<SavedMemory> {
  const now = clock.now();
  const { failingSince = now, failureTold = false } = memory;
  const failing = { ...memory, failingSince, retryAt: now + config.billingPollMs };
  if (failureTold || now - failingSince < PATIENCE_MS) return { memory: failing, messages: [] };
  const day = new Date(failingSince).toISOString().slice(0, 10);
  return {
    memory: { ...failing, failureTold: true },
    messages: [messageOf(one, `failed/${day}`, unansweredPost(one, sentence))],
  };
}

/** @throws unexpected errors */
function sentenceOf(error: unknown): string {
  if (error instanceof Refusal || error instanceof UsageError) return error.message;
  const sentence = error instanceof PlatformError ? explainPlatformError(error) : undefined;
  if (sentence === undefined) throw error;
  return sentence;
}

function messageOf(
  { number, saved: { channel } }: SavedQuestion,
  what: string,
  content: MessageContent,
): Message {
  return { channel, key: `@billing/report/${number}/${what}`, ...content };
}
