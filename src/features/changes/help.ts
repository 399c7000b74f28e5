import type { CommandHelp } from '../../slack/routes.ts';

export const CHANGES_HELP: CommandHelp = {
  command: '/changes',
  summary: 'Requests for changes: what waits for a decision, who decided, and what came of it.',
  usages: [
    {
      text: '/changes',
      does: 'the requests that are open; menus show yours, all of them, or those of one state or kind',
    },
    {
      text: '/changes show ID',
      does: 'all of one request: before and after, who asked, who decided, what happened; its ID is on the card',
    },
  ],
  examples: ['/changes', '/changes show k3m9x2ab'],
};
