import type { Button } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { reasonsOf } from '../../rollouts/messages/reasons.ts';
import {
  button,
  code,
  mrkdwn,
  pageOf,
  section,
  shorten,
  table,
  topText,
  turnButtons,
} from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { pageNote, rowOf, skippedNote, smallPrint, whyNothing } from './listing.ts';
import { nameOf, orgWords, partValue } from './place.ts';
import type { Part, Target } from './place.ts';
import { adHocOf, meaningsOf, runsOf, shortName, statusOf, summary, took } from './run.ts';
import type { LocationRuns, Run } from './run.ts';

/** `page` is from 1 on; one beyond the last is the last. */
export interface ExecutionsView extends Part {
  org: string;
  /** The org that need not be named. */
  defaultOrg: string | undefined;
  target: Target & { workload: string };
  locations: readonly LocationRuns[];
  /** Items of the platform's answer that could not be read. */
  skipped: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The button that opens the modal with each run in full. */
export const RUNS_ACTION = 'deployments.runs';
/** Buttons to other pages of the answer, and to the runs of ad-hoc commands. */
export const JOBS_ACTION = 'deployments.jobs';

/** What a page of the table holds: rows, and characters in its cells, so that no cell is cut. */
const TABLE_PAGE = [20, 5_500] as const;
const MESSAGE_LENGTH = 120;
/** Of the part that tells runs apart, and of a word for a status. */
const NAME_LENGTH = 40;

/** What `/deployments jobs GVC/WORKLOAD[/LOCATION]` answers (spec 2.12, job execution). Pure. */
export function executionsAnswer(view: ExecutionsView): Answer {
  const { org, target, now } = view;
  const runs = runsOf(view.locations, view);
  const head = headline(view, runs);
  if (runs.length === 0) {
    return {
      text: topText(head),
      blocks: [section(head), ...smallPrint([...adHocNote(view), ...skippedNote(view.skipped)])],
      buttons: adHocButtons(JOBS_ACTION, view),
    };
  }
  const cellsOf = (run: Run): string[] => cells(run, target.workload, now);
  const shown = pageOf(runs, view.page, (run) => [1, cellsOf(run).join('').length], TABLE_PAGE);
  const turning = turnButtons(JOBS_ACTION, shown, (page) =>
    partValue(org, target, { ...view, page }),
  );
  const inFull = partValue(org, target, { ...view, page: 1 });
  return {
    text: topText(head),
    blocks: [
      section(head),
      table(
        [
          { title: 'Run' },
          { title: 'Location', wraps: false },
          { title: 'Status' },
          { title: 'Started (UTC)', align: 'right' },
          { title: 'Took', align: 'right' },
          { title: 'Message' },
          { title: 'Version', align: 'right' },
        ],
        shown.items.map(cellsOf),
      ),
      ...smallPrint([
        ...pageNote(shown, now),
        ...meaningsOf(shown.items).map((meaning) => mrkdwn`${meaning}`),
        ...adHocNote(view),
        ...skippedNote(view.skipped),
      ]),
    ],
    controls: rowOf(turning),
    buttons: [
      button({ action: RUNS_ACTION, text: 'Runs', value: inFull }),
      ...adHocButtons(JOBS_ACTION, view),
    ],
    shareable: true,
    needs: 'orgs',
  };
}

/** "*data/etl* in org acme: 1 failed · 2 successful", or why there is no run. */
export function headline(view: ExecutionsView, runs: readonly Run[]): Mrkdwn {
  const said = runs.length === 0 ? whyNone(view) : mrkdwn`${summary(runs)}`;
  return mrkdwn`*${nameOf(view.target)}* in org ${view.org}: ${said}`;
}

function whyNone(view: ExecutionsView): Mrkdwn {
  const { locations, target, skipped } = view;
  if (locations.length === 0) return whyNothing(skipped);
  if (locations.some(({ isCron }) => isCron)) {
    return mrkdwn`no run is reported. The platform keeps as many as the workload’s history limit says.`;
  }
  if (adHocOf(locations) > 0) {
    return mrkdwn`no scheduled run is reported, only runs of ad-hoc commands.`;
  }
  if (!locations.some(({ isReported }) => isReported)) {
    return mrkdwn`nothing was reported yet, so nobody knows whether it is a cron workload.`;
  }
  const command = `/deployments ${nameOf(target)}${orgWords(view.org, view.defaultOrg)}`;
  return mrkdwn`this is no cron workload, so it has no runs. ${code(command, Infinity)} shows its state.`;
}

/** How many runs of ad-hoc commands there are, which are left out unless they are asked for. */
export function adHocNote({ locations, adHoc }: ExecutionsView): Mrkdwn[] {
  const count = adHocOf(locations);
  if (count === 0) return [];
  const what = plural(count, 'run of an ad-hoc command', 'runs of ad-hoc commands');
  return [adHoc ? mrkdwn`with ${what}` : mrkdwn`${what} not shown`];
}

/** The button that asks for them, or leaves them out again. */
export function adHocButtons(action: string, view: ExecutionsView): Button[] {
  if (adHocOf(view.locations) === 0) return [];
  const { org, target, adHoc } = view;
  const value = partValue(org, target, { page: 1, adHoc: !adHoc });
  return [button({ action, text: `${adHoc ? 'Hide' : 'Show'} ad-hoc commands`, value })];
}

function cells(run: Run, workload: string, now: number): string[] {
  return [
    shorten(shortName(run, workload), NAME_LENGTH),
    run.location,
    shorten(statusOf(run), NAME_LENGTH),
    run.startTime === undefined ? '–' : stamp(run.startTime),
    took(run, now) ?? '–',
    firstMessage(run),
    run.workloadVersion === 0 ? '–' : `v${run.workloadVersion}`,
  ];
}

/** A cell takes no date of Slack's; the seconds are behind the button. */
function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** "exit code 1 (+2)": the others are behind the button. */
function firstMessage({ message }: Run): string {
  const [first = '', ...more] = reasonsOf(message);
  const rest = more.length === 0 ? '' : ` (+${more.length})`;
  return `${shorten(first, MESSAGE_LENGTH)}${rest}`;
}
