import { foldLines } from '../../figures/fold.ts';
import type { FoldRules } from '../../figures/fold.ts';
import { measureKey } from '../../figures/line.ts';
import type { Line } from '../../figures/line.ts';
import { KNOWN_METRICS } from '../../figures/tags.ts';
import type { ConsumptionResult, UsageRow } from '../../platform/consumption/result.ts';
import type { Usage } from '../../platform/usage/client.ts';
import type { Question } from '../consumption/source.ts';
import { stepOfPeriod } from '../consumption/steps.ts';
import type { OfOrg } from './orgs.ts';

/** An answer in lines, and what they are labelled with. */
interface Lines {
  readonly lines: readonly Line[];
  readonly columns: readonly string[];
}

/**
 * The answers of all orgs in lines, labelled with the grouped tags and with what else tells them apart.
 * Units differ by metric, and what is metered alike of workloads and of volume sets is no sum
 * (spec 2.11), so every line is of one metric of one feature.
 * @param before of the span before; undefined when nothing is known of it
 */
export function linesOf(
  question: Question,
  withOrg: boolean,
  now: readonly OfOrg<Usage>[],
  before: readonly OfOrg<Usage>[] | undefined,
): Lines {
  const tags = withOrg && !question.by.includes('org') ? ['org', ...question.by] : question.by;
  const [nowNamed, beforeNamed] = [now.map(named), before?.map(named)];
  const lines = foldLines(nowNamed, beforeNamed, rulesFor(tags), stepOfPeriod(question)).toSorted(
    (a, b) => placeOf(a) - placeOf(b),
  );
  const isAmbiguous = tags.includes('metric') && !tags.includes('feature') && sharesMetric(lines);
  if (!isAmbiguous) return { lines, columns: tags };
  return {
    lines: lines.map((line) => ({ ...line, labels: [...line.labels, quantityOf(line).feature] })),
    columns: [...tags, 'feature'],
  };
}

/** Whether a metric occurs under several features. */
function sharesMetric(lines: readonly Line[]): boolean {
  const measures = new Map(lines.map(({ measure }) => [measureKey(measure), measure]));
  const metrics = new Set(lines.map((line) => quantityOf(line).metric));
  return metrics.size < measures.size;
}

function rulesFor(columns: readonly string[]): FoldRules<UsageRow> {
  return {
    labels: (key) => columns.map((tag) => key[tag] ?? ''),
    measure: ({ tags }) => ({
      kind: 'quantity',
      metric: tags['metric'] ?? '',
      feature: tags['feature'] ?? '',
    }),
    value: ({ value }) => value,
    projected: ({ projectedValue }) => projectedValue,
  };
}

/** A row need not say whose it is; the question did. */
function named({ org, value }: OfOrg<Usage>): ConsumptionResult<UsageRow> {
  const periods = value.periods.map((period) => ({
    ...period,
    groups: period.groups.map((group) => ({ ...group, key: { ...group.key, org } })),
  }));
  return { ...value, periods };
}

/** Metrics in the order in which they are offered, unknown ones last; of workloads before anything else. */
function placeOf(line: Line): number {
  const { metric, feature } = quantityOf(line);
  const place = KNOWN_METRICS.findIndex((one) => one === metric);
  const ofMetric = place === -1 ? KNOWN_METRICS.length : place;
  return 2 * ofMetric + Number(feature !== 'workloads');
}

function quantityOf({ measure }: Line): { metric: string; feature: string } {
  return measure.kind === 'quantity' ? measure : { metric: '', feature: '' };
}
