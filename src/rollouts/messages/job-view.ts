import {
  code,
  joinMrkdwn,
  context,
  lines,
  moment,
  mrkdwn,
  Mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import type { Place } from './event-keys.ts';
import type { JobNews } from '../engine/telling.ts';
import { reasonsOf } from './reasons.ts';
import { spoken } from './view-causes.ts';
import { nameOf, short } from './view-parts.ts';
import type { Content } from './view-parts.ts';
import { SIGNS } from './words.ts';

/** Characters; the platform's names are shorter. */
const EXECUTION_LENGTH = 253;
const MAX_REASONS = 5;
/** To be typed as it stands, so it is never cut: four names of the platform, and some words. */
const COMMAND_LENGTH = 600;
const UNKNOWN = mrkdwn`no reason is reported`;

/**
 * An execution of a cron workload that ended badly. Its whole name, which people search logs for, is in
 * the small line, and how to see the run in full.
 */
export function jobContent(place: Place, job: JobNews): Content {
  const name = nameOf(place, job.workload);
  const said = mrkdwn`${runOf(job)} ${job.status} in ${short(job.location)}`;
  const reasons = reasonsOf(job.message);
  const cause = reasons.length === 0 ? UNKNOWN : spoken(job.message);
  const details = [
    mrkdwn`org ${short(place.org)}`,
    mrkdwn`job ${code(job.execution, EXECUTION_LENGTH)}`,
    ...(job.startTime === undefined ? [] : [mrkdwn`started ${at(job.startTime)}`]),
    ...(job.completionTime === undefined ? [] : [mrkdwn`ended ${at(job.completionTime)}`]),
    mrkdwn`all of it: ${code(`/deployments jobs ${place.gvc}/${job.workload}/${job.location} org ${place.org}`, COMMAND_LENGTH)}`,
  ];
  return {
    text: topText(mrkdwn`${name} ${said}: ${cause}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.failed)} *${name}* ${said}`),
      lines(reasons.length === 0 ? [UNKNOWN] : reasons.map(spoken), MAX_REASONS),
      context(joinMrkdwn(details, ' · ')),
    ],
  };
}

/** "run 29920213" of a name that only repeats the workload's before it, else "job" and the name. */
function runOf({ workload, execution }: JobNews): string {
  const prefix = `${workload}-`;
  return execution.startsWith(prefix) && execution.length > prefix.length
    ? `run ${short(execution.slice(prefix.length))}`
    : `job ${short(execution)}`;
}

function at(ms: number): Mrkdwn {
  return moment(ms, '{date_short_pretty} {time_secs}');
}
