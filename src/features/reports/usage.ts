import { orgRight } from '../../access/policy.ts';
import { settledWithin } from '../../lib/time.ts';
import { compareNames } from '../../lib/text.ts';
import type { Allowance } from '../../platform/answer.ts';
import {
  readAnswerIn,
  readResult,
  readUsageRow,
  type Consumption,
  type ConsumptionResult,
  type UsageRow,
} from '../../platform/consumption/result.ts';
import type { Usage, UsageClient } from '../../platform/usage.ts';
import {
  aggregateLines,
  measureKey,
  rowsOf,
  type Line,
  type LineRules,
} from '../../reporting/amounts.ts';
import {
  filterOf,
  rfc3339,
  spanBefore,
  toConsumptionQuery,
  type Range,
} from '../../reporting/range.ts';
import { unitsOfMetrics, type UnitOfMetric } from '../../reporting/quantity.ts';
import { KNOWN_METRICS } from '../../reporting/query-words.ts';
import type { ReportQuery } from '../../reporting/query.ts';
import type { Services } from '../../services.ts';
import {
  askBefore,
  askEach,
  askWhole,
  createOrgLimit,
  eachBody,
  labelWithOrg,
  oldest,
  readAside,
  readEach,
  skippedIn,
  wholeOf,
} from './orgs.ts';
import { inWhole, stepOfPeriod } from './question.ts';
import type {
  Bodies,
  Body,
  Found,
  OfOrg,
  Question,
  Source,
  TagValuesFound,
  Viewer,
} from './source.ts';
import { tableOf } from './tables.ts';
import { USAGE_HELP } from './grammar.ts';
import { meteringCaveats, missingOrgs } from './words.ts';

/** How long an answer waits for units, which are optional, in ms. */
const UNITS_WITHIN_MS = 2_000;

/** Raw quantities, one query per org (spec 4.5, 4.6). */
export function createUsageSource(
  services: Pick<Services, 'access' | 'billing' | 'config' | 'orgCharges' | 'orgs' | 'usage'>,
): Source {
  const { access, config, usage } = services;
  // Any valid credential may read the catalogue (spec 4.1).
  const catalogue = config.billing ? services.billing().charges : services.orgCharges;
  const orgsOf = (named: readonly string[], { orgs = services.orgs.known }: Viewer) =>
    named.length === 0 ? orgs : named;

  return {
    help: USAGE_HELP,
    name: 'usage',
    needs: ({ orgs = [] }) => orgRight(...orgs),
    by: ['workload', 'metric'],
    canSave: config.billing !== undefined,
    async authorize(person) {
      await access.requireOrgAccess(person);
      const { known } = services.orgs;
      const orgs = await access.readableOrgs(person, known);
      return { userId: person.userId, ...(orgs.length < known.length && { orgs }) };
    },
    orgs: ({ orgs = services.orgs.known }) => Promise.resolve(orgs.toSorted(compareNames)),
    usualOrgs: () => [],
    ...(catalogue && {
      items: () => catalogue.chargeableItems(),
      knownItems: () => catalogue.knownItems(),
    }),

    async ask(question, { now, aside }) {
      const { query, range, nowMs } = question;
      const client = usage();
      const orgs = orgsOf(query.orgs, question.viewer);
      const limit = createOrgLimit();
      const ask = ({ query, by }: Question, part: Range, allowance: Allowance) => {
        const body = toConsumptionQuery(query, by, part);
        const askOrg = (org: string) => client.queryBody(org, body, { allowance });
        return askEach(orgs, askOrg, undefined, limit);
      };
      const askAll = (part: Range) => ask(inWhole(question), part, aside ?? now);
      const [current, before, whole] = await Promise.all([
        ask(question, range, now),
        askBefore(aside && spanBefore(range, query.range, nowMs), askAll),
        aside && askWhole(question, askAll),
      ]);
      return {
        source: 'usage',
        question,
        now: eachBody(current),
        before,
        ...(whole && { whole }),
        hasSeveralOrgs: orgs.length > 1,
        items: catalogue && 'unasked',
      };
    },
    async withItems(bodies) {
      const items = catalogue?.knownItems();
      const isKnown = items !== undefined && (await settledWithin(items, UNITS_WITHIN_MS));
      return { ...bodies, items: isKnown ? await items : undefined };
    },

    tagValues: (viewer, tag, range, query) =>
      tagValues(usage(), { tag, range, query, orgs: orgsOf(query.orgs, viewer) }),
  };
}

/** Distinct values of a tag over some orgs (spec 4.6). @throws PlatformError if no org answers */
async function tagValues(
  usage: Pick<UsageClient, 'tagValues'>,
  {
    tag,
    range,
    query,
    orgs,
  }: Pick<Question, 'range'> & {
    tag: string;
    query: Pick<ReportQuery, 'of' | 'where'>;
    orgs: readonly string[];
  },
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
    missing: failures.map(({ org }) => org),
    caveats: missingOrgs(failures),
  };
}

/**
 * Aggregates the answers of all orgs, labelled with the grouped tags and others that distinguish lines. Every line has
 * one metric of one feature: units differ by metric, and workloads and volume sets with the same metric must not be
 * added up (spec 2.11).
 * @param before of the span before; undefined: unknown
 */
function linesOf(
  question: Question,
  withOrg: boolean,
  now: readonly OfOrg<Usage>[],
  before: readonly OfOrg<Usage>[] | undefined,
  unitOf: UnitOfMetric,
) {
  // The requested tags come first.
  const tags = withOrg && !question.by.includes('org') ? [...question.by, 'org'] : question.by;
  const namedOf = ({ org, value }: OfOrg<Usage>) => labelWithOrg(org, value);
  const lines = aggregateLines(
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

function sharesMetric(lines: readonly Line[]): boolean {
  const measures = new Map(lines.map(({ measure }) => [measureKey(measure), measure]));
  const metrics = new Set(lines.map((line) => quantityOf(line).metric));
  return metrics.size < measures.size;
}

function rulesFor(columns: readonly string[], unitOf: UnitOfMetric): LineRules<UsageRow> {
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

/** Known metrics in the order in which they are offered, unknown ones last; workloads before other features. */
function placeOf(line: Line): number {
  const { metric, feature } = quantityOf(line);
  const place = KNOWN_METRICS.findIndex((one) => one === metric);
  const ofMetric = place === -1 ? KNOWN_METRICS.length : place;
  return 2 * ofMetric + Number(feature !== 'workloads');
}

function quantityOf({ measure }: Line): { metric: string; feature: string } {
  return measure.kind === 'quantity' ? measure : { metric: '', feature: '' };
}

/**
 * The units of the metrics in some answers; undefined if one is undocumented and the chargeable items have to be read
 * first. Without the items, such a metric keeps its raw number.
 */
function unitsFor(
  results: readonly ConsumptionResult<Consumption>[],
  items: Bodies['items'],
): UnitOfMetric | undefined {
  const documented = unitsOfMetrics();
  if (items !== 'unasked') return items === undefined ? documented : unitsOfMetrics(items.items);
  for (const { row } of rowsOf(results)) {
    const { metric } = row.tags;
    if (metric && documented(metric) === undefined) return undefined;
  }
  return documented;
}

/**
 * The platform's usage as lines; undefined if the chargeable items are needed for the unit of a metric. Pure.
 * @throws PlatformError if no answer can be read
 */
export function usageIn(bodies: Bodies): Found | undefined {
  const { question } = bodies;
  const read = ({ body }: Body): Usage =>
    readAnswerIn(body, (answer) => readResult(answer, question.by, readUsageRow));
  const now = readEach(bodies.now, read);
  const readAll = (part: Bodies['now']) => readEach(part, read);
  const before = readAside(bodies.before, now.answers, readAll);
  const whole = wholeOf(bodies, now.answers, readAll);
  const usages = now.answers.map(({ value }) => value);
  const others = [...(before.answers ?? []), ...(whole ?? [])].map(({ value }) => value);
  const unitOf = unitsFor([...usages, ...others], bodies.items);
  if (unitOf === undefined) return undefined;
  const { nowMs } = question;
  const rules = rulesFor(question.by, unitOf);
  return {
    ...linesOf(question, bodies.hasSeveralOrgs === true, now.answers, before.answers, unitOf),
    whole:
      whole &&
      aggregateLines(
        whole.map(({ value }) => value),
        undefined,
        rules,
      ),
    readAt: oldest(now.answers),
    skipped: skippedIn(now.answers),
    missing: now.failures.map(({ org }) => org),
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
