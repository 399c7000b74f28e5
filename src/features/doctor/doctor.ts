import { createChangeStore } from '../../changes/store.ts';
import { settledWithin } from '../../lib/time.ts';
import { scrubStrings } from '../../lib/secret.ts';
import { explainPlatformError } from '../../platform/errors.ts';
import { createWatches } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import type { SlackConnection } from '../../slack/connection/connection.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { createBillingCheck } from './billing-check.ts';
import { createChannelCheck } from './channel-check.ts';
import { broken, CHECK_TIMEOUT_MS, doubtful } from './check.ts';
import type { Check, Finding } from './check.ts';
import { createClockCheck } from './clock-check.ts';
import { doctorAnswer } from './doctor-view.ts';
import { createGroupCheck } from './group-check.ts';
import { createOrgsCheck } from './org-check.ts';
import { createPollCheck } from './poll-check.ts';
import { createRedisCheck } from './redis-check.ts';
import { createSettingsCheck } from './settings-check.ts';
import { createSlackCheck } from './slack-check.ts';
import { createWorkCheck } from './work-check.ts';

/** Answers `/purser doctor`, the same to everybody. */
type Doctor = () => Promise<Answer>;

/** @param connection how Slack reaches this process now; undefined: it does not listen to Slack */
export function createDoctor(
  services: Services,
  connection: () => Pick<SlackConnection, 'connected' | 'port'> | undefined,
): Doctor {
  const watches = createWatches(services);
  return createExamination(services, [
    createSlackCheck(services, connection),
    createChannelCheck(services, watches),
    createGroupCheck(services),
    createOrgsCheck(services, watches),
    createBillingCheck(services),
    createRedisCheck(services),
    createClockCheck(services),
    createWorkCheck(services, createChangeStore(services)),
    createPollCheck(services, watches),
    createSettingsCheck(services),
  ]);
}

/** In milliseconds. */
interface Limits {
  /** How long one check may take. */
  readonly timeoutMs?: number;
  /** How long it may then take to return what it knows. */
  readonly graceMs?: number;
}

interface Examined {
  readonly answer: Answer;
  /** On the stopwatch: the clock of the machine may be set meanwhile. */
  readonly endedAt: number;
}

type ExaminationServices = Pick<Services, 'clock' | 'logger' | 'scrub' | 'stopwatch'>;

const GRACE_MS = 1_000;
/** Everybody may ask, and each question is some dozen calls: so long an answer counts for all. */
const REMEMBER_MS = 10_000;

/**
 * Runs all checks at once, each with its own deadline (ADR 14). A question that comes while they run gets
 * the same result.
 */
export function createExamination(
  services: ExaminationServices,
  checks: readonly Check[],
  limits: Limits = {},
): Doctor {
  const { clock, scrub, stopwatch } = services;
  let running: Promise<Examined> | undefined;
  let last: Examined | undefined;

  async function examine(): Promise<Examined> {
    const began = stopwatch.elapsed();
    const areas = await Promise.all(
      checks.map(async (check) => ({
        area: check.area,
        findings: await findingsOf(services, check, limits),
      })),
    );
    const endedAt = stopwatch.elapsed();
    // No secret is shown, whatever a check took over from others.
    const shown = scrubStrings(areas, scrub);
    const answer = doctorAnswer({ areas: shown, at: clock.now(), tookMs: endedAt - began });
    return { answer, endedAt };
  }

  return async () => {
    if (last !== undefined && stopwatch.elapsed() - last.endedAt < REMEMBER_MS) return last.answer;
    running ??= examine().finally(() => (running = undefined));
    last = await running;
    return last.answer;
  };
}

/**
 * What a check finds. When its time is over, it has a moment to return what it knows; that it throws, or
 * does not end, is a finding, too. Never rejects.
 */
async function findingsOf(
  services: ExaminationServices,
  check: Check,
  { timeoutMs = CHECK_TIMEOUT_MS, graceMs = GRACE_MS }: Limits,
): Promise<readonly Finding[]> {
  const { area } = check;
  const ending = new AbortController();
  const found = (async () => check.run(ending.signal))().catch((error: unknown) => [
    // What ends because of the abort is no failure.
    ending.signal.aborted ? tooSlow(area, timeoutMs) : failed(services, area, error),
  ]);
  if (!(await settledWithin(found, timeoutMs))) {
    ending.abort();
    if (!(await settledWithin(found, graceMs))) return [tooSlow(area, timeoutMs)];
  }
  return found;
}

export function tooSlow(area: string, timeoutMs: number): Finding {
  return doubtful(
    area,
    `slow: not all of it could be looked at within ${Math.round(timeoutMs / 1_000)} s`,
    'run /purser doctor again in a minute, and look whether what is asked there answers at all if it stays so',
  );
}

function failed({ logger }: ExaminationServices, area: string, error: unknown): Finding {
  const said = explainPlatformError(error);
  if (said !== undefined) {
    return broken(area, said.replace(/\.$/, ''), 'mend that, and run /purser doctor again');
  }
  logger.error({ err: error, area }, 'A check of the doctor failed');
  return broken(
    area,
    'the check itself failed, so nothing is known',
    'look into the log of Purser for "A check of the doctor failed"',
  );
}
