import { rfc3339 } from '../../figures/consumption-query.ts';
import type { Cell } from '../../figures/csv.ts';
import { projectedSum } from '../../figures/in-steps.ts';
import type { RowSum } from '../../figures/in-steps.ts';
import { rawUnitOf } from '../../figures/quantity.ts';
import type { UsageRow } from '../../platform/consumption/result.ts';
import type { Usage } from '../../platform/usage/client.ts';
import type { Found, Question } from '../consumption/source.ts';
import { fileRows } from '../consumption/steps.ts';
import type { OfOrg } from './orgs.ts';

/** The unit is of the metric, which is among the tags. */
const USAGE_SUM: RowSum<UsageRow> = {
  keyOf: () => '',
  plus: (one, other) => ({
    ...one,
    value: one.value.plus(other.value),
    projectedValue: projectedSum(projectedOf(one), projectedOf(other)),
  }),
};

/** What a row is told apart by, whatever it is grouped by. */
const ALWAYS = ['metric', 'feature', 'locationType', 'performanceClass'];

/** Every row that the orgs answered, with its value in full and in the unit that it is metered in. */
export function tableOf(question: Question, answers: readonly OfOrg<Usage>[]): Found['table'] {
  const tags = [...new Set([...question.by, ...ALWAYS])].filter((tag) => tag !== 'org');
  const rows = answers.flatMap(({ org, value }) =>
    fileRows(question, [value], USAGE_SUM).map(({ startMs, endMs, key, row }): Cell[] => [
      rfc3339(startMs),
      rfc3339(endMs),
      org,
      ...tags.map((tag) => row.tags[tag] ?? key[tag]),
      row.value,
      rawUnitOf(row.tags['metric'] ?? ''),
      row.projectedValue,
    ]),
  );
  return {
    columns: ['period start', 'period end', 'org', ...tags, 'value', 'unit', 'projected value'],
    rows,
  };
}

function projectedOf({ value, projectedValue }: UsageRow) {
  return { value, projected: projectedValue };
}
