import { z } from 'zod';
import { Refusal } from '../../lib/errors.ts';
import {
  nameOf,
  orgWords,
  readTargeted,
  resolveOrg,
  type Target,
} from '../../platform/deployments/target.ts';
import { readGvc, readPollStatus } from '../../rollouts/gvc-store.ts';
import { CARD_ACTIONS } from '../../rollouts/render/parts.ts';
import { pollTime } from '../../rollouts/watch/spans.ts';
import { freshStatuses } from '../../rollouts/watch/status.ts';
import type { Feature, Services } from '../../services.ts';
import { section } from '../../slack/kit/blocks.ts';
import { code, mrkdwn } from '../../slack/kit/text.ts';
import { shownCommand } from '../../slack/replies/help-view.ts';
import { questionIn, readQuestion } from '../../slack/replies/shelf.ts';
import type { ActionContext, Answer, ModalContent, Person } from '../../slack/routing/routes.ts';
import { runButton } from '../notices.ts';
import { DETAILS_TITLE, detailsModal } from './details-view.ts';
import {
  executionsAnswer,
  type ExecutionsView,
  JOBS_ACTION,
  JOBS_ROUTE,
  RUN_DETAILS_ACTION,
  RUN_TITLE,
  runModal,
} from './executions-view.ts';
import { readPageValue } from './place.ts';
import { STATUS_ROUTE, statusAnswer, type StatusView } from './status-view.ts';
import { absentPlace, type NameServices, partOf, readLastKnown, stuckIn } from '../watched.ts';

export type StatusServices = NameServices & Pick<Services, 'orgs' | 'access' | 'kept'>;

/** `/deployments GVC…`; the last known state while the platform is away. @throws as `readDetailed` */
export async function status(
  services: StatusServices,
  asked: Pick<StatusView, 'org' | 'target' | 'page'>,
): Promise<Answer> {
  const usual = { ...asked, ...usualOf(services) };
  try {
    return statusAnswer({
      ...usual,
      ...(await readDetailed(services, asked, commandFor('', usual))),
    });
  } catch (error) {
    const last = await readLastKnown(services, asked, error);
    if (last === undefined) throw error;
    return statusAnswer({ ...usual, ...last });
  }
}

function usualOf({ clock, config, orgs }: Pick<StatusServices, 'clock' | 'config' | 'orgs'>) {
  return { defaultOrg: orgs.fallback, links: config.links, now: clock.now() };
}

/** Orgs with a button. */
const MAX_ORGS = 4;

/**
 * Asked in place of an answer when there are several orgs and none was named.
 * @param line the command as it was typed
 * @param orgs that the person may read
 */
export function askForOrg(line: string, orgs: readonly string[]): Answer {
  const command = (org: string): string => `/deployments ${line} org ${org}`;
  const example = shownCommand(command(orgs[0] ?? 'NAME'));
  return {
    blocks: [section(mrkdwn`Which org? For example: ${code(example, Infinity)}`)],
    buttons: orgs.slice(0, MAX_ORGS).map((org) => runButton(org, command(org))),
  };
}

/** @param verb with a space at its end, or '' */
function commandFor(verb: string, { org, defaultOrg }: Pick<StatusView, 'org' | 'defaultOrg'>) {
  return (target: Target) => `/deployments ${verb}${nameOf(target)}${orgWords(org, defaultOrg)}`;
}

/** `/deployments jobs`. @throws as `readDetailed` */
export async function executions(
  services: StatusServices,
  command: { org: string | undefined; target: ExecutionsView['target'] },
): Promise<Answer> {
  const org = resolveOrg(command.org, services.orgs);
  const typed = commandFor('jobs ', { org, defaultOrg: services.orgs.fallback });
  const asked = { org, target: command.target, page: 1, all: false };
  return executionsAnswer(await readRuns(services, asked, typed));
}

const Place = z.object({
  org: z.string(),
  target: z.object({
    gvc: z.string(),
    workload: z.string().optional(),
    location: z.string().optional(),
  }),
});
const Jobs = Place.extend({
  target: Place.shape.target.required({ workload: true }),
  all: z.boolean(),
});

/** Each click reads the place again, for another page of the answer or for a modal. */
export function createStatusRoutes(
  services: StatusServices,
): Required<Pick<Feature, 'actions' | 'modals' | 'questions'>> {
  const { access } = services;
  const jobs = async (person: Person, asked: z.infer<typeof Jobs>, page: number) => {
    await access.requireOrgAccess(person, asked.org);
    return executionsAnswer(await readRuns(services, { ...asked, page }));
  };
  return {
    questions: [
      {
        name: STATUS_ROUTE,
        async ask({ person }, question, page) {
          const asked = readQuestion(Place, question);
          await access.requireOrgAccess(person, asked.org);
          return status(services, { ...asked, page });
        },
      },
      {
        name: JOBS_ROUTE,
        ask: ({ person }, question, page) => jobs(person, readQuestion(Jobs, question), page),
      },
    ],
    actions: [
      {
        actionId: JOBS_ACTION,
        inPlace: true,
        async run(context) {
          const asked = await questionIn(services.kept, context, Jobs);
          return jobs(context.person, { ...asked, all: !asked.all }, 1);
        },
      },
    ],
    modals: [
      {
        actionId: CARD_ACTIONS.details,
        title: DETAILS_TITLE,
        load: async (context) => detailsOf(services, await readClick(services, context)),
      },
      {
        actionId: RUN_DETAILS_ACTION,
        title: RUN_TITLE,
        async load(context) {
          const { run = '', target, ...asked } = await readClick(services, context);
          const { workload } = target;
          if (workload === undefined) {
            throw new Refusal(
              'This button names no workload: type the command instead, /deployments jobs GVC/WORKLOAD.',
            );
          }
          const place = { ...asked, target: { ...target, workload } };
          return runModal(await readRuns(services, { ...place, all: true }), run);
        },
      },
    ],
  };
}

/** The window behind Details. @throws as `readDetailed` */
export async function detailsOf(
  services: StatusServices,
  asked: Pick<StatusView, 'org' | 'target' | 'page'>,
): Promise<ModalContent> {
  return detailsModal({
    ...asked,
    ...usualOf(services),
    ...(await readDetailed(services, asked)),
  });
}

/** The place of a button. @throws Refusal for a member without access to the org */
export async function readClick(
  { access, orgs }: Pick<StatusServices, 'access' | 'orgs'>,
  { person, value }: ActionContext,
) {
  await access.requireOrgAccess(person);
  const asked = readPageValue(value, orgs);
  await access.requireOrgAccess(person, asked.org);
  return asked;
}

/**
 * Deployments of a place, as the polls would see them now.
 * @param command the command for another place, for the error about an absent one; absent: nothing was typed
 * @param mayBeEmpty false: a typed place with nothing in it is an error, too, where another name is likely
 * @throws Refusal or UsageError for an unknown place, PlatformError
 */
export async function readDetailed(
  services: NameServices,
  asked: Pick<StatusView, 'org' | 'target'>,
  command?: (target: Target) => string,
  mayBeEmpty = false,
) {
  const { redis, keys, clock, config } = services;
  const { org, target } = asked;
  const { gvc, workload, location } = target;
  const absent = command && (() => absentPlace(services, asked, command));
  const [list, { state }, poll] = await Promise.all([
    readTargeted(services, org, target, absent),
    readGvc(redis, keys, org, gvc),
    readPollStatus(redis, keys, org, gvc),
  ]);
  const time = pollTime(clock.now(), poll.at, config.polling);
  const workloads = partOf(freshStatuses({ ...list, workload }, state, time), target);
  const isAsked = (name: string): boolean => (location ?? name) === name;
  const unreadable = list.unreadable.filter((key) => isAsked(key.slice(key.indexOf('/') + 1)));
  const skipped = unreadable.length + list.unidentified;
  if (command && !mayBeEmpty && workloads.length + skipped === 0) {
    const error = await absentPlace(services, asked, command, true);
    if (error !== undefined) throw error;
  }
  const deployments = list.deployments.filter((one) => isAsked(one.location));
  const names = unreadable.map((key) =>
    key.slice(workload === undefined ? 0 : workload.length + 1),
  );
  return { deployments, workloads, stuck: stuckIn(state), skipped, unreadable: names };
}

async function readRuns(
  services: StatusServices,
  asked: Pick<ExecutionsView, 'org' | 'target' | 'page' | 'all'>,
  command?: (target: Target) => string,
): Promise<ExecutionsView> {
  const { deployments, workloads, skipped, unreadable } = await readDetailed(
    services,
    asked,
    command,
  );
  const rows = workloads.flatMap((one) => one.rows);
  const locations = deployments.map(({ location, hasStatus, jobExecutions }) => ({
    location,
    isReported: hasStatus,
    // One that is suspended or has not run yet has an empty list.
    isCron: rows.some(
      (row) =>
        row.location === location &&
        (row.state === 'cron' || (jobExecutions?.length === 0 && row.state !== 'ready')),
    ),
    executions: jobExecutions ?? [],
  }));
  return { ...asked, ...usualOf(services), locations, skipped, unreadable };
}
