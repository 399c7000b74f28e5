import { readAnswerIn } from '../../platform/consumption/body.ts';
import { readResult, readUsageRow } from '../../platform/consumption/result.ts';
import type { Usage } from '../../platform/usage/client.ts';
import { readBefore, readEach } from '../consumption/bodies.ts';
import type { Bodies, Body } from '../consumption/bodies.ts';
import { meteringCaveats } from '../consumption/caveats.ts';
import { missingOrgs } from '../consumption/missing.ts';
import { oldest, skippedIn } from '../consumption/orgs.ts';
import type { Found } from '../consumption/source.ts';
import { unitsFor } from '../consumption/units.ts';
import { linesOf } from './lines.ts';
import { tableOf } from './table.ts';

/**
 * The usage in the answers of the platform, in lines; undefined when the chargeable items are to be asked
 * for the unit of a metric. Pure. @throws PlatformError when no answer can be read
 */
export function usageIn(bodies: Bodies): Found | undefined {
  const { question } = bodies;
  const read = ({ body }: Body): Usage =>
    readAnswerIn(body, (answer) => readResult(answer, question.by, readUsageRow));
  const now = readEach(bodies.now, read);
  const before = readBefore(bodies.before, now.answers, (part) => readEach(part, read));
  const usages = now.answers.map(({ value }) => value);
  const earlier = (before.compared ?? []).map(({ value }) => value);
  const unitOf = unitsFor([...usages, ...earlier], bodies.items);
  if (unitOf === undefined) return undefined;
  const { nowMs } = question;
  return {
    ...linesOf(question, bodies.hasSeveralOrgs === true, now.answers, before.compared, unitOf),
    readAt: oldest(now.answers),
    skipped: skippedIn(now.answers),
    isBeforeUnread: before.isUnread,
    caveats: [
      ...missingOrgs(now.failures),
      ...meteringCaveats(usages, { nowMs, counts: () => true }),
    ],
    hasRows: usages.some(({ periods }) =>
      periods.some(({ groups }) => groups.some(({ rows }) => rows.length > 0)),
    ),
    table: () => tableOf(question, now.answers, unitOf),
  };
}
