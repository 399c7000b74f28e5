import type { KnownBlock } from '@slack/types';
import { plural, truncate } from '../../lib/text.ts';
import { reasonsOf } from '../../rollouts/messages/reasons.ts';
import { button, code, context, mrkdwn, section, table, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { nameOf, placeValue } from './place.ts';
import type { Target } from './place.ts';
import { meaningsOf, runsOf, shortName, statusOf, summary, took } from './run.ts';
import type { LocationRuns, Run } from './run.ts';

export interface ExecutionsView {
  org: string;
  target: Target & { workload: string };
  locations: readonly LocationRuns[];
  /** Items of the platform's answer that could not be read. */
  skipped: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The button that opens the modal with each run in full. */
export const RUNS_ACTION = 'deployments.runs';

const MAX_ROWS = 20;
const MESSAGE_LENGTH = 120;
/** Of the part that tells runs apart. */
const NAME_LENGTH = 24;

/** What `/deployments jobs GVC/WORKLOAD[/LOCATION]` answers (spec 2.12, job execution). Pure. */
export function executionsAnswer(view: ExecutionsView): Answer {
  const { org, target, now } = view;
  const runs = runsOf(view.locations);
  const head = headline(view, runs);
  if (runs.length === 0) {
    return { text: topText(head), blocks: [section(head), ...skippedNote(view.skipped)] };
  }
  const value = placeValue(org, target);
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
        runs.slice(0, MAX_ROWS).map((run) => cells(run, target.workload, now)),
      ),
      ...notes(runs, target),
      ...skippedNote(view.skipped),
    ],
    buttons: [button({ action: RUNS_ACTION, text: 'Runs', value })],
    shareable: true,
    needs: 'orgs',
  };
}

/** "*data/etl* in org acme: 1 failed · 2 successful", or why there is no run. */
export function headline(view: ExecutionsView, runs: readonly Run[]): Mrkdwn {
  const said = runs.length === 0 ? whyNone(view) : mrkdwn`${summary(runs)}`;
  return mrkdwn`*${nameOf(view.target)}* in org ${view.org}: ${said}`;
}

function whyNone({ locations, target, skipped }: ExecutionsView): Mrkdwn {
  if (locations.length === 0) {
    return skipped === 0
      ? mrkdwn`no deployments. A new workload appears here after its first report.`
      : mrkdwn`nothing that can be read.`;
  }
  if (locations.some(({ executions }) => executions !== undefined)) {
    return mrkdwn`no run is reported. The platform keeps as many as the workload’s history limit says.`;
  }
  if (!locations.some(({ isReported }) => isReported)) {
    return mrkdwn`nothing was reported yet, so nobody knows whether it is a cron workload.`;
  }
  return mrkdwn`this is no cron workload, so it has no runs. Its state shows ${code(`/deployments ${nameOf(target)}`)}.`;
}

function cells(run: Run, workload: string, now: number): string[] {
  return [
    truncate(shortName(run, workload), NAME_LENGTH),
    run.location,
    statusOf(run),
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
  return `${truncate(first, MESSAGE_LENGTH)}${rest}`;
}

function notes(
  runs: readonly Run[],
  { gvc, workload, location }: ExecutionsView['target'],
): KnownBlock[] {
  const hidden = runs.length - MAX_ROWS;
  const said = meaningsOf(runs.slice(0, MAX_ROWS)).map((meaning) => mrkdwn`${meaning}`);
  if (hidden > 0) {
    const narrower =
      location === undefined
        ? mrkdwn`, or name a location: ${code(`/deployments jobs ${gvc}/${workload}/LOCATION`)}`
        : mrkdwn``;
    said.unshift(mrkdwn`${plural(hidden, 'older run')} not shown: press *Runs*${narrower}`);
  }
  return said.length === 0 ? [] : [context(...said)];
}

/** What the platform told and nobody could read. */
export function skippedNote(skipped: number): KnownBlock[] {
  if (skipped === 0) return [];
  const are = skipped === 1 ? 'is' : 'are';
  return [context(mrkdwn`${plural(skipped, 'deployment')} could not be read and ${are} left out`)];
}
