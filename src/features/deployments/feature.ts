import { helpAnswer } from '../../slack/help-view.ts';
import type { Answer, CommandContext, Person } from '../../slack/routes.ts';
import type { Feature } from '../feature.ts';
import { createCardButtons } from './card-buttons.ts';
import { createDetails } from './details.ts';
import { createJobsTurn, createRuns, executions } from './executions.ts';
import { DEPLOYMENTS_HELP } from './help.ts';
import { createWatchesPart } from './home.ts';
import { createWatchJobs } from './jobs.ts';
import type { WatchJobsDeps } from './jobs.ts';
import { listMutes, mute, unmute } from './mute.ts';
import type { MuteWish } from './mute.ts';
import { parseDeployments } from './parse.ts';
import type { DeploymentsCommand } from './parse.ts';
import { settleOrg } from './place.ts';
import type { Scope } from './place.ts';
import { createStatusTurn, status } from './status.ts';
import { endWatches } from './unwatch.ts';
import type { UnwatchDeps } from './unwatch.ts';
import { listWatches, requireAim, watch } from './watch.ts';
import type { WatchDeps } from './watch.ts';
import { unwatchAnswer } from './watch-view.ts';

export interface DeploymentsFeatureDeps extends WatchJobsDeps, WatchDeps, UnwatchDeps {
  /** Whether a person may read what needs org permissions. @throws Refusal */
  requireOrgAccess: (person: Person) => Promise<void>;
}

type Of<K extends DeploymentsCommand['kind']> = Extract<DeploymentsCommand, { kind: K }>;

/** `/deployments`: status, and the watches that tell channels of rollouts. */
export function createDeploymentsFeature(deps: DeploymentsFeatureDeps): Feature {
  return {
    name: 'deployments',
    jobs: createWatchJobs(deps),
    modals: [createDetails(deps), createRuns(deps)],
    actions: [...createCardButtons(deps), createStatusTurn(deps), createJobsTurn(deps)],
    home: [createWatchesPart(deps)],
    commands: [
      {
        help: DEPLOYMENTS_HELP,
        async run(context) {
          const command = parseDeployments(context.words);
          if (command.kind === 'help') return helpAnswer(DEPLOYMENTS_HELP);
          await deps.requireOrgAccess(context.person);
          return answerTo(deps, command, context);
        },
      },
    ],
  };
}

async function answerTo(
  deps: DeploymentsFeatureDeps,
  command: Exclude<DeploymentsCommand, { kind: 'help' }>,
  context: CommandContext,
): Promise<Answer> {
  switch (command.kind) {
    case 'status':
      return status(deps, { ...command, org: settleOrg(command.org, deps.orgs), page: 1 });
    case 'jobs':
      return executions(deps, command);
    case 'watch':
      return watch(deps, command, context);
    case 'unwatch':
      return unwatch(deps, command, context);
    case 'watches':
      return listWatches(deps, command.channel ?? context.channelId);
    case 'mute': {
      const wish = await readMute(deps, command, context);
      return mute(deps, wish, { forMs: command.forMs, person: context.person });
    }
    case 'unmute':
      return unmute(deps, await readMute(deps, command, context));
    case 'mutes':
      return listMutes(deps, command.channel ?? context.channelId);
  }
}

async function unwatch(
  deps: DeploymentsFeatureDeps,
  command: Of<'unwatch'>,
  context: CommandContext,
): Promise<Answer> {
  const channel = command.channel ?? context.channelId;
  const { target } = command;
  const { org } = scopeOf(deps, command);
  await requireAim(deps, context, channel);
  const meant = (await deps.watches.all()).filter(
    (one) =>
      one.channel === channel &&
      (org === undefined || one.org === org) &&
      (target === undefined || (one.gvc === target.gvc && one.workload === target.workload)),
  );
  return unwatchAnswer(await endWatches(deps, channel, meant), {
    channel,
    here: channel === context.channelId,
    defaultOrg: deps.orgs.fallback,
  });
}

async function readMute(
  deps: DeploymentsFeatureDeps,
  command: Of<'mute'> | Of<'unmute'>,
  context: CommandContext,
): Promise<MuteWish> {
  const channel = command.channel ?? context.channelId;
  const scope = scopeOf(deps, command);
  await requireAim(deps, context, channel);
  return { scope, channel, typedIn: context.channelId };
}

/** Without a GVC and an org it is everything of the channel, of whatever org. */
function scopeOf(
  { orgs }: Pick<DeploymentsFeatureDeps, 'orgs'>,
  { target, org }: Of<'mute'> | Of<'unmute'> | Of<'unwatch'>,
): Scope {
  if (target === undefined && org === undefined) return {};
  const { gvc, workload } = target ?? {};
  return {
    org: settleOrg(org, orgs),
    ...(gvc === undefined ? {} : { gvc }),
    ...(workload === undefined ? {} : { workload }),
  };
}
