import type { KnownBlock } from '@slack/types';
import { Refusal } from '../../lib/errors.ts';
import { formatAge, plural } from '../../lib/text.ts';
import {
  nameOf,
  type Orgs,
  readTargeted,
  resolveOrg,
  type Target,
} from '../../platform/deployments/target.ts';
import { statusOf } from '../../rollouts/engine/classify.ts';
import { SIGNS } from '../../rollouts/engine/states.ts';
import { readGvc } from '../../rollouts/gvc-store.ts';
import { listed } from '../../rollouts/messages/causes-view.ts';
import { CARD_ACTIONS } from '../../rollouts/messages/view-parts.ts';
import type { Feature, Services } from '../../services.ts';
import { button, lines, section, SIGN, table, topText } from '../../slack/kit/blocks.ts';
import { pageOf, turnButtons } from '../../slack/kit/pages.ts';
import { code, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { DETAILS_TITLE, detailsButton, detailsModal } from './details-view.ts';
import {
  executionsAnswer,
  executionsModal,
  type ExecutionsView,
  JOBS_ACTION,
  RUNS_ACTION,
  RUNS_TITLE,
} from './executions-view.ts';
import {
  counted,
  grouped,
  inSections,
  isGreen,
  isPuzzling,
  type LinkedPlace,
  type ListedRow,
  type ListedStatus,
  type ListedWorkload,
  pageNote,
  placeLinks,
  placesOf,
  replicas,
  rowOf,
  signOf,
  sinceWords,
  stateWord,
  whyNothing,
  whyOf,
  workloadsOf,
  worstFirst,
} from './listing.ts';
import { orgWords, type PageOptions, pageValue, readPageValue } from './place.ts';
import {
  absentPlace,
  type LastKnown,
  type NameServices,
  readLastKnown,
  rememberedOf,
} from './watched.ts';

export type StatusServices = NameServices & Pick<Services, 'orgs' | 'access'>;

/** `/deployments GVC…`; the last known state while the platform is away. @throws as `readDetailed` */
export async function status(
  services: StatusServices,
  asked: Pick<StatusView, 'org' | 'target' | 'page' | 'all'>,
): Promise<Answer> {
  const { org, target } = asked;
  const usual = {
    ...asked,
    defaultOrg: services.orgs.fallback,
    links: services.config.links,
    now: services.clock.now(),
  };
  const command = commandFor('', org, services.orgs);
  try {
    const { entries, skipped } = await readDetailed(services, asked, command);
    if (entries.length + skipped === 0) await requireLikely(services, asked, command);
    const statuses = entries.map(({ status: one, remembered }) => ({ ...one, ...remembered }));
    return statusAnswer({ ...usual, statuses, skipped });
  } catch (error) {
    const last = await readLastKnown(services, { org, target }, error);
    if (last === undefined) throw error;
    return statusAnswer({ ...usual, ...last, skipped: 0 });
  }
}

/** @param verb with a space at its end, or '' */
function commandFor(verb: string, org: string, orgs: Orgs): (target: Target) => string {
  return (target) => `/deployments ${verb}${nameOf(target)}${orgWords(org, orgs.fallback)}`;
}

/** @throws UsageError when nothing is listed and another name is likely */
async function requireLikely(
  services: StatusServices,
  { org, target }: Pick<StatusView, 'org' | 'target'>,
  command: (target: Target) => string,
): Promise<void> {
  const error = await absentPlace(services, { org, target }, command, true);
  if (error !== undefined) throw error;
}

/** `/deployments jobs`. @throws as `readDetailed` */
export async function executions(
  services: StatusServices,
  command: { org: string | undefined; target: ExecutionsView['target'] },
): Promise<Answer> {
  const org = resolveOrg(command.org, services.orgs);
  const asked = { org, target: command.target, page: 1, all: false };
  const typed = commandFor('jobs ', org, services.orgs);
  const view = await readRuns(services, asked, typed);
  if (view.locations.length + view.skipped === 0) await requireLikely(services, asked, typed);
  return executionsAnswer(view);
}

/** Each button reads the place again, for another page of the answer or for a modal. */
export function createStatusRoutes(
  services: StatusServices,
): Required<Pick<Feature, 'actions' | 'modals'>> {
  const { access, orgs, clock } = services;
  return {
    actions: [
      {
        actionId: STATUS_ACTION,
        inPlace: true,
        async run({ person, value }) {
          await access.requireOrgAccess(person);
          return status(services, readPageValue(value, orgs));
        },
      },
      {
        actionId: JOBS_ACTION,
        inPlace: true,
        async run({ person, value }) {
          await access.requireOrgAccess(person);
          return executionsAnswer(await readRuns(services, readAsked(value, orgs)));
        },
      },
    ],
    modals: [
      {
        actionId: CARD_ACTIONS.details,
        title: DETAILS_TITLE,
        async load({ person, value }) {
          await access.requireOrgAccess(person);
          const { org, target, page } = readPageValue(value, orgs);
          const read = await readDetailed(services, { org, target });
          const { links } = services.config;
          return detailsModal({ org, target, links, ...read, page, now: clock.now() });
        },
      },
      {
        actionId: RUNS_ACTION,
        title: RUNS_TITLE,
        async load({ person, value }) {
          await access.requireOrgAccess(person);
          return executionsModal(await readRuns(services, readAsked(value, orgs)));
        },
      },
    ],
  };
}

/**
 * Deployments of a place, judged as the watch engine does.
 * @param command the command for another place; absent: nothing was typed
 * @throws Refusal or UsageError for an unknown place, PlatformError
 */
async function readDetailed(
  services: StatusServices,
  { org, target }: Pick<StatusView, 'org' | 'target'>,
  command?: (target: Target) => string,
) {
  const { redis, keys, clock } = services;
  const absent = command && (() => absentPlace(services, { org, target }, command));
  const [list, { state }] = await Promise.all([
    readTargeted(services, org, target, absent),
    readGvc(redis, keys, org, target.gvc),
  ]);
  const now = clock.now();
  const entries = list.deployments.map((deployment) => {
    const memory = state.records[`${deployment.workload}/${deployment.location}`];
    const remembered = memory === undefined ? {} : rememberedOf(memory);
    const judged = statusOf(deployment, memory, now);
    return { deployment, status: judged, since: memory?.since, remembered };
  });
  return { entries, skipped: list.skipped };
}

type Asked = Pick<ExecutionsView, 'org' | 'target' | keyof PageOptions>;

/** @throws Refusal */
function readAsked(value: string | undefined, orgs: Orgs): Asked {
  const asked = readPageValue(value, orgs);
  const { workload } = asked.target;
  if (workload === undefined) {
    throw new Refusal(
      'This button names no workload: type the command instead, /deployments jobs GVC/WORKLOAD.',
    );
  }
  return { ...asked, target: { ...asked.target, workload } };
}

async function readRuns(
  services: StatusServices,
  asked: Asked,
  command?: (target: Target) => string,
): Promise<ExecutionsView> {
  const { entries, skipped } = await readDetailed(services, asked, command);
  const locations = entries.map(
    ({ deployment: { location, hasStatus, jobExecutions }, status }) => ({
      location,
      isReported: hasStatus,
      // A cron workload that has run once stays one; a new one has an empty list.
      isCron: status.state === 'cron' || jobExecutions?.length === 0,
      executions: jobExecutions ?? [],
    }),
  );
  return {
    ...asked,
    defaultOrg: services.orgs.fallback,
    locations,
    skipped,
    now: services.clock.now(),
  };
}

/** A page of the table: rows, and characters in its cells, so that no cell is cut. */
const TABLE_PAGE = [60, 5_500] as const;
/** Up to this many workloads are all shown, else only those that are not green. */
const MAX_WORKLOADS = 8;
const MAX_PROBLEMS = 5;

/** Previous and Next, and the workloads hidden at first. */
const STATUS_ACTION = 'deployments.status';

/** `page` is from 1 on; one beyond the last is the last. */
export interface StatusView extends LinkedPlace, PageOptions {
  defaultOrg: string | undefined;
  statuses: readonly ListedStatus[];
  skipped: number;
  /** Set when the answer is not current. */
  known?: LastKnown;
}

/** The answer to `/deployments GVC…`. Pure. */
export function statusAnswer(view: StatusView): Answer {
  const { org, target, skipped, statuses } = view;
  if (statuses.length === 0) {
    const text = mrkdwn`*${nameOf(target)}* in org ${org}: ${whyNothing(skipped)}`;
    return { text: topText(text), blocks: [section(text)] };
  }
  const workloads = workloadsOf({ org, gvc: target.gvc }, statuses);
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
  const problems = problemsOf(listing);
  const { head, below } = headed(view, workloads, problems);
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
      ...placeLinks(view, statuses),
    ],
    shareable: true,
    needs: 'orgs',
  };
}

/** The first line, and one for each problem. A problem of all that was asked for is in the first line only. */
function headed(
  view: StatusView,
  workloads: readonly ListedWorkload[],
  problems: readonly Problem[],
): { head: Mrkdwn; below: readonly Mrkdwn[] } {
  const { org, target, known, now, skipped } = view;
  const rows = workloads.flatMap((one) => one.rows);
  const [only] = problems;
  const isAll = target.workload !== undefined && only?.rows.length === rows.length;
  const summary =
    target.workload === undefined ? ofGvc(workloads, skipped) : ofWorkload(view, workloads);
  const isGap = skipped > 0 && workloads.every(isGreen);
  const sign = isGap ? new Mrkdwn(SIGN.unknown) : signOf(workloads);
  const why = isAll ? only.why : mrkdwn``;
  const head = mrkdwn`${sign} *${nameOf(target)}*${versionIn(view, rows)}${summary}${why} · org ${org}`;
  const below = isAll ? [] : problems.map((one) => problemLine(one, target.workload !== undefined));
  if (known === undefined) return { head, below };
  const old = mrkdwn`${new Mrkdwn(SIGN.unknown)} Last known, ${formatAge(now - known.at)}: ${known.why}.`;
  return { head: mrkdwn`${old}\n${head}`, below };
}

/** ": 1 workload failed, 1 deploying · 3 deployments could not be read · 22 workloads ready, 3 idle" */
function ofGvc(workloads: readonly ListedWorkload[], skipped: number): Mrkdwn {
  const green = workloads.filter(isGreen);
  const wrong = workloads.filter((one) => !isGreen(one));
  const parts = [
    ...(wrong.length === 0 ? [] : [counted(wrong)]),
    ...unreadWords(skipped),
    ...(green.length === 0 ? [] : [counted(green)]),
  ];
  const allWell = wrong.length === 0 && skipped === 0 ? 'all well · ' : '';
  return mrkdwn`: ${allWell}${parts.join(' · ')}`;
}

/** ": failed in oslo since 09:55 · ready in lima, pune", " ready in all 3 locations" */
function ofWorkload({ target, skipped }: StatusView, workloads: readonly ListedWorkload[]): Mrkdwn {
  const rows = workloads.flatMap((one) => one.rows);
  const serving = workloads.flatMap((one) => (one.serving === '' ? [] : [mrkdwn`${one.serving}`]));
  const states = [...grouped(rows.toSorted(worstFirst), ({ state }) => state)];
  const parts = states.map(([state, of]) => {
    const known = of.map(({ location }) => location);
    const where =
      target.location === undefined
        ? ` in ${placesOf(known, skipped === 0 && of.length === rows.length)}`
        : '';
    return mrkdwn`${stateWord(state)}${where}${isGreen({ state }) ? mrkdwn`` : sinceWords(of)}`;
  });
  const all = [...unreadWords(skipped).map((text) => mrkdwn`${text}`), ...parts];
  return mrkdwn`${all.length > 1 ? ':' : ''} ${joinMrkdwn([...all, ...serving], all.length > 1 ? ' · ' : ', ')}`;
}

function unreadWords(skipped: number): string[] {
  return skipped === 0 ? [] : [`${plural(skipped, 'deployment')} could not be read`];
}

/** " v12", if all shown rows have it. */
function versionIn({ target }: StatusView, rows: readonly ListedRow[]): string {
  const [version = 0, ...others] = new Set(rows.map((row) => row.version));
  return target.workload === undefined || version === 0 || others.length > 0 ? '' : ` v${version}`;
}

/** One location of a single workload; else the locations where a workload is in the same state. */
type TableRow = readonly [ListedRow, ...ListedRow[]];

function rowsOf({ target }: StatusView, workloads: readonly ListedWorkload[]): TableRow[] {
  const alike = ({ location, state, version, processed, ...row }: ListedRow): string =>
    target.workload !== undefined
      ? location
      : [state, version, processed, row.replicas === undefined, row.outgoing?.version].join(' ');
  return workloads.flatMap(({ rows }) => [...grouped(rows.toSorted(worstFirst), alike).values()]);
}

const CELLS: Readonly<Record<string, (rows: TableRow) => string>> = {
  Workload: ([{ workload }]) => workload,
  Location: ([{ location }]) => location,
  State: ([{ state }]) => stateWord(state),
  Locations: (rows) => rows.map(({ location }) => location).join(', '),
  Ready: (rows) =>
    rows[0].state === 'stale' && rows[0].replicas !== undefined
      ? `${replicas(rows)} (last known)`
      : replicas(rows),
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

/** "v12", "v12 (still v11)" */
function version({ state, version: expected, processed }: ListedRow): string {
  if (expected === 0) return '–';
  if (processed === 0 || processed === expected) return `v${expected}`;
  return `v${expected} (${state === 'diverged' ? 'reports' : 'still'} v${processed})`;
}

function restarts(rows: readonly ListedRow[]): string {
  const all = rows.reduce((sum, row) => sum + row.restarts, 0);
  return all === 0 ? '–' : String(all);
}

interface Problem {
  rows: TableRow;
  sign: string;
  where: string;
  serving: string;
  /** ": the image cannot be pulled → check its name" */
  why: Mrkdwn;
}

function problemsOf(workloads: readonly ListedWorkload[]): Problem[] {
  const all = workloads.flatMap(({ hurt, serving, ...one }) => {
    const wrong = one.rows.filter(isPuzzling);
    const alike = grouped(wrong.toSorted(worstFirst), (row) => row.state + whyOf(row).text);
    return [...alike.values()].map((rows): Problem => {
      const [row] = rows;
      const isHurt = hurt && SIGNS[row.state] === SIGN.wrong;
      return {
        rows,
        sign: isHurt ? SIGN.hurt : SIGNS[row.state],
        where: listed(rows.map(({ location }) => location)),
        serving: isHurt ? serving : '',
        why: whyOf(row),
      };
    });
  });
  const same = grouped(all, ({ rows, ...wording }) => rows[0].state + JSON.stringify(wording));
  return [...same.values()].map(([first, ...more]) => {
    const [row, ...rows] = first.rows;
    return { ...first, rows: [row, ...rows, ...more.flatMap((one) => one.rows)] };
  });
}

/** "*cart, web* failed in oslo since 09:55: …"; for a single workload, whose state is above, "*oslo*: …" */
function problemLine({ rows, where, serving, why, ...one }: Problem, ofOne: boolean): Mrkdwn {
  const sign = new Mrkdwn(one.sign);
  if (ofOne) return mrkdwn`${sign} *${where}*${why}`;
  const names = listed([...new Set(rows.map(({ workload }) => workload))]);
  const state = mrkdwn`${rows[0].state} in ${where}${sinceWords(rows)}`;
  return mrkdwn`${sign} *${names}* ${state}${serving === '' ? '' : `, ${serving}`}${why}`;
}

function cronNote({ org, defaultOrg, target, statuses }: StatusView): Mrkdwn[] {
  const cron = statuses.find(({ state }) => state === 'cron');
  if (cron === undefined) return [];
  const command = `/deployments jobs ${target.gvc}/${cron.workload}${orgWords(org, defaultOrg)}`;
  return [mrkdwn`The runs of a cron workload: ${code(command, Infinity)}`];
}
