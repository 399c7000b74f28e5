import type { KnownBlock } from '@slack/types';
import { formatAge, plural } from '../../lib/text.ts';
import { nameOf } from '../../platform/deployments/target.ts';
import { nextStepFor, plainCause } from '../../rollouts/engine/explain.ts';
import { SIGNS, STATE_TABLE } from '../../rollouts/engine/states.ts';
import { listed, spoken } from '../../rollouts/messages/causes-view.ts';
import { button, lines, section, SIGN, table, topText } from '../../slack/kit/blocks.ts';
import type { Column } from '../../slack/kit/blocks.ts';
import { excerpt, pageOf, turnButtons } from '../../slack/kit/pages.ts';
import { code, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { detailsButton, named } from './details-view.ts';
import {
  counted,
  grouped,
  isGreen,
  pageNote,
  placeLinks,
  rowOf,
  signOf,
  skippedNote,
  whyNothing,
  workloadsOf,
  worstFirst,
} from './listing.ts';
import type { LinkedPlace, ListedRow, ListedStatus, ListedWorkload } from './listing.ts';
import { orgWords, pageValue } from './place.ts';
import type { PageOptions } from './place.ts';
import type { LastKnown } from './watched.ts';

/** What a page of the table holds: rows, and characters in its cells, so that no cell is cut. */
const TABLE_PAGE = [60, 5_500] as const;
/** So many workloads are all shown; of more those that are not green. */
const MAX_WORKLOADS = 8;
const MAX_PROBLEMS = 5;
const MESSAGE_LENGTH = 300;

/** Previous and Next, and the workloads that are left out at first. */
export const STATUS_ACTION = 'deployments.status';

/** `page` is from 1 on; one beyond the last is the last. */
export interface StatusView extends LinkedPlace, PageOptions {
  /** The org that need not be named. */
  defaultOrg: string | undefined;
  statuses: readonly ListedStatus[];
  /** Items of the platform's answer that could not be read. */
  skipped: number;
  /** It is no answer of now. */
  known?: LastKnown;
}

/** What `/deployments GVC…` answers. Pure. */
export function statusAnswer(view: StatusView): Answer {
  const { org, target, skipped, statuses } = view;
  if (statuses.length === 0) {
    const text = mrkdwn`*${nameOf(target)}* in org ${org}: ${whyNothing(skipped)}`;
    return { text: topText(text), blocks: [section(text), ...smallPrint(skippedNote(skipped))] };
  }
  const workloads = workloadsOf({ org, gvc: target.gvc }, statuses);
  const hidden =
    view.all || workloads.length <= MAX_WORKLOADS ? 0 : workloads.filter(isGreen).length;
  const listing = hidden === 0 ? workloads : workloads.filter((one) => !isGreen(one));
  const rows = rowsOf(view, listing);
  const shown = pageOf(rows, view.page, (row) => [1, cells(row).join('').length], TABLE_PAGE);
  const head = headline(view, workloads);
  const value = (page: number, all: boolean): string => pageValue(org, target, { page, all });
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...(shown.page === 1 ? problems(listing) : []),
      ...(rows.length === 0 ? [] : [tableOf(view, shown.items)]),
      ...smallPrint([...pageNote(shown, view.now), ...skippedNote(skipped), ...cronNote(view)]),
    ],
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
      // Nothing but the state is known while the platform is away.
      view.known === undefined
        ? detailsButton(org, target)
        : button({ action: STATUS_ACTION, text: 'Try again', value: value(1, view.all) }),
      ...placeLinks(view, statuses),
    ],
    shareable: true,
    needs: 'orgs',
  };
}

/** What is wrong, or that all is well, behind how old that is where it is not of now. */
function headline(view: StatusView, workloads: readonly ListedWorkload[]): Mrkdwn {
  const { org, target, known, now } = view;
  const rows = workloads.flatMap((one) => one.rows);
  const said =
    target.workload === undefined
      ? ofGvc(workloads)
      : ofWorkload(rows, target.location === undefined);
  const name = mrkdwn`*${nameOf(target)}*${versionIn(view, rows)}`;
  const head = mrkdwn`${signOf(workloads)} ${name}: ${said} · org ${org}`;
  if (known === undefined) return head;
  return mrkdwn`${new Mrkdwn(SIGN.unknown)} Last known, ${formatAge(now - known.at)}: ${known.why}.\n${head}`;
}

/** "1 workload failed, 1 deploying · 22 workloads ready, 3 idle" */
function ofGvc(workloads: readonly ListedWorkload[]): string {
  const green = workloads.filter(isGreen);
  const wrong = workloads.filter((one) => !isGreen(one));
  const fine = green.length === 0 ? [] : [counted(green)];
  return [wrong.length === 0 ? 'all well' : counted(wrong), ...fine].join(' · ');
}

/** "failed in oslo · ready in lima, pune", "ready in all 3 locations" */
function ofWorkload(rows: readonly ListedRow[], names: boolean): Mrkdwn {
  const states = [...grouped(rows.toSorted(worstFirst), ({ state }) => state)];
  const parts = states.map(([state, of]) => {
    if (!names) return mrkdwn`${state}`;
    return of.length === rows.length && of.length > 1
      ? mrkdwn`${state} in all ${of.length} locations`
      : mrkdwn`${state} in ${listed(of.map(({ location }) => location))}`;
  });
  return joinMrkdwn(parts, ' · ');
}

/** " v12" where it is the version of all that is shown. */
function versionIn({ target }: StatusView, rows: readonly ListedRow[]): string {
  const [version = 0, ...others] = new Set(rows.map((row) => row.version));
  return target.workload === undefined || version === 0 || others.length > 0 ? '' : ` v${version}`;
}

/** Rows of the table: of one workload its locations, of several those that are alike together. */
interface TableRow {
  name: string;
  rows: readonly ListedRow[];
  /** Of one workload the locations have the rows. */
  locations: string;
}

function rowsOf({ target }: StatusView, workloads: readonly ListedWorkload[]): TableRow[] {
  return workloads.flatMap(({ workload, rows }) => {
    const sorted = rows.toSorted(worstFirst);
    if (target.workload !== undefined) {
      return sorted.map((row) => ({ name: row.location, rows: [row], locations: '' }));
    }
    const alike = ({ state, version, processed, replicas, outgoing }: ListedRow): string =>
      [state, version, processed, replicas === undefined, outgoing?.version].join(' ');
    return [...grouped(sorted, alike).values()].map((some) => ({
      name: workload,
      rows: some,
      locations: some.map(({ location }) => location).join(', '),
    }));
  });
}

function tableOf({ target }: StatusView, rows: readonly TableRow[]): KnownBlock {
  const ofOne = target.workload !== undefined;
  // Where nothing restarted there is room for names.
  const restarted = rows.some((row) => row.rows.some(({ restarts }) => restarts > 0));
  const columns: Column[] = [
    { title: ofOne ? 'Location' : 'Workload' },
    { title: 'State' },
    { title: 'Version', align: 'right' },
    { title: 'Ready', align: 'right' },
    ...(restarted ? [{ title: 'Restarts', align: 'right' } as const] : []),
    ...(ofOne ? [] : [{ title: 'Locations' }]),
  ];
  return table(
    columns,
    rows.map((row) => {
      const [name = '', state = '', version = '', ready = '', restarts = '', locations = ''] =
        cells(row);
      const restartCell = restarted ? [restarts] : [];
      return [name, state, version, ready, ...restartCell, ...(ofOne ? [] : [locations])];
    }),
  );
}

function cells({ name, rows, locations }: TableRow): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  return [name, first.state, version(first), replicas(rows), restarts(rows), locations];
}

function version(row: ListedRow): string {
  if (row.version === 0) return '–';
  const behind = row.processed !== 0 && row.processed !== row.version;
  return behind ? `v${row.version} (at v${row.processed})` : `v${row.version}`;
}

/** "3/3", "0/3, v11 3/3": over the locations together. */
function replicas(rows: readonly ListedRow[]): string {
  const own = rows.flatMap((row) => row.replicas ?? []);
  if (own.length === 0) return '–';
  const outgoing = rows.flatMap((row) => row.outgoing ?? []);
  const [first] = outgoing;
  return first === undefined
    ? shareOf(own)
    : `${shareOf(own)}, v${first.version} ${shareOf(outgoing)}`;
}

function shareOf(all: readonly { ready: number; wanted: number }[]): string {
  const [ready, wanted] = [
    all.reduce((sum, one) => sum + one.ready, 0),
    all.reduce((sum, one) => sum + one.wanted, 0),
  ];
  return `${ready}/${wanted}`;
}

function restarts(rows: readonly ListedRow[]): string {
  const all = rows.reduce((sum, row) => sum + row.restarts, 0);
  return all === 0 ? '–' : String(all);
}

/** States that ask for a word also when the platform gives none. */
const PUZZLING: ReadonlySet<string> = new Set(['failed', 'unhealthy', 'stale', 'diverged']);

/** One line for each thing that is wrong or puzzling, with what to do about it. */
function problems(workloads: readonly ListedWorkload[]): KnownBlock[] {
  const said = workloads.flatMap((one) => {
    const wrong = one.rows
      .toSorted(worstFirst)
      .filter((row) => row.cause !== '' || PUZZLING.has(row.state));
    const alike = grouped(wrong, ({ state, cause }) => `${state} ${cause}`);
    return [...alike.values()].map((rows) => problemLine(one, rows));
  });
  return said.length === 0 ? [] : [lines(said, MAX_PROBLEMS)];
}

function problemLine({ workload, hurt }: ListedWorkload, rows: readonly ListedRow[]): Mrkdwn {
  const [row] = rows;
  if (row === undefined) return mrkdwn``;
  const sign =
    hurt && PUZZLING.has(row.state) && row.state !== 'stale' ? SIGN.hurt : SIGNS[row.state];
  const where = mrkdwn`${listed(rows.map(({ location }) => location))}`;
  const name = mrkdwn`${new Mrkdwn(sign)} *${named(workload)}* ${row.state} in ${where}`;
  const next = nextStep(row);
  return mrkdwn`${name}: ${why(row)}${next === '' ? '' : ` → ${next}`}`;
}

function why({ state, cause }: ListedRow): Mrkdwn {
  if (cause === '') return mrkdwn`${STATE_TABLE[state].meaning}`;
  return state === 'diverged' ? excerpt(cause, MESSAGE_LENGTH) : spoken(cause);
}

/** What a person can do; '' where that is not known, or there is nothing to do. */
function nextStep({ state, cause }: ListedRow): string {
  if (state === 'failed' || state === 'unhealthy') return nextStepFor(cause);
  if (state === 'diverged') return 'wait some minutes, then ask the platform team';
  return plainCause(cause) === '' ? '' : nextStepFor(cause);
}

function cronNote({ org, defaultOrg, target, statuses }: StatusView): Mrkdwn[] {
  const cron = statuses.find(({ state }) => state === 'cron');
  if (cron === undefined) return [];
  const command = `/deployments jobs ${target.gvc}/${cron.workload}${orgWords(org, defaultOrg)}`;
  return [mrkdwn`The runs of a cron workload: ${code(command, Infinity)}`];
}
