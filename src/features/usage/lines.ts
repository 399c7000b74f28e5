import { foldLines } from '../../figures/fold.ts';
import type { FoldRules } from '../../figures/fold.ts';
import { measureKey } from '../../figures/line.ts';
import type { Line } from '../../figures/line.ts';
import type { UnitOfMetric } from '../../figures/quantity.ts';
import { KNOWN_METRICS } from '../../figures/tags.ts';
import type { UsageRow } from '../../platform/consumption/result.ts';
import type { Usage } from '../../platform/usage/client.ts';
import type { Question } from '../consumption/source.ts';
import { stepOfPeriod } from '../consumption/steps.ts';
import { named } from '../consumption/orgs.ts';
import type { OfOrg } from '../consumption/orgs.ts';

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
  unitOf: UnitOfMetric,
): Lines {
  const tags = withOrg && !question.by.includes('org') ? ['org', ...question.by] : question.by;
  const namedOf = ({ org, value }: OfOrg<Usage>) => named(org, value);
  const lines = foldLines(
    now.map(namedOf),
    before?.map(namedOf),
    rulesFor(tags, unitOf),
    stepOfPeriod(question),
  ).toSorted((a, b) => placeOf(a) - placeOf(b));
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

function rulesFor(columns: readonly string[], unitOf: UnitOfMetric): FoldRules<UsageRow> {
  return {
    labels: (key) => columns.map((tag) => key[tag] ?? ''),
    measure: ({ tags }) => ({
      kind: 'quantity',
      metric: tags['metric'] ?? '',
      feature: tags['feature'] ?? '',
      unit: unitOf(tags['metric'] ?? ''),
    }),
    value: ({ value }) => value,
    projected: ({ projectedValue }) => projectedValue,
  };
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
