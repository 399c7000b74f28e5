import { orgRight } from '../../access/policy.ts';
import { formatAge } from '../../lib/text.ts';
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
import { listed, type ListColumn, type Listed } from '../list.ts';
import {
  countsOf,
  DOCTOR_NOTE,
  grouped,
  impactParts,
  isInTrouble,
  isPuzzling,
  linksThatFit,
  type Placed,
  placeLinks,
  placesOf,
  type PlaceView,
  readyWords,
  sinceWords,
  stateName,
  troublesOf,
  unreadWords,
  whyNothing,
  worstFirst,
  worstSign,
  worstWorkloadFirst,
} from './board.ts';
import { detailsButton } from './details-view.ts';
import { orgWords } from './place.ts';
import type { LastKnown } from './watched.ts';

export const STATUS_ROUTE = 'deployments.status';

/** Sections of causes above the table, which has all rows. */
export const CAUSE_SECTIONS = 3;

export interface StatusView extends PlaceView {
  workloads: readonly WorkloadStatus[];
  /** Set when the answer is not current. */
  known?: LastKnown;
}

/** The answer to `/deployments GVC…`: the troubles, then all rows, the worst first. Pure. */
export function statusAnswer(view: StatusView): Answer {
  const { org, target, skipped, known, now } = view;
  const common = { org, gvc: target.gvc, isOld: false, isStuck: false, channels: [] };
  const workloads = view.workloads
    .toSorted(worstWorkloadFirst)
    .map((one): Placed => ({ ...one, ...common }));
  const [first] = workloads;
  if (first === undefined) {
    return {
      blocks: [section(mrkdwn`*${nameOf(target)}* in org ${org}: ${whyNothing(skipped)}`)],
    };
  }
  const isOfOne = target.workload !== undefined;
  const says = (one: Placed): boolean => isInTrouble(one) || one.rows.some(isPuzzling);
  const troubles = troublesOf(workloads.filter(says), ({ workload }) => workload);
  // The same trouble of all that was asked for is in the first line only.
  const [only] = troubles;
  const shared = isOfOne && only?.rows.length === first.rows.length ? only : undefined;
  const what = isOfOne
    ? ofWorkload(view, first, shared?.why ?? '')
    : [countsOf(nameOf(target), workloads), unreadWords(skipped), `org ${org}`];
  const isGap = skipped > 0 && workloads.every(isGreen);
  const head = mrkdwn`${isGap ? new Mrkdwn(`${SIGN.unknown} `) : worstSign(workloads)}${dotted(what)}`;
  const old =
    known &&
    mrkdwn`${new Mrkdwn(SIGN.unknown)} Last known, ${formatAge(now - known.at)}: ${known.why}.`;
  const lines = troubles.map(({ line, sign, where, why }) =>
    isOfOne ? mrkdwn`${new Mrkdwn(sign)} ${dotted([mrkdwn`*${where}*`, why])}` : line,
  );
  const table = workloadsTable(
    `${isOfOne ? 'Locations' : 'Workloads'} of ${nameOf(target)}`,
    workloads,
    isOfOne ? undefined : ({ workload }) => workload,
    { page: view.page, hasDetails: known === undefined },
  );
  const details = known === undefined ? detailsButton(org, target) : undefined;
  const links = placeLinks(
    view,
    workloads.flatMap(({ rows }) => rows),
  );
  return {
    blocks: [
      section(old ? mrkdwn`${old}\n${head}` : head),
      ...lineSections(shared ? [] : lines, CAUSE_SECTIONS),
      ...table.blocks,
      ...smallPrint([...cronNote(view), ...(skipped === 0 ? [] : [DOCTOR_NOTE])]),
    ],
    asked: { route: STATUS_ROUTE, question: { org, target }, page: table.page },
    pages: table.pages,
    // While the platform is away only the state is known.
    ...(known && {
      controls: [button({ action: PAGE_ACTION, text: 'Try again', value: String(table.page) })],
    }),
    buttons: [...(details ? [details] : []), ...linksThatFit(links, table.pages)],
    shareable: true,
    needs: orgRight(org),
  };
}

/** "*Outage* · *shop/cart* v12: failed in oslo, ready in lima · 1 of 3 serve · since 09:55" */
function ofWorkload(
  { org, target, skipped }: StatusView,
  one: WorkloadStatus,
  why: Mrkdwn | string,
): (Mrkdwn | string)[] {
  const { lead, serves } = impactParts(one);
  const states = [...grouped(one.rows, (row) => stateAt(row, one.version))].map(([state, of]) => {
    const known = of.map(({ location }) => location);
    const isAll = skipped === 0 && of.length === one.rows.length;
    const where = target.location === undefined ? ` in ${placesOf(known, isAll)}` : '';
    return `${stateName(state)}${where}`;
  });
  const [version = 0, ...others] = new Set(one.rows.map((row) => row.version));
  const numbered = version === 0 || others.length > 0 ? '' : ` v${version}`;
  const colon = states.length > 1 ? ':' : '';
  return [
    lead,
    mrkdwn`*${nameOf(target)}*${numbered}${colon} ${states.join(', ')}`,
    serves,
    sinceWords(one.rows.filter((row) => !isQuiet(row))),
    unreadWords(skipped),
    `org ${org}`,
    why,
  ];
}

/** One location of a single workload; else the locations where a workload is in the same state. */
interface Row {
  readonly one: Placed;
  readonly rows: readonly [LocationStatus, ...LocationStatus[]];
}

/** Workloads as a table, each row with its Details. @param name of a workload; undefined: the rows are locations */
export function workloadsTable(
  caption: string,
  workloads: readonly Placed[],
  name: ((one: Placed) => string) | undefined,
  { page = 1, hasDetails = true } = {},
): Listed {
  const alike = (row: LocationStatus): string => {
    const { location, state, version, diverged, oldGvc, wanted, others } = row;
    const facts = [state, version, diverged, oldGvc, wanted === 0, others[0]?.[0]];
    return name === undefined ? location : facts.join(' ');
  };
  const rows = workloads.flatMap((one): Row[] =>
    [...grouped(one.rows.toSorted(worstFirst), alike).values()].map((of) => ({ one, rows: of })),
  );
  return listed({
    caption,
    columns: columnsOf(rows, name),
    rows,
    page,
    step: ({ one: { org, gvc, workload }, rows: [{ location }] }) => {
      const place = name === undefined ? { gvc, workload, location } : { gvc, workload };
      return hasDetails ? detailsButton(org, place) : undefined;
    },
  });
}

function columnsOf(
  rows: readonly Row[],
  name: ((one: Placed) => string) | undefined,
): ListColumn<Row>[] {
  const figures: ListColumn<Row>[] = [
    { title: 'State', of: stateCell },
    { title: 'Ready', of: ({ rows: all }) => readyWords(all) },
    { title: 'Version', of: ({ rows: [row] }) => versionCell(row) },
    ...(rows.some(({ rows: all }) => restartsOf(all) > 0)
      ? [{ title: 'Restarts', of: ({ rows: all }: Row) => restartsCell(restartsOf(all)) }]
      : []),
  ];
  if (name === undefined) {
    return [{ title: 'Location', of: ({ rows: [row] }) => row.location }, ...figures];
  }
  const where = {
    title: 'Locations',
    of: ({ one, rows: all }: Row) =>
      all.length > 1 && all.length === one.rows.length
        ? `all ${all.length}`
        : all.map(({ location }) => location).join(', '),
  };
  // Last: names of locations would push the figures out of sight.
  return [{ title: 'Workload', of: ({ one }) => name(one) }, ...figures, where];
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

function restartsOf(rows: readonly LocationStatus[]): number {
  return rows.reduce((sum, row) => sum + row.restarts, 0);
}

function restartsCell(all: number): Numeric {
  return new Numeric(all, all === 0 ? '–' : String(all));
}

function cronNote({ org, defaultOrg, target, workloads }: StatusView): Mrkdwn[] {
  const cron = workloads.find(({ rows }) => rows.some(({ state }) => state === 'cron'));
  if (cron === undefined) return [];
  const command = `/deployments jobs ${target.gvc}/${cron.workload}${orgWords(org, defaultOrg)}`;
  return [mrkdwn`The runs of a cron workload: ${code(command, Infinity)}`];
}
