import { rfc3339 } from '../../figures/consumption-query.ts';
import type { Cell } from '../../figures/csv.ts';
import type { RowSum } from '../../figures/in-steps.ts';
import type { UnitOfMetric } from '../../figures/quantity.ts';
import type { UsageRow } from '../../platform/consumption/result.ts';
import type { Usage } from '../../platform/usage/client.ts';
import type { Found, Question } from '../consumption/source.ts';
import { fileRows } from '../consumption/steps.ts';
import { tagCell, tagColumns } from '../consumption/tag-columns.ts';
import type { OfOrg } from '../consumption/orgs.ts';

/** The unit is of the metric, which is among the tags. */
const USAGE_SUM: RowSum<UsageRow> = {
  keyOf: () => '',
  plus: (one, other) => ({
    ...one,
    value: one.value.plus(other.value),
  }),
  partOf: (row) => ({ ...row, projectedValue: undefined }),
};

/** What a row is told apart by, whatever it is grouped by. */
const ALWAYS = ['metric', 'feature', 'locationType', 'performanceClass'];

/** Every row that the orgs answered, with its value in full and in the unit that it is metered in. */
export function tableOf(
  question: Question,
  answers: readonly OfOrg<Usage>[],
  unitOf: UnitOfMetric,
): Found['table'] {
  const placed = answers.map(({ value }) => fileRows(question, [value], USAGE_SUM));
  // A question for chargeable items adds the tags that these price on.
  const added = placed.flat().flatMap(({ row }) => Object.keys(row.tags));
  const tags = tagColumns([...question.by, ...ALWAYS, ...added], placed.flat());
  const named = tags.filter((tag) => tag !== 'org');
  const rows = answers.flatMap(({ org }, index) =>
    (placed[index] ?? []).map((one): Cell[] => [
      rfc3339(one.startMs),
      rfc3339(one.endMs),
      org,
      ...named.map((tag) => tagCell(one, tag)),
      one.row.value,
      unitOf(one.row.tags['metric'] ?? ''),
      one.row.projectedValue,
    ]),
  );
  return {
    columns: ['period start', 'period end', 'org', ...named, 'value', 'unit', 'projected value'],
    rows,
  };
}
