import { filterOf, rfc3339, toConsumptionQuery } from '../../figures/consumption-query.ts';
import { spanBefore } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { compareNames } from '../../lib/text.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Usage, UsageClient } from '../../platform/usage/client.ts';
import type { Person } from '../../slack/routes.ts';
import { meteringCaveats } from '../consumption/caveats.ts';
import type { Question, Source } from '../consumption/source.ts';
import { inWhole } from '../consumption/steps.ts';
import { USAGE_HELP } from './help.ts';
import { linesOf } from './lines.ts';
import { missingOrgs } from './missing.ts';
import { askEach, oldest } from './orgs.ts';
import type { EachOrg, OfOrg } from './orgs.ts';
import { tableOf } from './table.ts';

export interface UsageSourceDeps {
  /** @throws Refusal when the usage API is off */
  readonly usage: () => Pick<UsageClient, 'query' | 'tagValues'>;
  /** The orgs that there is a key for. */
  readonly orgs: readonly string[];
  /** Whether a person may read what needs org permissions. @throws Refusal */
  readonly requireOrgAccess: (person: Person) => Promise<void>;
}

/** What `/usage` asks: raw quantities, one query per org (spec 4.5, 4.6). */
export function createUsageSource(deps: UsageSourceDeps): Source {
  const orgsOf = (named: readonly string[]) => (named.length === 0 ? deps.orgs : named);

  async function ask({ query, by }: Question, range: Range): Promise<EachOrg<Usage>> {
    const usage = deps.usage();
    const body = toConsumptionQuery(query, by, range);
    return askEach(orgsOf(query.orgs), (org) => usage.query(org, body));
  }

  return {
    help: USAGE_HELP,
    name: 'usage',
    needs: 'orgs',
    by: ['workload', 'metric'],
    authorize: (person) => deps.requireOrgAccess(person),
    orgs: () => Promise.resolve(deps.orgs.toSorted(compareNames)),

    async find(question) {
      const { query, range, nowMs } = question;
      const span = spanBefore(range, nowMs);
      const [now, before] = await Promise.all([
        ask(question, range),
        span === undefined ? NOT_KEPT : ask(inWhole(question), span).then(asBefore, nothingBefore),
      ]);
      const compared = before.answers && sameOrgs(now.answers, before.answers);
      const usages = now.answers.map(({ value }) => value);
      return {
        ...linesOf(question, orgsOf(query.orgs).length > 1, now.answers, compared),
        readAt: oldest(now.answers),
        skipped: skippedIn(now.answers),
        isBeforeUnread: compared === undefined && before.isKept,
        caveats: [
          ...missingOrgs(now.failures),
          ...meteringCaveats(usages, { nowMs, counts: () => true }),
        ],
        table: tableOf(question, now.answers),
      };
    },

    async tagValues(tag, range, { of, where, orgs }) {
      const usage = deps.usage();
      const body = {
        startTime: rfc3339(range.startMs),
        endTime: rfc3339(range.endMs),
        tag,
        filterBy: filterOf({ where, of }),
      };
      const { answers, failures } = await askEach(orgsOf(orgs), (org) =>
        usage.tagValues(org, body),
      );
      return {
        values: [...new Set(answers.flatMap(({ value }) => value.values))].toSorted(compareNames),
        readAt: oldest(answers),
        skipped: skippedIn(answers),
        caveats: missingOrgs(failures),
      };
    },
  };
}

interface Before {
  readonly answers?: readonly OfOrg<Usage>[];
  /** Whether the platform should have known something of that span. */
  readonly isKept: boolean;
}

const NOT_KEPT: Before = { isKept: false };

/** A part of it would be compared as if it were all. */
function asBefore({ answers }: EachOrg<Usage>): Before {
  return skippedIn(answers) > 0 ? { isKept: true } : { answers, isKept: true };
}

/** An answer is worth having without the one that it is compared with. */
function nothingBefore(error: unknown): Before {
  if (!(error instanceof PlatformError)) throw error;
  return { isKept: error.earliestStart === undefined };
}

function skippedIn(answers: readonly OfOrg<{ readonly skipped: number }>[]): number {
  return answers.reduce((sum, { value }) => sum + value.skipped, 0);
}

/** The answers for the span before of the orgs that answered now; undefined when one of them is missing. */
function sameOrgs<T>(
  now: readonly OfOrg<T>[],
  before: readonly OfOrg<T>[],
): readonly OfOrg<T>[] | undefined {
  const same = before.filter(({ org }) => now.some((one) => one.org === org));
  return same.length === now.length ? same : undefined;
}
