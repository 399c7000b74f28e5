import { Refusal } from '../../lib/errors.ts';
import {
  nameOf,
  readTargeted,
  resolveOrg,
  type Orgs,
  type Target,
} from '../../platform/deployments/target.ts';
import { statusOf } from '../../rollouts/engine/classify.ts';
import { readGvc } from '../../rollouts/gvc-store.ts';
import { CARD_ACTIONS } from '../../rollouts/messages/view-parts.ts';
import type { Feature, Services } from '../../services.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { DETAILS_TITLE, detailsModal, type DetailedDeployment } from './details-view.ts';
import {
  executionsAnswer,
  executionsModal,
  JOBS_ACTION,
  RUNS_ACTION,
  RUNS_TITLE,
  type ExecutionsView,
} from './executions-view.ts';
import { absentPlace, type NameServices } from './names.ts';
import { orgWords, readPageValue, type PageOptions } from './place.ts';
import { STATUS_ACTION, statusAnswer, type StatusView } from './status-view.ts';
import { readLastKnown, rememberedOf } from './watched.ts';

/** What a place is read with. */
export type StatusServices = NameServices & Pick<Services, 'orgs' | 'access'>;

/** `/deployments GVC…`: how a place is now, or was when it was last seen. @throws as `readDetailed` */
export async function status(
  services: StatusServices,
  asked: Pick<StatusView, 'org' | 'target' | 'page' | 'all'>,
): Promise<Answer> {
  const { org, target } = asked;
  const usual = {
    ...asked,
    defaultOrg: services.orgs.fallback,
    links: services.config.links,
    now: services.clock.now(),
  };
  const command = commandFor('', org, services.orgs);
  try {
    const { entries, skipped } = await readDetailed(services, asked, command);
    if (entries.length + skipped === 0) await requireLikely(services, asked, command);
    const statuses = entries.map(({ status: one, remembered }) => ({ ...one, ...remembered }));
    return statusAnswer({ ...usual, statuses, skipped });
  } catch (error) {
    const last = await readLastKnown(services, { org, target }, error);
    if (last === undefined) throw error;
    return statusAnswer({ ...usual, ...last, skipped: 0 });
  }
}

/** The same command about another place. @param verb with a space at its end, or '' */
function commandFor(verb: string, org: string, orgs: Orgs): (target: Target) => string {
  return (target) => `/deployments ${verb}${nameOf(target)}${orgWords(org, orgs.fallback)}`;
}

/** @throws UsageError where nothing is listed, and another name is likely */
async function requireLikely(
  services: StatusServices,
  { org, target }: Pick<StatusView, 'org' | 'target'>,
  command: (target: Target) => string,
): Promise<void> {
  const error = await absentPlace(services, { org, target }, command, true);
  if (error !== undefined) throw error;
}

/** `/deployments jobs`: the runs of a cron workload. @throws as `readDetailed` */
export async function executions(
  services: StatusServices,
  command: { org: string | undefined; target: ExecutionsView['target'] },
): Promise<Answer> {
  const org = resolveOrg(command.org, services.orgs);
  const asked = { org, target: command.target, page: 1, all: false };
  const typed = commandFor('jobs ', org, services.orgs);
  const view = await readRuns(services, asked, typed);
  if (view.locations.length + view.skipped === 0) await requireLikely(services, asked, typed);
  return executionsAnswer(view);
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
          const read = await readDetailed(services, { org, target });
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
 * @param command what would be typed of another place; absent: nothing was typed
 * @throws Refusal or UsageError when there is no such place, PlatformError
 */
async function readDetailed(
  services: StatusServices,
  { org, target }: Pick<StatusView, 'org' | 'target'>,
  command?: (target: Target) => string,
): Promise<{ entries: RememberedDeployment[]; skipped: number }> {
  const { redis, keys, clock } = services;
  const absent = command && (() => absentPlace(services, { org, target }, command));
  const [list, { state }] = await Promise.all([
    readTargeted(services, org, target, absent),
    readGvc(redis, keys, org, target.gvc),
  ]);
  const now = clock.now();
  const entries = list.deployments.map((deployment) => {
    const memory = state.records[`${deployment.workload}/${deployment.location}`];
    const remembered = memory === undefined ? {} : rememberedOf(memory);
    const judged = statusOf(deployment, memory, now);
    return { deployment, status: judged, since: memory?.since, remembered };
  });
  return { entries, skipped: list.skipped };
}

interface RememberedDeployment extends DetailedDeployment {
  remembered: Partial<ReturnType<typeof rememberedOf>>;
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

async function readRuns(
  services: StatusServices,
  asked: Asked,
  command?: (target: Target) => string,
): Promise<ExecutionsView> {
  const { entries, skipped } = await readDetailed(services, asked, command);
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
