import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { URGENCY, byUrgency } from '../../rollouts/engine/urgency.ts';
import { MEANINGS, SIGNS } from '../../rollouts/messages/words.ts';
import { spoken } from '../../rollouts/messages/view-causes.ts';
import type { DeploymentStatus } from '../../rollouts/engine/status.ts';
import {
  code,
  context,
  lines,
  mrkdwn,
  Mrkdwn,
  section,
  table,
  topText,
} from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { detailsButton } from './details.ts';
import { nameOf } from './place.ts';
import type { Target } from './place.ts';

/** Rows of one answer; Slack takes 100 with the header. */
const MAX_ROWS = 60;
const MAX_PROBLEMS = 8;

export interface StatusView {
  org: string;
  target: Target;
  statuses: readonly DeploymentStatus[];
  /** Items of the platform's answer that could not be read. */
  skipped: number;
}

/** What `/deployments GVC…` answers. Pure. */
export function statusAnswer(view: StatusView): Answer {
  const { org, target } = view;
  const title = mrkdwn`*${nameOf(target)}* in org ${org}`;
  if (view.statuses.length === 0) return emptyAnswer(title, view);
  const rows = [...view.statuses].sort(compare);
  const shown = rows.slice(0, MAX_ROWS);
  const head = mrkdwn`${title}: ${summary(rows)}`;
  return {
    text: topText(head),
    blocks: [
      section(head),
      table(
        [
          { title: 'Workload' },
          { title: 'Location' },
          { title: 'State' },
          { title: 'Version', align: 'right' },
          { title: 'Ready', align: 'right' },
          { title: 'Restarts', align: 'right' },
        ],
        shown.map(cells),
      ),
      ...problems(rows),
      ...notes(view, rows.length - shown.length),
    ],
    buttons: [detailsButton(org, target)],
    shareable: true,
    needs: 'orgs',
  };
}

function emptyAnswer(title: Mrkdwn, view: StatusView): Answer {
  const text =
    view.skipped === 0
      ? mrkdwn`${title}: no deployments. A new workload appears here after its first report, a deleted one is gone after 24 hours.`
      : mrkdwn`${title}: nothing that can be read.`;
  return { text: topText(text), blocks: [section(text), ...notes(view, 0)] };
}

/** Worst first, so that what matters is above the fold. */
function compare(a: DeploymentStatus, b: DeploymentStatus): number {
  return (
    byUrgency(a, b) || a.workload.localeCompare(b.workload) || a.location.localeCompare(b.location)
  );
}

function summary(rows: readonly DeploymentStatus[]): Mrkdwn {
  const counts = URGENCY.map((state) => ({
    state,
    count: rows.filter((row) => row.state === state).length,
  })).filter(({ count }) => count > 0);
  return new Mrkdwn(
    counts
      .map(({ state, count }) => mrkdwn`${new Mrkdwn(SIGNS[state])} ${count} ${state}`.text)
      .join(' · '),
  );
}

function cells(row: DeploymentStatus): string[] {
  return [row.workload, row.location, row.state, version(row), replicas(row), restarts(row)];
}

function version(row: DeploymentStatus): string {
  if (row.version === 0) return '–';
  const behind = row.processed !== 0 && row.processed !== row.version;
  return behind ? `v${row.version} (at v${row.processed})` : `v${row.version}`;
}

function replicas(row: DeploymentStatus): string {
  if (row.replicas === undefined) return '–';
  const now = `${row.replicas.ready}/${row.replicas.wanted}`;
  return row.outgoing === undefined
    ? now
    : `${now}, v${row.outgoing.version} ${row.outgoing.ready}/${row.outgoing.wanted}`;
}

function restarts(row: DeploymentStatus): string {
  return row.restarts === 0 ? '–' : String(row.restarts);
}

/** States that ask for a word also when the platform gives none. */
const PUZZLING: ReadonlySet<string> = new Set(['failed', 'unhealthy', 'stale', 'diverged']);

/** One line for each thing that is wrong or puzzling. */
function problems(rows: readonly DeploymentStatus[]): KnownBlock[] {
  const wrong = rows.filter((row) => row.cause !== '' || PUZZLING.has(row.state));
  if (wrong.length === 0) return [];
  return [
    lines(
      wrong.map((row) => {
        const name = mrkdwn`${new Mrkdwn(SIGNS[row.state])} *${row.workload}* in ${row.location}`;
        const why = row.cause === '' ? mrkdwn`${MEANINGS[row.state]}` : spoken(row.cause);
        return mrkdwn`${name}: ${why}`;
      }),
      MAX_PROBLEMS,
    ),
  ];
}

function notes(view: StatusView, hidden: number): KnownBlock[] {
  const said: Mrkdwn[] = [];
  if (hidden > 0) {
    said.push(
      mrkdwn`${plural(hidden, 'more deployment')} not shown: name a workload, for example ${code(`/deployments ${view.target.gvc}/WORKLOAD`)}`,
    );
  }
  if (view.skipped > 0) {
    said.push(
      mrkdwn`${plural(view.skipped, 'deployment')} could not be read and ${view.skipped === 1 ? 'is' : 'are'} left out`,
    );
  }
  if (view.statuses.some(({ state }) => state === 'cron')) {
    said.push(
      mrkdwn`the runs of a cron workload: ${code(`/deployments jobs ${view.target.gvc}/${view.target.workload ?? 'WORKLOAD'}`)}`,
    );
  }
  return said.length === 0 ? [] : [context(...said)];
}
