import type { KnownBlock } from '@slack/types';
import { nameOf } from '../../platform/deployments/target.ts';
import type { DeploymentStatus } from '../../rollouts/engine/classify.ts';
import { SIGNS, STATE_TABLE, URGENCY } from '../../rollouts/engine/states.ts';
import { spoken } from '../../rollouts/messages/causes-view.ts';
import { lines, section, table, topText } from '../../slack/kit/blocks.ts';
import { excerpt, pageOf, turnButtons } from '../../slack/kit/pages.ts';
import { code, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { detailsButton, named } from './details-view.ts';
import { pageNote, placeLinks, rowOf, skippedNote, whyNothing, worstFirst } from './listing.ts';
import type { LinkedPlace } from './listing.ts';
import { orgWords, pageValue } from './place.ts';

/** What a page of the table holds: rows, and characters in its cells, so that no cell is cut. */
const TABLE_PAGE = [60, 5_500] as const;
const MAX_PROBLEMS = 8;
const MESSAGE_LENGTH = 300;

/** Previous and Next. */
export const STATUS_ACTION = 'deployments.status';

export interface StatusView extends LinkedPlace {
  /** The org that need not be named. */
  defaultOrg: string | undefined;
  statuses: readonly DeploymentStatus[];
  /** Items of the platform's answer that could not be read. */
  skipped: number;
  /** From 1 on; one beyond the last is the last. */
  page: number;
}

/** What `/deployments GVC…` answers. Pure. */
export function statusAnswer(view: StatusView): Answer {
  const { org, target, skipped } = view;
  const title = mrkdwn`*${nameOf(target)}* in org ${org}`;
  if (view.statuses.length === 0) {
    const text = mrkdwn`${title}: ${whyNothing(skipped)}`;
    return { text: topText(text), blocks: [section(text), ...smallPrint(skippedNote(skipped))] };
  }
  const rows = view.statuses.toSorted(worstFirst);
  const shown = pageOf(rows, view.page, (row) => [1, cells(row).join('').length], TABLE_PAGE);
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
        shown.items.map(cells),
      ),
      ...problems(shown.items),
      ...smallPrint([...pageNote(shown, view.now), ...skippedNote(skipped), ...cronNote(view)]),
    ],
    controls: rowOf(
      turnButtons(STATUS_ACTION, shown, (page) => pageValue(org, target, { page, adHoc: false })),
    ),
    buttons: [detailsButton(org, target), ...placeLinks(view, rows)],
    shareable: true,
    needs: 'orgs',
  };
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
        const name = mrkdwn`${new Mrkdwn(SIGNS[row.state])} *${named(row.workload)}* in ${named(row.location)}`;
        return mrkdwn`${name}: ${why(row)}`;
      }),
      MAX_PROBLEMS,
    ),
  ];
}

function why({ state, cause }: DeploymentStatus): Mrkdwn {
  const meaning = mrkdwn`${STATE_TABLE[state].meaning}`;
  if (cause === '') return meaning;
  // These two are no trouble by themselves, so that what the platform says needs the state beside it.
  if (state === 'diverged') return mrkdwn`${meaning}: ${excerpt(cause, MESSAGE_LENGTH)}`;
  return state === 'pending' ? mrkdwn`${meaning}: ${spoken(cause)}` : spoken(cause);
}

function cronNote({ org, defaultOrg, target, statuses }: StatusView): Mrkdwn[] {
  if (!statuses.some(({ state }) => state === 'cron')) return [];
  const command = `/deployments jobs ${target.gvc}/${target.workload ?? 'WORKLOAD'}`;
  return [
    mrkdwn`the runs of a cron workload: ${code(`${command}${orgWords(org, defaultOrg)}`, Infinity)}`,
  ];
}
