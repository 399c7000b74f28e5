import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { settledWithin } from '../../lib/patience.ts';
import { scrubStrings } from '../../lib/scrub.ts';
import type { Scrub } from '../../lib/scrub.ts';
import type { Answer, Person } from '../../slack/routes.ts';
import { PATIENCE_MS } from './check.ts';
import type { Check, Finding } from './check.ts';
import { doctorAnswer } from './doctor-view.ts';
import { broken, doubtful } from './findings.ts';

export interface DoctorDeps {
  readonly checks: readonly Check[];
  /** A sentence for a failure of the platform's; undefined for anything else. */
  readonly explain: (error: unknown) => string | undefined;
  /** What is shown has no secret in it, whatever a check took over from others. */
  readonly scrub: Scrub;
  readonly clock: Clock;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly logger: Logger;
  /** How long one check may take, in milliseconds (`PATIENCE_MS`). */
  readonly patienceMs?: number;
  /** And how long it may then take to say what it knows (1,000). */
  readonly graceMs?: number;
}

interface Examined {
  readonly answer: Answer;
  /** Of `DoctorDeps.now`: the clock of the machine may be set meanwhile. */
  readonly endedAt: number;
}

const GRACE_MS = 1_000;
/** Everybody may ask, and each question is some dozen calls: so long an answer counts for all. */
const REMEMBER_MS = 10_000;

/**
 * `/purser doctor` (ADR 14): all checks at once, each with its own deadline. Who asks while they run gets
 * the same result. What is shown is the same for every full member, so the person decides nothing.
 */
export function createDoctor(deps: DoctorDeps): (person: Person) => Promise<Answer> {
  const { clock, now } = deps;
  let running: Promise<Examined> | undefined;
  let last: Examined | undefined;

  async function examine(): Promise<Examined> {
    const began = now();
    const areas = await Promise.all(
      deps.checks.map(async (check) => ({ area: check.area, findings: await look(deps, check) })),
    );
    const endedAt = now();
    const tookMs = endedAt - began;
    const examination = { areas: scrubStrings(areas, deps.scrub), at: clock.now(), tookMs };
    return { answer: doctorAnswer(examination), endedAt };
  }

  return async () => {
    if (last !== undefined && now() - last.endedAt < REMEMBER_MS) return last.answer;
    running ??= examine().finally(() => (running = undefined));
    last = await running;
    return last.answer;
  };
}

/**
 * What a check finds. When its time is over, it has a moment to say what it knows; that it throws, or
 * does not end, is a finding, too. Never rejects.
 */
async function look(deps: DoctorDeps, check: Check): Promise<readonly Finding[]> {
  const { patienceMs = PATIENCE_MS, graceMs = GRACE_MS } = deps;
  const ending = new AbortController();
  const found = (async () => check.look(ending.signal))().catch((error: unknown) => [
    // What ends because of the abort is no failure.
    ending.signal.aborted ? tooSlow(check.area, patienceMs) : failed(deps, check.area, error),
  ]);
  if (!(await settledWithin(found, patienceMs))) {
    ending.abort();
    if (!(await settledWithin(found, graceMs))) return [tooSlow(check.area, patienceMs)];
  }
  return found;
}

export function tooSlow(area: string, patienceMs: number): Finding {
  return doubtful(
    area,
    `slow: not all of it could be looked at within ${Math.round(patienceMs / 1_000)} s`,
    'run /purser doctor again in a minute, and look whether what is asked there answers at all if it stays so',
  );
}

function failed({ explain, logger }: DoctorDeps, area: string, error: unknown): Finding {
  const said = explain(error);
  if (said === undefined) logger.error({ err: error, area }, 'A check of the doctor failed');
  return broken(
    area,
    said?.replace(/\.$/, '') ?? 'the check itself failed, so nothing is known',
    said === undefined
      ? 'look into the log of Purser for "A check of the doctor failed"'
      : 'mend that, and run /purser doctor again',
  );
}
