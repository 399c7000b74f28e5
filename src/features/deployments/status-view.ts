import type { KnownBlock } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import { formatAge, plural } from '../../lib/text.ts';
import { nameOf } from '../../platform/deployments/target.ts';
import { dotted } from '../../rollouts/render/parts.ts';
import {
  isGreen,
  isQuiet,
  stateAt,
  type LocationStatus,
  type WorkloadStatus,
} from '../../rollouts/watch/status.ts';
import { button, section, SIGN } from '../../slack/kit/blocks.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { code, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { PAGE_ACTION } from '../../slack/replies/reply.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { lineSections, smallPrint } from '../answer-parts.ts';
import { listed, type ListColumn } from '../list.ts';
import {
  countsOf,
  isInTrouble,
  type Placed,
  type Trouble,
  troublesOf,
  worstSign,
  worstWorkloadFirst,
} from './board.ts';
import { detailsButton } from './details-view.ts';
import {
  DOCTOR_NOTE,
  grouped,
  impactParts,
  isPuzzling,
  type LinkedPlace,
  MAX_LINKS,
  placeLinks,
  placesOf,
  readyWords,
  sinceWords,
  stateName,
  whyNothing,
  worstFirst,
} from './listing.ts';
import { orgWords } from './place.ts';
import type { LastKnown } from './watched.ts';

export const STATUS_ROUTE = 'deployments.status';

/** Sections above the table, which has all rows. */
const CAUSE_SECTIONS = 3;

export interface StatusView extends LinkedPlace {
  /** From 1 on; one beyond the last is the last. */
  page: number;
  defaultOrg: string | undefined;
  workloads: readonly WorkloadStatus[];
  skipped: number;
  /** Set when the answer is not current. */
  known?: LastKnown;
}

/** The answer to `/deployments GVC…`: the troubles, then all rows, the worst first. Pure. */
export function statusAnswer(view: StatusView): Answer {
  const { org, target, skipped } = view;
  const workloads = view.workloads.toSorted(worstWorkloadFirst).map((one): Placed => ({
    ...one,
    org,
    gvc: target.gvc,
    isOld: false,
    isStuck: false,
    channels: [],
  }));
  if (workloads.length === 0) {
    return {
      blocks: [section(mrkdwn`*${nameOf(target)}* in org ${org}: ${whyNothing(skipped)}`)],
    };
  }
  const isCurrent = view.known === undefined;
  const says = (one: Placed): boolean => isInTrouble(one) || one.rows.some(isPuzzling);
  const troubles = troublesOf(workloads.filter(says), ({ workload }) => workload);
  const { head, below } = headed(view, workloads, troubles);
  const table = rowsTable(view, workloads, isCurrent);
  const question = { org, target };
  const details = isCurrent ? detailsButton(org, target) : undefined;
  return {
    blocks: [
      section(head),
      ...lineSections(below, CAUSE_SECTIONS),
      ...table.blocks,
      ...smallPrint([...cronNote(view), ...(skipped === 0 ? [] : [DOCTOR_NOTE])]),
    ],
    asked: { route: STATUS_ROUTE, question, page: table.page },
    pages: table.pages,
    // While the platform is away only the state is known.
    ...(!isCurrent && {
      controls: [button({ action: PAGE_ACTION, text: 'Try again', value: String(table.page) })],
    }),
    buttons: [
      ...(details ? [details] : []),
      ...placeLinks(
        view,
        workloads.flatMap(({ rows }) => rows),
      ).slice(0, table.pages === 1 ? MAX_LINKS.alone : MAX_LINKS.withPages),
    ],
    shareable: true,
    needs: orgRight(org),
  };
}

/** The first line, and one for each trouble. One of all that was asked for is in the first line only. */
function headed(
  view: StatusView,
  workloads: readonly Placed[],
  troubles: readonly Trouble[],
): { head: Mrkdwn; below: readonly Mrkdwn[] } {
  const { target, known, now } = view;
  const [one] = workloads;
  const [only] = troubles;
  const isOfOne = target.workload !== undefined && one !== undefined;
  const isAll = isOfOne && only?.rows.length === one.rows.length;
  const head = isOfOne
    ? ofWorkload(view, one, isAll ? only.why : mrkdwn``)
    : ofGvc(view, workloads);
  const lines = troubles.map(({ line, sign, where, why }) =>
    isOfOne ? mrkdwn`${new Mrkdwn(sign)} ${dotted([mrkdwn`*${where}*`, why])}` : line,
  );
  const below = isAll ? [] : lines;
  if (known === undefined) return { head, below };
  const old = mrkdwn`${new Mrkdwn(SIGN.unknown)} Last known, ${formatAge(now - known.at)}: ${known.why}.`;
  return { head: mrkdwn`${old}\n${head}`, below };
}

/** "*shop: 1 failed, 1 deploying, 22 ready* · 1 outage · 3 deployments could not be read" */
function ofGvc({ org, target, skipped }: StatusView, workloads: readonly WorkloadStatus[]): Mrkdwn {
  const sign = signIn(workloads, skipped);
  const counts = countsOf(nameOf(target), workloads);
  return mrkdwn`${sign}${dotted([counts, unreadWords(skipped), `org ${org}`])}`;
}

/** "*Outage* · *shop/cart* v12: failed in oslo, ready in lima · 1 of 3 serve · since 09:55" */
function ofWorkload(
  { org, target, skipped }: StatusView,
  one: WorkloadStatus,
  why: Mrkdwn,
): Mrkdwn {
  const { lead, serves } = impactParts(one);
  const states = [...grouped(one.rows, (row) => stateAt(row, one.version))].map(([state, of]) => {
    const known = of.map(({ location }) => location);
    const isAll = skipped === 0 && of.length === one.rows.length;
    const where = target.location === undefined ? ` in ${placesOf(known, isAll)}` : '';
    return `${stateName(state)}${where}`;
  });
  const colon = states.length > 1 ? ':' : '';
  const name = mrkdwn`*${nameOf(target)}*${versionIn(one)}${colon} ${states.join(', ')}`;
  const since = sinceWords(one.rows.filter((row) => !isQuiet(row)));
  const parts = [lead, name, serves, new Mrkdwn(since.text.trimStart()), unreadWords(skipped)];
  return mrkdwn`${signIn([one], skipped)}${dotted([...parts, `org ${org}`, why])}`;
}

function signIn(workloads: readonly WorkloadStatus[], skipped: number): Mrkdwn {
  const isGap = skipped > 0 && workloads.every(isGreen);
  return isGap ? new Mrkdwn(`${SIGN.unknown} `) : worstSign(workloads);
}

function unreadWords(skipped: number): string {
  return skipped === 0 ? '' : `${plural(skipped, 'deployment')} could not be read`;
}

/** " v12", if all shown rows have it. */
function versionIn({ rows }: WorkloadStatus): string {
  const [version = 0, ...others] = new Set(rows.map((row) => row.version));
  return version === 0 || others.length > 0 ? '' : ` v${version}`;
}

/** One location of a single workload; else the locations where a workload is in the same state. */
interface Row {
  readonly one: Placed;
  readonly rows: readonly [LocationStatus, ...LocationStatus[]];
}

function rowsTable(
  { target, page }: Pick<StatusView, 'target' | 'page'>,
  workloads: readonly Placed[],
  hasDetails: boolean,
) {
  const isOfOne = target.workload !== undefined;
  const rows = tableRows(workloads, isOfOne);
  return listed({
    caption: `${isOfOne ? 'Locations' : 'Workloads'} of ${nameOf(target)}`,
    columns: columnsOf(rows, isOfOne ? undefined : ({ workload }) => workload),
    rows,
    page,
    ...(hasDetails && {
      step: ({ one, rows: [{ workload, location }] }: Row) =>
        detailsButton(one.org, { gvc: one.gvc, workload, ...(isOfOne && { location }) }),
    }),
  });
}

/** Workloads of any GVCs as a table, each with a button to its details. */
export function workloadsTable(
  caption: string,
  workloads: readonly Placed[],
  name: (one: Placed) => string,
): KnownBlock[] {
  const rows = tableRows(workloads, false);
  const step = ({ one: { org, gvc, workload } }: Row) => detailsButton(org, { gvc, workload });
  return listed({ caption, columns: columnsOf(rows, name), rows, step }).blocks;
}

function tableRows(workloads: readonly Placed[], isByLocation: boolean): Row[] {
  const alike = (row: LocationStatus): string => {
    const { location, state, version, diverged, oldGvc, wanted, others } = row;
    const facts = [state, version, diverged, oldGvc, wanted === 0, others[0]?.[0]];
    return isByLocation ? location : facts.join(' ');
  };
  return workloads.flatMap((one) =>
    [...grouped(one.rows.toSorted(worstFirst), alike).values()].map((rows) => ({ one, rows })),
  );
}

/** @param name of a workload; absent: the rows are locations */
function columnsOf(
  rows: readonly Row[],
  name: ((one: Placed) => string) | undefined,
): ListColumn<Row>[] {
  const restarted = rows.some((row) => restartsOf(row) > 0);
  const figures: ListColumn<Row>[] = [
    { title: 'Ready', of: ({ rows: all }) => readyWords(all) },
    { title: 'Version', of: ({ rows: [row] }) => versionCell(row) },
    ...(restarted ? [{ title: 'Restarts', of: restartsCell }] : []),
  ];
  const state = { title: 'State', of: stateCell };
  if (name === undefined) {
    return [{ title: 'Location', of: ({ rows: [row] }) => row.location }, state, ...figures];
  }
  const where = {
    title: 'Locations',
    of: ({ one, rows: all }: Row) =>
      all.length > 1 && all.length === one.rows.length
        ? `all ${all.length}`
        : all.map(({ location }) => location).join(', '),
  };
  // Last: names of locations would push the figures out of sight.
  return [{ title: 'Workload', of: ({ one }) => name(one) }, state, ...figures, where];
}

/** "failed"; "pending, still v11" where the version of the workload has not arrived. */
function stateCell({ one, rows: [row] }: Row): string {
  const state = stateAt(row, one.version);
  return state === row.state ? stateName(state) : `${stateName(state)}, still v${row.version}`;
}

/** "v12", "v12 (reports v13)", "v12 (still GVC v4)" */
function versionCell({ version: expected, diverged, oldGvc }: LocationStatus): string | Numeric {
  if (expected === 0) return '–';
  const remarks = [
    ...(diverged === undefined ? [] : [`reports v${diverged}`]),
    ...(oldGvc === undefined ? [] : [`still GVC v${oldGvc}`]),
  ];
  const noted = remarks.length === 0 ? '' : ` (${remarks.join(', ')})`;
  return new Numeric(expected, `v${expected}${noted}`);
}

function restartsOf({ rows }: Row): number {
  return rows.reduce((sum, row) => sum + row.restarts, 0);
}

function restartsCell(row: Row): Numeric {
  const all = restartsOf(row);
  return new Numeric(all, all === 0 ? '–' : String(all));
}

function cronNote({ org, defaultOrg, target, workloads }: StatusView): Mrkdwn[] {
  const cron = workloads.find(({ rows }) => rows.some(({ state }) => state === 'cron'));
  if (cron === undefined) return [];
  const command = `/deployments jobs ${target.gvc}/${cron.workload}${orgWords(org, defaultOrg)}`;
  return [mrkdwn`The runs of a cron workload: ${code(command, Infinity)}`];
}
