import { Refusal } from '../../lib/refusal.ts';
import type { ActionRoute, Answer, ModalRoute, Person } from '../../slack/routes.ts';
import { executionsModal, RUNS_TITLE } from './executions-modal.ts';
import { executionsAnswer, JOBS_ACTION, RUNS_ACTION } from './executions-view.ts';
import type { ExecutionsView } from './executions-view.ts';
import { readPartValue, settleOrg } from './place.ts';
import type { Orgs, Part } from './place.ts';
import { readDetailed } from './read.ts';
import type { ReadDeps } from './read.ts';

interface ExecutionsDeps extends ReadDeps {
  orgs: Orgs;
  requireOrgAccess: (person: Person) => Promise<void>;
}

/** `/deployments jobs`: the runs of a cron workload. @throws as `readDetailed` */
export async function executions(
  deps: ExecutionsDeps,
  command: { org: string | undefined; target: ExecutionsView['target'] },
): Promise<Answer> {
  const org = settleOrg(command.org, deps.orgs);
  return executionsAnswer(await read(deps, { org, target: command.target, page: 1, adHoc: false }));
}

/** Another page of that answer, or the same with the runs of ad-hoc commands, in its place. */
export function createJobsTurn(deps: ExecutionsDeps): ActionRoute {
  return {
    actionId: JOBS_ACTION,
    inPlace: true,
    async run({ person, value }) {
      await deps.requireOrgAccess(person);
      return executionsAnswer(await read(deps, readAsked(value, deps.orgs)));
    },
  };
}

/** What stands behind "Runs": a modal with each of them in full. */
export function createRuns(deps: ExecutionsDeps): ModalRoute {
  return {
    actionId: RUNS_ACTION,
    title: RUNS_TITLE,
    async load({ person, value }) {
      await deps.requireOrgAccess(person);
      return executionsModal(await read(deps, readAsked(value, deps.orgs)));
    },
  };
}

/** What is asked for of the runs of a workload. */
type Asked = Pick<ExecutionsView, 'org' | 'target' | keyof Part>;

/** @throws Refusal */
function readAsked(value: string | undefined, orgs: Orgs): Asked {
  const asked = readPartValue(value, orgs);
  const { workload } = asked.target;
  if (workload === undefined) {
    throw new Refusal(
      'This button names no workload: type the command instead, /deployments jobs GVC/WORKLOAD.',
    );
  }
  return { ...asked, target: { ...asked.target, workload } };
}

async function read(deps: ExecutionsDeps, asked: Asked): Promise<ExecutionsView> {
  const { entries, skipped } = await readDetailed(deps, asked.org, asked.target);
  const locations = entries.map(
    ({ deployment: { location, hasStatus, jobExecutions }, status }) => ({
      location,
      isReported: hasStatus,
      // A cron workload that has run once stays one, and one that is new has an empty list.
      isCron: status.state === 'cron' || jobExecutions?.length === 0,
      executions: jobExecutions ?? [],
    }),
  );
  return {
    ...asked,
    defaultOrg: deps.orgs.fallback,
    locations,
    skipped,
    now: deps.clock.now(),
  };
}
