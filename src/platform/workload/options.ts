/** What a runtime option of a workload takes (spec 2.13). */
export type OptionValue =
  /** Seconds, of which at least 0 make sense. */
  | { readonly kind: 'seconds' }
  /** Whole numbers, both ends included. */
  | { readonly kind: 'integer'; readonly min: number; readonly max?: number }
  /** A number of replicas, or a percentage of them: `2`, `"50%"`. */
  | { readonly kind: 'replicas' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'texts' }
  /** The specification states no type: nothing is wrong. */
  | { readonly kind: 'anything' };

/** One row of spec 2.13. */
export interface OptionRule {
  /** The names that lead to it from the manifest's top. */
  readonly path: readonly [string, string, ...string[]];
  readonly value: OptionValue;
  /** What it says or does, as the end of no sentence. */
  readonly effect: string;
  /** As text; absent: the specification lists none. */
  readonly default?: string;
}

/** What `requestRetryPolicy.retryOn` is when nothing is stated. */
export const RETRY_CONDITIONS = [
  'connect-failure',
  'refused-stream',
  'unavailable',
  'cancelled',
  'resource-exhausted',
  'retriable-status-codes',
] as const;

/** The longest request that `spec.defaultOptions.timeoutSeconds` allows, in seconds. */
export const MAX_TIMEOUT_SECONDS = 600;

/** The runtime options of a workload; nothing is known of any other field (spec 2.13). */
export const OPTIONS: readonly OptionRule[] = [
  {
    path: ['spec', 'rolloutOptions', 'minReadySeconds'],
    value: { kind: 'seconds' },
    effect: 'how long a replica must run before the rollout goes on',
  },
  {
    path: ['spec', 'rolloutOptions', 'maxUnavailableReplicas'],
    value: { kind: 'replicas' },
    effect: 'how many replicas may be unavailable during a rollout or regular rescheduling',
  },
  {
    path: ['spec', 'rolloutOptions', 'maxSurgeReplicas'],
    value: { kind: 'replicas' },
    effect: 'how many new replicas are added per batch',
  },
  {
    path: ['spec', 'rolloutOptions', 'scalingPolicy'],
    value: { kind: 'enum', values: ['OrderedReady', 'Parallel'] },
    effect: 'whether replicas are created and destroyed one by one or together; not for updates',
    default: 'OrderedReady',
  },
  {
    path: ['spec', 'rolloutOptions', 'terminationGracePeriodSeconds'],
    value: { kind: 'seconds' },
    effect: 'not described further',
  },
  {
    path: ['spec', 'requestRetryPolicy', 'attempts'],
    value: { kind: 'integer', min: 0 },
    effect: 'how often a request is tried again before the client is answered',
    default: '2',
  },
  {
    path: ['spec', 'requestRetryPolicy', 'retryOn'],
    value: { kind: 'texts' },
    effect: 'after what a request is tried again: HTTP or gRPC policies, and status codes as text',
    default: RETRY_CONDITIONS.join(', '),
  },
  {
    path: ['spec', 'defaultOptions', 'suspend'],
    value: { kind: 'boolean' },
    effect: 'stops serving immediately, the same as a minimum and maximum scale of 0',
  },
  {
    path: ['spec', 'defaultOptions', 'timeoutSeconds'],
    value: { kind: 'integer', min: 1, max: MAX_TIMEOUT_SECONDS },
    effect: 'how long a request may take',
  },
  {
    path: ['spec', 'defaultOptions', 'multiZone', 'enabled'],
    value: { kind: 'boolean' },
    effect: 'spreads the replicas over the availability zones of a location',
    default: 'false',
  },
  {
    path: ['spec', 'defaultOptions', 'debug'],
    value: { kind: 'anything' },
    effect: 'answers debug requests with the location and the replica',
  },
];
