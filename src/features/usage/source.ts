import { filterOf, rfc3339, toConsumptionQuery } from '../../figures/consumption-query.ts';
import type { FigureQuery } from '../../figures/query.ts';
import { spanBefore } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { compareNames } from '../../lib/text.ts';
import type { OrgCharges } from '../../platform/billing/charges.ts';
import type { Usage, UsageClient } from '../../platform/usage/client.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Person } from '../../slack/routes.ts';
import { meteringCaveats } from '../consumption/caveats.ts';
import type { Question, Source, TagValuesFound } from '../consumption/source.ts';
import { inWhole } from '../consumption/steps.ts';
import { unitsFor } from '../consumption/units.ts';
import { USAGE_HELP } from './help.ts';
import { linesOf } from './lines.ts';
import { missingOrgs } from '../consumption/missing.ts';
import { askBefore, askEach, oldest, sameOrgs, skippedIn } from '../consumption/orgs.ts';
import type { EachOrg } from '../consumption/orgs.ts';
import { tableOf } from './table.ts';

export interface UsageSourceDeps {
  /** @throws Refusal when the usage API is off */
  readonly usage: () => Pick<UsageClient, 'query' | 'tagValues'>;
  /** The chargeable items; absent when billing is off. */
  readonly catalogue?: Pick<OrgCharges, 'chargeableItems' | 'knownItems'> | undefined;
  /** The orgs that there is a key for. */
  readonly orgs: readonly string[];
  /** Whether a person may read what needs org permissions. @throws Refusal */
  readonly requireOrgAccess: (person: Person) => Promise<void>;
}

/** What `/usage` asks: raw quantities, one query per org (spec 4.5, 4.6). */
export function createUsageSource(deps: UsageSourceDeps): Source {
  const { catalogue } = deps;
  const orgsOf = (named: readonly string[]) => (named.length === 0 ? deps.orgs : named);

  async function ask({ query, by }: Question, range: Range): Promise<EachOrg<Usage>> {
    const usage = deps.usage();
    const body = toConsumptionQuery(query, by, range);
    return askEach(orgsOf(query.orgs), (org) => usage.query(org, body));
  }

  return {
    help: USAGE_HELP,
    name: 'usage',
    needs: () => 'orgs',
    by: ['workload', 'metric'],
    async authorize(person) {
      await deps.requireOrgAccess(person);
      return { userId: person.userId };
    },
    orgs: () => Promise.resolve(deps.orgs.toSorted(compareNames)),
    usualOrgs: () => [],
    ...(catalogue && {
      items: () => catalogue.chargeableItems(),
      knownItems: () => catalogue.knownItems(),
    }),

    async find(question) {
      const { query, range, nowMs } = question;
      const span = spanBefore(range, query.range, nowMs);
      const [now, before] = await Promise.all([
        ask(question, range),
        askBefore(span, (part) => ask(inWhole(question), part)),
      ]);
      const compared = before.parts && sameOrgs(now.answers, before.parts);
      const all = [...now.answers, ...(compared ?? [])].map(({ value }) => value);
      const unitOf = await unitsFor(all, catalogue && (() => catalogue.knownItems()));
      return {
        ...linesOf(question, orgsOf(query.orgs).length > 1, now.answers, compared, unitOf),
        readAt: oldest(now.answers),
        skipped: skippedIn(now.answers),
        isBeforeUnread: compared === undefined && before.isKept,
        caveats: caveatsOf(now, nowMs),
        table: tableOf(question, now.answers, unitOf),
      };
    },

    tagValues: (_asker, tag, range, query) =>
      tagValues(deps.usage(), { tag, range, query, orgs: orgsOf(query.orgs) }),
  };
}

interface TagQuestion {
  readonly tag: string;
  readonly range: Range;
  readonly query: Pick<FigureQuery, 'of' | 'where'>;
  readonly orgs: readonly string[];
}

/** Distinct values of a tag over some orgs (spec 4.6). @throws PlatformError when no org answers */
async function tagValues(
  usage: Pick<UsageClient, 'tagValues'>,
  { tag, range, query, orgs }: TagQuestion,
): Promise<TagValuesFound> {
  const body = {
    startTime: rfc3339(range.startMs),
    endTime: rfc3339(range.endMs),
    tag,
    filterBy: filterOf(query),
  };
  const { answers, failures } = await askEach(orgs, (org) => usage.tagValues(org, body));
  return {
    values: [...new Set(answers.flatMap(({ value }) => value.values))].toSorted(compareNames),
    readAt: oldest(answers),
    skipped: skippedIn(answers),
    caveats: missingOrgs(failures),
  };
}

function caveatsOf({ answers, failures }: EachOrg<Usage>, nowMs: number): Mrkdwn[] {
  const usages = answers.map(({ value }) => value);
  return [...missingOrgs(failures), ...meteringCaveats(usages, { nowMs, counts: () => true })];
}
