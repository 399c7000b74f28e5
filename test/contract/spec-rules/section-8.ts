import type { Rule } from './rule.ts';

const REPORTS = 'contract/platform/deployment-reports.test.ts';
const JOBS = 'contract/platform/deployment-jobs.test.ts';
const ALERT = 'contract/platform/alert.test.ts';
const LIMITS = 'contract/platform/limits.test.ts';
const USAGE_TIMES = 'contract/platform/usage-times.test.ts';
const CHARGES = 'contract/platform/charges.test.ts';
const PAGING = 'contract/platform/paging.test.ts';
const OPTIONS = 'unit/platform/workload/check-options.test.ts';
const TAGS = 'unit/platform/workload/check-tags.test.ts';
const RETRIES = 'contract/platform/retries.test.ts';

/** Spec 8: limits. */
export const SECTION_8: readonly Rule[] = [
  {
    id: '8/alert',
    says: 'one alert per account',
    test: [ALERT, 'a second alert is a conflict'],
  },
  {
    id: '8/alert-interval',
    says: 'the alert is checked every 10 minutes',
    test: [LIMITS, 'the charges of the month are checked every ten minutes'],
  },
  {
    id: '8/authorization-cache',
    says: 'roles, revocation, expiry and readMetrics are cached for up to 5 minutes',
    test: [
      LIMITS,
      'what was found out about a caller holds for five minutes, and then the change counts: %s',
    ],
  },
  {
    id: '8/deliveries',
    says: 'the latest 500 deliveries are returned',
    test: [LIMITS, 'of more than 500 deliveries the latest 500 come'],
  },
  {
    id: '8/retention-steps',
    says: 'hour, day and week are kept for the 12 whole months before the current one',
    test: [
      USAGE_TIMES,
      'hours, days and weeks are kept for twelve whole months before this one, months for ever: %s',
    ],
  },
  {
    id: '8/retention-month',
    says: 'month resolution is kept indefinitely',
    test: [
      USAGE_TIMES,
      'hours, days and weeks are kept for twelve whole months before this one, months for ever: %s',
    ],
  },
  {
    id: '8/revision',
    says: 'provider-priced usage is revised for up to about 48 hours',
    test: [LIMITS, 'what the provider bills is revised within 48 hours and stays after that'],
  },
  {
    id: '8/charge-times',
    says: 'charge queries have times on the hour',
    test: [CHARGES, 'a charge query with %s is refused before it is sent'],
  },
  {
    id: '8/stale',
    says: 'a deployment report is stale after 45 minutes overdue',
    test: [REPORTS, 'by 45 minutes is late, by more is stale; all but the message stays as it was'],
  },
  {
    id: '8/dropped',
    says: 'a deployment record is dropped after 24 hours untouched',
    test: [REPORTS, 'for 24 hours drops the record from the lists, until the next report'],
  },
  {
    id: '8/cron-history',
    says: 'the history of cron runs is capped at job.historyLimit',
    test: [JOBS, 'drops the oldest for a new one, and is never longer than the limit'],
  },
  {
    id: '8/rate-limits',
    says: 'rate limits are not shown: 429 with any Retry-After is waited for',
    test: [RETRIES, 'Retry-After in seconds is the pause'],
  },
  {
    id: '8/pages',
    says: 'pages of lists are not shown: however long they are, the next link is followed to the end',
    test: [PAGING, 'a next link that is %s leads to the second page'],
  },
  {
    id: '8/workload/timeout',
    says: 'spec.defaultOptions.timeoutSeconds is 1 to 600 seconds',
    test: [
      OPTIONS,
      'timeoutSeconds is a whole number from 1 to 600, and the fix for more is the tag',
    ],
  },
  {
    id: '8/workload/timeout-override',
    says: 'svc/timeoutSecondsOverride is up to 3600 seconds',
    test: [
      TAGS,
      'of longer requests take up to 3600 seconds, and are not for what the option takes',
    ],
  },
  {
    id: '8/workload/storage',
    says: 'ephemeral storage is at least 1 GB per replica, 1 GB per core above one core',
    test: [TAGS, 'is 1 GB for each core above one, of all containers together'],
  },
  {
    id: '8/workload/storage-exceeded',
    says: 'a replica that exceeds its ephemeral storage is replaced',
    test: [
      TAGS,
      'that is exceeded has the replica replaced, so more than the allowance is a warning',
    ],
  },
  {
    id: '8/workload/retries',
    says: 'retry attempts are 2 by default',
    test: [OPTIONS, 'attempts are 2 by default'],
  },
];
