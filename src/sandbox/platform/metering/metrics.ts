const MIB = 1024n * 1024n;

/** Thousandths of a metric's unit (platform notes) in one count: small enough to add up as plain numbers. */
export const FACTORS = {
  /** Core-seconds, counted in millicores. */
  cpu: 1n,
  /** Byte-seconds, counted in MiB. */
  memory: 1000n * MIB,
  /** Bytes. */
  egress: 1000n,
  'cross-zone-traffic': 1000n,
  'load-balancer-processed-bytes': 1000n,
  /** Seconds of load balancers, replicas and GPUs. */
  'load-balancer-seconds': 1n,
  replicas: 1000n,
  gpu: 1000n,
  /** GiB-seconds, despite the name. */
  'volume-set-capacity-bytes': 1000n,
  /** GB-seconds. */
  volume_set_capacity: 1n,
  /** GiB-seconds. */
  'snapshot-storage': 1n,
  /** GB-seconds. */
  'logs-storage': 1n,
  'metrics-storage': 1n,
  'tracing-storage': 1n,
  /** Samples. */
  'metrics-samples': 1000n,
} as const;

export type Metric = keyof typeof FACTORS;

/** Metrics that are priced from the provider's bill and can be revised (spec 2.11). */
export const PROVIDER_PRICED: ReadonlySet<Metric> = new Set([
  'snapshot-storage',
  'load-balancer-processed-bytes',
]);
