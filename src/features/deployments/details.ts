import { CARD_ACTIONS } from '../../rollouts/messages/card-actions.ts';
import { button } from '../../slack/kit/index.ts';
import type { ModalRoute, Person } from '../../slack/routes.ts';
import { DETAILS_TITLE, detailsModal } from './details-view.ts';
import { placeValue, readPartValue } from './place.ts';
import type { Orgs, Target } from './place.ts';
import { readDetailed } from './read.ts';
import type { ReadDeps } from './read.ts';

interface DetailsDeps extends ReadDeps {
  orgs: Orgs;
  requireOrgAccess: (person: Person) => Promise<void>;
}

/** The button below a status; cards have the same. */
export function detailsButton(org: string, target: Target): ReturnType<typeof button> {
  const value = placeValue(org, target);
  return button({ action: CARD_ACTIONS.details, text: 'Details', value });
}

/** What stands behind the button: a modal with everything the platform tells of the place. */
export function createDetails(deps: DetailsDeps): ModalRoute {
  return {
    actionId: CARD_ACTIONS.details,
    title: DETAILS_TITLE,
    async load({ person, value }) {
      await deps.requireOrgAccess(person);
      const { org, target, page } = readPartValue(value, deps.orgs);
      const read = await readDetailed(deps, org, target);
      return detailsModal({ org, target, ...read, page, now: deps.clock.now() });
    },
  };
}
