import { chargesIn, tiersIn } from '../../src/features/reports/charges-report.ts';
import { createReportsFeatures } from '../../src/features/reports/feature.ts';
import { makeReport, type ReportInput } from '../../src/features/reports/report.ts';
import type { Detail, Found, Question, Source } from '../../src/features/reports/source.ts';
import { usageIn } from '../../src/features/reports/usage.ts';
import { checkReport, type CheckJob } from '../../src/features/workload/check-report.ts';
import type { Reports } from '../../src/lib/threads.ts';
import { createAllowance } from '../../src/platform/answer.ts';
import { errorOf, plainError } from '../../src/platform/errors.ts';
import type { Cell } from '../../src/reporting/csv.ts';
import type { Services } from '../../src/services.ts';
import { createKeys } from '../../src/store/redis.ts';
import type { Upload } from '../../src/slack/files.ts';
import { keptHere } from './kept.ts';

/** The memory that a question may take, where that is not the subject of a test. */
export const anyAmount = () => createAllowance(Number.MAX_SAFE_INTEGER);

/** Makes reports without another thread; objects that could not cross to one are found all the same. */
export function reportsHere(): Reports {
  return {
    run: ({ kind, job }) =>
      crossing<unknown>(async () =>
        kind === 'check'
          ? checkReport(structuredClone(job as CheckJob))
          : makeReport(structuredClone(job as ReportInput)),
      ),
    metrics: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}

/** The services that a test names; nothing else is there. */
export function servicesOf(named: { readonly [Name in keyof Services]?: unknown }): Services {
  return named as unknown as Services;
}

/** The services that say what is watched, for a place where nothing is. */
export const NOTHING_WATCHED = {
  redis: { hgetall: () => Promise.resolve({}) },
  keys: createKeys('test'),
};

/** `/charges` and `/usage` on the services of a test, with a store and a Slack that only remember. */
export function createReportsHere(named: Parameters<typeof servicesOf>[0]) {
  const files: Upload[] = [];
  const services = servicesOf({
    config: {},
    access: {
      roleRefusal: () => Promise.resolve(undefined),
      readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
      requireOrgAccess: () => Promise.resolve(),
    },
    orgs: { known: [], fallback: undefined },
    kept: keptHere(),
    reports: reportsHere(),
    async sendFile(upload: Upload) {
      files.push(upload);
      return 'https://acme.slack.com/files/U1/F1/file';
    },
    ...named,
  });
  const [charges, usage] = createReportsFeatures(services);
  if (charges === undefined || usage === undefined) throw new Error('the features are not whole');
  return { charges, usage, files };
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

/** A source whose answers are read as the thread of the reports does it. */
export function readable(source: Source) {
  const bodiesOf = async (question: Question, tiers: boolean) => {
    const aside = tiers ? undefined : anyAmount();
    return structuredClone(await source.ask(question, { tiers, now: anyAmount(), aside }));
  };
  return {
    ...source,
    async find(question: Question): Promise<Read<Found>> {
      const bodies = await bodiesOf(question, false);
      return withFile(bodies.source === 'charges' ? chargesIn(bodies) : usageIn(bodies));
    },
    detail: async (question: Question): Promise<Read<Detail>> =>
      withFile(tiersIn(await bodiesOf(question, true))),
  };
}
