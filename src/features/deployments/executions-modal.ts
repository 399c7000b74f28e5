import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import type { Container, JobCondition } from '../../platform/deployments/deployment.ts';
import { reasonsOf } from '../../rollouts/messages/reasons.ts';
import {
  code,
  context,
  joinMrkdwn,
  lines,
  moment,
  mrkdwn,
  Mrkdwn,
  section,
} from '../../slack/kit/index.ts';
import type { ModalContent } from '../../slack/routes.ts';
import { containerLine } from './details-view.ts';
import { headline, skippedNote } from './executions-view.ts';
import type { ExecutionsView } from './executions-view.ts';
import { isOver, meaningsOf, runsOf, statusOf, took } from './run.ts';
import type { Run } from './run.ts';

export const RUNS_TITLE = 'Runs';

/** Each takes two blocks of the hundred that a modal has. */
const MAX_RUNS = 45;
/** All runs together, in bytes as sent: Slack takes about 250 KB for a whole view. */
const MAX_BYTES = 120_000;
/** Lines of one run, its head with them. */
const MAX_LINES = 40;
const NAME_LENGTH = 253;
const MESSAGE_LENGTH = 300;

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['pending', ':hourglass:'],
  ['active', ':hourglass_flowing_sand:'],
  ['successful', ':white_check_mark:'],
  ['failed', ':x:'],
  ['invalid', ':warning:'],
  ['removed', ':heavy_minus_sign:'],
]);

/** Each run of a cron workload in full, newest first (spec 2.12, job execution). Pure. */
export function executionsModal(view: ExecutionsView): ModalContent {
  const runs = runsOf(view.locations);
  const shown = whatFits(runs.slice(0, MAX_RUNS).map((run) => runBlocks(run, view.now)));
  const said = meaningsOf(runs.slice(0, shown.length)).map((meaning) => mrkdwn`${meaning}`);
  return {
    title: RUNS_TITLE,
    blocks: [
      section(headline(view, runs)),
      ...(said.length > 0 ? [context(...said)] : []),
      ...shown.flat(),
      ...restNote(view, runs.length - shown.length),
      ...skippedNote(view.skipped),
    ],
  };
}

function whatFits(runs: readonly KnownBlock[][]): KnownBlock[][] {
  let bytes = 0;
  const end = runs.findIndex((blocks) => {
    bytes += Buffer.byteLength(JSON.stringify(blocks));
    return bytes > MAX_BYTES;
  });
  return end === -1 ? [...runs] : runs.slice(0, end);
}

function restNote({ target }: ExecutionsView, hidden: number): KnownBlock[] {
  if (hidden <= 0) return [];
  const left = mrkdwn`${plural(hidden, 'older run')} left out`;
  const command = `/deployments jobs ${target.gvc}/${target.workload}/LOCATION`;
  return [
    context(
      target.location === undefined ? mrkdwn`${left}: name a location, ${code(command)}` : left,
    ),
  ];
}

function runBlocks(run: Run, now: number): KnownBlock[] {
  const status = statusOf(run);
  const sign = new Mrkdwn(SIGNS.get(status) ?? ':grey_question:');
  const head = mrkdwn`${sign} *${status}* in *${run.location}*${span(run, now)}`;
  return [
    lines(
      [
        head,
        ...reasonsOf(run.message).map((reason) => mrkdwn`> ${code(reason, MESSAGE_LENGTH)}`),
        ...run.conditions.map(conditionLine),
        ...run.containers.map((one) => containerLine(one, readinessOf(one, run))),
      ],
      MAX_LINES,
    ),
    context(foot(run)),
  ];
}

/** ", started … , ended …, took 3 min" */
function span(run: Run, now: number): Mrkdwn {
  const { startTime, completionTime } = run;
  const duration = took(run, now);
  const began = startTime === undefined ? mrkdwn`, not started` : moments('started', startTime);
  const lasted = completionTime === undefined ? duration : duration && `took ${duration}`;
  const rest = lasted === undefined ? mrkdwn`` : mrkdwn`, ${lasted}`;
  return mrkdwn`${began}${moments('ended', completionTime)}${rest}`;
}

function conditionLine(condition: JobCondition): Mrkdwn {
  const { type, status, reason, message, lastTransitionTime, lastDetectionTime } = condition;
  const why = reason === '' ? mrkdwn`` : mrkdwn` – ${reason}`;
  const said = message === '' ? mrkdwn`` : mrkdwn`: ${code(message, MESSAGE_LENGTH)}`;
  const when =
    lastTransitionTime === undefined
      ? moments('seen', lastDetectionTime)
      : moments('since', lastTransitionTime);
  return mrkdwn`Condition *${type}* ${status}${why}${when}${said}`;
}

/** Of a run that is over no container is ready, whatever was reported of it last. */
function readinessOf({ ready, replicas = 0, replicasReady = 0 }: Container, run: Run): string {
  if (isOver(run)) return 'over';
  const word = ready ? 'ready' : 'not ready';
  return replicas === 0 || (ready && replicasReady === replicas)
    ? word
    : `${word} (${replicasReady}/${replicas} ready)`;
}

/** What somebody needs who looks for the logs: they carry the replica's name. */
function foot({ replica, name, workloadVersion }: Run): Mrkdwn {
  const logs =
    replica === undefined
      ? mrkdwn`no replica: nothing ever ran, so there are no logs`
      : mrkdwn`logs by replica ${code(replica, NAME_LENGTH)}`;
  const parts = [
    logs,
    ...(name === '' ? [] : [mrkdwn`job ${code(name, NAME_LENGTH)}`]),
    ...(workloadVersion === 0 ? [] : [mrkdwn`workload v${workloadVersion}`]),
  ];
  return joinMrkdwn(parts, ' · ');
}

/** ", since …", or nothing for a moment that is not told. */
function moments(word: string, ms: number | undefined): Mrkdwn {
  if (ms === undefined) return mrkdwn``;
  return mrkdwn`, ${word} ${moment(ms, '{date_short_pretty} {time_secs}')}`;
}
