import { createChangeStore } from '../../changes/store.ts';
import { settledWithin } from '../../lib/time.ts';
import { scrubStrings } from '../../lib/secret.ts';
import { withoutStop } from '../../lib/text.ts';
import { explainPlatformError } from '../../platform/errors.ts';
import { createWatches } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import type { SlackConnection } from '../../slack/connection/connection.ts';
import type { Answer, CommandContext } from '../../slack/routing/routes.ts';
import { createBillingCheck } from './billing-check.ts';
import { createChannelCheck, createGroupCheck, createSlackCheck } from './slack-check.ts';
import {
  broken,
  CHECK_TIMEOUT_MS,
  doubtful,
  RUN_AGAIN,
  type Check,
  type Finding,
  doctorAnswer,
} from './doctor-view.ts';
import { createDoctorDoor } from './door.ts';
import { createClockCheck, createRedisCheck, createSettingsCheck } from './installation-check.ts';
import { createOrgsCheck } from './org-check.ts';
import { createPollCheck, createWorkCheck } from './work-check.ts';

/** @param connection undefined: this process does not listen to Slack */
export function createDoctor(
  services: Services,
  connection: () => Pick<SlackConnection, 'connected' | 'port'> | undefined,
): (context: CommandContext) => Promise<Answer> {
  const watches = createWatches(services);
  const examine = createExamination(services, [
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
  return createDoctorDoor(services, examine);
}

/** Each run makes some dozen calls, so its answer is shared for this long. Milliseconds. */
const CACHE_MS = 60_000;

/**
 * Runs all checks at once, each with its own deadline (ADR 14). Questions during a run share its
 * result.
 * @param limits milliseconds: the time of one check, and then to return partial results
 */
export function createExamination(
  services: Pick<Services, 'clock' | 'logger' | 'scrub' | 'stopwatch'>,
  checks: readonly Check[],
  limits: { readonly timeoutMs?: number; readonly graceMs?: number } = {},
): () => Promise<Answer> {
  const { clock, logger, scrub, stopwatch } = services;
  const { timeoutMs = CHECK_TIMEOUT_MS, graceMs = 1_000 } = limits;
  let running: ReturnType<typeof examine> | undefined;
  let last: Awaited<ReturnType<typeof examine>> | undefined;

  /** After its deadline a check has a moment to return partial results. Never rejects. */
  async function findingsOf(check: Check): Promise<readonly Finding[]> {
    const ending = new AbortController();
    const slow = [tooSlow(check.area, timeoutMs)];
    const found = (async () => check.run(ending.signal))().catch((error: unknown) =>
      ending.signal.aborted ? slow : [failed(logger, check.area, error)],
    );
    if (await settledWithin(found, timeoutMs)) return found;
    ending.abort();
    return (await settledWithin(found, graceMs)) ? found : slow;
  }

  async function examine() {
    const began = stopwatch.elapsed();
    const areas = await Promise.all(
      checks.map(async (check) => ({ area: check.area, findings: await findingsOf(check) })),
    );
    // On the stopwatch: the machine's clock may be set meanwhile.
    const endedAt = stopwatch.elapsed();
    // Findings may quote foreign text, so secrets are removed.
    const shown = scrubStrings(areas, scrub);
    const answer = doctorAnswer({ areas: shown, at: clock.now(), tookMs: endedAt - began });
    return { answer, endedAt };
  }

  return async () => {
    if (last !== undefined && stopwatch.elapsed() - last.endedAt < CACHE_MS) return last.answer;
    running ??= examine().finally(() => (running = undefined));
    last = await running;
    return last.answer;
  };
}

export function tooSlow(area: string, timeoutMs: number): Finding {
  const says = `slow: not everything could be checked within ${Math.round(timeoutMs / 1_000)} s`;
  const fix = `${RUN_AGAIN}; if it is slow again, check that what is asked there answers at all`;
  return doubtful(area, says, fix);
}

function failed(logger: Services['logger'], area: string, error: unknown): Finding {
  const message = explainPlatformError(error);
  if (message !== undefined) {
    const says = withoutStop(message).replace(/: please try again in a minute$/, '');
    return broken(area, says, RUN_AGAIN);
  }
  logger.error({ err: error, area }, 'A check of the doctor failed');
  const fix = 'search Purser’s log for `A check of the doctor failed`';
  return broken(area, 'the check itself failed, so nothing is known about it', fix);
}
