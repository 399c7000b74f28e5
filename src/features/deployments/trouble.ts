import { compareNatural } from '../../lib/text.ts';
import { placeValue } from '../../platform/deployments/target.ts';
import { signOf } from '../../rollouts/render/card.ts';
import { capital, dotted, listed } from '../../rollouts/render/parts.ts';
import { plainCause } from '../../rollouts/watch/causes.ts';
import type { State } from '../../rollouts/watch/location.ts';
import {
  isQuiet,
  stateAt,
  type LocationStatus,
  type WorkloadStatus,
} from '../../rollouts/watch/status.ts';
import { SIGN } from '../../slack/kit/blocks.ts';
import { code, joinFirst, mentionChannel, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import {
  eachOf,
  grouped,
  impactParts,
  placesOf,
  sinceWords,
  worstWorkloadFirst,
} from './listing.ts';
import { orgWords } from './place.ts';

/** A watched workload. */
export interface PlacedWorkload extends WorkloadStatus {
  org: string;
  gvc: string;
  /** Its GVC can no longer be read. */
  isOld: boolean;
  /** Channels to name; empty where they are not of interest. */
  channels: readonly string[];
}

/** Workloads with the same trouble, as when a location does not report. */
export interface Trouble {
  line: Mrkdwn;
  first: PlacedWorkload;
  /** Value of a button for the place. */
  value: string;
}

const MAX_CHANNELS = 2;

/** One line for each trouble, the worst first. @param nameOf the name of a workload in a line */
export function troublesOf(
  all: readonly PlacedWorkload[],
  nameOf: (one: PlacedWorkload) => string,
): Trouble[] {
  const sorted = all.toSorted(
    (a, b) => Number(a.isOld) - Number(b.isOld) || worstWorkloadFirst(a, b),
  );
  const groups = grouped(sorted, (one) => JSON.stringify(wordsOf(one)));
  return [...groups.values()].map((group) => troubleOf(group, nameOf));
}

function troubleOf(
  group: readonly [PlacedWorkload, ...PlacedWorkload[]],
  nameOf: (one: PlacedWorkload) => string,
): Trouble {
  const [first, ...others] = group;
  const { sign, lead, what, serves, cause } = wordsOf(first);
  const version = others.length > 0 || first.version === 0 ? '' : ` v${first.version}`;
  const names = listed(group.map(nameOf).toSorted(compareNatural));
  const since = sinceWords(group.flatMap(wrongRows)).text.trimStart();
  const head = lead === '' ? new Mrkdwn(sign) : new Mrkdwn(`${sign} ${lead} ·`);
  const { org, gvc, workload } = first;
  return {
    line: dotted([
      mrkdwn`${head} *${names}*${version} ${new Mrkdwn(what)}`,
      eachOf(new Mrkdwn(serves), group.length),
      cause,
      new Mrkdwn(since),
      first.isOld ? 'last known' : '',
      joinFirst(first.channels.map(mentionChannel), MAX_CHANNELS),
    ]),
    first,
    value: placeValue(org, { gvc, ...(others.length > 0 ? {} : { workload }) }),
  };
}

/** Everything but the names: mrkdwn, to be compared. */
function wordsOf(one: PlacedWorkload): {
  sign: string;
  lead: string;
  what: string;
  serves: string;
  /** Plain text. */
  cause: string;
  channels: readonly string[];
} {
  const { lead, serves } = impactParts(one);
  const [cause = ''] = wrongRows(one).flatMap(({ cause: text }) => plainCause(text) || []);
  return {
    sign: one.isOld ? SIGN.unknown : signOf(one.state, one.impact),
    lead: lead.text,
    what: mrkdwn`${whereOf(one)}`.text,
    serves: serves.text,
    cause: capital(cause),
    channels: one.channels,
  };
}

/** "failed in oslo, stale in lima" */
function whereOf(one: WorkloadStatus): string {
  const wrong = one.rows.filter((row) => !isQuiet(inWorkload(row, one)));
  if (wrong.length === 0) return `in ${listed(one.impact.worst)}`;
  return [...grouped(wrong, (row) => inWorkload(row, one).state)]
    .map(([state, own]) => {
      const names = own.map(({ location }) => location);
      return `${state} in ${placesOf(names, own.length === one.rows.length)}`;
    })
    .join(', ');
}

/** One that the version has not reached is pending. */
function inWorkload(row: LocationStatus, { version }: WorkloadStatus): { state: State } {
  return { state: stateAt(row, version) };
}

function wrongRows(one: WorkloadStatus): readonly LocationStatus[] {
  const { rows, impact } = one;
  const wrong = rows.filter((row) => !isQuiet(inWorkload(row, one)));
  return wrong.length > 0 ? wrong : rows.filter(({ location }) => impact.worst.includes(location));
}

export function leadOn(
  { org, gvc, workload }: Pick<PlacedWorkload, 'org' | 'gvc' | 'workload'>,
  defaultOrg: string | undefined,
): Mrkdwn {
  const command = `/deployments ${gvc}/${workload}${orgWords(org, defaultOrg)}`;
  return mrkdwn`Causes and next steps: ${code(command, Infinity)}`;
}
