import type { CommandHelp } from '../../slack/routes.ts';

export const CHANGES_HELP: CommandHelp = {
  command: '/changes',
  summary: 'Requests for changes: what waits for a decision, who decided, and what came of it.',
  usages: [
    {
      text: '/changes',
      does: 'lists the open requests; its menus show yours or everybody’s, and those of one state or kind',
    },
    {
      text: '/changes show ID',
      does: 'shows one request: what changes, who asked, who decided, and what happened; its ID is on its card',
    },
  ],
  examples: ['/changes', '/changes show k3m9x2ab'],
};
