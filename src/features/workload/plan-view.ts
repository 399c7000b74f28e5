import type { KnownBlock } from '@slack/types';
import { formatDuration, plural } from '../../lib/text.ts';
import type { Amount, Batch, RolloutOptions, RolloutPlan } from '../../platform/workload/plan.ts';
import { code, context, mrkdwn, section, table, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { planPicture } from './plan-picture.ts';

export interface PlanView {
  options: RolloutOptions;
  plan: RolloutPlan;
}

/** What `/workload plan` answers (spec 2.13). Pure. */
export function planAnswer({ options, plan }: PlanView): Answer {
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
  const rest = last === size ? cutover : `, the last of ${last}`;
  return `${plural(batches.length, 'batch', 'batches')} of ${size}${rest}`;
}

function capacityInWords({ lowest, replicas }: RolloutPlan): string {
  if (lowest === 0) return 'for a while none serves';
  return `never fewer than ${lowest} ${lowest === 1 ? 'serves' : 'serve'} (${share(lowest, replicas)})`;
}

function durationInWords({ minSeconds, batches }: RolloutPlan): string {
  if (minSeconds === undefined) {
    return batches.length === 1
      ? 'it takes as long as they take to start'
      : `it takes ${batches.length} times as long as a replica takes to start`;
  }
  const words = formatDuration(minSeconds * 1_000);
  return `it takes at least ${minSeconds} s${words === `${minSeconds} s` ? '' : ` (${words})`}`;
}

function share(count: number, of: number): string {
  return `${Math.floor((100 * count) / of)} %`;
}

/** Rows of a long plan: its first batches and its last one. */
const FIRST_ROWS = 6;

function planTable(plan: RolloutPlan): KnownBlock {
  const { batches, leftover, replicas } = plan;
  const rows = batches.map((batch, index) => cells(`${index + 1}`, batch, replicas));
  const hidden = rows.length - FIRST_ROWS - 1;
  const gap = [`… ${hidden} more`, '…', '…', '…', '…', '…', '…'];
  return table(
    [
      { title: 'Batch' },
      { title: 'Serving', align: 'right' },
      { title: 'New added', align: 'right' },
      { title: 'Old removed', align: 'right' },
      { title: 'Starting', align: 'right' },
      { title: 'New serving', align: 'right' },
      { title: 'Old serving', align: 'right' },
    ],
    [
      ...(hidden > 1 ? [...rows.slice(0, FIRST_ROWS), gap, ...rows.slice(-1)] : rows),
      cells('end', { removed: leftover, added: 0, old: 0, fresh: replicas, starting: 0 }, replicas),
    ],
  );
}

function cells(name: string, batch: Batch, replicas: number): string[] {
  const { removed, added, old, fresh, starting } = batch;
  const serving = old + fresh;
  return [
    name,
    `${serving} (${share(serving, replicas)})`,
    ...[added, removed, starting, fresh, old].map(String),
  ];
}

function notes(options: RolloutOptions, plan: RolloutPlan): KnownBlock {
  const { replicas, surge, unavailable, assumed } = plan;
  const said: Mrkdwn[] = [
    assumed
      ? mrkdwn`Neither ${code('maxSurge')} nor ${code('maxUnavailable')} is given, and their defaults are not published: this assumes one replica more at a time`
      : mrkdwn`At most ${replicas + surge} replicas are there, at least ${replicas - unavailable} of them serve`,
    ...rounded('maxSurge', options.maxSurge, { replicas, counted: surge, up: true }),
    ...rounded('maxUnavailable', options.maxUnavailable, {
      replicas,
      counted: unavailable,
      up: false,
    }),
    plan.minSeconds === undefined
      ? mrkdwn`${code('minReady')} is not given, and its default is not published: add ${code('minReady=30')} for the shortest duration`
      : mrkdwn`The duration is the shortest one, ${options.minReadySeconds ?? 0} s for each batch: how long a replica takes to start comes on top and is not known here`,
  ];
  if (surge > 0 && unavailable > 0) {
    said.push(
      mrkdwn`A batch adds the surge of ${surge}, and replaces the ${unavailable} that may be unavailable`,
    );
  }
  if (options.policy === 'Parallel') {
    said.push(
      mrkdwn`${code('Parallel')} changes nothing here: it is for replicas that are created or destroyed together when the scale changes, and does not affect updates`,
    );
  }
  return context(...said);
}

/** How a percentage was rounded, where it had to be, and what was more than there is. */
function rounded(
  name: string,
  amount: Amount | undefined,
  { replicas, counted, up }: { replicas: number; counted: number; up: boolean },
): Mrkdwn[] {
  if (amount === undefined) return [];
  const { value, percent } = amount;
  const typed = `${value}${percent ? ' %' : ''}`;
  const exact = percent ? (replicas * value) / 100 : value;
  if (exact > replicas) {
    return [mrkdwn`${code(name)} of ${typed} is more than there are, so it counts as ${counted}`];
  }
  if (exact === counted) return [];
  return [
    mrkdwn`${code(name)}: ${typed} of ${plural(replicas, 'replica')} is ${exact}, rounded ${up ? 'up' : 'down'} to ${counted}`,
  ];
}
