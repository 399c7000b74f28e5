import {
  joinMrkdwn,
  context,
  moment,
  mrkdwn,
  Mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import type { Place } from './event-keys.ts';
import type { JobNews } from '../engine/telling.ts';
import { spoken } from './view-causes.ts';
import { nameOf, short } from './view-parts.ts';
import type { Content } from './view-parts.ts';
import { SIGNS } from './words.ts';

/** An execution of a cron workload that ended badly. */
export function jobContent(place: Place, job: JobNews): Content {
  const name = nameOf(place, job.workload);
  const said = mrkdwn`job ${short(job.execution)} ${job.status} in ${short(job.location)}`;
  const cause = job.message.trim() === '' ? mrkdwn`no reason is reported` : spoken(job.message);
  const details = [
    mrkdwn`org ${short(place.org)}`,
    ...(job.startTime === undefined ? [] : [mrkdwn`started ${at(job.startTime)}`]),
    ...(job.completionTime === undefined ? [] : [mrkdwn`ended ${at(job.completionTime)}`]),
  ];
  return {
    text: topText(mrkdwn`${name} ${said}: ${cause}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.failed)} *${name}* ${said}`),
      section(cause),
      context(joinMrkdwn(details, ' · ')),
    ],
  };
}

function at(ms: number): Mrkdwn {
  return moment(ms, '{date_short_pretty} {time_secs}');
}
