import { z } from 'zod';
import { Refusal } from '../../lib/errors.ts';
import { readPlaceValue, resolveOrg } from '../../platform/deployments/target.ts';
import type { Feature, Services } from '../../services.ts';
import { helpAnswer } from '../../slack/replies/help-view.ts';
import { readQuestion } from '../../slack/replies/shelf.ts';
import { commandRoute, type ActionRoute, type QuestionRoute } from '../../slack/routing/routes.ts';
import type { NameServices } from '../watched.ts';
import { ADDRESSES_ROUTE, PROBE_ACTION, showAddresses } from './addresses.ts';
import { createCheckForm } from './check.ts';
import { envAnswer, tagsAnswer } from './lookups.ts';
import { parseWorkload, WORKLOAD_HELP, type WorkloadCommand } from './parse.ts';
import { PLAN_ROUTE, planAnswer } from './plan.ts';
import { createProbe } from './probe.ts';

type WorkloadServices = NameServices &
  Pick<Services, 'bareHttp' | 'access' | 'readFile' | 'reports'>;

type Read = Exclude<WorkloadCommand, { kind: 'check' }>;
type Probe = ReturnType<typeof createProbe>;

/** `/workload`: addresses, variables, tags, plans, probes and checks (spec 2.13 to 2.16, 4.4). */
export function createWorkloadFeature(services: WorkloadServices): Feature {
  const form = createCheckForm(services);
  const probe = createProbe(services);
  return {
    name: 'workload',
    forms: [form],
    actions: [probeRoute(services, probe)],
    questions: createQuestions(services),
    commands: [
      commandRoute<Read>({
        help: WORKLOAD_HELP,
        parse(words) {
          const command = parseWorkload(words);
          return command.kind === 'check' ? { form, value: '' } : { command };
        },
        async run(command, { person }) {
          if (command.kind === 'help') return helpAnswer(WORKLOAD_HELP);
          await services.access.requireOrgAccess(person);
          const { brand } = services.config;
          switch (command.kind) {
            case 'env':
              return envAnswer({ brand, word: command.word });
            case 'tags':
              return tagsAnswer({ brand, word: command.word });
            case 'plan':
              return planAnswer(command.options);
            case 'addresses':
            case 'probe': {
              const org = resolveOrg(command.org, services.orgs, `/workload ${command.kind}`);
              await services.access.requireOrgAccess(person, org);
              return command.kind === 'probe'
                ? probe(org, command.target)
                : showAddresses(services, org, command);
            }
          }
        },
      }),
    ],
  };
}

const AddressesQuestion = z.object({
  org: z.string(),
  target: z.object({ gvc: z.string(), workload: z.string() }),
  replicas: z.number().optional(),
  port: z.number().optional(),
});
const Amount = z.object({ value: z.number(), percent: z.boolean() }).optional();
const PlanQuestion = z.object({
  replicas: z.number(),
  maxSurge: Amount,
  maxUnavailable: Amount,
  minReadySeconds: z.number().optional(),
  policy: z.enum(['OrderedReady', 'Parallel']).optional(),
});

/** Other pages of replicas and of batches. */
function createQuestions(services: WorkloadServices): readonly QuestionRoute[] {
  return [
    {
      name: ADDRESSES_ROUTE,
      async ask({ person }, question, page) {
        const { org, replicas, port, target } = readQuestion(AddressesQuestion, question);
        await services.access.requireOrgAccess(person, org);
        return showAddresses(services, org, { target, replicas, port }, page);
      },
    },
    {
      name: PLAN_ROUTE,
      async ask({ person }, question, page) {
        const options = readQuestion(PlanQuestion, question);
        await services.access.requireOrgAccess(person);
        return planAnswer(options, page);
      },
    },
  ];
}

function probeRoute(services: WorkloadServices, probe: Probe): ActionRoute {
  return {
    actionId: PROBE_ACTION,
    async run({ person, value }) {
      await services.access.requireOrgAccess(person);
      const { org, target } = readPlaceValue(value, services.orgs);
      await services.access.requireOrgAccess(person, org);
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
