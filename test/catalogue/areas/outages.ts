import { downContent, moreContent } from '../../../src/rollouts/outages/outage-view.ts';
import { MINUTE, NOW, post, reply } from '../entry.ts';
import type { Area } from '../entry.ts';

export const outages: Area = {
  id: 'outages',
  title: 'The platform does not answer',
  entries: [
    post('outage-platform-down', 'Three polls in a row failed, for all GVCs.', () =>
      downContent({
        kind: 'platform',
        org: 'acme',
        down: ['acme/shop', 'acme/data'],
        since: NOW - 3 * MINUTE,
        reason: 'unavailable',
        status: 503,
      }),
    ),
    reply('outage-more', 'More GVCs fail than one message can stand for.', () =>
      moreContent(['acme/lab', 'acme/edge']),
    ),
  ],
};
