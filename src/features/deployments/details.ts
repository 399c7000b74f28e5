import { button } from '../../slack/kit/index.ts';
import type { ModalRoute, Person } from '../../slack/routes.ts';
import { DETAILS_TITLE, detailsModal } from './details-view.ts';
import { readTarget, settleOrg } from './parse.ts';
import type { Target } from './parse.ts';
import { readDetailed } from './read.ts';
import type { ReadDeps } from './read.ts';

const DETAILS_ACTION = 'deployments.details';

interface DetailsDeps extends ReadDeps {
  orgs: { known: readonly string[]; fallback: string | undefined };
  requireOrgAccess: (person: Person) => Promise<void>;
}

/**
 * The button below a status. Its value is the place: that is neither a secret nor a right, and who
 * clicks is checked as if they had typed the command.
 */
export function detailsButton(org: string, target: Target): ReturnType<typeof button> {
  const { gvc, workload, location } = target;
  const value = [org, gvc, workload, location].filter((part) => part !== undefined).join('/');
  return button({ action: DETAILS_ACTION, text: 'Details', value });
}

/** What stands behind the button: a modal with everything the platform tells of the place. */
export function createDetails(deps: DetailsDeps): ModalRoute {
  return {
    actionId: DETAILS_ACTION,
    title: DETAILS_TITLE,
    async load({ person, value = '' }) {
      const slash = value.indexOf('/');
      const org = settleOrg(value.slice(0, slash), deps.orgs);
      const target = readTarget(value.slice(slash + 1));
      await deps.requireOrgAccess(person);
      const { entries } = await readDetailed(deps, org, target);
      return detailsModal({ org, target }, entries);
    },
  };
}
