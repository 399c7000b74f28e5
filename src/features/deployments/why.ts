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
    const keys = await keysIn(services, channelId, threadTs);
    const place = keys.map((key) => placeIn(key, services.orgs)).find((one) => one !== undefined);
    if (place === undefined) return undefined;
    await services.access.requireOrgAccess(person, place.org);
    const { blocks, buttons = [] } = await detailsOf(services, { ...place, page: 1 });
    return { blocks, buttons, shareable: true, needs: orgRight(place.org) };
  };
}

/** Of the bot's posts in a thread, its first message first. @throws Refusal when the thread cannot be read */
async function keysIn(
  { sender }: WhyServices,
  channel: string,
  threadTs: string,
): Promise<string[]> {
  const seen = await sender.read(channel, Number(threadTs) * 1_000, threadTs);
  if (seen.kind !== 'read') throw new Refusal(UNREADABLE);
  return seen.posts.map(({ key }) => key);
}

const UNREADABLE =
  'Purser cannot read this thread: press Details on the card, or invite Purser to the channel.';

/** `org/gvc/workload/...`, or the GVC of `org/gvc/@gvc/...`; undefined for a key of something else. */
export function placeIn(key: string, orgs: Orgs): { org: string; target: Target } | undefined {
  const [org = '', gvc = '', workload = ''] = key.split('/');
  if (!orgs.known.includes(org) || gvc === '' || gvc.startsWith('@')) return undefined;
  const isOfGvc = workload === '' || workload.startsWith('@');
  return readPlaceValue(`${org}/${gvc}${isOfGvc ? '' : `/${workload}`}`, orgs);
}
