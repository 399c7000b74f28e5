import type { Rule } from './rule.ts';

const ALERT = 'contract/platform/alert.test.ts';
const LIMITS = 'contract/platform/limits.test.ts';
const STAND_IN_ROLLOUTS = 'contract/sandbox-platform/rollouts.test.ts';
const EXPLAIN = 'unit/rollouts/explain.test.ts';
const STAND_IN_REPORTS = 'contract/sandbox-platform/reports.test.ts';
const CLASSIFY = 'unit/rollouts/classify.test.ts';
const STAND_IN_CRON = 'contract/sandbox-platform/cron.test.ts';

/** Spec 3: states and transitions, and how a rollout is read. */
export const SECTION_3: readonly Rule[] = [
  {
    id: '3/alert/fires',
    says: 'an armed alert fires when the charges of the current UTC month reach the amount',
    test: [
      ALERT,
      'charges of this UTC month that reach the amount fire it once and mail every billing admin',
    ],
  },
  {
    id: '3/alert/interval',
    says: 'the charges are checked every 10 minutes',
    test: [LIMITS, 'the charges of the month are checked every ten minutes'],
  },
  {
    id: '3/alert/only-enabled',
    says: 'an alert that is not enabled does not fire',
    test: [ALERT, 'an alert that nobody switched on is off, and one that is off never fires'],
  },
  {
    id: '3/alert/fired-fields',
    says: 'when it fires, lastTriggered and alertedTimes appear',
    test: [ALERT, 'an alert that has fired says when and how often; one that has not says neither'],
  },
  {
    id: '3/alert/quiet',
    says: 'a fired alert is quiet until the next month',
    test: [ALERT, 'a fired alert is quiet until the month ends, and armed again in the next'],
  },
  {
    id: '3/alert/put-rearms',
    says: 'a PUT arms a fired alert again and replaces amount and enabled',
    test: [ALERT, 'a change of any kind arms a fired alert again'],
  },
  {
    id: '3/alert/month-rearms',
    says: 'a new calendar month arms a fired alert again',
    test: [ALERT, 'a fired alert is quiet until the month ends, and armed again in the next'],
  },
  {
    id: '3/deployment/applied',
    says: 'deploying turns true when the expected version is applied',
    test: [
      STAND_IN_ROLLOUTS,
      'expected first, then applied, replicas batch by batch, DNS, ready; one location',
    ],
  },
  {
    id: '3/deployment/ready',
    says: 'when it is fully ready, deploying is false and ready true',
    test: [
      STAND_IN_ROLLOUTS,
      'expected first, then applied, replicas batch by batch, DNS, ready; one location',
    ],
  },
  {
    id: '3/deployment/fails',
    says: 'when the rollout fails, deploying and ready are false',
    test: [
      STAND_IN_ROLLOUTS,
      '%s: deploying falls without ready, and the previous version keeps serving',
    ],
  },
  {
    id: '3/deployment/why',
    says: 'why it failed stands in the message, the containers’ messages and the restarts',
    test: [EXPLAIN, 'the version first, then its containers, then restarts, then the status'],
  },
  {
    id: '3/deployment/suspended',
    says: 'a location that is switched off is not ready, with a message that says so',
    test: [STAND_IN_REPORTS, 'the seed has one location of one workload suspended, and says so'],
  },
  {
    id: '3/deployment/suspended-is-no-failure',
    says: 'a suspended location is an expected state, not a failure',
    test: [CLASSIFY, 'a message of deactivated and suspend, in any case, is suspended'],
  },
  {
    id: '3/deployment/stale',
    says: 'a report overdue by more than 45 minutes overwrites the message',
    test: [STAND_IN_REPORTS, '45 minutes are late, more than 45 are stale; the last report stays'],
  },
  {
    id: '3/deployment/stale-exempt',
    says: 'suspended locations do not become stale',
    test: [STAND_IN_REPORTS, 'a suspended location is exempt'],
  },
  {
    id: '3/deployment/stale-is-no-failure',
    says: 'Status details are stale is a state of its own',
    test: [CLASSIFY, 'stale is its own state and no failure, ready or not'],
  },
  {
    id: '3/deployment/dropped',
    says: 'a record untouched for 24 hours is dropped from the listing',
    test: [
      STAND_IN_REPORTS,
      'a record that nothing touched for 24 hours is dropped, and returns with the next report',
    ],
  },
  {
    id: '3/job/active',
    says: 'a run that starts goes from pending to active, with a startTime',
    test: [STAND_IN_CRON, 'a nightly run is due without a status, then active, then successful'],
  },
  {
    id: '3/job/removed',
    says: 'an unfinished run that is deleted is removed',
    test: [STAND_IN_CRON, 'the next run removes one that is not finished'],
  },
  {
    id: '3/workload/suspend',
    says: 'suspend true stops serving, like min and max scale 0',
    test: [
      STAND_IN_REPORTS,
      'it stops at once, holds new versions back, and resumes with the newest',
    ],
  },
  {
    id: '3/workload/resume',
    says: 'suspend false resumes serving',
    test: [
      STAND_IN_REPORTS,
      'it stops at once, holds new versions back, and resumes with the newest',
    ],
  },
  {
    id: '3/token/ends',
    says: 'a deleted or expired token is no longer valid, at most 5 minutes later',
    test: [
      LIMITS,
      'roles, permissions, removed and expired tokens count after five minutes at the latest: %s',
    ],
  },
  {
    id: '3/reading/converged',
    says: 'both versions equal and ready true: converged and serving',
    test: [CLASSIFY, 'ready is ready, with or without versions, even with a message'],
  },
  {
    id: '3/reading/not-yet',
    says: 'processed below expected: the change has not reached the location',
    test: [CLASSIFY, 'a change that has not been applied is pending'],
  },
  {
    id: '3/reading/in-progress',
    says: 'deploying true: the rollout is in progress',
    test: [CLASSIFY, 'deploying is deploying, whether or not something is ready'],
  },
  {
    id: '3/reading/stopped',
    says: 'deploying false and ready false: the rollout stopped without success',
    test: [CLASSIFY, 'not ready is failed when this rollout was never ready here'],
  },
  {
    id: '3/reading/diverged',
    says: 'processed above expected: the location does not converge',
    test: [CLASSIFY, 'processed above expected is diverged'],
  },
  {
    id: '3/reading/diverged-suspended',
    says: 'as with a suspended location, which is suspended first',
    test: [CLASSIFY, 'suspended comes before diverged and pending'],
  },
];
