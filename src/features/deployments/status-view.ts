import { orgRight } from '../../access/policy.ts';
import { formatAge, plural } from '../../lib/text.ts';
import { nameOf, orgWords } from '../../platform/deployments/target.ts';
import { dotted } from '../../rollouts/render/parts.ts';
import {
  isGreen,
  isMoving,
  isQuiet,
  stateAt,
  type LocationStatus,
  type WorkloadStatus,
} from '../../rollouts/watch/status.ts';
import { isDirect } from '../../slack/directory.ts';
import { button, section, SIGN, sign } from '../../slack/kit/blocks.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { code, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { PAGE_ACTION } from '../../slack/replies/reply.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { lineSections, smallPrint } from '../answer-parts.ts';
import { listed, type ListColumn, type Listed } from '../list.ts';
import { runButton } from '../notices.ts';
import { watchButton } from '../tasks.ts';
import {
  countsOf,
  DOCTOR_NOTE,
  grouped,
  impactParts,
  isInTrouble,
  isOld,
  isPuzzling,
  linksThatFit,
  movingNote,
  type Placed,
  placedIn,
  placeLinks,
  placesOf,
  type PlaceView,
  readyWords,
  sinceWords,
  stateName,
  troublesOf,
  UNREAD_NOTE,
  unreadLines,
  unreadWords,
  whyNothing,
  worstFirst,
  worstSign,
  worstWorkloadFirst,
} from './board.ts';
import { detailsButton } from './details-view.ts';
import { isUnread, type LastKnown, type WatchedState } from '../watched.ts';

export const STATUS_ROUTE = 'deployments.status';

/** Sections of causes above the table, which has all rows. */
const CAUSE_SECTIONS = 3;

export interface StatusView extends PlaceView, Pick<WatchedState, 'stuck'> {
  workloads: readonly WorkloadStatus[];
  /** Set when the answer is not current. */
  known?: LastKnown;
}

/** The answer to `/deployments GVC…`: the troubles, then all rows, the worst first. Pure. */
export function statusAnswer(view: StatusView): Answer {
  const { org, target, skipped, unreadable = [], known, now } = view;
  const isOfOne = target.workload !== undefined;
  const common = { org, gvc: target.gvc, isOld: false, channels: [] };
  const workloads = view.workloads.toSorted(worstWorkloadFirst).map((one): Placed => ({
    ...one,
    ...common,
    isStuck: view.stuck.includes(one.workload),
    isPartial: unreadable.some((name) => isOfOne || name.startsWith(`${one.workload}/`)),
  }));
  const [first] = workloads;
  if (first === undefined) {
    return {
      blocks: [section(mrkdwn`*${nameOf(target)}* in org ${org}: ${whyNothing(view)}`)],
    };
  }
  const says = (one: Placed): boolean => isInTrouble(one) || one.rows.some(isPuzzling);
  const troubles = troublesOf(workloads.filter(says), ({ workload }) => workload);
  // The same trouble of all that was asked for is in the first line only.
  const [only] = troubles;
  const shared = isOfOne && only?.rows.length === first.rows.length ? only : undefined;
  const what = isOfOne
    ? ofWorkload(view, first, shared?.why ?? '')
    : [countsOf(nameOf(target), workloads), unreadWords(skipped, unreadable), `org ${org}`];
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
      ...smallPrint([...cronNote(view), ...(skipped === 0 ? [] : [UNREAD_NOTE])]),
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
  { org, target, skipped, unreadable }: StatusView,
  one: Placed,
  why: Mrkdwn | string,
): (Mrkdwn | string)[] {
  const { lead, serves } = impactParts(one, 1, target.location !== undefined);
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
    one.isStuck && isMoving(one) ? 'rollout stuck' : '',
    serves,
    sinceWords(one.rows.filter((row) => !isQuiet(row))),
    unreadWords(skipped, unreadable),
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
function workloadsTable(
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
      all.length > 1 && all.length === one.rows.length && one.isPartial !== true
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

interface OverviewView {
  /** Undefined: all orgs. */
  org: string | undefined;
  defaultOrg: string | undefined;
  gvcs: readonly WatchedState[];
  /** Ms since the epoch. */
  now: number;
}

/** The answer to `/deployments`: all watched workloads that are not green. Pure. */
export function overviewAnswer(view: OverviewView): Answer {
  const { gvcs, org, defaultOrg, now } = view;
  const inOrg = org === undefined ? '' : ` org ${org}`;
  if (gvcs.length === 0) {
    const where = org === undefined ? '' : ` in${inOrg}`;
    const text = mrkdwn`Nothing is watched${where}. ${code('/deployments watch GVC')} in a channel posts every rollout there, ${code('/deployments GVC')} shows a GVC now.`;
    return { blocks: [section(text, watchButton())] };
  }
  const all = gvcs
    .flatMap((one) =>
      placedIn(one, now).map((placed) => ({ ...placed, channels: channelsOf(placed, one) })),
    )
    .toSorted(worstWorkloadFirst);
  const wrong = all.filter((one) => !isGreen(one));
  const nameOf = ({ org: own, gvc, workload }: Placed): string =>
    own === defaultOrg ? `${gvc}/${workload}` : `${own}/${gvc}/${workload}`;
  const unread = unreadLines(gvcs, now);
  const troubles = troublesOf(wrong.filter(isInTrouble), nameOf);
  return {
    blocks: [
      section(headline(view, all)),
      ...lineSections([...unread, ...troubles.map(({ line }) => line)], CAUSE_SECTIONS),
      ...movingNote(wrong, nameOf),
      ...workloadsTable('Watched workloads that are not green', wrong, nameOf).blocks,
      ...smallPrint(unread.length === 0 ? [] : [DOCTOR_NOTE]),
    ],
    buttons: gvcs.some(isNew) ? [runButton('Try again', `/deployments${inOrg}`)] : [],
    shareable: true,
    needs: orgRight(...new Set(gvcs.map((one) => one.org))),
  };
}

/** Direct messages concern one person. */
function channelsOf({ workload }: Placed, { watches }: WatchedState): string[] {
  const own = watches.filter((watch) => (watch.workload ?? workload) === workload);
  return [...new Set(own.map(({ channel }) => channel))].filter((channel) => !isDirect(channel));
}

/** "*2 watched GVCs: 1 failed, 22 ready* · 1 outage · read 20 s ago" */
function headline({ gvcs, now }: OverviewView, all: readonly Placed[]): Mrkdwn {
  const watched = plural(gvcs.length, 'watched GVC');
  const gap = gapWords(gvcs, now);
  const ageWords = (word: string, late: boolean): string => {
    const times = gvcs.filter((one) => isOld(one, now) === late).map(({ poll }) => poll.at);
    const read = times.filter((at) => at > 0);
    return read.length === 0 ? '' : `${word}${formatAge(now - Math.min(...read))}`;
  };
  const read = ageWords('read ', false);
  const [current, old] = [all.filter((one) => !one.isOld), all.filter((one) => one.isOld)];
  const counts = current.length === 0 ? '' : countsOf(watched, current);
  if (current.some((one) => !isGreen(one))) {
    return mrkdwn`${worstSign(current)}${dotted([counts, gap, read])}`;
  }
  const unknown = sign('unknown');
  if (old.some((one) => !isGreen(one)) || (old.length > 0 && current.length === 0)) {
    const last = countsOf(ageWords('Last known, ', true), old);
    return mrkdwn`${unknown} ${dotted([last, gap, counts, read])}`;
  }
  if (gap !== '') {
    return mrkdwn`${unknown} ${dotted([mrkdwn`*Not everything is known*: ${gap}`, counts, read])}`;
  }
  return mrkdwn`${sign('good')} ${dotted([countsOf(`All is green in ${watched}`, all), read])}`;
}

/** Not read so far, and nothing has failed. */
function isNew({ poll }: WatchedState): boolean {
  return poll.failures === 0 && poll.at === 0;
}

/** "1 of 3 watched GVCs cannot be read", "3 deployments could not be read"; new GVCs are read within a minute. */
function gapWords(gvcs: readonly WatchedState[], now: number): string {
  const watched = plural(gvcs.length, 'watched GVC');
  const fresh = gvcs.filter(isNew).length;
  const read = gvcs.filter((one) => !isUnread(one));
  const skipped = read.reduce((sum, { poll }) => sum + poll.skipped, 0);
  const empty = read.filter(({ isEmpty }) => isEmpty).length;
  const said = (count: number, words: (of: string) => string): string =>
    count === 0 ? '' : words(`${count} of ${watched}`);
  return [
    said(gvcs.filter(({ poll }) => poll.failures > 0).length, (of) => `${of} cannot be read`),
    said(fresh, (of) => `${of} ${fresh === 1 ? 'is' : 'are'} not read yet, ask again in a minute`),
    said(
      read.filter((one) => isOld(one, now)).length,
      (of) => `${of} not read for more than 5 min`,
    ),
    unreadWords(skipped),
    said(empty, (of) => `the list of ${of} is suddenly empty`),
  ]
    .filter((words) => words !== '')
    .join(' · ');
}
