import { Refusal } from '../../lib/errors.ts';
import { nearest } from '../../lib/text.ts';
import { readTargeted, resolveOrg } from '../../platform/deployments/target.ts';
import type { Orgs, Target } from '../../platform/deployments/target.ts';
import { statusOf } from '../../rollouts/engine/classify.ts';
import { readGvc } from '../../rollouts/gvc-store.ts';
import { CARD_ACTIONS } from '../../rollouts/messages/view-parts.ts';
import type { Feature, Services } from '../../services.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { DETAILS_TITLE, detailsModal } from './details-view.ts';
import type { DetailedDeployment } from './details-view.ts';
import {
  executionsAnswer,
  executionsModal,
  JOBS_ACTION,
  RUNS_ACTION,
  RUNS_TITLE,
} from './executions-view.ts';
import type { ExecutionsView } from './executions-view.ts';
import { SUBCOMMANDS } from './parse.ts';
import { readPageValue } from './place.ts';
import type { PageOptions } from './place.ts';
import { STATUS_ACTION, statusAnswer } from './status-view.ts';
import type { StatusView } from './status-view.ts';

/** What a place is read with. */
type StatusServices = Pick<
  Services,
  'config' | 'deployments' | 'redis' | 'keys' | 'orgs' | 'access' | 'clock' | 'stopping'
>;

/** `/deployments GVC…`: how a place is now. @throws as `readDetailed` */
export async function status(
  services: StatusServices,
  { org, target, page }: Pick<StatusView, 'org' | 'target' | 'page'>,
): Promise<Answer> {
  const { entries, skipped } = await readDetailed(services, org, target);
  return statusAnswer({
    org,
    defaultOrg: services.orgs.fallback,
    target,
    links: services.config.links,
    statuses: entries.map(({ status: one }) => one),
    skipped,
    page,
    now: services.clock.now(),
  });
}

/** `/deployments jobs`: the runs of a cron workload. @throws as `readDetailed` */
export async function executions(
  services: StatusServices,
  command: { org: string | undefined; target: ExecutionsView['target'] },
): Promise<Answer> {
  const org = resolveOrg(command.org, services.orgs);
  return executionsAnswer(
    await readRuns(services, { org, target: command.target, page: 1, adHoc: false }),
  );
}

/**
 * The buttons below these answers. Each reads the place again: another page in the place of the answer,
 * or a modal with everything that the platform reports of the place or of its runs.
 */
export function createStatusRoutes(
  services: StatusServices,
): Required<Pick<Feature, 'actions' | 'modals'>> {
  const { access, orgs, clock } = services;
  return {
    actions: [
      {
        actionId: STATUS_ACTION,
        inPlace: true,
        async run({ person, value }) {
          await access.requireOrgAccess(person);
          return status(services, readPageValue(value, orgs));
        },
      },
      {
        actionId: JOBS_ACTION,
        inPlace: true,
        async run({ person, value }) {
          await access.requireOrgAccess(person);
          return executionsAnswer(await readRuns(services, readAsked(value, orgs)));
        },
      },
    ],
    modals: [
      {
        actionId: CARD_ACTIONS.details,
        title: DETAILS_TITLE,
        async load({ person, value }) {
          await access.requireOrgAccess(person);
          const { org, target, page } = readPageValue(value, orgs);
          const read = await readDetailed(services, org, target);
          const { links } = services.config;
          return detailsModal({ org, target, links, ...read, page, now: clock.now() });
        },
      },
      {
        actionId: RUNS_ACTION,
        title: RUNS_TITLE,
        async load({ person, value }) {
          await access.requireOrgAccess(person);
          return executionsModal(await readRuns(services, readAsked(value, orgs)));
        },
      },
    ],
  };
}

/**
 * Deployments of a place, each judged as the watch engine judges it.
 * @throws Refusal or UsageError when there is no such place, PlatformError
 */
async function readDetailed(
  services: StatusServices,
  org: string,
  target: Target,
): Promise<{ entries: DetailedDeployment[]; skipped: number }> {
  const { redis, keys, clock } = services;
  const [list, { state }] = await Promise.all([
    readTargeted(services, org, target, commandLike),
    readGvc(redis, keys, org, target.gvc),
  ]);
  const now = clock.now();
  const entries = list.deployments.map((deployment) => {
    const memory = state.records[`${deployment.workload}/${deployment.location}`];
    return { deployment, status: statusOf(deployment, memory, now), since: memory?.since };
  });
  return { entries, skipped: list.skipped };
}

/** The command that was probably meant by the name of a GVC that does not exist. */
export function commandLike(gvc: string): string | undefined {
  const typo = nearest(gvc, SUBCOMMANDS);
  return typo && `/deployments ${typo}`;
}

/** What is asked for of the runs of a workload. */
type Asked = Pick<ExecutionsView, 'org' | 'target' | keyof PageOptions>;

/** @throws Refusal */
function readAsked(value: string | undefined, orgs: Orgs): Asked {
  const asked = readPageValue(value, orgs);
  const { workload } = asked.target;
  if (workload === undefined) {
    throw new Refusal(
      'This button names no workload: type the command instead, /deployments jobs GVC/WORKLOAD.',
    );
  }
  return { ...asked, target: { ...asked.target, workload } };
}

async function readRuns(services: StatusServices, asked: Asked): Promise<ExecutionsView> {
  const { entries, skipped } = await readDetailed(services, asked.org, asked.target);
  const locations = entries.map(
    ({ deployment: { location, hasStatus, jobExecutions }, status }) => ({
      location,
      isReported: hasStatus,
      // A cron workload that has run once stays one, and one that is new has an empty list.
      isCron: status.state === 'cron' || jobExecutions?.length === 0,
      executions: jobExecutions ?? [],
    }),
  );
  return {
    ...asked,
    defaultOrg: services.orgs.fallback,
    locations,
    skipped,
    now: services.clock.now(),
  };
}
