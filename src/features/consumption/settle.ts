import { writeQuery } from '../../figures/query.ts';
import type { FigureQuery } from '../../figures/query.ts';
import { countSteps, resolveRange } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { valuesIn } from '../../figures/tag-filter.ts';
import { nearest } from '../../lib/nearest.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal, Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import { TIME_STEPS } from '../../platform/consumption/query.ts';
import type { TimeStep } from '../../platform/consumption/query.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Asker, Question, Source } from './source.ts';
import type { State } from './state.ts';

/** More steps are no picture, and no answer that a person reads. */
const MAX_STEPS = 1_000;

/**
 * Makes a question of what someone asks: the span, the grouping, and orgs and chargeable items that there
 * are. The span is the one of when it was asked first; `clock` says what of it has elapsed.
 * @throws Unreadable for an unknown org or item, Refusal for too many steps
 */
export async function settle(
  source: Source,
  asker: Asker,
  { query: asked, askedAt }: Pick<State, 'query' | 'askedAt'>,
  clock: Clock,
): Promise<Question> {
  const range = resolveRange(asked.range, askedAt);
  if (asked.step !== undefined) checkSteps(range, asked.step);
  const query = asker.orgsOnly ? withOrgsNamed(asked) : asked;
  const orgs = await knownOrgs(source, asker, query);
  const items = await knownItems(source, asker, query);
  return {
    asker,
    query: { ...query, orgs, items },
    by: query.by ?? source.by,
    range,
    nowMs: clock.now(),
  };
}

function checkSteps(range: Range, step: TimeStep): void {
  const count = countSteps(range, step);
  if (count <= MAX_STEPS) return;
  const larger = TIME_STEPS.slice(TIME_STEPS.indexOf(step) + 1);
  const fitting = larger.find((one) => countSteps(range, one) <= MAX_STEPS);
  const remedy = fitting === undefined ? 'ask for a shorter range' : `use "step ${fitting}"`;
  throw new Refusal(
    `That would be ${count.toLocaleString('en-US')} steps, and an answer has at most 1,000: ${remedy}.`,
  );
}

/**
 * Who may ask for single orgs alone names them: each is asked for by itself, and a filter finds nothing in
 * another one. @throws Unreadable for an expression that does not say which orgs it means
 */
function withOrgsNamed(query: FigureQuery): FigureQuery {
  const { org: filter, ...where } = query.where;
  if (filter === undefined) return query;
  const orgs = valuesIn('org', filter);
  if (orgs !== undefined) return { ...query, where, orgs };
  throw new Unreadable(
    'Here single orgs can be asked for, each by its name: write "org NAME" in the place of "where org=…".',
  );
}

/** The named orgs in their proper spelling. */
async function knownOrgs(
  source: Source,
  asker: Asker,
  query: FigureQuery,
): Promise<readonly string[]> {
  if (query.orgs.length === 0) return source.usualOrgs(asker);
  const known = await source.orgs(asker).catch(orNothing);
  if (known === undefined) return query.orgs;
  const settled = query.orgs.map((org) => properName(org, known) ?? org);
  const stranger = settled.find((org) => !known.includes(org));
  if (stranger === undefined) return [...new Set(settled)];

  const meant = nearest(stranger, known);
  const said = `There is no org "${truncate(stranger, 60)}" here`;
  if (meant === undefined) {
    throw new Unreadable(`${said}: there are ${namesOf(known)}.`);
  }
  const orgs = settled.map((org) => (org === stranger ? meant : org));
  throw new Unreadable(`${said}.`, `${source.help.command} ${writeQuery({ ...query, orgs })}`);
}

/**
 * The named chargeable items in their proper spelling; an id stands for the item that has it. Several
 * items may share a name, and a query takes nothing else (spec 2.6).
 */
async function knownItems(
  source: Source,
  asker: Asker,
  query: FigureQuery,
): Promise<readonly string[]> {
  if (query.items.length === 0) return [];
  const catalogue = await source.knownItems?.(asker);
  // A list of nothing says nothing of a name either.
  if (catalogue === undefined || catalogue.items.length === 0) return query.items;
  const names = catalogue.items.map(({ name }) => name);
  const named = (item: string) =>
    properName(item, names) ?? catalogue.items.find(({ id }) => id === item)?.name ?? item;
  const settled = query.items.map(named);
  // It may be the name of an item that could not be read.
  const stranger =
    catalogue.skipped > 0 ? undefined : settled.find((item) => !names.includes(item));
  if (stranger === undefined) return [...new Set(settled)];

  const meant = nearest(stranger, names);
  const said = `There is no chargeable item "${truncate(stranger, 60)}"`;
  if (meant === undefined) throw new Unreadable(`${said}: "/charges items" lists them all.`);
  const items = settled.map((item) => (item === stranger ? meant : item));
  throw new Unreadable(`${said}.`, `${source.help.command} ${writeQuery({ ...query, items })}`);
}

function properName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name;
  return known.find((one) => one.toLowerCase() === name.toLowerCase());
}

function namesOf(orgs: readonly string[]): string {
  const shown = orgs.slice(0, 10).map((org) => truncate(org, 60));
  const rest = orgs.length - shown.length;
  return `${shown.join(', ') || 'none'}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Without the list the platform itself says whether it knows an org or an item. */
function orNothing(error: unknown): undefined {
  if (!(error instanceof PlatformError)) throw error;
}
