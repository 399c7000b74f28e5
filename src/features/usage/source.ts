import { filterOf, rfc3339, toConsumptionQuery } from '../../figures/consumption-query.ts';
import type { FigureQuery } from '../../figures/query.ts';
import { spanBefore } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { settledWithin } from '../../lib/patience.ts';
import { compareNames } from '../../lib/text.ts';
import type { Allowance } from '../../platform/allowance.ts';
import type { OrgCharges } from '../../platform/billing/charges.ts';
import type { UsageClient } from '../../platform/usage/client.ts';
import type { Person } from '../../slack/routes.ts';
import { askBefore, eachBody } from '../consumption/bodies.ts';
import type { Body } from '../consumption/bodies.ts';
import { missingOrgs } from '../consumption/missing.ts';
import { askEach, createOrgLimit, oldest, skippedIn } from '../consumption/orgs.ts';
import type { EachOrg, OrgLimit } from '../consumption/orgs.ts';
import type { Question, Source, TagValuesFound } from '../consumption/source.ts';
import { inWhole } from '../consumption/steps.ts';
import { USAGE_HELP } from './help.ts';

/** How long an answer waits for units, which it can do without. Milliseconds. */
const UNITS_WITHIN_MS = 2_000;

export interface UsageSourceDeps {
  /** @throws Refusal when the usage API is off */
  readonly usage: () => Pick<UsageClient, 'queryBody' | 'tagValues'>;
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

  async function ask(
    { query, by }: Question,
    range: Range,
    allowance: Allowance,
    limit: OrgLimit,
  ): Promise<EachOrg<Body>> {
    const usage = deps.usage();
    const body = toConsumptionQuery(query, by, range);
    const options = { allowance };
    return askEach(
      orgsOf(query.orgs),
      (org) => usage.queryBody(org, body, options),
      undefined,
      limit,
    );
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

    async ask(question, { now, before }) {
      const { query, range, nowMs } = question;
      const limit = createOrgLimit();
      const span = before && spanBefore(range, query.range, nowMs);
      const [current, earlier] = await Promise.all([
        ask(question, range, now, limit),
        askBefore(span, (part) => ask(inWhole(question), part, before ?? now, limit)),
      ]);
      return {
        source: 'usage',
        question,
        now: eachBody(current),
        before: earlier,
        hasSeveralOrgs: orgsOf(query.orgs).length > 1,
        items: catalogue && 'unasked',
      };
    },
    async withItems(bodies) {
      const items = catalogue?.knownItems();
      const isKnown = items !== undefined && (await settledWithin(items, UNITS_WITHIN_MS));
      return { ...bodies, items: isKnown ? await items : undefined };
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
