/** What a runtime option of a workload takes (spec 2.13). */
export type OptionValue =
  /** Seconds, of which at least 0 make sense. */
  | { readonly kind: 'seconds' }
  /** Whole numbers, 0 or more. */
  | { readonly kind: 'count' }
  /** A number of replicas, or a percentage of them: `2`, `"50%"`. */
  | { readonly kind: 'replicas' }
  /** Seconds of a request, at least 1; how many depends on the type of the workload. */
  | { readonly kind: 'timeout' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'texts' }
  /** The specification states no type: nothing is wrong. */
  | { readonly kind: 'anything' };

/** One row of spec 2.13, or another field that is checked. */
export interface OptionRule {
  /** The names that lead to it from the manifest's top. */
  readonly path: readonly [string, string, ...string[]];
  readonly value: OptionValue;
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
/** The longest one that any source allows, or a tag, in seconds. */
export const MAX_OVERRIDE_SECONDS = 3_600;

/** The runtime options of a workload (spec 2.13), and two fields that other checks depend on. */
export const OPTIONS: readonly OptionRule[] = [
  {
    path: ['spec', 'rolloutOptions', 'minReadySeconds'],
    value: { kind: 'seconds' },
  },
  {
    path: ['spec', 'rolloutOptions', 'maxUnavailableReplicas'],
    value: { kind: 'replicas' },
  },
  {
    path: ['spec', 'rolloutOptions', 'maxSurgeReplicas'],
    value: { kind: 'replicas' },
  },
  {
    path: ['spec', 'rolloutOptions', 'scalingPolicy'],
    value: { kind: 'enum', values: ['OrderedReady', 'Parallel'] },
    default: 'OrderedReady',
  },
  {
    path: ['spec', 'rolloutOptions', 'terminationGracePeriodSeconds'],
    value: { kind: 'seconds' },
  },
  {
    path: ['spec', 'requestRetryPolicy', 'attempts'],
    value: { kind: 'count' },
    default: '2',
  },
  {
    path: ['spec', 'requestRetryPolicy', 'retryOn'],
    value: { kind: 'texts' },
    default: RETRY_CONDITIONS.join(', '),
  },
  {
    path: ['spec', 'defaultOptions', 'suspend'],
    value: { kind: 'boolean' },
  },
  {
    path: ['spec', 'defaultOptions', 'timeoutSeconds'],
    value: { kind: 'timeout' },
  },
  {
    path: ['spec', 'defaultOptions', 'multiZone', 'enabled'],
    value: { kind: 'boolean' },
    default: 'false',
  },
  {
    path: ['spec', 'defaultOptions', 'debug'],
    value: { kind: 'anything' },
  },
  {
    path: ['spec', 'type'],
    value: { kind: 'enum', values: ['serverless', 'standard', 'stateful', 'cron', 'vm'] },
  },
  {
    path: ['spec', 'loadBalancer', 'direct', 'enabled'],
    value: { kind: 'boolean' },
  },
];
