import { rfc3339 } from '../../figures/consumption-query.ts';
import type { Cell } from '../../figures/csv.ts';
import { rowsOf } from '../../figures/fold.ts';
import { rawUnitOf } from '../../figures/quantity.ts';
import type { Usage } from '../../platform/usage/client.ts';
import type { Found } from '../consumption/source.ts';
import type { OfOrg } from './orgs.ts';

/** What a row is told apart by, whatever it is grouped by. */
const ALWAYS = ['metric', 'feature', 'locationType', 'performanceClass'];

/** Every row that the orgs answered, with its value in full and in the unit that it is metered in. */
export function tableOf(answers: readonly OfOrg<Usage>[], by: readonly string[]): Found['table'] {
  const tags = [...new Set([...by, ...ALWAYS])].filter((tag) => tag !== 'org');
  const rows = answers.flatMap(({ org, value }) =>
    [...rowsOf([value])].map(({ startMs, endMs, key, row }): Cell[] => [
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
