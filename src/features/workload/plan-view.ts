import type { KnownBlock } from '@slack/types';
import { formatDuration, plural } from '../../lib/text.ts';
import {
  inReplicas,
  type Amount,
  type Batch,
  type RolloutOptions,
  type RolloutPlan,
} from '../../platform/workload/finding.ts';
import { context, lines, section, table, topText } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';

/** Spec 2.13. Pure. */
export function planAnswer({
  options,
  plan,
}: {
  options: RolloutOptions;
  plan: RolloutPlan;
}): Answer {
  const head = mrkdwn`*${plural(plan.replicas, 'replica')}* ${plan.replicas === 1 ? 'rolls' : 'roll'} out in ${batchesInWords(plan)}; ${capacityInWords(plan)}; ${durationInWords(plan)}`;
  return {
    text: topText(head),
    blocks: [section(head), planTable(plan), planPicture(plan), notes(options, plan)],
    shareable: true,
    needs: 'orgs',
  };
}

/** "2 batches of 2", "3 batches of 2, the last of 1". */
function batchesInWords({ batches, replicas, surge }: RolloutPlan): string {
  const size = batches[0]?.added ?? 0;
  const last = batches.at(-1)?.added ?? 0;
  const cutover = surge === replicas && replicas > 1 ? ', a short cutover' : '';
  const rest = last === size ? cutover : `, the last of ${written(last)}`;
  return `${plural(batches.length, 'batch', 'batches')} of ${written(size)}${rest}`;
}

function capacityInWords({ lowest, replicas }: RolloutPlan): string {
  if (lowest === 0) return 'for a while none serves';
  return `never fewer than ${written(lowest)} ${lowest === 1 ? 'serves' : 'serve'} (${share(lowest, replicas)})`;
}

function durationInWords({ minSeconds = 0, batches, replicas }: RolloutPlan): string {
  if (minSeconds === 0) {
    if (batches.length > 1) {
      return `it takes ${batches.length} starts of a replica, one after the other`;
    }
    return `it takes as long as ${replicas === 1 ? 'the new one takes' : 'they take'} to start`;
  }
  const words = minSeconds < 60 ? '' : ` (${formatDuration(minSeconds * 1_000)})`;
  return `it takes at least ${written(minSeconds)} s${words}`;
}

function written(count: number): string {
  return count.toLocaleString('en-US');
}

/** Keeps the sign on the line of its number. */
const PERCENT = '\u00A0%';

/** Rounded; 0 % and 100 % only where exact. */
function share(count: number, of: number): string {
  if (count === 0 || count === of) return count === 0 ? `0${PERCENT}` : `100${PERCENT}`;
  return `${Math.min(99, Math.max(1, Math.round((100 * count) / of)))}${PERCENT}`;
}

const FIRST_BATCHES = 5;

function planTable(plan: RolloutPlan): KnownBlock {
  const { batches, replicas } = plan;
  const rows = batches.map((batch, index) => cells(written(index + 1), batch, replicas));
  const hidden = rows.length - FIRST_BATCHES - 1;
  const gap = [`… ${written(hidden)} more`, '…', '…', '…', '…'];
  return table(
    [
      { title: 'Batch' },
      { title: 'Serving', align: 'right' },
      { title: 'Starting', align: 'right' },
      { title: 'New', align: 'right' },
      { title: 'Old', align: 'right' },
    ],
    [
      ...(hidden > 1 ? [...rows.slice(0, FIRST_BATCHES), gap, ...rows.slice(-1)] : rows),
      cells('end', { old: 0, fresh: replicas, starting: 0 }, replicas),
    ],
  );
}

function cells(
  name: string,
  { old, fresh, starting }: Pick<Batch, 'old' | 'fresh' | 'starting'>,
  replicas: number,
): string[] {
  const serving = old + fresh;
  return [
    name,
    `${written(serving)} (${share(serving, replicas)})`,
    ...[starting, fresh, old].map(written),
  ];
}

function notes(options: RolloutOptions, plan: RolloutPlan): KnownBlock {
  const { replicas, surge, unavailable, assumed } = plan;
  const texts: Mrkdwn[] = [
    assumed
      ? mrkdwn`Without ${code('maxSurge')} and ${code('maxUnavailable')}, whose defaults are not published, this assumes one more replica at a time`
      : mrkdwn`${boundsInWords(plan)}`,
    ...rounded('maxSurge', options.maxSurge, { replicas, counted: surge, up: true }),
    ...rounded('maxUnavailable', options.maxUnavailable, {
      replicas,
      counted: unavailable,
      up: false,
    }),
    aboutDuration(options),
  ];
  if (surge > 0 && unavailable > 0) {
    texts.push(
      mrkdwn`How ${code('maxSurge')} and ${code('maxUnavailable')} work together is not published: this assumes that a batch adds ${written(surge)} and replaces the ${written(unavailable)} that may be unavailable`,
    );
  }
  if (options.policy === 'Parallel') {
    texts.push(
      mrkdwn`${code('Parallel')} changes nothing here: it is about scaling, not about updates`,
    );
  }
  return context(...texts);
}

function boundsInWords({ replicas, surge, unavailable }: RolloutPlan): string {
  const most = replicas + surge;
  const least = replicas - unavailable;
  const serving =
    least === 0
      ? 'and none has to serve'
      : `at least ${written(least)} of them ${least === 1 ? 'serves' : 'serve'}`;
  return `At most ${plural(most, 'replica')} ${most === 1 ? 'exists' : 'exist'} at a time, ${serving}`;
}

function aboutDuration({ minReadySeconds }: RolloutOptions): Mrkdwn {
  if (minReadySeconds === undefined) {
    return mrkdwn`For the shortest duration add ${code('minReady=30')}; its default is not published`;
  }
  return minReadySeconds === 0
    ? mrkdwn`A ${code('minReady')} of 0 adds nothing; how long a replica takes to start is not known here`
    : mrkdwn`The shortest duration: ${written(minReadySeconds)} s for each batch. The time that a replica takes to start comes on top`;
}

function rounded(
  name: string,
  amount: Amount | undefined,
  { replicas, counted, up }: { replicas: number; counted: number; up: boolean },
): Mrkdwn[] {
  if (amount === undefined) return [];
  const { value, percent } = amount;
  const typed = `${written(value)}${percent ? PERCENT : ''}`;
  const exact = inReplicas(amount, replicas);
  if (exact > replicas) {
    return [
      mrkdwn`${code(name)}: ${typed} is more than all replicas, so it counts as ${written(counted)}`,
    ];
  }
  if (exact === counted) return [];
  return [
    mrkdwn`${code(name)}: ${typed} of ${plural(replicas, 'replica')} is ${written(exact)}, rounded ${up ? 'up' : 'down'} to ${written(counted)}`,
  ];
}

/** A sign is one replica, or several for a large workload. */
function planPicture(plan: RolloutPlan): KnownBlock {
  const { batches, replicas } = plan;
  const perSign = Math.ceil(Math.max(...momentsOf(plan).map(sizeOf)) / WIDTH);
  const during = batches.map((batch, index) => ({
    name: `batch ${(index + 1).toLocaleString('en-US')}`,
    ...batch,
  }));
  const hidden = during.length - FIRST_BATCHES - 1;
  const row = (moment: Moment) => mrkdwn`${code(signs(moment, perSign))} ${moment.name}`;
  const middle =
    hidden > 1
      ? [
          ...during.slice(0, FIRST_BATCHES).map(row),
          mrkdwn`… ${plural(hidden, 'more batch', 'more batches')}`,
          ...during.slice(-1).map(row),
        ]
      : during.map(row);
  const legend = mrkdwn`${OLD} old · ${STARTING} new, starting · ${FRESH} new${perSign > 1 ? ` (a sign is up to ${perSign} replicas)` : ''}`;
  return lines([
    row({ name: 'before', old: replicas, fresh: 0, starting: 0 }),
    ...middle,
    row({ name: 'end', old: 0, fresh: replicas, starting: 0 }),
    legend,
  ]);
}

/** The shape shows the version, filled signs serve; every font has them, and no colour is needed. */
const OLD = '■';

const FRESH = '●';

const STARTING = '○';

/** Signs of the widest moment; about as many fit into one line on a phone. */
const WIDTH = 20;

interface Moment {
  name: string;
  old: number;
  fresh: number;
  starting: number;
}

function momentsOf({ batches, replicas }: RolloutPlan): Omit<Moment, 'name'>[] {
  return [{ old: replicas, fresh: 0, starting: 0 }, ...batches];
}

function sizeOf({ old, fresh, starting }: Omit<Moment, 'name'>): number {
  return old + fresh + starting;
}

function signs({ old, fresh, starting }: Moment, perSign: number): string {
  // Borders are rounded, not lengths, so equal numbers of replicas have equal numbers of signs.
  const upTo = (count: number): number => Math.ceil(count / perSign);
  const serving = upTo(fresh);
  const there = upTo(fresh + starting);
  return (
    FRESH.repeat(serving) +
    STARTING.repeat(there - serving) +
    OLD.repeat(upTo(fresh + starting + old) - there)
  );
}
