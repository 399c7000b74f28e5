import { Refusal } from '../../lib/refusal.ts';
import { createAllowance } from '../../platform/allowance.ts';
import type { Allowance } from '../../platform/allowance.ts';
import { PlatformError } from '../../platform/errors.ts';
import { ReportFailed } from '../report-failed.ts';
import type { FiguresJob, FiguresReport, Wanted } from './report.ts';
import type { Question, Source } from './source.ts';

export interface AnswerDeps {
  /** Makes an answer of what the platform said, in another thread. @throws ReportFailed, PlatformError, Refusal */
  readonly report: (job: FiguresJob) => Promise<FiguresReport>;
  /** What all questions may hold at once. */
  readonly held: Allowance;
}

/** What a question is answered with; the platform is asked here, and everything else is done elsewhere. */
export type AnswerFigures = (question: Question, wanted: Wanted) => Promise<FiguresReport>;

const MB = 1024 * 1024;
/** Of all orgs that a question is about, and of the span before, which is asked for as a whole. */
const [NOW_BYTES, BEFORE_BYTES] = [32 * MB, 16 * MB];

/** @throws PlatformError, Refusal with how to ask for less when an answer is more than can be worked out */
export function createAnswerFigures(source: Source, { report, held }: AnswerDeps): AnswerFigures {
  return async (question, wanted) => {
    const now = createAllowance(NOW_BYTES, held);
    const before = createAllowance(BEFORE_BYTES, held);
    try {
      const bodies = await source.ask(question, {
        tiers: wanted.kind === 'tiers' || wanted.kind === 'csv of tiers',
        now,
        before: wanted.kind === 'totals' ? before : undefined,
      });
      const said = await report({ bodies, wanted });
      if (said.kind !== 'needs items' || source.withItems === undefined) return said;
      return await report({ bodies: await source.withItems(bodies), wanted });
    } catch (error) {
      throw refusalOf(error, now.isCrowdedOut());
    } finally {
      now.close();
      before.close();
    }
  };
}

const NARROW =
  'That is more than one answer can be made of: ask for a shorter range, a longer step, fewer tags after "by", or a part of it with "where".';

/** @param isCrowdedOut others hold what there would have been room for */
function refusalOf(error: unknown, isCrowdedOut: boolean): unknown {
  if (error instanceof PlatformError && error.reason === 'too-large') {
    return isCrowdedOut ? new ReportFailed('busy').refusal() : new Refusal(NARROW);
  }
  if (!(error instanceof ReportFailed)) return error;
  return error.reason === 'too-large' ? new Refusal(NARROW) : error.refusal();
}
