import type { CommandHelp } from '../../slack/routes.ts';

export const WORKLOAD_HELP: CommandHelp = {
  command: '/workload',
  summary: 'Addresses, variables and tags of workloads, rollout plans, and a check of manifests.',
  usages: [
    {
      text: '/workload addresses GVC/WORKLOAD [replicas=N] [port=N] [org NAME]',
      does: 'every address of a workload, and when to use it',
    },
    {
      text: '/workload env [WORD]',
      does: 'the variables that every container finds; with a word, what has it in its name or description',
    },
    {
      text: '/workload tags [WORD]',
      does: 'the special tags, their values and defaults; with a word, what has it in its name or description',
    },
    {
      text: '/workload check',
      does: 'a form for a manifest, in YAML or JSON: what is wrong in it, and how to mend it',
    },
    {
      text: '/workload plan replicas=N [maxSurge=N or N%] [maxUnavailable=N or N%] [minReady=SECONDS] [policy=NAME]',
      does: 'the batches of a rollout, its shortest duration and its lowest capacity; NAME is OrderedReady or Parallel',
    },
    {
      text: '/workload probe GVC/WORKLOAD [org NAME]',
      does: 'asks the workload which locations and replicas answer; its debug option has to be on',
    },
  ],
  examples: [
    '/workload addresses shop/cart',
    '/workload plan replicas=4 maxSurge=50% minReady=30',
    '/workload tags rateLimit',
    '/workload check',
  ],
};
