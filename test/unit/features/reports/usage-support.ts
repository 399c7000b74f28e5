import { BigNumber } from 'bignumber.js';
import type { Question } from '../../../../src/features/reports/source.ts';
import { createUsageSource } from '../../../../src/features/reports/usage.ts';
import type { ChargeableItem } from '../../../../src/platform/billing/charge-rows.ts';
import type { ConsumptionQuery, TagValues } from '../../../../src/platform/consumption/query.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Usage } from '../../../../src/platform/usage.ts';
import { usageBody } from '../../../support/platform-bodies.ts';
import { readable, servicesOf } from '../../../support/reports.ts';
import { question } from './support.ts';

export const NOW = Date.parse('2026-11-20T10:00:00Z');
export const LOCKED = new PlatformError('unauthorized', 'no readMetrics', { status: 401 });
export const TOO_LARGE = new PlatformError('too-large', 'the answer is larger than 32 MB');
export const DOWN = new PlatformError('unavailable', 'try later');
export const EXPIRED = new PlatformError('bad-request', 'retained for 12 months', {
  earliestStart: Date.parse('2025-11-01'),
});

export const ANN = { userId: 'U-ANN' };

/** A row as tests write it: metric, feature, value, and who used it. */
export type Row = readonly [metric: string, feature: string, value: number | string, gvc?: string];

/** The platform's answer for a span as one period; an error is thrown. */
type Said = readonly Row[] | Error;

interface Settings {
  /** Org -> its answer for the span of the question. */
  readonly now: Readonly<Record<string, Said>>;
  /** The same for the span before; like the span where it is left out. */
  readonly before?: Readonly<Record<string, Said>>;
  readonly values?: Readonly<Record<string, readonly string[] | Error>>;
  /** Metric -> the unit that a chargeable item states; an error is thrown. */
  readonly units?: Readonly<Record<string, string>> | Error | 'never answers';
}

/** October in November, queried from orgs with the answers of a test. */
export function startSource({ now, before = now, values = {}, units }: Settings) {
  const asked: { org: string; query: unknown }[] = [];
  const calls = { running: 0, most: 0 };
  const source = readable(
    createUsageSource(
      servicesOf({
        usage: () => ({
          async queryBody(org: string, query: ConsumptionQuery) {
            asked.push({ org, query });
            calls.running += 1;
            calls.most = Math.max(calls.most, calls.running);
            await Promise.resolve();
            calls.running -= 1;
            const isBefore = query.startTime < '2026-10-01T00:00:00Z';
            const said = (isBefore ? before : now)[org] ?? [];
            if (said instanceof Error) throw said;
            return {
              value: { body: usageBody(usageOf(query, said)) },
              readAt: NOW - (org === 'acme' ? 9_000 : 0),
            };
          },
          async tagValues(org: string, query: unknown) {
            asked.push({ org, query });
            const said = values[org] ?? [];
            if (said instanceof Error) throw said;
            const value: TagValues = { values: said, skipped: 1 };
            return { value, readAt: NOW };
          },
        }),
        config: { billing: units && {} },
        billing: () => ({
          charges: {
            chargeableItems: () => Promise.reject(new Error('is not listed')),
            knownItems: async () => {
              asked.push({ org: 'items', query: undefined });
              if (units instanceof Error) return undefined;
              if (units === 'never answers') return new Promise<never>(() => {});
              const named = { description: '', type: undefined };
              const items = Object.entries(units ?? {}).map(([metric, unit]): ChargeableItem => {
                return { ...named, id: metric, name: metric, consumptionTags: { metric }, unit };
              });
              return { items, skipped: 0 };
            },
          },
        }),
        orgs: { known: Object.keys({ ...now, ...values }), fallback: undefined },
        access: {
          readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
          requireOrgAccess: () => Promise.resolve(),
        },
      }),
    ),
  );
  return { source, asked, calls };
}

export function october(changes: Partial<Question> = {}): Question {
  return { ...question({}, NOW), viewer: ANN, by: ['gvc'], ...changes };
}

function usageOf({ startTime, endTime, groupBy }: ConsumptionQuery, rows: readonly Row[]): Usage {
  const groups = rows.map(([metric, feature, value, gvc = 'shop']) => {
    const tags: Record<string, string> = { metric, feature, gvc };
    const key = Object.fromEntries(groupBy.map((tag) => [tag, tags[tag] ?? '']));
    return { key, rows: [{ value: new BigNumber(value), tags, projectedValue: undefined }] };
  });
  const [startMs, endMs] = [Date.parse(startTime), Date.parse(endTime)];
  const reported = {
    totalSeconds: undefined,
    elapsedSeconds: undefined,
    consumptionCount: undefined,
  };
  return {
    periods: rows.length === 0 ? [] : [{ startMs, endMs, ...reported, groups }],
    consumptionCount: rows.length,
    skipped: 0,
  };
}
