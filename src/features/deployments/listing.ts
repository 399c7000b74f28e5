import type { Button } from '@slack/types';
import { compareNames, plural } from '../../lib/text.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { Target } from '../../platform/deployments/target.ts';
import type { DeploymentStatus } from '../../rollouts/engine/classify.ts';
import { byUrgency } from '../../rollouts/engine/states.ts';
import { linkButtons } from '../../slack/kit/blocks.ts';
import type { Link } from '../../slack/kit/blocks.ts';
import type { Page } from '../../slack/kit/pages.ts';
import { moment, mrkdwn } from '../../slack/kit/text.ts';
import type { Mrkdwn } from '../../slack/kit/text.ts';

/** What all answers about the deployments of a place say in the same way. */

/** The order of deployments: what matters comes first, and each page begins where the one before ends. */
export function worstFirst(a: DeploymentStatus, b: DeploymentStatus): number {
  return (
    byUrgency(a, b) || compareNames(a.workload, b.workload) || compareNames(a.location, b.location)
  );
}

/** Why nothing is listed. @param skipped items of the platform's answer that could not be read */
export function whyNothing(skipped: number): Mrkdwn {
  return skipped === 0
    ? mrkdwn`no deployments. A new workload appears here after its first report, a deleted one is gone after 24 hours.`
    : mrkdwn`nothing that can be read.`;
}

/** How many items of the platform's answer could not be read. */
export function skippedNote(skipped: number): Mrkdwn[] {
  if (skipped === 0) return [];
  const are = skipped === 1 ? 'is' : 'are';
  return [mrkdwn`${plural(skipped, 'deployment')} could not be read and ${are} left out`];
}

/** Where a page stands, if there are several. Each is read anew. @param now ms since the epoch */
export function pageNote({ page, pages }: Page<unknown>, now: number): Mrkdwn[] {
  if (pages === 1) return [];
  return [mrkdwn`Page ${page} of ${pages}, read at ${moment(now, '{time_secs}')}`];
}

/** Buttons as a row of controls, if there are any. */
export function rowOf(buttons: Button[]): Button[][] {
  return buttons.length === 0 ? [] : [buttons];
}

/** A place that an answer is about, and the links that lead on from it. */
export interface LinkedPlace {
  org: string;
  target: Target;
  links: readonly Link[];
  /** Ms since the epoch. */
  now: number;
}

/**
 * Where a place leads, about the last hour. A whole GVC has no workload, location and version of its own; of
 * a workload it is the newest version.
 */
export function placeLinks(
  { org, target, links, now }: LinkedPlace,
  statuses: readonly DeploymentStatus[],
): Button[] {
  const [first, ...others] = statuses;
  if (first === undefined) return [];
  const { gvc, workload } = target;
  const times = { start: now - HOUR_MS, end: now };
  if (workload === undefined) return linkButtons(links, { org, gvc, ...times });
  const isOnly = others.every(({ location }) => location === first.location);
  const version = Math.max(...statuses.map((status) => status.version));
  return linkButtons(links, {
    org,
    gvc,
    workload,
    location: isOnly ? first.location : undefined,
    // 0: nothing is reported of it.
    version: version > 0 ? version : undefined,
    ...times,
  });
}
