import { Refusal } from '../../lib/errors.ts';

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
export interface Batch {
  readonly removed: number;
  readonly added: number;
  /** Serving replicas at the old and at the new version. */
  readonly old: number;
  readonly fresh: number;
  /** Added replicas at the new version that do not serve yet. */
  readonly starting: number;
}

export type RolloutPlan = ReturnType<typeof planRollout>;

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
export function inReplicas(amount: Amount | undefined, replicas: number): number {
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
