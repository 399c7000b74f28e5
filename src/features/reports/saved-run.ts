import { BigNumber } from 'bignumber.js';
import type { JobKind } from '../../jobs/jobs.ts';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { atMost, HOUR_MS } from '../../lib/time.ts';
import { CannotSee, type Found, type Monitor } from '../../monitors/monitor.ts';
import { lacksRight } from '../../monitors/outages.ts';
import { runMonitor } from '../../monitors/run.ts';
import type { Message, MessageContent } from '../../notify/message.ts';
import { explainPlatformError, PlatformError, type PlatformReason } from '../../platform/errors.ts';
import type { Measure } from '../../reporting/amounts.ts';
import { priceUnit } from '../../reporting/quantity.ts';
import { dayOf, rangeInFileName, rollingStep } from '../../reporting/range.ts';
import { lastSlot, reportOfSlot } from '../../reporting/schedule.ts';
import { figuresRefusal, readersUnread } from '../../slack/audience.ts';
import { isDirect, openDirect } from '../../slack/directory.ts';
import { emptyAnswer, answer, type AnswerServices } from './answer.ts';
import { newState, resolveQuestion } from './question.ts';
import type { Report } from './report.ts';
import {
  memoryField,
  messageOf,
  readAllSaved,
  readSaved,
  RESUMABLE_MS,
  SavedMemory,
  scheduleOf,
  subjectOf,
  thresholdJob,
  type SavedQuestion,
  type Threshold,
} from './saved.ts';
import { hasFigures, readRight, type SavedServices } from './saved-make.ts';
import {
  endedPost,
  foreignWarning,
  heldPost,
  judgedPost,
  NO_EMAIL,
  NO_UNIT,
  NOT_CONFIRMED,
  otherCurrency,
  releasedPost,
  RIGHT_UNREAD,
  savedPost,
  unansweredPost,
  type Judged,
} from './saved-view.ts';
import type { Question, Source } from './source.ts';

type RunServices = SavedServices & Pick<AnswerServices, 'allowance'>;

/** Maximum delay of an answer, in ms. */
const TICK_MS = 30_000;
const AT_ONCE = 2;
/** How long a question without a clear answer is asked again before that is posted, in ms. */
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
        if (one?.saved.trigger.kind === 'over') await run(source, services, one);
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
    ({ saved }) => saved.source === source.name && saved.trigger.kind === kind,
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
  const { number, text, saved } = one;
  const what = `saved question ${number}`;
  const subject = { place: subjectOf(number), what, channel: saved.channel };
  const hash = services.keys.savedQuestions;
  const place = { hash, field: memoryField(number), unchanged: { [number]: text } };
  const monitor: Monitor<Facts, SavedMemory> = {
    memory: SavedMemory,
    read: (before = NOTHING_POSTED) => read(source, services, one, before),
    compare: (before = NOTHING_POSTED, facts) => compare(services.config, one, before, facts),
  };
  await runMonitor(services, subject, place, monitor);
}

/** The result of a run's queries; moments are ms since the epoch. */
type Facts = { readonly now: number } & (
  | { readonly kind: 'lost' | 'expired' }
  /** People from another company read its channel. `owner`: where its owner is written to; undefined: unknown. */
  | { readonly kind: 'held'; readonly owner: string | undefined }
  | { readonly kind: 'failed'; readonly sentence: string }
  /** `day`: the local day of the slot. */
  | { readonly kind: 'answer'; readonly day: string; readonly content: MessageContent }
  | ({ readonly kind: 'sum'; readonly isWhole: boolean } & Judged)
);
type SumFacts = Extract<Facts, { kind: 'sum' }>;

const NOTHING_POSTED: SavedMemory = { reported: [] };

async function read(
  source: Source,
  services: RunServices,
  one: SavedQuestion,
  memory: SavedMemory,
): Promise<Facts | undefined> {
  const now = services.clock.now();
  const { trigger } = one.saved;
  const { endedAt = Infinity } = memory;
  if (now >= endedAt + RESUMABLE_MS) return { kind: 'expired', now };
  const slot = dueSlot(one, memory, now);
  if (endedAt !== Infinity || (trigger.kind === 'answer' && slot === undefined)) return undefined;
  try {
    if (await hasLostRight(source, services, one)) return { kind: 'lost', now };
    if (await hasOtherReaders(source, services, one)) {
      const owner = await openDirect(services.slack, one.saved.by.userId).catch(() => undefined);
      return { kind: 'held', now, owner };
    }
    const asked = await ask(source, services, one, slot?.askedAt ?? now);
    if (trigger.kind === 'over') return { now, ...sumOf(services, one, trigger, asked) };
    const { question, report } = asked;
    const shown = report.kind === 'empty' ? emptyAnswer(source, question, report) : report;
    const content = savedPost(one, shown, slot);
    return { kind: 'answer', now, day: slot?.day ?? '', content };
  } catch (error) {
    // Its owner waits for it, so a right that the token lacks is a failure here.
    const refused = (await lacksRight(services, error)) ? explainPlatformError(error) : undefined;
    return { kind: 'failed', now, sentence: refused ?? ownFailure(error) };
  }
}

function dueSlot(
  { saved: { trigger, query } }: SavedQuestion,
  { day = '', failing, held }: SavedMemory,
  now: number,
) {
  const { retryAt = 0 } = failing ?? held ?? {};
  if (trigger.kind === 'over' || now < retryAt) return undefined;
  const slot = lastSlot(scheduleOf(trigger), now);
  const report = reportOfSlot(query.range, slot);
  return slot.day > day && report.dueAt <= now ? { ...slot, ...report } : undefined;
}

/**
 * Whether the owner may no longer see the answer; checked every time.
 * @throws PlatformError, CannotSee when that cannot be read
 */
async function hasLostRight(
  source: Source,
  services: RunServices,
  { saved: { by } }: SavedQuestion,
): Promise<boolean> {
  try {
    const { who, refusal } = await readRight(source, services, by);
    if (who.refusal === undefined && who.email === undefined) throw new CannotSee(NO_EMAIL);
    // Their new account waits to be confirmed, or the address is another person's now: neither loses the question.
    if (who.rolesWhy === 'identity') throw new CannotSee(NOT_CONFIRMED);
    return refusal !== undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw error.cause instanceof PlatformError ? error.cause : new CannotSee(RIGHT_UNREAD);
  }
}

/**
 * Whether people from another company read the channel of billing figures.
 * @throws CannotSee when Slack does not show that
 */
async function hasOtherReaders(
  source: Source,
  { audience }: RunServices,
  { saved: { by, channel } }: SavedQuestion,
): Promise<boolean> {
  if (!hasFigures(source) || isDirect(channel)) return false;
  const reading = await audience.audienceOf(channel, { of: by.userId });
  if (reading.unread !== undefined) throw new CannotSee(readersUnread(channel, reading), 'readers');
  return figuresRefusal(reading) !== undefined;
}

interface Asked {
  readonly question: Question;
  readonly report: Extract<Report, { kind: 'shown' | 'empty' }>;
}

/** @throws Refusal, UsageError, PlatformError */
async function ask(
  source: Source,
  services: RunServices,
  { saved: { query, by, trigger } }: SavedQuestion,
  askedAt: number,
): Promise<Asked> {
  const { clock } = services;
  const viewer = await source.authorize(by);
  const state = newState(query, askedAt);
  const question = await resolveQuestion(source, viewer, state, clock);
  const report = await answer(source, services, question, {
    kind: 'totals',
    page: 1,
    notes: [],
    now: clock.now(),
    isShort: true,
    withoutEstimate: trigger.kind === 'over',
  });
  if (report.kind !== 'shown' && report.kind !== 'empty') throw new TypeError(report.kind);
  return { question, report };
}

/** Failures that repeat until the question itself is changed. */
const OWN: ReadonlySet<PlatformReason> = new Set(['too-large', 'bad-request', 'not-found']);

/** The sentence of a failure of the question itself. @throws any other */
function ownFailure(error: unknown): string {
  const reason =
    error instanceof Refusal && error.cause instanceof PlatformError ? error.cause : error;
  if (reason instanceof Refusal || reason instanceof UsageError) return reason.message;
  const isOwn =
    reason instanceof PlatformError && OWN.has(reason.reason) && reason.credential === undefined;
  const sentence = isOwn ? explainPlatformError(reason) : undefined;
  if (sentence === undefined) throw reason;
  return sentence;
}

/** The sum of an answer, in the unit of the amount. @throws Refusal if they cannot be compared */
function sumOf(
  { config }: RunServices,
  { saved: { source } }: SavedQuestion,
  threshold: Threshold,
  { question: { range }, report }: Asked,
): Omit<SumFacts, 'now'> {
  // Undefined: a quantity of one metric, which may be metered for several features.
  const currency = source === 'charges' ? config.currency : undefined;
  const sums = report.kind === 'shown' ? (report.sums ?? []) : [];
  const own = sums.filter(({ measure }) => isOf(measure, currency));
  const foreign = sums.filter((sum) => !own.includes(sum) && Number(sum.value) !== 0);
  if (own.length === 0 && foreign.length > 0) throw new Refusal(otherCurrency(config.currency));
  const measure = own[0]?.measure;
  const unit = measure?.kind === 'quantity' ? measure.unit : undefined;
  // Without a unit the amount is of raw units, whatever has become known since.
  const known = threshold.unit === undefined ? 1 : (threshold.size ?? priceUnit(unit)?.size);
  if (known === undefined && own.length > 0) throw new Refusal(NO_UNIT);
  const size = new BigNumber(known ?? 1);
  const raw = own.reduce((sum, { value }) => sum.plus(value), new BigNumber(0));
  return {
    kind: 'sum',
    isWhole: foreign.length === 0 && report.isWhole,
    threshold,
    range,
    value: raw.div(size),
    unit: threshold.unit === undefined ? undefined : unit,
    size,
    estimate: report.kind === 'shown' && own.length === sums.length ? report.estimate : undefined,
    blocks: report.kind === 'shown' ? report.blocks.slice(0, 1) : [],
    warnings: [...foreign.map(foreignWarning), ...report.warnings],
  };
}

function isOf(measure: Measure, currency: string | undefined): boolean {
  return measure.kind === 'money' ? measure.currency === currency : currency === undefined;
}

function compare(
  { currency, billingPollMs }: RunServices['config'],
  one: SavedQuestion,
  { failing, held, ...memory }: SavedMemory,
  facts: Facts,
): Found<SavedMemory> {
  const { now } = facts;
  const retryAt = now + billingPollMs;
  if (facts.kind === 'held') {
    // Nothing is answered until no other company reads the channel; its owner is notified once.
    const { since, notice } = held ?? { since: now };
    const isDue = notice === undefined && facts.owner !== undefined;
    const key = `held/${new Date(since).toISOString().slice(0, 16)}`;
    const messages = isDue ? [messageOf(one, key, heldPost(one), facts.owner)] : [];
    const [posted = notice] = messages;
    const place = posted && { notice: { channel: posted.channel, key: posted.key } };
    return { memory: { ...memory, failing, held: { since, retryAt, ...place } }, messages };
  }
  const released: Message[] = held?.notice
    ? [{ ...held.notice, editOnly: true, ...releasedPost(one, held.since, now) }]
    : [];
  switch (facts.kind) {
    case 'expired':
      return { memory, messages: released, remove: [one.number, memoryField(one.number)] };
    case 'lost': {
      const message = messageOf(one, `ended/${dayOf(now)}`, endedPost(one, now));
      return { memory: { ...memory, endedAt: now }, messages: [...released, message] };
    }
    case 'failed': {
      const { since, isPosted } = failing ?? { since: now, isPosted: false };
      const isDue = !isPosted && now - since >= PATIENCE_MS;
      const next = { since, retryAt, isPosted: isPosted || isDue };
      const post = () =>
        messageOf(one, `failed/${dayOf(since)}`, unansweredPost(one, facts.sentence));
      return {
        memory: { ...memory, failing: next },
        messages: isDue ? [...released, post()] : released,
      };
    }
    case 'answer': {
      // A day can have several answers, after the question was moved to another time.
      const { day } = facts;
      const count = memory.answered?.day === day ? memory.answered.count + 1 : 1;
      const key = count === 1 ? day : `${day}/${count}`;
      return {
        memory: { ...memory, day, answered: { day, count } },
        messages: [...released, messageOf(one, key, facts.content)],
      };
    }
    case 'sum': {
      const judged = judge(one, memory, facts, currency);
      return { ...judged, messages: [...released, ...judged.messages] };
    }
  }
}

/**
 * A crossing is posted once for an amount and a period, which is the range of the question; of a rolling range once
 * until the sum was not over the amount for as long as the range's step.
 */
function judge(
  one: SavedQuestion,
  before: SavedMemory,
  facts: SumFacts,
  currency: string,
): Found<SavedMemory> {
  const { threshold, value, isWhole, now } = facts;
  const { amount } = threshold;
  const period = rangeInFileName(facts.range);
  const step = rollingStep(one.saved.query.range);
  const isCurrent = step !== undefined || before.period === period;
  const { unclear, belowSince, ...memory } = isCurrent
    ? before
    : { ...before, period, reported: [] };
  const { reported } = memory;
  const post = (key: string, how: Parameters<typeof judgedPost>[0]) =>
    messageOf(one, key, judgedPost(how, one, facts, currency));
  if (value.gt(amount)) {
    if (reported.includes(amount)) return { memory, messages: [] };
    const key = reported.length === 0 ? period : `${period}/${reported.length + 1}`;
    const next = { ...memory, period, reported: [...reported, amount] };
    return { memory: next, messages: [post(key, 'crossed')] };
  }
  const known = step !== undefined || unclear?.period === period ? unclear : undefined;
  if (!isWhole && !reported.includes(amount)) {
    const next = known ?? { since: now, period };
    if (next.key !== undefined || now - next.since < PATIENCE_MS) {
      return { memory: { ...memory, unclear: next }, messages: [] };
    }
    const key = `${period}/unclear`;
    return { memory: { ...memory, unclear: { ...next, key } }, messages: [post(key, 'unclear')] };
  }
  const edits = known?.key === undefined ? [] : [{ ...post(known.key, 'clear'), editOnly: true }];
  if (step === undefined || !isWhole || !reported.includes(amount))
    return { memory, messages: edits };
  const since = belowSince ?? now;
  const isOver = now - since >= step;
  const next = isOver
    ? { reported: reported.filter((one) => one !== amount) }
    : { belowSince: since };
  return { memory: { ...memory, ...next }, messages: edits };
}
