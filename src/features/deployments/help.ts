import { OUTCOMES } from '../../config/watches.ts';
import type { CommandHelp } from '../../slack/routing/routes.ts';

export const DEPLOYMENTS_HELP: CommandHelp = {
  command: '/deployments',
  summary: 'Is it deployed? Status by workload and location, and watches that tell a channel.',
  usages: [
    { text: '/deployments [org NAME]', does: 'what is not green now, of all that is watched' },
    {
      text: '/deployments GVC[/WORKLOAD[/LOCATION]] [org NAME]',
      does: 'state, version, replicas, restarts, and what is wrong',
    },
    {
      text: '/deployments watch GVC[/WORKLOAD] [org NAME] [in #channel] [only failed,unhealthy] [quiet]',
      does: 'posts a card for each rollout, and how it ends; with only, nothing until one of the named outcomes comes; with quiet, outcomes stay in the card’s thread',
    },
    {
      text: '/deployments unwatch [GVC[/WORKLOAD]] [org NAME] [in #channel]',
      does: 'ends watches of this channel, or of the named one',
    },
    {
      text: '/deployments watches [in #channel]',
      does: 'what the channel watches, and how that goes',
    },
    {
      text: '/deployments mute 30m|8h|2d [GVC[/WORKLOAD]] [org NAME] [in #channel]',
      does: 'holds news back for a while and tells them afterwards; without a name, all of this channel',
    },
    {
      text: '/deployments mute off [GVC[/WORKLOAD]] [org NAME] [in #channel]',
      does: 'ends a mute; without "off", and with nothing else, what is muted here',
    },
    {
      text: '/deployments jobs GVC/WORKLOAD[/LOCATION] [org NAME]',
      does: 'the runs of a cron workload, newest first',
    },
  ],
  notes: [`only: ${OUTCOMES.join(', ')}`],
  examples: [
    '/deployments shop/cart',
    '/deployments shop',
    '/deployments watch shop only failed',
    '/deployments mute 8h shop/cart',
    '/deployments jobs data/etl',
  ],
};
