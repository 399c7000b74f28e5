import { createChangeStore } from '../../changes/store.ts';
import { scrubStrings } from '../../lib/secret.ts';
import { withoutStop } from '../../lib/text.ts';
import { settledWithin } from '../../lib/time.ts';
import { explainPlatformError } from '../../platform/errors.ts';
import { createWatches } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import type { SlackConnection } from '../../slack/connection/connection.ts';
import type { Answer, CommandContext } from '../../slack/routing/routes.ts';
import { createBillingCheck } from './billing.ts';
import { createChannelCheck } from './channels.ts';
import { createClockCheck } from './clock.ts';
import { createDoctorDoor } from './door.ts';
import { createOrgsCheck } from './orgs.ts';
import { type Check, CHECK_TIMEOUT_MS, type Finding, judge, probe, RUN_AGAIN } from './probe.ts';
import { createRedisCheck } from './redis.ts';
import { createSettingsCheck } from './settings.ts';
import { createGroupCheck, createSlackCheck } from './slack.ts';
import { doctorAnswer } from './view.ts';
import { createPollCheck, createWorkCheck } from './work.ts';

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
    const slow = tooSlow(check.area, timeoutMs);
    const found = (async () => check.run(ending.signal))().catch((error: unknown) =>
      ending.signal.aborted ? slow : failed(logger, check.area, error),
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

export function tooSlow(what: string, timeoutMs: number): Finding[] {
  const says = `slow: not everything could be checked within ${Math.round(timeoutMs / 1_000)} s`;
  const fix = 'if it is slow again, check that what is asked there answers at all';
  return judge([probe(what, false, { [`? ${says} → ${RUN_AGAIN}; ${fix}`]: true })]);
}

function failed(logger: Services['logger'], what: string, error: unknown): Finding[] {
  const says = explainPlatformError(error)?.replace(/: please try again in a minute\.$/, '');
  if (says === undefined) logger.error({ err: error, area: what }, 'A check of the doctor failed');
  const wrong = {
    [`! ${withoutStop(says ?? '')} → ${RUN_AGAIN}`]: says,
    '! the check itself failed, so nothing is known about it → search Purser’s log for `A check of the doctor failed`': true,
  };
  return judge([probe(what, false, wrong)]);
}
