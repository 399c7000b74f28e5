import type { Rule } from './rule.ts';

const ROLLOUTS = 'contract/platform/deployment-rollouts.test.ts';
const REPORTS = 'contract/platform/deployment-reports.test.ts';
const JOBS = 'contract/platform/deployment-jobs.test.ts';
const ALERT = 'contract/platform/alert.test.ts';
const LIMITS = 'contract/platform/limits.test.ts';
const CRON = 'contract/sandbox-platform/cron.test.ts';

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
    test: [ROLLOUTS, 'is expected, then applied and deploying until all is up, DNS included'],
  },
  {
    id: '3/deployment/ready',
    says: 'when it is fully ready, deploying is false and ready true',
    test: [ROLLOUTS, 'is expected, then applied and deploying until all is up, DNS included'],
  },
  {
    id: '3/deployment/fails',
    says: 'when the rollout fails, deploying and ready are false',
    test: [ROLLOUTS, 'by %s stops deploying, says why, and leaves the old one serving'],
  },
  {
    id: '3/deployment/why',
    says: 'why it failed stands in the message, the containers’ messages and the restarts',
    test: [ROLLOUTS, 'by %s stops deploying, says why, and leaves the old one serving'],
  },
  {
    id: '3/deployment/suspended',
    says: 'a location that is switched off is not ready, with a message that says so',
    test: [REPORTS, 'is not ready, and says that suspend is set to true'],
  },
  {
    id: '3/deployment/suspended-is-no-failure',
    says: 'a suspended location is an expected state, not a failure',
    test: [REPORTS, 'is as it should be, not failed'],
  },
  {
    id: '3/deployment/stale',
    says: 'a report overdue by more than 45 minutes overwrites the message',
    test: [REPORTS, 'by 45 minutes is late, by more is stale; all but the message stays as it was'],
  },
  {
    id: '3/deployment/stale-exempt',
    says: 'suspended locations do not become stale',
    test: [REPORTS, 'of a suspended location is not stale'],
  },
  {
    id: '3/deployment/stale-is-no-failure',
    says: 'Status details are stale is a state of its own',
    test: [REPORTS, 'is stale, which is a state of its own and no failure'],
  },
  {
    id: '3/deployment/dropped',
    says: 'a record untouched for 24 hours is dropped from the listing',
    test: [REPORTS, 'for 24 hours drops the record from the lists, until the next report'],
  },
  {
    id: '3/job/active',
    says: 'a run that starts goes from pending to active, with a startTime',
    test: [JOBS, 'is pending when it is due, active from its start, and successful in the end'],
  },
  {
    id: '3/job/removed',
    says: 'an unfinished run is removed when the next is due and job.concurrencyPolicy is Replace',
    test: [JOBS, 'still %s is removed when the next one is due'],
  },
  {
    id: '3/job/deadline',
    says: 'a run that is not finished when job.activeDeadlineSeconds have elapsed is removed',
    test: [CRON, 'an execution that runs longer than its deadline is removed'],
  },
  {
    id: '3/workload/suspend',
    says: 'suspend true stops serving, like min and max scale 0',
    test: [REPORTS, 'stops at once in every location, as if scaled to nothing'],
  },
  {
    id: '3/workload/resume',
    says: 'suspend false resumes serving',
    test: [REPORTS, 'resumes with the newest version when suspend is set to false'],
  },
  {
    id: '3/token/ends',
    says: 'a deleted or expired token is no longer valid, at most 5 minutes later',
    test: [
      LIMITS,
      'what was found out about a caller holds for five minutes, and then the change counts: %s',
    ],
  },
  {
    id: '3/reading/converged',
    says: 'both versions equal and ready true: converged and serving',
    test: [ROLLOUTS, 'converged and serving: both versions equal, and ready'],
  },
  {
    id: '3/reading/not-yet',
    says: 'processed below expected: the change has not reached the location',
    test: [ROLLOUTS, 'not here yet: processed below expected'],
  },
  {
    id: '3/reading/in-progress',
    says: 'deploying true: the rollout is in progress',
    test: [ROLLOUTS, 'in progress: deploying'],
  },
  {
    id: '3/reading/stopped',
    says: 'deploying false and ready false: the rollout stopped without success',
    test: [ROLLOUTS, 'stopped without success: neither deploying nor ready'],
  },
  {
    id: '3/reading/diverged',
    says: 'processed above expected: the location does not converge',
    test: [ROLLOUTS, 'not converging: processed above expected'],
  },
  {
    id: '3/reading/diverged-suspended',
    says: 'as with a suspended location, which is suspended first',
    test: [ROLLOUTS, 'a suspended location that does not converge is suspended, not failed'],
  },
];
