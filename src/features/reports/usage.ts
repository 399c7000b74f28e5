import { orgRight } from '../../access/policy.ts';
import { compareNames } from '../../lib/text.ts';
import { within } from '../../lib/time.ts';
import {
  readAnswerIn,
  readResult,
  readUsageRow,
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
import { filterOf, rfc3339 } from '../../reporting/range.ts';
import { unitsOfMetrics, type UnitOfMetric } from '../../reporting/quantity.ts';
import { KNOWN_METRICS } from '../../reporting/query-words.ts';
import type { ReportQuery } from '../../reporting/query.ts';
import type { Services } from '../../services.ts';
import { askBodies, askEach, labelWithOrg, oldest, readBodies, skippedIn } from './orgs.ts';
import { stepOfPeriod } from './question.ts';
import type { Bodies, Body, Found, Question, Source, TagValuesFound, Viewer } from './source.ts';
import { usageTable } from './tables.ts';
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

    async ask(question, wanted) {
      const client = usage();
      const orgs = orgsOf(question.query.orgs, question.viewer);
      const [bodies, items] = await Promise.all([
        askBodies(question, wanted, {
          orgs,
          askOrg: (org, query, allowance) => client.queryBody(org, query, { allowance }),
        }),
        catalogue && within(catalogue.knownItems(), UNITS_WITHIN_MS, undefined),
      ]);
      return { source: 'usage', ...bodies, hasSeveralOrgs: orgs.length > 1, items };
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
  { question, hasSeveralOrgs }: Bodies,
  now: readonly Usage[],
  before: readonly Usage[] | undefined,
  unitOf: UnitOfMetric,
) {
  const { by } = question;
  // The requested tags come first.
  const tags = hasSeveralOrgs === true && !by.includes('org') ? [...by, 'org'] : by;
  const lines = aggregateLines(
    now,
    before,
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

/** The platform's usage as lines. Pure. @throws PlatformError if no answer can be read */
export function usageIn(bodies: Bodies): Found {
  const { question, items } = bodies;
  const read = ({ body }: Body, org: string): Usage =>
    labelWithOrg(
      org,
      readAnswerIn(body, (answer) => readResult(answer, question.by, readUsageRow)),
    );
  const { answers, before, whole, failures, facts } = readBodies(bodies, read);
  const unitOf = unitsOfMetrics(items?.items);
  const { nowMs } = question;
  return {
    ...facts,
    ...linesOf(bodies, answers, before, unitOf),
    whole: whole && aggregateLines(whole, undefined, rulesFor(question.by, unitOf)),
    caveats: [...missingOrgs(failures), ...meteringCaveats(answers, { nowMs, counts: () => true })],
    hasRows: rowsOf(answers).next().done !== true,
    table: () => usageTable(question, answers, unitOf),
  };
}
