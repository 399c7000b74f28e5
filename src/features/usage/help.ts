import type { CommandHelp } from '../../slack/routes.ts';

export const USAGE_HELP: CommandHelp = {
  command: '/usage',
  summary: 'What is used: quantities in units people read, without prices.',
  usages: [
    {
      text: '/usage [RANGE] [by TAG,…] [of METRIC,…] [item NAME,…] [where TAG=VALUE …] [org NAME,…] [step hour|day|week|month]',
      does: 'quantities by workload and metric; with a step, over time',
    },
    {
      text: '/usage tags TAG [RANGE] [of METRIC,…] [where TAG=VALUE …] [org NAME,…]',
      does: 'the values that a tag has',
    },
  ],
  notes: [
    'RANGE: today, this month, last month, last 7 days, 2026-10, 2026-10-05 or 2026-10-01..2026-10-15',
    'TAG: org, gvc, workload, location and others; METRIC: cpu, memory, egress and others',
    'item NAME: only what is charged as that chargeable item, which /charges items lists',
  ],
  examples: [
    '/usage',
    '/usage last month by gvc of cpu,memory',
    '/usage last 7 days where gvc=shop step day',
    '/usage tags workload last month',
  ],
};
