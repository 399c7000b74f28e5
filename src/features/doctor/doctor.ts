import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { scrubStrings } from '../../lib/scrub.ts';
import type { Scrub } from '../../lib/scrub.ts';
import type { Answer, Person } from '../../slack/routes.ts';
import type { Check, Finding } from './check.ts';
import { doctorAnswer } from './doctor-view.ts';
import type { Examination } from './doctor-view.ts';
import { broken } from './findings.ts';

export interface DoctorDeps {
  readonly checks: readonly Check[];
  /** A sentence for a failure of the platform's; undefined for anything else. */
  readonly explain: (error: unknown) => string | undefined;
  /** What is shown has no secret in it, whatever a check took over from others. */
  readonly scrub: Scrub;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long one check may take, in milliseconds (10,000). */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 10_000;
/** Everybody may ask, and each question is some dozen calls: so long an answer counts for all. */
const REMEMBER_MS = 10_000;

/**
 * `/purser doctor` (ADR 14): all checks at once, each with its own deadline. Who asks while they run gets
 * the same result. What is shown is the same for every full member, so the person decides nothing.
 */
export function createDoctor(deps: DoctorDeps): (person: Person) => Promise<Answer> {
  const { clock } = deps;
  let running: Promise<Examination> | undefined;
  let last: Examination | undefined;

  async function examine(): Promise<Examination> {
    const began = clock.now();
    const areas = await Promise.all(
      deps.checks.map(async (check) => ({ area: check.area, findings: await look(deps, check) })),
    );
    return { areas: scrubStrings(areas, deps.scrub), at: clock.now(), tookMs: clock.now() - began };
  }

  return async () => {
    if (last !== undefined && clock.now() - last.at < REMEMBER_MS) return doctorAnswer(last);
    running ??= examine().finally(() => (running = undefined));
    last = await running;
    return doctorAnswer(last);
  };
}

/** What a check finds; that it throws, or does not end in time, is a finding, too. Never rejects. */
async function look(deps: DoctorDeps, check: Check): Promise<readonly Finding[]> {
  const { patienceMs = PATIENCE_MS } = deps;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    timer = setTimeout(() => {
      // The verdict first: what ends because of the abort is no answer any more.
      resolve([tooSlow(check.area, patienceMs)]);
      ending.abort();
    }, patienceMs);
  });
  const found = (async () => check.look(ending.signal))().catch((error: unknown) => [
    failed(deps, check.area, error),
  ]);
  return Promise.race([found, late]).finally(() => clearTimeout(timer));
}

function tooSlow(area: string, patienceMs: number): Finding {
  return broken(
    area,
    `not all of it could be looked at within ${Math.round(patienceMs / 1_000)} s`,
    'look whether what is asked there answers at all, and run /purser doctor again',
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
