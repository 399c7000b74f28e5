import type { CommandHelp } from '../../slack/routes.ts';

export const DEPLOYMENTS_HELP: CommandHelp = {
  command: '/deployments',
  summary: 'Is it deployed? Status by workload and location, and watches that tell a channel.',
  usages: [
    {
      text: '/deployments GVC[/WORKLOAD[/LOCATION]] [org NAME]',
      does: 'state, version, replicas, restarts, and what is wrong',
    },
    {
      text: '/deployments watch GVC[/WORKLOAD] [org NAME] [in #channel] [only ready,failed,…] [quiet]',
      does: 'posts a card for each rollout, and how it ends',
    },
    {
      text: '/deployments unwatch [GVC[/WORKLOAD]] [org NAME] [in #channel]',
      does: 'ends watches of this channel, or of the named one',
    },
    {
      text: '/deployments watches [in #channel]',
      does: 'what the channel watches, and how that goes',
    },
  ],
  examples: ['/deployments shop', '/deployments shop/cart', '/deployments watch shop only failed'],
};
