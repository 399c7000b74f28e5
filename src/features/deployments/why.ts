import { orgRight } from '../../access/policy.ts';
import { Refusal } from '../../lib/errors.ts';
import { readPlaceValue, type Orgs, type Target } from '../../platform/deployments/target.ts';
import type { Services } from '../../services.ts';
import type { SlackRoutes } from '../../slack/routing/routes.ts';
import { detailsOf, type StatusServices } from './status.ts';

type WhyServices = StatusServices & Pick<Services, 'sender'>;

/** "@Purser why" in the thread of a card or an outcome: what its Details show. */
export function createWhy(services: WhyServices): SlackRoutes['why'] {
  return async ({ person, channelId, threadTs }) => {
    if (threadTs === undefined) return undefined;
    // Of the bot's posts in the thread, its first message first.
    const seen = await services.sender.read(channelId, Number(threadTs) * 1_000, threadTs);
    if (seen.kind !== 'read') {
      throw new Refusal(
        'Purser cannot read this thread: press Details on the card, or invite Purser to the channel.',
      );
    }
    const [place] = seen.posts.flatMap(({ key }) => placeIn(key, services.orgs) ?? []);
    if (place === undefined) return undefined;
    await services.access.requireOrgAccess(person, place.org);
    const { blocks, buttons = [] } = await detailsOf(services, { ...place, page: 1 });
    return { blocks, buttons, shareable: true, needs: orgRight(place.org) };
  };
}

/** `org/gvc/workload/...`, or the GVC of `org/gvc/@gvc/...`; undefined for a key of something else. */
export function placeIn(key: string, orgs: Orgs): { org: string; target: Target } | undefined {
  const [org = '', gvc = '', workload = ''] = key.split('/');
  if (!orgs.known.includes(org) || gvc === '' || gvc.startsWith('@')) return undefined;
  const isOfGvc = workload === '' || workload.startsWith('@');
  return readPlaceValue(`${org}/${gvc}${isOfGvc ? '' : `/${workload}`}`, orgs);
}
