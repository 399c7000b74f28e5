import { Refusal } from '../../lib/refusal.ts';
import type { Unreadable } from '../../lib/refusal.ts';
import type { BareHttp } from '../../platform/bare-http.ts';
import type { DeploymentsClient } from '../../platform/deployments/client.ts';
import type { Brand } from '../../platform/workload/brand.ts';
import { planRollout } from '../../platform/workload/plan.ts';
import { helpAnswer, unreadableAnswer } from '../../slack/help-view.ts';
import type { ReadFile } from '../../slack/read-file.ts';
import type { ActionRoute, Answer, Person } from '../../slack/routes.ts';
import { readPlaceValue, settleOrg } from '../deployments/place.ts';
import type { Orgs } from '../deployments/place.ts';
import type { Feature } from '../feature.ts';
import { showAddresses } from './addresses.ts';
import { PROBE_ACTION } from './addresses-view.ts';
import { createCheckForm } from './check-form.ts';
import type { CheckFormDeps } from './check-form.ts';
import { envAnswer } from './env-view.ts';
import { WORKLOAD_HELP } from './help.ts';
import { parseWorkload, readingIn } from './parse.ts';
import type { WorkloadCommand } from './parse.ts';
import { planAnswer } from './plan-view.ts';
import { createProbe } from './probe.ts';
import { tagsAnswer } from './tags-view.ts';

export interface WorkloadFeatureDeps {
  client: DeploymentsClient;
  bare: BareHttp;
  brand: Brand;
  orgs: Orgs;
  /** Whether a person may read what needs org permissions. @throws Refusal */
  requireOrgAccess: (person: Person) => Promise<void>;
  readFile: ReadFile;
  check: CheckFormDeps['check'];
  /** Aborted when the process is asked to stop: calls that run end then. */
  stopping: AbortSignal;
}

type Probe = ReturnType<typeof createProbe>;

/** `/workload`: what is known of workloads, and what can be worked out (spec 2.13 to 2.16, 4.4). */
export function createWorkloadFeature(deps: WorkloadFeatureDeps): Feature {
  const form = createCheckForm(deps);
  const probe = createProbe(deps);
  return {
    name: 'workload',
    forms: [form],
    actions: [probeRoute(deps, probe)],
    commands: [
      {
        help: WORKLOAD_HELP,
        opens: (words) => (parseWorkload(words).kind === 'check' ? { form, value: '' } : undefined),
        async run({ words, person }) {
          const command = parseWorkload(words);
          if (command.kind === 'help') return helpOn(command.slip);
          await deps.requireOrgAccess(person);
          return answerTo(deps, probe, command);
        },
      },
    ],
  };
}

function helpOn(slip: Unreadable | undefined): Answer {
  return slip === undefined ? helpAnswer(WORKLOAD_HELP) : unreadableAnswer(WORKLOAD_HELP, slip);
}

async function answerTo(
  deps: WorkloadFeatureDeps,
  probe: Probe,
  command: Exclude<WorkloadCommand, { kind: 'help' }>,
): Promise<Answer> {
  const { brand, orgs } = deps;
  switch (command.kind) {
    case 'addresses':
      return showAddresses(deps, orgOf(command, orgs), command);
    case 'env':
      return envAnswer({ brand, word: command.word });
    case 'tags':
      return tagsAnswer({ brand, word: command.word });
    case 'check':
      throw new Error('These words open a form');
    case 'plan': {
      const { options } = command;
      return planAnswer({ options, plan: planRollout(options) });
    }
    case 'probe':
      return probe(orgOf(command, orgs), command.target);
  }
}

/** @throws Unreadable, Refusal */
function orgOf(
  { kind, org }: Extract<WorkloadCommand, { kind: 'addresses' | 'probe' }>,
  orgs: Orgs,
): string {
  return readingIn(kind, () => settleOrg(org, orgs));
}

/** The button below addresses does what `/workload probe` does. */
function probeRoute(deps: WorkloadFeatureDeps, probe: Probe): ActionRoute {
  return {
    actionId: PROBE_ACTION,
    async run({ person, value }) {
      await deps.requireOrgAccess(person);
      const { org, target } = readPlaceValue(value, deps.orgs);
      const { gvc, workload } = target;
      if (workload === undefined) {
        throw new Refusal(
          'This button names no workload: type /workload probe GVC/WORKLOAD instead.',
        );
      }
      return probe(org, { gvc, workload });
    },
  };
}
