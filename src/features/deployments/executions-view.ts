import type { Button } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import { compareNatural, formatDuration, plural, truncate } from '../../lib/text.ts';
import {
  type Container,
  isAdHoc,
  type JobCondition,
  type JobExecution,
} from '../../platform/deployments/deployment.ts';
import { nameOf, type Target } from '../../platform/deployments/target.ts';
import { dotted, nextStep, spoken } from '../../rollouts/render/parts.ts';
import { plainCause } from '../../rollouts/watch/causes.ts';
import { button, context, linkButtons, section, SIGN, type Link } from '../../slack/kit/blocks.ts';
import { excerpt, sections, shorten } from '../../slack/kit/pages.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { code, instant, joinMrkdwn, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, ModalContent } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { listed } from '../list.ts';
import { containerLine, named, quoted } from './details-view.ts';
import { DOCTOR_NOTE, MAX_LINKS, placesOf, UNEXPLAINED, whyNothing } from './listing.ts';
import { orgWords, runValue } from './place.ts';

export interface ExecutionsView {
  /** From 1 on; one beyond the last is the last. */
  page: number;
  /** With the runs of ad-hoc commands. */
  all: boolean;
  org: string;
  defaultOrg: string | undefined;
  target: Target & { workload: string };
  locations: readonly LocationRuns[];
  skipped: number;
  links: readonly Link[];
  now: number;
}

export const RUN_DETAILS_ACTION = 'deployments.run';
/** With the runs of ad-hoc commands, or without them. */
export const JOBS_ACTION = 'deployments.jobs';
export const JOBS_ROUTE = 'deployments.jobs';

const MESSAGE_LENGTH = 120;
const NAME_LENGTH = 40;

/** The answer to `/deployments jobs GVC/WORKLOAD[/LOCATION]` (spec 2.12, job execution). Pure. */
export function executionsAnswer(view: ExecutionsView): Answer {
  const { org, target, now, all } = view;
  const runs = runsOf(view.locations, view);
  const scheduled = runs.filter((run) => !isAdHoc(run));
  const table = listed<Run>({
    caption: `Runs of ${nameOf(target)}`,
    columns: [
      { title: 'Status', of: statusCell },
      {
        title: 'Started',
        of: ({ startTime }) => (startTime === undefined ? '–' : instant(startTime)),
      },
      { title: 'Took', of: (run) => new Numeric(tookMs(run, now) ?? 0, took(run, now) ?? '–') },
      { title: 'Location', of: ({ location }) => location },
      { title: 'Message', of: firstMessage },
    ],
    rows: runs,
    step: (run) => runButton(org, target, run),
    page: view.page,
  });
  return {
    blocks: [
      section(headline(view, scheduled)),
      ...table.blocks,
      ...smallPrint([
        ...meaningsOf(runs).map((meaning) => mrkdwn`${meaning}`),
        ...adHocNote(view),
        ...(runs.length === 0 || view.skipped === 0 ? [] : [DOCTOR_NOTE]),
      ]),
    ],
    asked: { route: JOBS_ROUTE, question: { org, target, all }, page: table.page },
    pages: table.pages,
    controls: adHocControls(view),
    buttons: lastRuns(scheduled)
      .filter(isBad)
      .slice(0, 1)
      .flatMap((run) => runLinks(view, run))
      .slice(0, table.pages === 1 ? MAX_LINKS.alone : MAX_LINKS.withPages),
    ...(runs.length > 0 && { shareable: true, needs: orgRight(org) }),
  };
}

/** Links for the time of a run. */
function runLinks(
  { org, target, links, now }: Pick<ExecutionsView, 'org' | 'target' | 'links' | 'now'>,
  { location, workloadVersion, startTime, completionTime }: Run,
): Button[] {
  const { gvc, workload } = target;
  return linkButtons(links, {
    org,
    gvc,
    workload,
    location,
    // 0: no version is reported.
    version: workloadVersion > 0 ? workloadVersion : undefined,
    start: startTime,
    end: completionTime === undefined ? now : Math.max(completionTime, startTime ?? 0),
  });
}

/** Opens its conditions, containers and logs. */
function runButton(org: string, target: ExecutionsView['target'], run: Run): Button | undefined {
  const { name, location } = run;
  if (name.length > MAX_RUN_NAME) return undefined;
  const value = runValue(org, { ...target, location }, name);
  const label = `Details: ${shorten(name === '' ? statusOf(run) : name, NAME_LENGTH)} in ${location}`;
  return button({ action: RUN_DETAILS_ACTION, text: 'Details', value, label });
}

/** A value takes 2,000 characters, and a place has up to 515. */
const MAX_RUN_NAME = 1_000;

/**
 * "*data/etl*: last run successful, started 09:00, 3 min · others: 1 run failed", or why there are no runs.
 * @param runs of the schedule
 */
function headline(view: ExecutionsView, runs: readonly Run[]): Mrkdwn {
  const name = mrkdwn`*${nameOf(view.target)}*`;
  return runs.length === 0
    ? mrkdwn`${name} in org ${view.org}: ${whyNone(view)}`
    : lastRun(view, name, runs);
}

/** The newest of each location; of these the worst ones, which have one status. */
function lastRuns(runs: readonly Run[]): Run[] {
  const newest = runs.filter(
    (run, at) => runs.findIndex((one) => one.location === run.location) === at,
  );
  const worst = Math.min(...newest.map((run) => rank(statusOf(run))));
  return newest.filter((run) => rank(statusOf(run)) === worst);
}

function lastRun(
  { org, locations, skipped, now }: ExecutionsView,
  name: Mrkdwn,
  runs: readonly Run[],
): Mrkdwn {
  const same = lastRuns(runs);
  const [last] = same;
  if (last === undefined) return name;
  const status = statusOf(last);
  const where =
    locations.length === 1
      ? ''
      : ` in ${placesOf(
          same.map(({ location }) => location),
          same.length === locations.length,
        )}`;
  const sign = SIGNS.get(status) ?? SIGN.unknown;
  const gap = skipped === 0 ? '' : `${plural(skipped, 'deployment')} could not be read`;
  const before = runs.filter((run) => !same.includes(run));
  const { startTime, completionTime } = last;
  const duration = took(last, now);
  const span = [
    ...(startTime === undefined ? [] : [mrkdwn`started ${moment(startTime, TIME_FORMAT)}`]),
    ...(duration === undefined
      ? []
      : [mrkdwn`${completionTime === undefined ? '' : 'took '}${duration}`]),
  ];
  const parts = dotted([
    mrkdwn`${name}: last run ${shorten(status, 30)}${where}`,
    joinMrkdwn(span, ', '),
    gap,
    before.length === 0 ? '' : `others: ${summary(before)}`,
    `org ${org}`,
    whyBad(last),
  ]);
  return mrkdwn`${new Mrkdwn(gap !== '' && sign === SIGN.good ? SIGN.unknown : sign)} ${parts}`;
}

function isBad(run: Run): boolean {
  return SIGNS.get(statusOf(run)) === SIGN.wrong;
}

/** "`exit code 1`", and "→ Look in its logs" in a line of its own; '' for a run that is well. */
function whyBad(run: Run): Mrkdwn {
  const [reason = ''] = reasonsOf(run.message);
  if (!isBad(run)) return mrkdwn``;
  return mrkdwn`${reason === '' ? UNEXPLAINED : spoken(reason)}${stepOf(run, reason)}`;
}

/** Without a replica there are no logs to look in. */
function stepOf({ replica }: Run, reason: string): Mrkdwn {
  const hasStep = replica !== undefined || plainCause(reason) !== '';
  return hasStep ? mrkdwn`\n${nextStep(reason)}` : mrkdwn``;
}

const ACTIVE = 'active';
const TIME_FORMAT = '{date_short_pretty} {time_secs}';

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['failed', SIGN.wrong],
  ['invalid', SIGN.wrong],
  [ACTIVE, SIGN.underWay],
  ['pending', SIGN.underWay],
  ['removed', SIGN.over],
  ['successful', SIGN.good],
]);

function whyNone(view: ExecutionsView): Mrkdwn {
  const { locations, target, skipped } = view;
  if (locations.length === 0) return whyNothing(skipped);
  if (adHocOf(locations) > 0) {
    return mrkdwn`no scheduled run is reported, only runs of ad-hoc commands.`;
  }
  if (locations.some(({ isCron }) => isCron)) {
    return mrkdwn`no run is reported. The platform keeps as many as the workload’s history limit says.`;
  }
  if (!locations.some(({ isReported }) => isReported)) {
    return mrkdwn`nothing was reported yet, so it is not known whether this is a cron workload.`;
  }
  const command = `/deployments ${nameOf(target)}${orgWords(view.org, view.defaultOrg)}`;
  return mrkdwn`this is not a cron workload, so it has no runs. ${code(command, Infinity)} shows its state.`;
}

function adHocNote({ locations, all }: ExecutionsView): Mrkdwn[] {
  const count = adHocOf(locations);
  if (count === 0) return [];
  const what = plural(count, 'run of an ad-hoc command', 'runs of ad-hoc commands');
  return [all ? mrkdwn`With ${what}` : mrkdwn`${what} not shown`];
}

function adHocControls({ locations, all }: ExecutionsView): Button[] {
  if (adHocOf(locations) === 0) return [];
  const count = locations.reduce((sum, { executions }) => sum + executions.length, 0);
  const text = all ? 'Hide ad-hoc commands' : `Show all (${count})`;
  return [button({ action: JOBS_ACTION, text })];
}

/** "successful", "failed, ad hoc" */
function statusCell(run: Run): string {
  return `${shorten(statusOf(run), NAME_LENGTH)}${isAdHoc(run) ? ', ad hoc' : ''}`;
}

/** "exit code 1 and 2 more messages". Runs of ad-hoc commands have their name, unlike scheduled ones. */
function firstMessage(run: Run): string {
  const [first = '', ...more] = reasonsOf(run.message);
  const rest = more.length === 0 ? '' : ` and ${plural(more.length, 'more message')}`;
  const name = isAdHoc(run) ? [truncate(run.name, NAME_LENGTH)] : [];
  const messages = first === '' ? [] : [`${shorten(first, MESSAGE_LENGTH)}${rest}`];
  return [...name, ...messages].join(': ');
}

/** Why a run ended as it did: one text, separated by semicolons (spec 2.12). */
function reasonsOf(message: string): string[] {
  return message
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export const RUN_TITLE = 'Run';

/** Characters as sent. */
const FULL_NAME_LENGTH = 400;
const FULL_MESSAGE_LENGTH = 1_000;

/** Blocks of a run; a window takes 100. */
const MAX_SECTIONS = 90;

/** A run of a cron workload in full (spec 2.12, job execution). Pure. @param wanted its name; '' before it has one */
export function runModal(
  view: Pick<ExecutionsView, 'org' | 'target' | 'locations' | 'links' | 'now'>,
  wanted: string,
): ModalContent {
  const { org, target, locations, now } = view;
  const title = section(mrkdwn`*${nameOf(target)}* in org ${org}`);
  const run = runsOf(locations, { all: true }).find(({ name }) => name === wanted);
  if (run === undefined) {
    const gone = mrkdwn`This run is no longer reported: the platform keeps as many as the workload’s history limit says.`;
    return { title: RUN_TITLE, blocks: [title, section(gone)] };
  }
  const sign = new Mrkdwn(SIGNS.get(statusOf(run)) ?? SIGN.unknown);
  const name = mrkdwn`${sign} *${named(statusOf(run))}* in *${named(run.location)}*`;
  const reasons = reasonsOf(run.message);
  const step = stepOf(run, reasons[0] ?? '');
  const all = [
    mrkdwn`${name}${span(run, now)}`,
    ...reasons.map((reason) => mrkdwn`> ${excerpt(reason, FULL_MESSAGE_LENGTH)}`),
    ...(isBad(run) && step.text !== '' ? [new Mrkdwn(step.text.trimStart())] : []),
    ...run.conditions.map(conditionLine),
    ...run.containers.map((one) => containerLine(one, readinessOf(one, run))),
  ];
  const made = sections(
    mrkdwn`${name}, continued`,
    all.map((text) => ({ text })),
  );
  const meanings = meaningsOf([run]).map((meaning) => mrkdwn`${meaning}`);
  return {
    title: RUN_TITLE,
    blocks: [title, ...smallPrint(meanings), ...made.slice(0, MAX_SECTIONS), context(foot(run))],
    buttons: runLinks(view, run),
  };
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

/** No container of a run that is over is ready, whatever was last reported. */
function readinessOf({ ready, replicas = 0, replicasReady = 0 }: Container, run: Run): string {
  if (isOver(run)) return 'ended';
  const word = ready ? 'ready' : 'not ready';
  return replicas === 0 || (ready && replicasReady === replicas)
    ? word
    : `${word} (${replicasReady}/${replicas} ready)`;
}

/** Logs carry the name of the replica. */
function foot({ replica, name, workloadVersion }: Run): Mrkdwn {
  const logs =
    replica === undefined
      ? mrkdwn`no replica: nothing ever ran, so there are no logs`
      : mrkdwn`logs by replica ${excerpt(replica, FULL_NAME_LENGTH)}`;
  const parts = [
    logs,
    ...(name === '' ? [] : [mrkdwn`job ${excerpt(name, FULL_NAME_LENGTH)}`]),
    ...(workloadVersion === 0 ? [] : [mrkdwn`workload v${workloadVersion}`]),
  ];
  return joinMrkdwn(parts, ' · ');
}

function moments(word: string, ms: number | undefined): Mrkdwn {
  if (ms === undefined) return mrkdwn``;
  return mrkdwn`, ${word} ${moment(ms, TIME_FORMAT)}`;
}

export interface Run extends JobExecution {
  location: string;
}

export interface LocationRuns {
  location: string;
  /** Runs of ad-hoc commands included; any workload can have them. */
  executions: readonly JobExecution[];
  /** A schedule runs it, as far as the platform shows. */
  isCron: boolean;
  /** False: the deployment exists, but has no status yet. */
  isReported: boolean;
}

/** Newest first, after runs that have not started. @param options.all with runs of ad-hoc commands */
function runsOf(locations: readonly LocationRuns[], { all }: { all: boolean }): Run[] {
  return locations
    .flatMap(({ location, executions }) => executions.map((run) => ({ ...run, location })))
    .filter((run) => all || !isAdHoc(run))
    .sort(newestFirst);
}

function adHocOf(locations: readonly LocationRuns[]): number {
  return locations.flatMap(({ executions }) => executions).filter(isAdHoc).length;
}

/** The same schedule runs everywhere at once, so locations stay in order. */
function newestFirst(a: Run, b: Run): number {
  const started = (run: Run): number => run.startTime ?? Number.MAX_SAFE_INTEGER;
  return started(b) - started(a) || compareNatural(a.location, b.location);
}

/** The platform's word, except for an active run with an end: an end is no success. */
function statusOf({ status, completionTime }: JobExecution): string {
  return status === ACTIVE && completionTime !== undefined ? ENDED : status;
}

const ENDED = 'active but ended';

/** "1 run failed, 2 active, 17 successful": problems first. */
function summary(runs: readonly Run[]): string {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(statusOf(run), (counts.get(statusOf(run)) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([status, count], index) => {
      const runsOrNot = index === 0 ? plural(count, 'run') : count;
      return `${runsOrNot} ${shorten(status, 30)}`;
    })
    .join(', ');
}

const RANKS = ['failed', 'invalid', ACTIVE, ENDED, 'pending', 'removed', 'successful'];

function rank(status: string): number {
  const at = RANKS.indexOf(status);
  return at === -1 ? RANKS.length : at;
}

/** Milliseconds; undefined when unknown. @param now ms since the epoch */
function tookMs(run: Run, now: number): number | undefined {
  const { startTime, completionTime } = run;
  if (startTime === undefined) return undefined;
  if (completionTime === undefined) return statusOf(run) === ACTIVE ? now - startTime : undefined;
  return completionTime < startTime ? undefined : completionTime - startTime;
}

/** "3 min", "10 min so far" */
function took(run: Run, now: number): string | undefined {
  const ms = tookMs(run, now);
  if (ms === undefined) return undefined;
  return `${formatDuration(ms)}${run.completionTime === undefined ? ' so far' : ''}`;
}

function isOver(run: Run): boolean {
  const status = statusOf(run);
  return run.completionTime !== undefined || (status !== ACTIVE && status !== 'pending');
}

/** Statuses that need an explanation. Of `invalid` the specification gives only the name. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  [ENDED, 'the platform reports an end and no result; an end time is no sign of success'],
  [
    'removed',
    'ended before it was done, because the next run was due or its deadline had passed; that is no failure',
  ],
  [
    'invalid',
    'the platform does not publish what it means by this; messages and conditions say more',
  ],
]);

function meaningsOf(runs: readonly Run[]): string[] {
  return [...new Set(runs.map(statusOf))].flatMap((status) => {
    const meaning = RANKS.includes(status)
      ? MEANINGS.get(status)
      : 'the platform’s own word, none of the six that its interface describes';
    return meaning === undefined ? [] : [`${shorten(status, 30)}: ${meaning}`];
  });
}
