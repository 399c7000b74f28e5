import { writeQuery } from '../../figures/query.ts';
import type { FigureQuery } from '../../figures/query.ts';
import { countSteps, resolveRange } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { nearest } from '../../lib/nearest.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal, Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import { TIME_STEPS } from '../../platform/consumption/query.ts';
import type { TimeStep } from '../../platform/consumption/query.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Question, Source } from './source.ts';
import type { State } from './state.ts';

/** More steps are no picture, and no answer that a person reads. */
const MAX_STEPS = 1_000;

/**
 * Makes a question of what someone asks: the span, the grouping, and orgs that there are. The span is
 * the one of when it was asked first; `clock` says what of it has elapsed.
 * @throws Unreadable for an unknown org, Refusal for too many steps
 */
export async function settle(
  source: Source,
  { query, askedAt }: Pick<State, 'query' | 'askedAt'>,
  clock: Clock,
): Promise<Question> {
  const range = resolveRange(query.range, askedAt);
  if (query.step !== undefined) checkSteps(range, query.step);
  const orgs = await knownOrgs(source, query);
  return { query: { ...query, orgs }, by: query.by ?? source.by, range, nowMs: clock.now() };
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

/** The named orgs in their proper spelling. */
async function knownOrgs(source: Source, query: FigureQuery): Promise<readonly string[]> {
  if (query.orgs.length === 0) return [];
  const known = await source.orgs().catch(orNothing);
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

function properName(org: string, known: readonly string[]): string | undefined {
  if (known.includes(org)) return org;
  return known.find((name) => name.toLowerCase() === org.toLowerCase());
}

function namesOf(orgs: readonly string[]): string {
  const shown = orgs.slice(0, 10).map((org) => truncate(org, 60));
  const rest = orgs.length - shown.length;
  return `${shown.join(', ') || 'none'}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Without the list the platform itself says whether it knows an org. */
function orNothing(error: unknown): undefined {
  if (!(error instanceof PlatformError)) throw error;
}
