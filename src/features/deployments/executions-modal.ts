import type { KnownBlock } from '@slack/types';
import type { Container, JobCondition } from '../../platform/deployments/deployment.ts';
import { reasonsOf } from '../../rollouts/messages/reasons.ts';
import {
  excerpt,
  joinMrkdwn,
  moment,
  mrkdwn,
  Mrkdwn,
  pageOf,
  section,
  sections,
  turnButtons,
} from '../../slack/kit/index.ts';
import type { ModalContent } from '../../slack/routes.ts';
import { containerLine, MODAL_PAGE, named, quoted, sizesOf, withFoot } from './details-view.ts';
import { adHocButtons, adHocNote, headline, RUNS_ACTION } from './executions-view.ts';
import type { ExecutionsView } from './executions-view.ts';
import { pageNote, skippedNote, smallPrint } from './listing.ts';
import { partValue } from './place.ts';
import { isOver, meaningsOf, runsOf, statusOf, took } from './run.ts';
import type { Run } from './run.ts';

export const RUNS_TITLE = 'Runs';

/** In characters as they are sent. */
const NAME_LENGTH = 400;
const MESSAGE_LENGTH = 1_000;

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
  const { org, target, now } = view;
  const runs = runsOf(view.locations, view);
  const all = runs.flatMap((run) => partsOf(run, now).map((blocks) => ({ run, blocks })));
  const shown = pageOf(all, view.page, ({ blocks }) => sizesOf(blocks), MODAL_PAGE);
  const said = meaningsOf(shown.items.map(({ run }) => run)).map((meaning) => mrkdwn`${meaning}`);
  return {
    title: RUNS_TITLE,
    blocks: [
      section(headline(view, runs)),
      ...smallPrint(said),
      ...shown.items.flatMap(({ blocks }) => blocks),
      ...smallPrint([...pageNote(shown, now), ...adHocNote(view), ...skippedNote(view.skipped)]),
    ],
    buttons: [
      ...turnButtons(RUNS_ACTION, shown, (page) => partValue(org, target, { ...view, page })),
      ...adHocButtons(RUNS_ACTION, view),
    ],
  };
}

/** What is known of a run, in parts that are not divided any more; most have one. */
function partsOf(run: Run, now: number): KnownBlock[][] {
  const status = statusOf(run);
  const sign = new Mrkdwn(SIGNS.get(status) ?? ':grey_question:');
  const name = mrkdwn`${sign} *${named(status)}* in *${named(run.location)}*`;
  const all = [
    mrkdwn`${name}${span(run, now)}`,
    ...reasonsOf(run.message).map((reason) => mrkdwn`> ${excerpt(reason, MESSAGE_LENGTH)}`),
    ...run.conditions.map(conditionLine),
    ...run.containers.map((one) => containerLine(one, readinessOf(one, run))),
  ];
  const made = sections(
    mrkdwn`${name}, continued`,
    all.map((text) => ({ text })),
  );
  return withFoot(made, foot(run));
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
  const why = reason === '' ? mrkdwn`` : mrkdwn` – ${named(reason)}`;
  const when =
    lastTransitionTime === undefined
      ? moments('seen', lastDetectionTime)
      : moments('since', lastTransitionTime);
  return mrkdwn`Condition *${named(type)}* ${named(status)}${why}${when}${quoted(message)}`;
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
      : mrkdwn`logs by replica ${excerpt(replica, NAME_LENGTH)}`;
  const parts = [
    logs,
    ...(name === '' ? [] : [mrkdwn`job ${excerpt(name, NAME_LENGTH)}`]),
    ...(workloadVersion === 0 ? [] : [mrkdwn`workload v${workloadVersion}`]),
  ];
  return joinMrkdwn(parts, ' · ');
}

/** ", since …", or nothing for a moment that is not told. */
function moments(word: string, ms: number | undefined): Mrkdwn {
  if (ms === undefined) return mrkdwn``;
  return mrkdwn`, ${word} ${moment(ms, '{date_short_pretty} {time_secs}')}`;
}
