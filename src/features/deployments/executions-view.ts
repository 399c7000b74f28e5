import type { Button } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import { compareNatural, formatDuration, plural, truncate } from '../../lib/text.ts';
import {
  type Container,
  isAdHoc,
  type JobCondition,
  type JobExecution,
} from '../../platform/deployments/deployment.ts';
import { nameOf, orgWords, type Target } from '../../platform/deployments/target.ts';
import { joined, dotted, nextStep, spoken } from '../../rollouts/render/parts.ts';
import { plainCause } from '../../rollouts/watch/causes.ts';
import { button, context, linkButtons, section, SIGN } from '../../slack/kit/blocks.ts';
import { excerpt, sections, shorten } from '../../slack/kit/pages.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { code, instant, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, ModalContent } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { listed } from '../list.ts';
import { containerLine, named, quoted } from './details-view.ts';
import {
  UNREAD_NOTE,
  grouped,
  linksThatFit,
  placesOf,
  type PlaceView,
  timeWords,
  UNEXPLAINED,
  unreadWords,
  whyNothing,
} from './board.ts';
import { runValue } from './place.ts';

export interface ExecutionsView extends PlaceView {
  target: Target & { workload: string };
  /** With the runs of ad-hoc commands. */
  all: boolean;
  locations: readonly LocationRuns[];
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

interface Run extends JobExecution {
  location: string;
}

export const RUN_DETAILS_ACTION = 'deployments.run';
/** With the runs of ad-hoc commands, or without them. */
export const JOBS_ACTION = 'deployments.jobs';
export const JOBS_ROUTE = 'deployments.jobs';
export const RUN_TITLE = 'Run';

const MESSAGE_LENGTH = 120;
const NAME_LENGTH = 40;
const STATUS_LENGTH = 30;
const TIME_FORMAT = '{date_short_pretty} {time_secs}';
/** In a window, in characters as sent. */
const FULL_NAME_LENGTH = 400;
const FULL_MESSAGE_LENGTH = 1_000;
/** Blocks of a run; a window takes 100. */
const MAX_SECTIONS = 90;
/** A value takes 2,000 characters, and a place has up to 515. */
const MAX_RUN_NAME = 1_000;

const ACTIVE = 'active';
const ENDED = 'active but ended';

interface Status {
  readonly sign: string;
  /** As the alerts of the watch word it; absent: the status itself. */
  readonly words?: string;
  /** Where the name does not explain itself. */
  readonly meaning?: string;
}

/** Problems first. */
const STATUSES: ReadonlyMap<string, Status> = new Map<string, Status>([
  ['failed', { sign: SIGN.wrong }],
  [
    'invalid',
    {
      sign: SIGN.wrong,
      words: 'was invalid and could not start',
      meaning: 'messages and conditions say more',
    },
  ],
  [ACTIVE, { sign: SIGN.underWay }],
  [
    ENDED,
    {
      sign: SIGN.unknown,
      meaning: 'the platform reports an end and no result; an end time is no sign of success',
    },
  ],
  ['pending', { sign: SIGN.underWay }],
  [
    'removed',
    {
      sign: SIGN.over,
      words: 'was removed before its end',
      meaning: 'the next run was due or its deadline had passed; three in a row count as a failure',
    },
  ],
  ['successful', { sign: SIGN.good }],
]);
const FOREIGN: Status = {
  sign: SIGN.unknown,
  meaning: 'the platform’s own word, none of the six that its interface describes',
};
const ORDER = [...STATUSES.keys()];

/** The platform's word, except for an active run with an end: an end is no success. */
function wordOf({ status, completionTime }: JobExecution): string {
  return status === ACTIVE && completionTime !== undefined ? ENDED : status;
}

function statusOf(run: JobExecution): Status {
  return STATUSES.get(wordOf(run)) ?? FOREIGN;
}

function rank(run: JobExecution): number {
  const at = ORDER.indexOf(wordOf(run));
  return at === -1 ? ORDER.length : at;
}

function isBad(run: Run): boolean {
  return statusOf(run).sign === SIGN.wrong;
}

function meaningsOf(runs: readonly Run[]): Mrkdwn[] {
  return [...grouped(runs, wordOf)].flatMap(([word, [run]]) => {
    const { words, meaning } = statusOf(run);
    const all = [words, meaning].filter((one) => one !== undefined).join('; ');
    return all === '' ? [] : [mrkdwn`${shorten(word, STATUS_LENGTH)}: ${all}`];
  });
}

/**
 * Newest first, after runs that have not started. The same schedule runs everywhere at once, so locations stay in
 * order. @param all with runs of ad-hoc commands
 */
function runsOf(locations: readonly LocationRuns[], all: boolean): Run[] {
  const started = (run: Run): number => run.startTime ?? Number.MAX_SAFE_INTEGER;
  return locations
    .flatMap(({ location, executions }) => executions.map((run) => ({ ...run, location })))
    .filter((run) => all || !isAdHoc(run))
    .sort((a, b) => started(b) - started(a) || compareNatural(a.location, b.location));
}

/** The answer to `/deployments jobs GVC/WORKLOAD[/LOCATION]` (spec 2.12, job execution). Pure. */
export function executionsAnswer(view: ExecutionsView): Answer {
  const { org, target, now, all, locations, skipped } = view;
  const every = runsOf(locations, true);
  const scheduled = every.filter((run) => !isAdHoc(run));
  const runs = all ? every : scheduled;
  const adHoc = every.length - scheduled.length;
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
  const what = plural(adHoc, 'run of an ad-hoc command', 'runs of ad-hoc commands');
  const toggle = all ? 'Hide ad-hoc commands' : `Show all (${every.length})`;
  return {
    blocks: [
      section(scheduled.length === 0 ? noRun(view, adHoc) : lastRun(view, scheduled)),
      ...table.blocks,
      ...smallPrint([
        ...meaningsOf(runs),
        ...(adHoc === 0 ? [] : [all ? mrkdwn`With ${what}` : mrkdwn`${what} not shown`]),
        ...(runs.length === 0 || skipped === 0 ? [] : [UNREAD_NOTE]),
      ]),
    ],
    asked: { route: JOBS_ROUTE, question: { org, target, all }, page: table.page },
    pages: table.pages,
    controls: adHoc === 0 ? [] : [button({ action: JOBS_ACTION, text: toggle })],
    buttons: lastRuns(scheduled)
      .filter(isBad)
      .slice(0, 1)
      .flatMap((run) => linksThatFit(runLinks(view, run), table.pages)),
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
  const label = `Details: ${shorten(name === '' ? wordOf(run) : name, NAME_LENGTH)} in ${location}`;
  return button({ action: RUN_DETAILS_ACTION, text: 'Details', value, label });
}

/** "successful", "failed, ad hoc" */
function statusCell(run: Run): string {
  return `${shorten(wordOf(run), NAME_LENGTH)}${isAdHoc(run) ? ', ad hoc' : ''}`;
}

/** "exit code 1 and 2 more messages". Runs of ad-hoc commands have their name, unlike scheduled ones. */
function firstMessage(run: Run): string {
  const [first, ...more] = reasonsOf(run);
  const rest = more.length === 0 ? '' : ` and ${plural(more.length, 'more message')}`;
  const name = isAdHoc(run) ? [truncate(run.name, NAME_LENGTH)] : [];
  const messages = first === undefined ? [] : [`${shorten(first, MESSAGE_LENGTH)}${rest}`];
  return [...name, ...messages].join(': ');
}

/** Why a run ended as it did: one text, separated by semicolons (spec 2.12). */
function reasonsOf({ message }: Run): string[] {
  return message
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The newest of each location; of these the worst ones, which have one status. */
function lastRuns(runs: readonly Run[]): Run[] {
  const newest = [...grouped(runs, ({ location }) => location).values()].map(([first]) => first);
  const worst = Math.min(...newest.map(rank));
  return newest.filter((run) => rank(run) === worst);
}

/** "*data/etl*: last run successful, started 09:00, 3 min · others: 1 run failed" */
function lastRun(view: ExecutionsView, runs: readonly Run[]): Mrkdwn {
  const { org, target, locations, skipped, unreadable, now } = view;
  const same = lastRuns(runs);
  const last = same[0]!;
  const { words = shorten(wordOf(last), STATUS_LENGTH), sign } = statusOf(last);
  const places = same.map(({ location }) => location);
  const where =
    locations.length === 1 ? '' : ` in ${placesOf(places, same.length === locations.length)}`;
  const others = runs.filter((run) => !same.includes(run));
  const [reason = ''] = reasonsOf(last);
  const step = stepOf(last, reason);
  const parts = dotted([
    mrkdwn`*${nameOf(target)}*: last run ${words}${where}`,
    joined([timeWords('started', last.startTime, TIME_FORMAT), lasted(last, now)], ', '),
    unreadWords(skipped, unreadable),
    others.length === 0 ? '' : `others: ${summary(others)}`,
    `org ${org}`,
    isBad(last) ? mrkdwn`${reason === '' ? UNEXPLAINED : spoken(reason)}` : '',
  ]);
  const isGap = skipped > 0 && sign === SIGN.good;
  return joinMrkdwn([mrkdwn`${new Mrkdwn(isGap ? SIGN.unknown : sign)} ${parts}`, ...step], '\n');
}

/** "→ Look in its logs" for a run that is bad. Without a replica there are no logs to look in. */
function stepOf(run: Run, reason: string): Mrkdwn[] {
  if (!isBad(run)) return [];
  if (plainCause(reason) !== '') return [nextStep(reason)];
  if (wordOf(run) === 'invalid') {
    return [mrkdwn`→ Check the workload’s schedule, command and image`];
  }
  return run.replica === undefined ? [] : [nextStep(reason)];
}

/** "1 run failed, 2 active, 17 successful": problems first. */
function summary(runs: readonly Run[]): string {
  return [...grouped(runs, wordOf)]
    .toSorted(([, [a]], [, [b]]) => rank(a) - rank(b))
    .map(([word, { length }], index) => {
      return `${index === 0 ? plural(length, 'run') : length} ${shorten(word, STATUS_LENGTH)}`;
    })
    .join(', ');
}

function noRun(view: ExecutionsView, adHoc: number) {
  const { org, defaultOrg, target, locations } = view;
  const command = `/deployments ${nameOf(target)}${orgWords(org, defaultOrg)}`;
  const why =
    locations.length === 0
      ? whyNothing(view)
      : adHoc > 0
        ? mrkdwn`no scheduled run is reported, only runs of ad-hoc commands.`
        : locations.some(({ isCron }) => isCron)
          ? mrkdwn`no run is reported. The platform keeps as many as the workload’s history limit says.`
          : locations.some(({ isReported }) => isReported)
            ? mrkdwn`this is not a cron workload, so it has no runs. ${code(command, Infinity)} shows its state.`
            : mrkdwn`nothing was reported yet, so it is not known whether this is a cron workload.`;
  return mrkdwn`*${nameOf(target)}* in org ${org}: ${why}`;
}

/** Milliseconds; undefined when unknown. @param now ms since the epoch */
function tookMs(run: Run, now: number): number | undefined {
  const { startTime, completionTime } = run;
  if (startTime === undefined) return undefined;
  if (completionTime === undefined) return wordOf(run) === ACTIVE ? now - startTime : undefined;
  return completionTime < startTime ? undefined : completionTime - startTime;
}

/** "3 min", "10 min so far" */
function took(run: Run, now: number): string | undefined {
  const ms = tookMs(run, now);
  if (ms === undefined) return undefined;
  return `${formatDuration(ms)}${run.completionTime === undefined ? ' so far' : ''}`;
}

/** "took 3 min", "10 min so far" */
function lasted(run: Run, now: number): string {
  const duration = took(run, now) ?? '';
  return run.completionTime === undefined || duration === '' ? duration : `took ${duration}`;
}

/** A run of a cron workload in full (spec 2.12, job execution). Pure. @param wanted its name; '' before it has one */
export function runModal(
  view: Pick<ExecutionsView, 'org' | 'target' | 'locations' | 'links' | 'now'>,
  wanted: string,
): ModalContent {
  const { org, target, locations, now } = view;
  const title = section(mrkdwn`*${nameOf(target)}* in org ${org}`);
  const run = runsOf(locations, true).find(({ name }) => name === wanted);
  if (run === undefined) {
    const gone = mrkdwn`This run is no longer reported: the platform keeps as many as the workload’s history limit says.`;
    return { title: RUN_TITLE, blocks: [title, section(gone)] };
  }
  const name = mrkdwn`${new Mrkdwn(statusOf(run).sign)} *${named(wordOf(run))}* in *${named(run.location)}*`;
  const reasons = reasonsOf(run);
  const all = [
    joined(
      [
        name,
        run.startTime === undefined ? 'not started' : '',
        timeWords('started', run.startTime, TIME_FORMAT),
        timeWords('ended', run.completionTime, TIME_FORMAT),
        lasted(run, now),
      ],
      ', ',
    ),
    ...reasons.map((reason) => mrkdwn`> ${excerpt(reason, FULL_MESSAGE_LENGTH)}`),
    ...stepOf(run, reasons[0] ?? ''),
    ...run.conditions.map(conditionLine),
    ...run.containers.map((one) => containerLine(one, readinessOf(one, run))),
  ];
  const made = sections(
    mrkdwn`${name}, continued`,
    all.map((text) => ({ text })),
  );
  return {
    title: RUN_TITLE,
    blocks: [
      title,
      ...smallPrint(meaningsOf([run])),
      ...made.slice(0, MAX_SECTIONS),
      context(foot(run)),
    ],
    buttons: runLinks(view, run),
  };
}

function conditionLine(condition: JobCondition): Mrkdwn {
  const { type, status, reason, message, lastTransitionTime, lastDetectionTime } = condition;
  const why = reason === '' ? mrkdwn`` : mrkdwn` – ${named(reason)}`;
  const when =
    lastTransitionTime === undefined
      ? timeWords('seen', lastDetectionTime, TIME_FORMAT)
      : timeWords('since', lastTransitionTime, TIME_FORMAT);
  const what = mrkdwn`Condition *${named(type)}* ${named(status)}${why}`;
  return mrkdwn`${joined([what, when], ', ')}${quoted(message)}`;
}

/** No container of a run that is over is ready, whatever was last reported. */
function readinessOf({ ready, replicas = 0, replicasReady = 0 }: Container, run: Run): string {
  const word = wordOf(run);
  if (run.completionTime !== undefined || (word !== ACTIVE && word !== 'pending')) return 'ended';
  const readiness = ready ? 'ready' : 'not ready';
  return replicas === 0 || (ready && replicasReady === replicas)
    ? readiness
    : `${readiness} (${replicasReady}/${replicas} ready)`;
}

/** Logs carry the name of the replica. */
function foot({ replica, name, workloadVersion }: Run): Mrkdwn {
  const logs =
    replica === undefined
      ? mrkdwn`no replica: nothing ever ran, so there are no logs`
      : mrkdwn`logs by replica ${excerpt(replica, FULL_NAME_LENGTH)}`;
  return dotted([
    logs,
    name === '' ? '' : mrkdwn`job ${excerpt(name, FULL_NAME_LENGTH)}`,
    workloadVersion === 0 ? '' : `workload v${workloadVersion}`,
  ]);
}
