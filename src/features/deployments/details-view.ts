import type { Button, KnownBlock } from '@slack/types';
import { plural, shorten } from '../../lib/text.ts';
import type {
  Container,
  Deployment,
  DeploymentVersion,
} from '../../platform/deployments/deployment.ts';
import { nameOf, orgWords, placeValue, type Target } from '../../platform/deployments/target.ts';
import { signOf } from '../../rollouts/render/card.ts';
import { joined, CARD_ACTIONS, dotted, listed } from '../../rollouts/render/parts.ts';
import type { LocationStatus, WorkloadStatus } from '../../rollouts/watch/status.ts';
import { alignedRows, button, context, section, SIGN } from '../../slack/kit/blocks.ts';
import { pack } from '../../slack/kit/fit.ts';
import { excerpt, pageOf, sections, turnButtons, type Line } from '../../slack/kit/pages.ts';
import { LIMITS, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { ModalContent } from '../../slack/routing/routes.ts';
import { NOTHING, smallPrint } from '../answer-parts.ts';
import { runButton } from '../notices.ts';
import {
  UNREAD_NOTE,
  grouped,
  impactParts,
  isPuzzling,
  placeLinks,
  type PlaceView,
  readyWords,
  sinceWords,
  stateName,
  timeWords,
  unreadWords,
  whyNothing,
  whyOf,
  worstFirst,
  worstWorkloadFirst,
} from './board.ts';
import { pageValue } from './place.ts';

export const DETAILS_TITLE = 'Deployment details';

/** A page of a modal: blocks, of which Slack takes 100, and bytes as sent, of which it takes about 250,000. */
const MODAL_PAGE = [50, 120_000] as const;
/** Characters as sent. All of one line together stay below the limit of a section. */
const NAME_LENGTH = 130;
const IMAGE_LENGTH = 400;
const MESSAGE_LENGTH = 1_000;
/** Of the table, whose lines are not to wrap. */
const LOCATION_LENGTH = 24;
const MAX_ROWS = 30;

export interface DetailsView extends PlaceView {
  workloads: readonly WorkloadStatus[];
  deployments: readonly Deployment[];
}

/** Zones, containers, images, resources and restarts of the deployments of a place. Pure. */
export function detailsModal(view: DetailsView): ModalContent {
  const { org, target, skipped, unreadable, now } = view;
  const workloads = view.workloads
    .toSorted(worstWorkloadFirst)
    .map((one) => ({ ...one, rows: one.rows.toSorted(worstFirst) }));
  const rows = workloads.flatMap((one) => one.rows);
  const all = workloads.flatMap((one) => [
    ...sharedParts(one, view),
    ...one.rows.flatMap((row) => partsOf(one, row, view)),
  ]);
  const shown = pageOf(pack(all, sizesOf, MODAL_PAGE), view.page);
  const turns = turnButtons(CARD_ACTIONS.details, shown, (page) => pageValue(org, target, page));
  const [only, ...others] = workloads;
  const summary =
    rows.length === 0
      ? mrkdwn`: ${whyNothing(view)}`
      : shown.pages === 1
        ? mrkdwn``
        : mrkdwn`: ${plural(rows.length, 'deployment')}`;
  const { lead, serves } =
    only === undefined || others.length > 0
      ? { lead: mrkdwn``, serves: '' }
      : impactParts(only, 1, target.location !== undefined);
  const name = mrkdwn`*${nameOf(target)}* in org ${org}${summary}`;
  return {
    title: DETAILS_TITLE,
    blocks: [
      section(dotted([lead, name, serves])),
      ...shown.items.flat(),
      ...smallPrint([
        ...(shown.pages === 1
          ? []
          : [mrkdwn`Page ${shown.page} of ${shown.pages}, read at ${moment(now, '{time_secs}')}`]),
        ...(rows.length === 0 || skipped === 0
          ? []
          : [mrkdwn`⚠ ${unreadWords(skipped, unreadable)}. ${UNREAD_NOTE}`]),
      ]),
    ],
    buttons: [...turns, ...runsButton(view, rows), ...placeLinks(view, rows)],
  };
}

/** To the runs of a single cron workload. */
function runsButton(
  { org, defaultOrg, target }: DetailsView,
  rows: readonly LocationStatus[],
): Button[] {
  if (target.workload === undefined || !rows.some(({ state }) => state === 'cron')) return [];
  return [runButton('Runs', `/deployments jobs ${nameOf(target)}${orgWords(org, defaultOrg)}`)];
}

/** Blocks and bytes, as a page of a modal counts them. */
function sizesOf(blocks: readonly KnownBlock[]): number[] {
  return [blocks.length, Buffer.byteLength(JSON.stringify(blocks))];
}

/** Of a workload in several locations: their table, if only this workload was asked for, and each cause once. */
function sharedParts({ workload, rows }: WorkloadStatus, view: DetailsView): KnownBlock[][] {
  if (rows.length < 2) return [];
  const causes = grouped(rows.filter(isPuzzling), (row) => whyIn(row).text);
  const said = [...causes.values()].map((of) => {
    const where = listed(of.map(({ location }) => location));
    return { text: mrkdwn`*${named(workload)}* in ${where}: ${whyIn(of[0])}` };
  });
  return [
    ...(view.target.workload === undefined ? [] : [tableOf(rows)]),
    ...sections(mrkdwn`*${named(workload)}*, continued`, said).map((one) => [one]),
  ];
}

function tableOf(rows: readonly LocationStatus[]): KnownBlock[] {
  const more = rows.length - MAX_ROWS;
  const cells = rows
    .slice(0, MAX_ROWS)
    .map((row) => [
      shorten(row.location, LOCATION_LENGTH),
      stateName(row.state),
      row.version > 0
        ? `v${row.version}${row.oldGvc === undefined ? '' : ` (still GVC v${row.oldGvc})`}`
        : '',
      readyWords([row]),
      row.restarts > 0 ? String(row.restarts) : '',
    ]);
  const head = ['Location', 'State', 'Version', 'Ready', 'Restarts'];
  const columns = rows.some((row) => row.restarts > 0) ? head.length : head.length - 1;
  const table = alignedRows([head, ...cells].map((row) => row.slice(0, columns)));
  return more > 0 ? [table, context(mrkdwn`and ${plural(more, 'more location')}`)] : [table];
}

/** The whole cause, unlike in messages. */
function whyIn(row: LocationStatus): Mrkdwn {
  return whyOf(row, (cause) => excerpt(cause, MESSAGE_LENGTH));
}

/** A deployment as indivisible parts of a page; most have one. */
function partsOf(
  { impact, rows: { length } }: WorkloadStatus,
  row: LocationStatus,
  view: DetailsView,
): KnownBlock[][] {
  const { workload, location, state, version } = row;
  const deployment = view.deployments.find(
    (one) => one.workload === workload && one.location === location,
  );
  const isHurt = impact.worst.includes(location);
  const sign =
    deployment === undefined
      ? SIGN.unknown
      : signOf(state, isHurt ? impact : { ...impact, level: 0 });
  // A version is made before it is ready, and its own line shows when; `since` is about readiness.
  const isNamed = version > 0 && state !== 'ready';
  const processed = deployment?.lastProcessedVersion ?? 0;
  const late = state === 'pending' && processed > 0 ? `, still v${processed}` : '';
  const old = row.oldGvc === undefined ? '' : `, still GVC v${row.oldGvc}`;
  const name = mrkdwn`${new Mrkdwn(sign)} *${named(workload)}* in *${named(location)}*`;
  const what = mrkdwn`${isNamed ? `v${version} ` : ''}${stateName(state)}${sinceWords([row], ' ')}${late}${old}`;
  const why = length > 1 ? mrkdwn`` : whyIn(row);
  const share = readyWords([row]);
  const known = deployment === undefined ? 'last known: ' : '';
  const head = dotted([mrkdwn`${name} – ${known}${what}`, share === NOTHING ? '' : share, why]);
  const versions = deployment?.versions.flatMap((one) => versionLines(one, row.cause)) ?? [];
  const none =
    deployment === undefined ? 'Its report cannot be read.' : 'No replicas are reported.';
  const all = [{ text: head }, ...(versions.length > 0 ? versions : [{ text: mrkdwn`${none}` }])];
  const { endpoint, message = '' } = deployment ?? {};
  const below = dotted([
    endpoint === undefined ? '' : mrkdwn`endpoint ${excerpt(endpoint, IMAGE_LENGTH)}`,
    message === '' || isIn(row.cause, message) ? '' : excerpt(message, MESSAGE_LENGTH),
  ]);
  // Each section is a part of its own; the last one keeps the small print.
  const made = sections(mrkdwn`${name}, continued`, all).map((one) => [one]);
  if (below.text !== '') made.at(-1)?.push(context(below));
  return made;
}

/** A message that is all or a part of the cause is not shown again. */
function isIn(cause: string, message: string): boolean {
  return cause.split('; ').includes(message);
}

function versionLines(version: DeploymentVersion, cause: string): Line[] {
  const { gvc, zone, desiredScale, created } = version;
  const unsaid = (message: string): string => (isIn(cause, message) ? '' : message);
  const facts = [
    version.ready ? 'ready' : 'not ready',
    gvc > 0 ? `GVC v${gvc}` : '',
    zone === undefined ? '' : mrkdwn`zone ${named(zone)}`,
    desiredScale === undefined ? '' : `${plural(desiredScale, 'replica')} wanted`,
  ];
  const name = mrkdwn`*v${version.workload}* ${joined(facts, ', ')}`;
  const made = joined([name, timeWords('made', created)], ', ');
  const under = mrkdwn`${name}, continued`;
  return [
    { text: mrkdwn`${made}${quoted(unsaid(version.message))}` },
    ...version.containers.map((one) => ({
      // Without an image the message may be all that is reported.
      text: containerLine(one.image === '' ? one : { ...one, message: unsaid(one.message) }),
      under,
    })),
  ];
}

/** "• main `image` 2/2 ready, 250 millicores, 512 MiB, 1 restart". */
export function containerLine(container: Container, readiness = share(container)): Mrkdwn {
  const { cpu, memory, message } = container;
  const name = mrkdwn`• ${named(container.name)}`;
  const image =
    container.image === '' ? mrkdwn`` : mrkdwn` ${excerpt(container.image, IMAGE_LENGTH)}`;
  const facts = joined(
    [
      readiness,
      cpu === undefined ? '' : `${cpu} millicores`,
      memory === undefined ? '' : `${memory} MiB`,
    ],
    ', ',
  );
  const all = mrkdwn`${facts}${restarts(container)}`;
  if (`${image.text}${all.text}${message}` === '') return mrkdwn`${name}: nothing reported`;
  return mrkdwn`${name}${image} ${all}${quoted(message)}`;
}

/** A name or word of the platform's. A long one is cut, and shows how much is missing. */
export function named(text: string): Mrkdwn {
  const whole = mrkdwn`${text}`;
  return whole.text.length <= NAME_LENGTH ? whole : excerpt(text, NAME_LENGTH);
}

/** ": `message of the platform`", or nothing. */
export function quoted(message: string): Mrkdwn {
  return message === '' ? mrkdwn`` : mrkdwn`: ${excerpt(message, MESSAGE_LENGTH)}`;
}

function share({ replicas: all, replicasReady }: Container): string {
  return all === undefined ? '' : `${replicasReady ?? '–'}/${all} ready`;
}

function restarts({ restarts: all }: Container): Mrkdwn {
  if (all?.count === undefined || all.count === 0) return mrkdwn``;
  const code = all.exitCode === undefined ? '' : `exit code ${all.exitCode}`;
  const why = joined([named(all.reason), code], ', ');
  const what = mrkdwn`, ${plural(all.count, 'restart')}${why.text === '' ? '' : mrkdwn` (${why})`}`;
  return joined([what, timeWords('last', all.lastRestartTime)], ', ');
}

/** Absent where the names are too long for a button; no resource has such names. */
export function detailsButton(org: string, target: Target): Button | undefined {
  const value = placeValue(org, target);
  if (value.length > LIMITS.buttonValue) return undefined;
  const label = `Details: ${nameOf(target)}`;
  return button({ action: CARD_ACTIONS.details, text: 'Details', value, label });
}
