import type { FiguresJob, FiguresReport } from '../../src/features/consumption/report.ts';
import type { Detail, Found, Question, Source } from '../../src/features/consumption/source.ts';
import { chargesIn, tiersIn } from '../../src/features/charges/report.ts';
import { figuresReport } from '../../src/features/figures-report.ts';
import { errorOf, plainError } from '../../src/features/plain-errors.ts';
import { usageIn } from '../../src/features/usage/report.ts';
import type { CheckJob, CheckReport } from '../../src/features/workload/check-report.ts';
import { checkReport } from '../../src/features/workload/check-report.ts';
import type { Cell } from '../../src/figures/csv.ts';
import type { Draw } from '../../src/figures/draw.ts';
import { createAllowance } from '../../src/platform/allowance.ts';

/** What a question may hold, as long as that is not what a test is about. */
export const anyAmount = () => createAllowance(Number.MAX_SAFE_INTEGER);

/** Makes reports without another thread; what would not cross to one is seen all the same. */
export function reportHere(draw: Draw = async () => new Uint8Array([1])) {
  return async (job: FiguresJob): Promise<FiguresReport> =>
    crossing(() => figuresReport(structuredClone(job), draw));
}

/** The same for manifests. */
export async function checkHere(job: CheckJob): Promise<CheckReport> {
  return crossing(async () => checkReport(structuredClone(job)));
}

async function crossing<T>(make: () => Promise<T>): Promise<T> {
  try {
    return structuredClone(await make());
  } catch (error) {
    throw errorOf(structuredClone(plainError(error)));
  }
}

/** A reading, and its file. */
type Read<T> = T & { readonly file: { columns: readonly string[]; rows: (readonly Cell[])[] } };

function withFile<T extends Found>(found: T): Read<T> {
  const { columns, rows } = found.table();
  return { ...found, file: { columns, rows: [...rows] } };
}

/** A source with what its answers say, read as the thread of the reports does. */
export function readable(source: Source) {
  const bodiesOf = async (question: Question, tiers: boolean) => {
    const before = tiers ? undefined : anyAmount();
    return structuredClone(await source.ask(question, { tiers, now: anyAmount(), before }));
  };
  return {
    ...source,
    async find(question: Question): Promise<Read<Found>> {
      const bodies = await bodiesOf(question, false);
      if (bodies.source === 'charges') return withFile(chargesIn(bodies));
      const found = usageIn(bodies) ?? usageIn((await source.withItems?.(bodies)) ?? bodies);
      if (found === undefined) throw new Error('the items are asked for twice');
      return withFile(found);
    },
    detail: async (question: Question): Promise<Read<Detail>> =>
      withFile(tiersIn(await bodiesOf(question, true))),
  };
}
