import type { KnownBlock } from '@slack/types';
import { compareNames, formatDuration, plural, truncate } from '../../lib/text.ts';
import type { JobExecution } from '../../platform/deployments/deployment.ts';
import { code, context, mrkdwn, section, table, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { nameOf } from './place.ts';
import type { Target } from './place.ts';

export interface ExecutionsView {
  org: string;
  target: Target & { workload: string };
  /** Of each location; undefined executions: nothing says that it is a cron workload. */
  locations: readonly { location: string; executions: readonly JobExecution[] | undefined }[];
  /** Items of the platform's answer that could not be read. */
  skipped: number;
  /** Milliseconds since the epoch. */
  now: number;
}

interface Run extends JobExecution {
  location: string;
}

const MAX_ROWS = 20;
const MESSAGE_LENGTH = 120;

/** What `/deployments jobs GVC/WORKLOAD` answers (spec 2.12, job execution). Pure. */
export function executionsAnswer(view: ExecutionsView): Answer {
  const title = mrkdwn`*${nameOf(view.target)}* in org ${view.org}`;
  const runs = view.locations
    .flatMap(({ location, executions = [] }) => executions.map((run) => ({ ...run, location })))
    .sort(newestFirst);
  const unread = skippedNote(view.skipped);
  if (runs.length === 0) {
    const text = mrkdwn`${title}: ${whyNone(view)}`;
    return { text: topText(text), blocks: [section(text), ...unread] };
  }
  const head = mrkdwn`${title}: ${summary(runs)}`;
  return {
    text: topText(head),
    blocks: [
      section(head),
      table(
        [
          { title: 'Location' },
          { title: 'Status' },
          { title: 'Started (UTC)' },
          { title: 'Took', align: 'right' },
          { title: 'Version', align: 'right' },
          { title: 'Message' },
        ],
        runs.slice(0, MAX_ROWS).map((run) => cells(run, view.now)),
      ),
      ...notes(runs, view.target),
      ...unread,
    ],
    shareable: true,
    needs: 'orgs',
  };
}

/** What has not started comes first; the same schedule runs everywhere at once, so places stay in order. */
function newestFirst(a: Run, b: Run): number {
  const started = (run: Run): number => run.startTime ?? Number.MAX_SAFE_INTEGER;
  return started(b) - started(a) || compareNames(a.location, b.location);
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
  return mrkdwn`this is no cron workload, so it has no runs. Its state shows ${code(`/deployments ${nameOf(target)}`)}.`;
}

/** "2 running · 1 failed · 17 successful" of all runs that are reported. */
function summary(runs: readonly Run[]): string {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(statusOf(run), (counts.get(statusOf(run)) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([status, count]) => `${count} ${truncate(status, 30)}`)
    .join(' · ');
}

const RANKS = ['failed', 'invalid', 'running', 'pending', 'removed', 'successful'];

function rank(status: string): number {
  const at = RANKS.indexOf(status);
  return at === -1 ? RANKS.length : at;
}

/** Running is what is active and has not come to an end; that it has one is no success. */
function statusOf({ status, completionTime }: JobExecution): string {
  if (status !== 'active') return status;
  return completionTime === undefined ? 'running' : 'active, ended';
}

function cells(run: Run, now: number): string[] {
  return [
    run.location,
    statusOf(run),
    run.startTime === undefined ? '–' : stamp(run.startTime),
    took(run, now),
    run.workloadVersion === 0 ? '–' : `v${run.workloadVersion}`,
    truncate(run.message, MESSAGE_LENGTH),
  ];
}

/** A cell takes no date of Slack's. */
function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

function took(run: Run, now: number): string {
  const { startTime, completionTime } = run;
  if (startTime === undefined) return '–';
  if (completionTime !== undefined) return formatDuration(completionTime - startTime);
  return statusOf(run) === 'running' ? `${formatDuration(now - startTime)} so far` : '–';
}

function notes(
  runs: readonly Run[],
  { gvc, workload }: { gvc: string; workload: string },
): KnownBlock[] {
  const hidden = runs.length - MAX_ROWS;
  const said: Mrkdwn[] = [];
  if (hidden > 0) {
    said.push(
      mrkdwn`${plural(hidden, 'older run')} not shown: name a location, for example ${code(`/deployments jobs ${gvc}/${workload}/LOCATION`)}`,
    );
  }
  if (runs.slice(0, MAX_ROWS).some(({ status }) => status === 'removed')) {
    said.push(
      mrkdwn`removed: ended before it was done, because the next run was due or its deadline had passed; that is no failure`,
    );
  }
  return said.length === 0 ? [] : [context(...said)];
}

function skippedNote(skipped: number): KnownBlock[] {
  if (skipped === 0) return [];
  const are = skipped === 1 ? 'is' : 'are';
  return [context(mrkdwn`${plural(skipped, 'deployment')} could not be read and ${are} left out`)];
}
