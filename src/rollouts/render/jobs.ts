import { plural } from '../../lib/text.ts';
import { context, section, SIGN } from '../../slack/kit/blocks.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { code, moment, mrkdwn } from '../../slack/kit/text.ts';
import { plainCause } from '../watch/causes.ts';
import type { JobNotice } from '../watch/jobs.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  bold,
  buttons,
  dotted,
  duration,
  headline,
  listed,
  nameOf,
  nextStep,
  short,
  spoken,
  type Content,
  type Whereabouts,
} from './parts.ts';

const EXECUTION_LENGTH = 253;
const COMMAND_LENGTH = 600;

/** Runs of a cron workload that failed in a row: one message, edited (design section 4.7). */
export function jobContent(
  place: WatchedGvc,
  { workload, what, episode }: JobNotice,
  where: Whereabouts,
): Content {
  const { count, since, locations, first, last, message, startTime } = episode;
  const name = bold(nameOf(place, workload));
  if (what === 'recovered') {
    const took = duration('after', since, where.now);
    const good = mrkdwn`${name} runs again in ${listed(locations)}${took}`;
    return contentOf([section(headline(SIGN.good, [good, `${plural(count, 'run')} failed`]))]);
  }
  const failed = STATUS[first.status] ?? first.status;
  const row =
    count === 1
      ? mrkdwn`${name} run ${short(runOf(workload, last))} ${failed} in ${listed(locations)}`
      : mrkdwn`${name} runs fail: ${count} in a row since ${moment(since, '{time}')} in ${plural(locations.length, 'location')}`;
  const cause = message === '' ? mrkdwn`no reason is reported` : spoken(message);
  // It never started, so it has no logs.
  const isInvalid = first.status === 'invalid' && plainCause(message) === '';
  const next = isInvalid
    ? mrkdwn`→ Check the workload’s schedule, command and image`
    : nextStep(message, { org: place.org });
  const command = `/deployments jobs ${place.gvc}/${workload} org ${place.org}`;
  return contentOf([
    section(mrkdwn`${headline(SIGN.wrong, [row, cause])}\n${next}`),
    context(
      dotted([
        mrkdwn`job ${code(last, EXECUTION_LENGTH)}`,
        mrkdwn`more: ${code(command, COMMAND_LENGTH)}`,
      ]),
    ),
    buttons(where, place, { workload, location: first.location, start: startTime }),
  ]);
}

const STATUS: Readonly<Record<string, string>> = {
  invalid: 'was invalid and could not start',
  pending: 'cannot start',
  removed: 'was removed before its end',
};

/** "29920213" of a name that repeats the workload's. */
function runOf(workload: string, execution: string): string {
  const prefix = `${workload}-`;
  return execution.startsWith(prefix) ? execution.slice(prefix.length) : execution;
}
