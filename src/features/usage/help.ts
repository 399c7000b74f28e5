import type { CommandHelp } from '../../slack/routes.ts';

export const USAGE_HELP: CommandHelp = {
  command: '/usage',
  summary: 'What is used: quantities in units people read, without prices.',
  usages: [
    {
      text: '/usage [RANGE] [by TAG,…] [of METRIC,…] [where TAG=VALUE …] [org NAME,…] [step hour|day|week|month]',
      does: 'quantities by workload and metric; with a step, over time',
    },
    {
      text: '/usage tags TAG [RANGE] [of METRIC,…] [where TAG=VALUE …] [org NAME,…]',
      does: 'the values that a tag has',
    },
  ],
  examples: [
    '/usage',
    '/usage last month by gvc of cpu,memory',
    '/usage "last 7 days" where gvc=shop step day',
    '/usage tags workload last month',
  ],
};
