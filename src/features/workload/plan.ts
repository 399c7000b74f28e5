import type { KnownBlock } from '@slack/types';
import { Refusal } from '../../lib/errors.ts';
import { formatDuration, plural } from '../../lib/text.ts';
import { context, section } from '../../slack/kit/blocks.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { listed } from '../list.ts';

export const PLAN_ROUTE = 'workload.plan';

/**
 * Spec 2.13. Pure. @param page of the batches, from 1 on
 * @throws Refusal when nothing could be replaced
 */
export function planAnswer(options: RolloutOptions, page = 1): Answer {
  const plan = planRollout(options);
  const head = mrkdwn`*${plural(plan.replicas, 'replica')}* ${plan.replicas === 1 ? 'rolls' : 'roll'} out in ${batchesInWords(plan)} · ${capacityInWords(plan)} · ${durationInWords(plan)}`;
  const table = batchTable(plan, page);
  return {
    blocks: [section(head), ...table.blocks, notes(options, plan)],
    asked: { route: PLAN_ROUTE, question: options, page: table.page },
    pages: table.pages,
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
      return `it takes ${written(batches.length)} starts of a replica, one after the other`;
    }
    return `it takes as long as ${replicas === 1 ? 'the new one takes' : 'they take'} to start`;
  }
  const words = minSeconds < 60 ? '' : ` (${formatDuration(minSeconds * 1_000)})`;
  return `it takes at least ${written(minSeconds)} s${words}`;
}

function written(count: number): string {
  return count.toLocaleString('en-US');
}

/** Rounded; 0 % and 100 % only where exact. */
function share(count: number, of: number): string {
  if (count === 0 || count === of) return count === 0 ? '0%' : '100%';
  return `${Math.min(99, Math.max(1, Math.round((100 * count) / of)))}%`;
}

function batchTable({ batches, replicas }: RolloutPlan, page: number) {
  const number = (count: number): Numeric => new Numeric(count, written(count));
  // While a batch starts; the last row is the end.
  const rows = [
    ...batches.map((batch, index) => ({ ...batch, name: number(index + 1) })),
    { name: 'end', old: 0, fresh: replicas, starting: 0 },
  ];
  return listed<(typeof rows)[number]>({
    caption: `Batches of a rollout of ${plural(replicas, 'replica')}`,
    columns: [
      { title: 'Batch', of: ({ name }) => name },
      {
        title: 'Serving',
        of: ({ old, fresh }) =>
          new Numeric(old + fresh, `${written(old + fresh)} (${share(old + fresh, replicas)})`),
      },
      { title: 'Starting', of: ({ starting }) => number(starting) },
      { title: 'New', of: ({ fresh }) => number(fresh) },
      { title: 'Old', of: ({ old }) => number(old) },
    ],
    rows,
    page,
  });
}

function notes(options: RolloutOptions, plan: RolloutPlan): KnownBlock {
  const { surge, unavailable, assumed } = plan;
  const texts: Mrkdwn[] = [
    assumed
      ? mrkdwn`Without ${code('maxSurge')} and ${code('maxUnavailable')}, whose defaults are not published, this assumes one more replica at a time`
      : mrkdwn`${boundsInWords(plan)}`,
    ...rounded('maxSurge', options.maxSurge, plan.replicas, surge),
    ...rounded('maxUnavailable', options.maxUnavailable, plan.replicas, unavailable),
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
      : `at least ${written(least)} ${least === 1 ? 'serves' : 'serve'}`;
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

function rounded(name: string, amount: Amount | undefined, replicas: number, counted: number) {
  const exact = inReplicas(amount, replicas);
  if (amount === undefined || exact === counted) return [];
  const typed = `${written(amount.value)}${amount.percent ? '%' : ''}`;
  if (exact > replicas) {
    return [
      mrkdwn`${code(name)}: ${typed} is more than all replicas, so it counts as ${written(counted)}`,
    ];
  }
  return [
    mrkdwn`${code(name)}: ${typed} of ${plural(replicas, 'replica')} is ${written(exact)}, rounded ${exact < counted ? 'up' : 'down'} to ${written(counted)}`,
  ];
}

/** Replicas, as a whole number or a percentage with up to three decimals (spec 2.13); 0 or more. */
export interface Amount {
  readonly value: number;
  readonly percent: boolean;
}

/** Spec 2.13. */
export interface RolloutOptions {
  /** At least 1. */
  readonly replicas: number;
  readonly maxSurge?: Amount | undefined;
  readonly maxUnavailable?: Amount | undefined;
  readonly minReadySeconds?: number | undefined;
  /** `Parallel` does not affect updates, so nothing here depends on it. */
  readonly policy?: 'OrderedReady' | 'Parallel' | undefined;
}

/** The removed and added replicas of a batch, and the state while the added ones start. */
interface Batch {
  readonly removed: number;
  readonly added: number;
  /** Serving replicas at the old and at the new version. */
  readonly old: number;
  readonly fresh: number;
  /** Added replicas at the new version that do not serve yet. */
  readonly starting: number;
}

type RolloutPlan = ReturnType<typeof planRollout>;

/**
 * The batches of an update (spec 2.13). There are never more than `replicas + surge` replicas, and never
 * fewer than `replicas - unavailable` serving ones: a batch removes as many old replicas as allowed, adds as
 * many new ones as fit, and waits until those are ready. Percentages of the surge are rounded up, those of
 * the unavailable ones down. That a batch uses all of surge and unavailable is an assumption.
 * @throws Refusal when both are 0, so that nothing could be replaced
 */
export function planRollout(options: RolloutOptions) {
  const { replicas, maxSurge, maxUnavailable, minReadySeconds } = options;
  const assumed = maxSurge === undefined && maxUnavailable === undefined;
  const surge = assumed ? 1 : Math.min(replicas, Math.ceil(inReplicas(maxSurge, replicas)));
  const unavailable = Math.min(replicas, Math.floor(inReplicas(maxUnavailable, replicas)));
  if (surge + unavailable === 0) throw stuck(options);
  const { batches, leftover } = batchesOf(replicas, surge, unavailable);
  return {
    replicas,
    /** Allowed extra and missing replicas, in numbers; at most all of them. */
    surge,
    unavailable,
    /** Neither was given: a surge of one replica is an assumption, no published default. */
    assumed,
    batches,
    /** Old replicas that are removed when the last batch is ready. */
    leftover,
    lowest: Math.min(...batches.map(({ old, fresh }) => old + fresh)),
    /** Of all batches, without the time to start; undefined without `minReadySeconds`. */
    minSeconds: minReadySeconds === undefined ? undefined : batches.length * minReadySeconds,
  };
}

function batchesOf(replicas: number, surge: number, unavailable: number) {
  const batches: Batch[] = [];
  let old = replicas;
  let fresh = 0;
  while (fresh < replicas) {
    const removed = Math.min(old, old + fresh - (replicas - unavailable));
    old -= removed;
    const added = Math.min(replicas - fresh, replicas + surge - old - fresh);
    batches.push({ removed, added, old, fresh, starting: added });
    fresh += added;
  }
  return { batches, leftover: old };
}

/** An amount in replicas, before rounding; 0 when absent. */
function inReplicas(amount: Amount | undefined, replicas: number): number {
  if (amount === undefined) return 0;
  const { value, percent } = amount;
  // In thousandths, which are integers: 32.3 % of 1,000 would be less than 323 otherwise.
  return percent ? Math.round(replicas * value * 1_000) / 100_000 : value;
}

function stuck({ replicas, maxUnavailable }: RolloutOptions): Refusal {
  const rounded =
    maxUnavailable?.percent === true && maxUnavailable.value > 0
      ? ` (${maxUnavailable.value}% of ${replicas} is less than one replica)`
      : '';
  return new Refusal(
    `With a surge of 0 and no replica that may be unavailable${rounded} nothing could be replaced: let maxSurge or maxUnavailable be at least 1.`,
  );
}
