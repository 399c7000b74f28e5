import { createMetrics, type MetricDefinition } from './lib/metrics.ts';

/** Slash commands of `manifest.yml`. */
export const COMMANDS = [
  '/charges',
  '/usage',
  '/invoices',
  '/alert',
  '/billing',
  '/deployments',
  '/workload',
  '/changes',
  '/purser',
] as const;

/** Endpoints of each API (spec section 4). `other`: a path that no client of Purser asks for. */
export const ENDPOINTS = {
  deployments: ['gvc', 'workload', 'location', 'other'],
  usage: ['query', 'tag-values', 'other'],
  billing: [
    'account',
    'accounts',
    'alert',
    'charges',
    'chargeable-items',
    'invoices',
    'invoice-deliveries',
    'invoice-recipients',
    'org-account',
    'org-charges',
    'orgs',
    'quota-requests',
    'quotas',
    'tag-values',
    'tokens',
    'users',
    'other',
  ],
} as const;

export type Api = keyof typeof ENDPOINTS;
export type Endpoint = (typeof ENDPOINTS)[Api][number];

/** Methods of the Web API that Purser calls, answers at a `response_url`, and the bytes of files. */
export const SLACK_METHODS = [
  'apps.connections.open',
  'auth.test',
  'chat.getPermalink',
  'chat.postEphemeral',
  'chat.postMessage',
  'chat.update',
  'conversations.history',
  'conversations.info',
  'conversations.members',
  'conversations.open',
  'conversations.replies',
  'files.completeUploadExternal',
  'files.getUploadURLExternal',
  'files.info',
  'response_url',
  'upload_url',
  'usergroups.list',
  'usergroups.users.list',
  'users.info',
  'users.lookupByEmail',
  'views.open',
  'views.publish',
  'views.push',
  'views.update',
  'other',
] as const;

/** Why a person was refused (`role`, `guest`, ...), or a request that is not Slack's (`signature`, `replay`, ...). */
export const REFUSALS = [
  'bot',
  'stranger',
  'deactivated',
  'guest',
  'orgs',
  'role',
  'identity',
  'own-user',
  'self-review',
  'not-theirs',
  'person-limit',
  'signature',
  'timestamp',
  'replay',
  'body',
  'other',
] as const;

const QUEUES = ['rollouts', 'notifications', 'changes', 'billing'] as const;
const STATUSES = ['2xx', '3xx', '4xx', '5xx', '401', '404', '429', 'timeout', 'network'] as const;

export type CallStatus = (typeof STATUSES)[number];

/** Seconds. */
const ACKS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];
const CALLS = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const POLLS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const DELIVERIES = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900];

/** Of each API and method only the series of success exist from the start. */
const SUCCESSFUL_CALLS = Object.entries(ENDPOINTS).flatMap(([api, endpoints]) =>
  endpoints.map((endpoint) => ({ api, endpoint, status: '2xx' })),
);
const SUCCESSFUL_METHODS = SLACK_METHODS.map((method) => ({ method, result: 'ok' }));

/**
 * Every metric of Purser's own, in the order of `docs/metrics.md`. Gauges that say "in Redis" are read from it at a
 * scrape, so each replica has the same value.
 */
export const METRICS = {
  build: {
    type: 'gauge',
    name: 'purser_build_info',
    help: 'Always 1: version and role of this process, and the version of Node that it runs on',
    labels: { version: [], node: [], role: ['all', 'app', 'worker'] },
    series: [],
    example: 'count by (version, role) (purser_build_info)',
  },
  acks: {
    type: 'histogram',
    name: 'purser_ack_seconds',
    help: 'From a request of Slack to its acknowledgement, for which Slack waits 3 seconds',
    labels: {},
    buckets: ACKS,
    example: 'histogram_quantile(0.99, sum by (le) (rate(purser_ack_seconds_bucket[5m])))',
  },
  commands: {
    type: 'histogram',
    name: 'purser_command_seconds',
    help: 'From a command, typed or by a button that repeats it, to its answer. refused: the person got a sentence in place of an answer',
    labels: { command: COMMANDS, result: ['done', 'refused', 'failed'] },
    buckets: CALLS,
    example: 'sum by (command) (rate(purser_command_seconds_count{result="failed"}[5m]))',
  },
  refusals: {
    type: 'counter',
    name: 'purser_refusals_total',
    help: 'Refusals because of the person, and requests to the Slack endpoint that were refused (signature, timestamp, replay, body)',
    labels: { why: REFUSALS },
    example: 'sum by (why) (increase(purser_refusals_total[1h]))',
  },
  reports: {
    type: 'counter',
    name: 'purser_reports_total',
    help: 'Reports by their result. too-large: over the memory or time of its thread; busy: the queue was full; stopped: by a restart',
    labels: { result: ['done', 'failed', 'too-large', 'busy', 'stopped'] },
    example: 'sum by (result) (increase(purser_reports_total[1h]))',
  },
  slackConnected: {
    type: 'gauge',
    name: 'purser_slack_connected',
    help: '1: in Socket Mode while the connection is open; in HTTP mode, and in a worker, while the last auth.test succeeded',
    labels: {},
    example: 'min by (instance) (purser_slack_connected)',
  },
  slackCalls: {
    type: 'histogram',
    name: 'purser_slack_request_seconds',
    help: 'Calls to Slack. error: Slack answered with an error code; http: with a status that is no success',
    labels: {
      method: SLACK_METHODS,
      result: ['ok', 'error', 'ratelimited', 'http', 'timeout', 'network'],
    },
    series: SUCCESSFUL_METHODS,
    buckets: CALLS,
    example: 'sum by (method, result) (rate(purser_slack_request_seconds_count{result!="ok"}[5m]))',
  },
  slackRateLimits: {
    type: 'counter',
    name: 'purser_slack_rate_limited_total',
    help: 'Calls that Slack refused with a rate limit',
    labels: {},
    example: 'sum(increase(purser_slack_rate_limited_total[10m]))',
  },
  platformCalls: {
    type: 'histogram',
    name: 'purser_platform_request_seconds',
    help: 'Tries of calls to the platform, until the head of the answer. status: a class, or one of 401, 404, 429, timeout, network',
    labels: {
      api: ['deployments', 'usage', 'billing'],
      endpoint: [...new Set(Object.values(ENDPOINTS).flat())],
      status: STATUSES,
    },
    series: SUCCESSFUL_CALLS,
    buckets: CALLS,
    example: 'sum by (api, status) (rate(purser_platform_request_seconds_count[5m]))',
  },
  pollSeconds: {
    type: 'histogram',
    name: 'purser_poll_seconds',
    help: 'Polls of a GVC, from the call to the write',
    labels: {},
    buckets: POLLS,
    example: 'histogram_quantile(0.9, sum by (le) (rate(purser_poll_seconds_bucket[5m])))',
  },
  polls: {
    type: 'counter',
    name: 'purser_polls_total',
    help: 'Polls of a GVC by their result. lost: another process took over',
    labels: { result: ['done', 'failed', 'lost'] },
    example: 'sum(rate(purser_polls_total{result="failed"}[5m]))',
  },
  pollAge: {
    type: 'gauge',
    name: 'purser_poll_age_seconds',
    help: 'In Redis: since the last complete poll of the watched GVC that was polled longest ago; 0 without one',
    labels: {},
    example: 'max(purser_poll_age_seconds)',
  },
  unreadable: {
    type: 'gauge',
    name: 'purser_unreadable_records',
    help: 'In Redis: deployments that the last polls of all watched GVCs could not read',
    labels: {},
    example: 'max(purser_unreadable_records)',
  },
  calls: {
    type: 'counter',
    name: 'purser_calls_total',
    help: 'Calls of the watch by the impact on users: 3 outage, 2 partial outage, 1 degraded, 0 no impact',
    labels: { level: ['0', '1', '2', '3'] },
    example: 'sum by (level) (increase(purser_calls_total[1d]))',
  },
  outboxMessages: {
    type: 'gauge',
    name: 'purser_outbox_messages',
    help: 'In Redis: messages that wait to be posted or edited',
    labels: {},
    example: 'max(purser_outbox_messages)',
  },
  outboxOldest: {
    type: 'gauge',
    name: 'purser_outbox_oldest_seconds',
    help: 'In Redis: how long the oldest of them has been waiting; 0 without one',
    labels: {},
    example: 'max(purser_outbox_oldest_seconds)',
  },
  deliverySeconds: {
    type: 'histogram',
    name: 'purser_delivery_seconds',
    help: 'From the write of a change to its post in Slack',
    labels: {},
    buckets: DELIVERIES,
    example: 'histogram_quantile(0.9, sum by (le) (rate(purser_delivery_seconds_bucket[15m])))',
  },
  deliveries: {
    type: 'counter',
    name: 'purser_deliveries_total',
    help: 'Posts and edits by their result. limited, unsent, unclear: tried again; refused: given up; reconciled: Slack had it already',
    labels: { result: ['sent', 'refused', 'limited', 'unsent', 'unclear', 'reconciled'] },
    example: 'sum by (result) (rate(purser_deliveries_total[5m]))',
  },
  monitorAge: {
    type: 'gauge',
    name: 'purser_monitor_age_seconds',
    help: 'In Redis: since the last run of a money monitor that could read everything, or its first try; 0 for one that is off',
    labels: { monitor: ['digest', 'alert', 'invoices', 'deliveries', 'tokens'] },
    example: 'max by (monitor) (purser_monitor_age_seconds)',
  },
  changes: {
    type: 'gauge',
    name: 'purser_changes',
    help: 'In Redis: changes by state; ended ones are counted since the store was set up',
    labels: {
      state: [
        'pending',
        'approved',
        'executing',
        'succeeded',
        'failed',
        'unknown',
        'rejected',
        'expired',
        'withdrawn',
        'drifted',
        'refused',
      ],
    },
    example: 'max by (state) (purser_changes)',
  },
  changeOldest: {
    type: 'gauge',
    name: 'purser_change_oldest_seconds',
    help: 'In Redis: how long the oldest change has been in an open state; 0 without one',
    labels: { state: ['pending', 'approved', 'executing'] },
    example: 'max by (state) (purser_change_oldest_seconds)',
  },
  auditLines: {
    type: 'counter',
    name: 'purser_audit_lines_total',
    help: 'Lines that were added to the audit',
    labels: {},
    example: 'sum(increase(purser_audit_lines_total[1d]))',
  },
  queueJobs: {
    type: 'gauge',
    name: 'purser_queue_jobs',
    help: 'In Redis: jobs by queue and state; failed ones are kept for 7 days',
    labels: { queue: QUEUES, state: ['waiting', 'active', 'delayed', 'failed'] },
    example: 'max by (queue) (purser_queue_jobs{state="waiting"})',
  },
  jobs: {
    type: 'counter',
    name: 'purser_jobs_total',
    help: 'Jobs that ended, by queue and result',
    labels: { queue: QUEUES, result: ['done', 'failed'] },
    example: 'sum by (queue) (rate(purser_jobs_total{result="failed"}[5m]))',
  },
  heartbeatAge: {
    type: 'gauge',
    name: 'purser_worker_heartbeat_age_seconds',
    help: 'In Redis: since the last sign of life of any worker, every 5 seconds; without one, since the start of this process',
    labels: {},
    example: 'max(purser_worker_heartbeat_age_seconds)',
  },
  redisUp: {
    type: 'gauge',
    name: 'purser_redis_up',
    help: '1 while Redis answers. At 0 the metrics "in Redis" keep their last values',
    labels: {},
    example: 'min by (instance) (purser_redis_up)',
  },
  redisMemory: {
    type: 'gauge',
    name: 'purser_redis_memory_ratio',
    help: 'Used memory of Redis as a part of its maxmemory, of a cluster the highest; 0 without maxmemory',
    labels: {},
    example: 'max(purser_redis_memory_ratio)',
  },
  logDropped: {
    type: 'counter',
    name: 'purser_log_dropped_total',
    help: 'Lines of the log that were dropped because its collector did not read them in time',
    labels: {},
    example: 'sum(increase(purser_log_dropped_total[10m]))',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** Those of this thread. The thread that is scraped adds up those of all. */
export const { record, values: metricValues } = createMetrics(METRICS);
