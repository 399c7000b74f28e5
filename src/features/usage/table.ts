import { rfc3339 } from '../../figures/consumption-query.ts';
import type { Cell } from '../../figures/csv.ts';
import type { RowSum } from '../../figures/in-steps.ts';
import type { UnitOfMetric } from '../../figures/quantity.ts';
import type { UsageRow } from '../../platform/consumption/result.ts';
import type { Usage } from '../../platform/usage/client.ts';
import type { Question, Table } from '../consumption/source.ts';
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
): Table {
  const placed = answers.map(({ value }) => fileRows(question, [value], USAGE_SUM));
  // A question for chargeable items adds the tags that these price on.
  const added = new Set<string>();
  for (const { row } of placed.flat()) for (const tag of Object.keys(row.tags)) added.add(tag);
  const tags = tagColumns([...question.by, ...ALWAYS, ...added], placed.flat());
  const named = tags.filter((tag) => tag !== 'org');
  function* rows(): Generator<Cell[]> {
    for (const [index, { org }] of answers.entries()) {
      for (const one of placed[index] ?? []) {
        yield [
          rfc3339(one.startMs),
          rfc3339(one.endMs),
          org,
          ...named.map((tag) => tagCell(one, tag)),
          one.row.value,
          unitOf(one.row.tags['metric'] ?? ''),
          one.row.projectedValue,
        ];
      }
    }
  }
  return {
    columns: ['period start', 'period end', 'org', ...named, 'value', 'unit', 'projected value'],
    rows: rows(),
  };
}
