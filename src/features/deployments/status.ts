import type { ActionRoute, Answer, Person } from '../../slack/routes.ts';
import { readPartValue } from './place.ts';
import type { Orgs } from './place.ts';
import { readDetailed } from './read.ts';
import type { ReadDeps } from './read.ts';
import { STATUS_ACTION, statusAnswer } from './status-view.ts';
import type { StatusView } from './status-view.ts';

interface StatusDeps extends ReadDeps {
  orgs: Orgs;
  requireOrgAccess: (person: Person) => Promise<void>;
}

/** `/deployments GVC…`: how a place is now. @throws as `readDetailed` */
export async function status(
  deps: StatusDeps,
  { org, target, page }: Pick<StatusView, 'org' | 'target' | 'page'>,
): Promise<Answer> {
  const { entries, skipped } = await readDetailed(deps, org, target);
  return statusAnswer({
    org,
    defaultOrg: deps.orgs.fallback,
    target,
    statuses: entries.map(({ status: one }) => one),
    skipped,
    page,
    now: deps.clock.now(),
  });
}

/** Another page of that answer in its place, read anew. */
export function createStatusTurn(deps: StatusDeps): ActionRoute {
  return {
    actionId: STATUS_ACTION,
    inPlace: true,
    async run({ person, value }) {
      await deps.requireOrgAccess(person);
      return status(deps, readPartValue(value, deps.orgs));
    },
  };
}
