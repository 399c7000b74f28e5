import { Refusal } from '../../lib/refusal.ts';
import type { Answer, ModalRoute, Person } from '../../slack/routes.ts';
import { executionsModal, RUNS_TITLE } from './executions-modal.ts';
import { executionsAnswer, RUNS_ACTION } from './executions-view.ts';
import type { ExecutionsView } from './executions-view.ts';
import { readPlaceValue, settleOrg } from './place.ts';
import type { Orgs } from './place.ts';
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
  return executionsAnswer(await read(deps, settleOrg(command.org, deps.orgs), command.target));
}

/** What stands behind "Runs": a modal with each of them in full. */
export function createRuns(deps: ExecutionsDeps): ModalRoute {
  return {
    actionId: RUNS_ACTION,
    title: RUNS_TITLE,
    async load({ person, value }) {
      await deps.requireOrgAccess(person);
      const { org, target } = readPlaceValue(value, deps.orgs);
      const { workload } = target;
      if (workload === undefined) {
        throw new Refusal(
          'This button names no workload: type the command instead, /deployments jobs GVC/WORKLOAD.',
        );
      }
      return executionsModal(await read(deps, org, { ...target, workload }));
    },
  };
}

async function read(
  deps: ExecutionsDeps,
  org: string,
  target: ExecutionsView['target'],
): Promise<ExecutionsView> {
  const { entries, skipped } = await readDetailed(deps, org, target);
  const locations = entries.map(({ deployment, status: { state } }) => ({
    location: deployment.location,
    isReported: deployment.hasStatus,
    // A cron workload that has run once stays one, also while no run is reported.
    executions: deployment.jobExecutions ?? (state === 'cron' ? [] : undefined),
  }));
  return { org, target, locations, skipped, now: deps.clock.now() };
}
