import { BigNumber } from 'bignumber.js';
import { needRefusal, READERS } from '../../access/policy.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { Message, MessageContent } from '../../notify/message.ts';
import { explainPlatformError, PlatformError } from '../../platform/errors.ts';
import type { Measure } from '../../reporting/amounts.ts';
import { priceUnit } from '../../reporting/quantity.ts';
import { rangeInFileName } from '../../reporting/range.ts';
import { lastSlot } from '../../reporting/schedule.ts';
import { lookAt } from '../notices.ts';
import type { Look } from '../notices.ts';
import { emptyAnswer } from './answer-view.ts';
import { answer } from './answer.ts';
import type { AnswerServices } from './answer.ts';
import { newState, resolveQuestion } from './question.ts';
import type { ReportPage } from './report.ts';
import { memoryField, readAllSaved, readSaved, SavedMemory, scheduleOf } from './saved.ts';
import type { SavedQuestion, Threshold } from './saved.ts';
import { thresholdJob } from './saved-make.ts';
import type { SavedServices } from './saved-make.ts';
import { crossedPost, endedPost, savedPost, unansweredPost } from './saved-view.ts';
import type { Question, Source } from './source.ts';

type RunServices = SavedServices & Pick<AnswerServices, 'allowance'>;

/** An answer is late by at most this. Milliseconds. */
const TICK_MS = 30_000;
/** So long a question that cannot be answered is asked again before it is told. Milliseconds. */
const PATIENCE_MS = HOUR_MS;

/**
 * Asks the saved questions of a source: those with a schedule when they are due, and those with an amount
 * every BILLING_POLL_SECONDS. Nothing without billing, which nobody could save one without.
 */
export function createSavedJobs(source: Source, services: RunServices): JobKind[] {
  const { billing, billingPollMs } = services.config;
  if (billing === undefined) return [];
  return [
    {
      queue: 'billing',
      name: `${source.name}-schedules`,
      every: Math.min(TICK_MS, billingPollMs),
      run: () => runAll(source, services, 'answer'),
    },
    {
      queue: 'billing',
      name: thresholdJob(source.name),
      every: billingPollMs,
      async run({ number }) {
        if (number === undefined) return runAll(source, services, 'over');
        const one = await readSaved(services, number);
        if (one?.saved.tells.kind === 'over') await run(source, services, one);
      },
    },
  ];
}

/** One after the other: none of them is urgent, and people who type wait for the same platform. */
async function runAll(
  source: Source,
  services: RunServices,
  kind: 'answer' | 'over',
): Promise<void> {
  const own = (await readAllSaved(services)).filter(
    ({ saved }) => saved.source === source.name && saved.tells.kind === kind,
  );
  const failures: unknown[] = [];
  for (const one of own) {
    // One that fails takes nothing from those behind it.
    await run(source, services, one).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Looks once. One that is changed meanwhile tells nothing: the next look is of what it was changed to. */
async function run(source: Source, services: RunServices, one: SavedQuestion): Promise<void> {
  const { number, text } = one;
  const place = { hash: services.keys.savedQuestions, field: memoryField(number) };
  await lookAt(services, { ...place, unchanged: { [number]: text } }, SavedMemory, (memory) =>
    look(source, services, one, memory ?? { told: [] }),
  );
}

/** What is to be answered now. */
interface Due {
  /** When it is asked, ms since the epoch: its range is of this moment. */
  readonly askedAt: number;
  /** Of a schedule: the local day of its slot. */
  readonly day?: string;
}

async function look(
  source: Source,
  services: RunServices,
  one: SavedQuestion,
  memory: SavedMemory,
): Promise<Look<SavedMemory> | undefined> {
  const due = dueOf(one, memory, services.clock.now());
  if (due === undefined) return undefined;
  const right = await rightOf(source, services, one);
  if (right === 'not said') return undefined;
  if (right === 'lacks') {
    const remove = [one.number, memoryField(one.number)];
    return { memory, messages: [messageOf(one, 'ended', endedPost(one))], remove };
  }
  try {
    const { question, report } = await ask(source, services, one, due.askedAt);
    const { failingSince: _, failureTold: __, ...answered } = memory;
    if (one.saved.tells.kind === 'over') {
      return tellCrossing(services, one, answered, {
        question,
        report,
        threshold: one.saved.tells,
      });
    }
    const shown = report ?? emptyReport(source, question);
    return {
      memory: { ...answered, day: due.day },
      messages: [messageOf(one, due.day ?? '', savedPost(one, shown))],
    };
  } catch (error) {
    return tellFailure(one, memory, sentenceOf(error), services.clock.now());
  }
}

function dueOf({ saved: { tells } }: SavedQuestion, { day = '' }: SavedMemory, now: number) {
  if (tells.kind === 'over') return { askedAt: now } satisfies Due;
  const slot = lastSlot(scheduleOf(tells), now);
  return slot.day > day ? ({ askedAt: slot.at, day: slot.day } satisfies Due) : undefined;
}

/** Whether the person may see the answer, asked afresh; silence is no lack. */
async function rightOf(
  source: Source,
  { access }: RunServices,
  { saved: { by } }: SavedQuestion,
): Promise<'has' | 'lacks' | 'not said'> {
  const isOfOrgs = source.name === 'usage';
  try {
    const who = await access.principal(by, { orgs: isOfOrgs });
    const lacks =
      who.refusal ??
      needRefusal({ roles: READERS }, who) ??
      (isOfOrgs ? needRefusal('orgs', who) : undefined);
    return lacks === undefined ? 'has' : 'lacks';
  } catch (error) {
    if (error instanceof Refusal) return 'not said';
    throw error;
  }
}

/** @throws Refusal, UsageError, PlatformError */
async function ask(
  source: Source,
  services: RunServices,
  { saved: { query, by } }: SavedQuestion,
  askedAt: number,
): Promise<{ question: Question; report: ReportPage | undefined }> {
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
  return { question, report: report.kind === 'shown' ? report : undefined };
}

function emptyReport(source: Source, question: Question) {
  return emptyAnswer(source, question, []);
}

interface Answered {
  readonly question: Question;
  readonly report: ReportPage | undefined;
  readonly threshold: Threshold;
}

/** Once for each amount in a period: the range of the question. */
function tellCrossing(
  services: RunServices,
  one: SavedQuestion,
  memory: SavedMemory,
  { question: { range }, report, threshold }: Answered,
): Look<SavedMemory> {
  const { currency, billingPollMs } = services.config;
  const period = rangeInFileName(range);
  const told = memory.period === period ? memory.told : [];
  const seen = { ...memory, period, told };
  const { amount } = threshold;
  const sum = report && sumOf(report, one.saved.source === 'charges' ? currency : undefined);
  if (report === undefined || sum === undefined || told.includes(amount) || !sum.value.gt(amount)) {
    return { memory: seen, messages: [] };
  }
  const key = told.length === 0 ? period : `${period}/${told.length + 1}`;
  const view = { currency, everyMs: billingPollMs };
  const content = crossedPost(one, report, { threshold, ...sum, range }, view);
  return {
    memory: { ...seen, told: [...told, amount] },
    messages: [messageOf(one, key, content)],
  };
}

/**
 * What an answer adds up to, in what its amount is counted in.
 * @param currency undefined: it is a quantity, of one metric, which may be metered as several features
 */
function sumOf({ sums = [] }: ReportPage, currency: string | undefined) {
  const own = sums.filter(({ measure }) => isOf(measure, currency));
  const [first] = own;
  const unit = first?.measure.kind === 'quantity' ? first.measure.unit : undefined;
  const size = priceUnit(unit)?.size ?? new BigNumber(1);
  const raw = own.reduce((sum, { value }) => sum.plus(value), new BigNumber(0));
  return { value: currency === undefined ? raw.div(size) : raw, unit, size };
}

function isOf(measure: Measure, currency: string | undefined): boolean {
  return measure.kind === 'money' ? measure.currency === currency : currency === undefined;
}

/** A failure that lasts is told once; the answer still comes when there is one. */
function tellFailure(
  one: SavedQuestion,
  memory: SavedMemory,
  sentence: string,
  now: number,
): Look<SavedMemory> {
  const { failingSince = now, failureTold = false } = memory;
  const failing = { ...memory, failingSince };
  if (failureTold || now - failingSince < PATIENCE_MS) return { memory: failing, messages: [] };
  const day = new Date(failingSince).toISOString().slice(0, 10);
  return {
    memory: { ...failing, failureTold: true },
    messages: [messageOf(one, `failed/${day}`, unansweredPost(one, sentence))],
  };
}

/** @throws what is no answer of the platform, and no no to a person */
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
