import type { KnownBlock } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import { formatAge, plural } from '../../lib/text.ts';
import { nameOf } from '../../platform/deployments/target.ts';
import { signOf } from '../../rollouts/render/card.ts';
import { dotted, listed } from '../../rollouts/render/parts.ts';
import {
  isGreen,
  isQuiet,
  type LocationStatus,
  type WorkloadStatus,
} from '../../rollouts/watch/status.ts';
import { button, lines, section, SIGN, table, topText } from '../../slack/kit/blocks.ts';
import { pageOf, turnButtons } from '../../slack/kit/pages.ts';
import { code, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { detailsButton } from './details-view.ts';
import {
  counted,
  eachOf,
  grouped,
  impactParts,
  inSections,
  isPuzzling,
  type LinkedPlace,
  pageNote,
  placeLinks,
  placesOf,
  replicas,
  rowOf,
  sinceWords,
  stateName,
  whyNothing,
  whyOf,
  worstFirst,
  worstSign,
  worstWorkloadFirst,
} from './listing.ts';
import { orgWords, type PageOptions, pageValue } from './place.ts';
import type { LastKnown } from './watched.ts';

/** A page of the table: rows, and characters in its cells, so that no cell is cut. */
const TABLE_PAGE = [60, 5_500] as const;
/** Up to this many workloads are all shown, else only those that are not green. */
const MAX_WORKLOADS = 8;
const MAX_PROBLEMS = 5;

/** Previous and Next, and the workloads hidden at first. */
export const STATUS_ACTION = 'deployments.status';

/** `page` is from 1 on; one beyond the last is the last. */
export interface StatusView extends LinkedPlace, PageOptions {
  defaultOrg: string | undefined;
  workloads: readonly WorkloadStatus[];
  skipped: number;
  /** Set when the answer is not current. */
  known?: LastKnown;
}

/** The answer to `/deployments GVC…`. Pure. */
export function statusAnswer(view: StatusView): Answer {
  const { org, target, skipped } = view;
  const workloads = view.workloads.toSorted(worstWorkloadFirst);
  if (workloads.length === 0) {
    const text = mrkdwn`*${nameOf(target)}* in org ${org}: ${whyNothing(skipped)}`;
    return { text: topText(text), blocks: [section(text)] };
  }
  const hidden =
    view.all || workloads.length <= MAX_WORKLOADS ? 0 : workloads.filter(isGreen).length;
  const listing = hidden === 0 ? workloads : workloads.filter((one) => !isGreen(one));
  const rows = rowsOf(view, listing);
  const shown = pageOf(
    rows,
    view.page,
    (row) => [1, cells(columnsOf(view, rows), row).join('').length],
    TABLE_PAGE,
  );
  const { head, below } = headed(view, workloads, problemsOf(view, listing));
  const value = (page: number, all: boolean): string => pageValue(org, target, { page, all });
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...(shown.page === 1 && below.length > 0 ? [lines(below, MAX_PROBLEMS)] : []),
      ...(rows.length === 0 ? [] : [tableOf(columnsOf(view, shown.items), shown.items)]),
      ...smallPrint([...pageNote(shown, view.now), ...cronNote(view)]),
    ],
    ...(below.length <= MAX_PROBLEMS
      ? {}
      : {
          rest: {
            button: `All ${below.length} causes`,
            title: 'What is wrong',
            blocks: inSections(below),
          },
        }),
    controls: rowOf(turnButtons(STATUS_ACTION, shown, (page) => value(page, view.all))),
    buttons: [
      ...(hidden === 0
        ? []
        : [
            button({
              action: STATUS_ACTION,
              text: `All ${plural(workloads.length, 'workload')}`,
              value: value(1, true),
            }),
          ]),
      // While the platform is away only the state is known.
      view.known === undefined
        ? detailsButton(org, target)
        : button({ action: STATUS_ACTION, text: 'Try again', value: value(1, view.all) }),
      ...placeLinks(
        view,
        workloads.flatMap((one) => one.rows),
      ),
    ],
    shareable: true,
    needs: orgRight(org),
  };
}

/** The first line, and one for each problem. A problem of all that was asked for is in the first line only. */
function headed(
  view: StatusView,
  workloads: readonly WorkloadStatus[],
  problems: readonly Problem[],
): { head: Mrkdwn; below: readonly Mrkdwn[] } {
  const { target, known, now } = view;
  const rows = workloads.flatMap((one) => one.rows);
  const [one] = workloads;
  const [only] = problems;
  const isAll = target.workload !== undefined && only?.rows.length === rows.length;
  const head =
    target.workload === undefined || one === undefined
      ? ofGvc(view, workloads)
      : ofWorkload(view, one, isAll ? only.why : mrkdwn``);
  const below = isAll
    ? []
    : problems.map((problem) => problemLine(problem, target.workload !== undefined));
  if (known === undefined) return { head, below };
  const old = mrkdwn`${new Mrkdwn(SIGN.unknown)} Last known, ${formatAge(now - known.at)}: ${known.why}.`;
  return { head: mrkdwn`${old}\n${head}`, below };
}

/** "*shop*: 1 outage, 1 workload deploying · 3 deployments could not be read · 22 workloads ready, 3 idle" */
function ofGvc({ org, target, skipped }: StatusView, workloads: readonly WorkloadStatus[]): Mrkdwn {
  const green = workloads.filter(isGreen);
  const wrong = workloads.filter((one) => !isGreen(one));
  const sign = signIn(workloads, skipped);
  return mrkdwn`${sign}*${nameOf(target)}*: ${dotted([
    wrong.length === 0 ? '' : counted(wrong),
    unreadWords(skipped),
    wrong.length === 0 && skipped === 0 ? 'all well' : '',
    green.length === 0 ? '' : counted(green),
    `org ${org}`,
  ])}`;
}

/** "*Outage* · *shop/cart* v12: failed in oslo since 09:55 · ready in lima · 1 of 3 serve" */
function ofWorkload(
  { org, target, skipped }: StatusView,
  one: WorkloadStatus,
  why: Mrkdwn,
): Mrkdwn {
  const { lead, serves } = impactParts(one);
  const states = [...grouped(one.rows, ({ state }) => state)].map(([state, of]) => {
    const known = of.map(({ location }) => location);
    const isAll = skipped === 0 && of.length === one.rows.length;
    const where = target.location === undefined ? ` in ${placesOf(known, isAll)}` : '';
    return mrkdwn`${stateName(state)}${where}${isQuiet({ state }) ? mrkdwn`` : sinceWords(of)}`;
  });
  const [first = mrkdwn``, ...others] = states;
  const colon = others.length > 0 ? ':' : '';
  const name = mrkdwn`*${nameOf(target)}*${versionIn(one)}${colon} ${first}`;
  const unread = unreadWords(skipped);
  return mrkdwn`${signIn([one], skipped)}${dotted([lead, name, ...others, unread, serves, why, `org ${org}`])}`;
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
type TableRow = readonly [LocationStatus, ...LocationStatus[]];

function rowsOf({ target }: StatusView, workloads: readonly WorkloadStatus[]): TableRow[] {
  const alike = ({ location, state, version, diverged, wanted, others }: LocationStatus): string =>
    target.workload !== undefined
      ? location
      : [state, version, diverged, wanted === 0, others[0]?.[0]].join(' ');
  return workloads.flatMap(({ rows }) => [...grouped(rows.toSorted(worstFirst), alike).values()]);
}

const CELLS: Readonly<Record<string, (rows: TableRow) => string>> = {
  Workload: ([{ workload }]) => workload,
  Location: ([{ location }]) => location,
  State: ([{ state }]) => stateName(state),
  Locations: (rows) => rows.map(({ location }) => location).join(', '),
  Ready: ready,
  Version: ([row]) => version(row),
  Restarts: restarts,
};
const NUMBERS: ReadonlySet<string> = new Set(['Ready', 'Version', 'Restarts']);

function columnsOf({ target }: StatusView, rows: readonly TableRow[]): string[] {
  const restarted = rows.some((row) => row.some((one) => one.restarts > 0));
  const figures = ['Ready', 'Version', ...(restarted ? ['Restarts'] : [])];
  if (target.workload !== undefined) return ['Location', 'State', ...figures];
  // With restarts, the location names would push the figures out of sight.
  return restarted
    ? ['Workload', 'State', ...figures, 'Locations']
    : ['Workload', 'State', 'Locations', ...figures];
}

function cells(columns: readonly string[], row: TableRow): string[] {
  return columns.map((title) => CELLS[title]?.(row) ?? '');
}

function tableOf(columns: readonly string[], rows: readonly TableRow[]): KnownBlock {
  return table(
    columns.map((title) => ({ title, align: NUMBERS.has(title) ? 'right' : 'left' })),
    rows.map((row) => cells(columns, row)),
  );
}

function ready(rows: TableRow): string {
  const share = replicas(rows);
  const isOld = rows[0].state === 'stale' || rows[0].state === 'unknown';
  return isOld && share !== '–' ? `${share} (last known)` : share;
}

/** "v12", "v12 (reports v13)" */
function version({ version: expected, diverged }: LocationStatus): string {
  if (expected === 0) return '–';
  return diverged === undefined ? `v${expected}` : `v${expected} (reports v${diverged})`;
}

function restarts(rows: readonly LocationStatus[]): string {
  const all = rows.reduce((sum, row) => sum + row.restarts, 0);
  return all === 0 ? '–' : String(all);
}

interface Problem {
  rows: TableRow;
  sign: string;
  /** "Outage", and "0 of 3 serve"; of the first problem of a workload. */
  lead: Mrkdwn;
  serves: Mrkdwn;
  where: string;
  /** "The image cannot be pulled → Check its name" */
  why: Mrkdwn;
}

/** Problems of the same kind are one, of whatever workloads. */
function problemsOf(view: StatusView, workloads: readonly WorkloadStatus[]): Problem[] {
  const same = grouped(
    workloads.flatMap((one) => problemsIn(view, one)),
    ({ rows: [{ state }], ...wording }) => state + JSON.stringify({ ...wording, rows: [] }),
  );
  return [...same.values()].map(([first, ...more]) => {
    const [row, ...rows] = first.rows;
    return { ...first, rows: [row, ...rows, ...more.flatMap((one) => one.rows)] };
  });
}

function problemsIn(view: StatusView, one: WorkloadStatus): Problem[] {
  const { impact, rows } = one;
  const wrong = rows.filter(
    (row) => isPuzzling(row) || (impact.level > 0 && impact.worst.includes(row.location)),
  );
  const alike = grouped(wrong, (row) => row.state + whyOf(row).text);
  return [...alike.values()].map((of, index): Problem => {
    const [row] = of;
    const parts = index === 0 ? impactParts(one) : { lead: mrkdwn``, serves: mrkdwn`` };
    return {
      ...parts,
      rows: of,
      sign: signOf(row.state, impact),
      where: listed(of.map(({ location }) => location)),
      why: whyOf(row),
    };
  });
}

/** "*Outage* · *cart, web* failed in oslo since 09:55 · …"; of one workload, whose state is above, "*oslo* · …" */
function problemLine({ rows, where, lead, serves, why, sign }: Problem, ofOne: boolean): Mrkdwn {
  const front = mrkdwn`${new Mrkdwn(sign)}`;
  if (ofOne) return mrkdwn`${front} ${dotted([mrkdwn`*${where}*`, why])}`;
  const names = [...new Set(rows.map(({ workload }) => workload))];
  const state = mrkdwn`*${listed(names)}* ${rows[0].state} in ${where}${sinceWords(rows)}`;
  return mrkdwn`${front} ${dotted([lead, state, eachOf(serves, names.length), why])}`;
}

function cronNote({ org, defaultOrg, target, workloads }: StatusView): Mrkdwn[] {
  const cron = workloads.find(({ rows }) => rows.some(({ state }) => state === 'cron'));
  if (cron === undefined) return [];
  const command = `/deployments jobs ${target.gvc}/${cron.workload}${orgWords(org, defaultOrg)}`;
  return [mrkdwn`The runs of a cron workload: ${code(command, Infinity)}`];
}
