import { Refusal } from '../../lib/errors.ts';
import { typed } from '../../grammar/typed.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { resolveOrg } from '../../platform/deployments/target.ts';
import { END_WATCHES_ACTION } from '../../rollouts/outages/outage-view.ts';
import { CARD_ACTIONS } from '../../rollouts/render/parts.ts';
import type { Scope } from '../../rollouts/watches.ts';
import type { Feature, Services } from '../../services.ts';
import { isDirect, requireChannelMember } from '../../slack/directory.ts';
import {
  type ActionContext,
  type ActionRoute,
  type Answer,
  type CommandContext,
  commandRoute,
  type Person,
} from '../../slack/routing/routes.ts';
import { createDeploymentsHome } from './home.ts';
import { createJoined } from './joined.ts';
import { listMutes, mute, unmute } from './mute.ts';
import { DEPLOYMENTS_HELP, type DeploymentsCommand, parseDeployments } from './parse.ts';
import { askForOrg, createStatusRoutes, executions, readClick, status } from './status.ts';
import { overviewAnswer } from './status-view.ts';
import { askToUnwatch, type Clicked, endMissing, unwatch, unwatchClicked } from './unwatch.ts';
import { listWatches, watch, WATCH_ANYWAY_ACTION, watchAgain } from './watch.ts';
import { createWatchForm } from './watch-form.ts';
import { readWatched } from '../watched.ts';
import { createWhy } from './why.ts';

type DeploymentsServices = Pick<
  Services,
  | 'config'
  | 'redis'
  | 'keys'
  | 'jobs'
  | 'slack'
  | 'identity'
  | 'sender'
  | 'outbox'
  | 'wake'
  | 'access'
  | 'deployments'
  | 'usage'
  | 'orgs'
  | 'clock'
  | 'kept'
  | 'stopping'
>;

export function createDeploymentsFeature(services: DeploymentsServices): Feature {
  const { actions, modals, questions } = createStatusRoutes(services);
  const { access, orgs } = services;
  const run = async (command: DeploymentsCommand, context: CommandContext): Promise<Answer> => {
    await requireAccess(services, command, context.person);
    return answerTo(services, command, context);
  };
  return {
    name: 'deployments',
    modals,
    questions,
    actions: [
      ...createCardButtons(services),
      {
        actionId: WATCH_ANYWAY_ACTION,
        inPlace: true,
        run: ({ person, channelId = '', value }) => run(watchAgain(value), { person, channelId }),
      },
      { actionId: END_WATCHES_ACTION, run: (context) => endMissing(services, context) },
      ...actions,
    ],
    home: createDeploymentsHome(services),
    forms: [createWatchForm(services, run)],
    joined: createJoined(services),
    why: createWhy(services),
    commands: [
      commandRoute({
        help: DEPLOYMENTS_HELP,
        parse: (words) => ({
          command: { asked: parseDeployments(words), line: words.map(typed).join(' ') },
        }),
        async run({ asked, line }, context) {
          const isOfPlace = 'target' in asked && asked.target !== undefined;
          if (!isOfPlace || (asked.org ?? orgs.fallback) !== undefined) return run(asked, context);
          await access.requireOrgAccess(context.person);
          return askForOrg(line, await access.readableOrgs(context.person, orgs.known));
        },
      }),
    ],
  };
}

/** Mute and Unwatch of a card, for the channel of the click. They take the right to read the org. */
function createCardButtons(services: DeploymentsServices): ActionRoute[] {
  const clickedIn = async (context: ActionContext): Promise<Clicked> => {
    const { org, target } = await readClick(services, context);
    const { channelId: channel } = context;
    if (channel !== undefined) return { org, target, channel };
    throw new Refusal('Slack omits which channel this is: use the button in the channel.');
  };
  const muteFor = (actionId: string, hours: number): ActionRoute => ({
    actionId,
    async run(context) {
      const { org, target, channel } = await clickedIn(context);
      const scope = { org, gvc: target.gvc, workload: target.workload };
      const where = { channel, here: true, defaultOrg: services.orgs.fallback };
      return mute(services, scope, where, { forMs: hours * HOUR_MS, person: context.person });
    },
  });
  return [
    muteFor(CARD_ACTIONS.muteOneHour, 1),
    muteFor(CARD_ACTIONS.muteEightHours, 8),
    {
      actionId: CARD_ACTIONS.unwatchAsk,
      run: async (context) => askToUnwatch(services, await clickedIn(context)),
    },
    {
      actionId: CARD_ACTIONS.unwatch,
      // Only replaces the question; below a card it is a message of its own.
      inPlace: true,
      run: async (context) => unwatchClicked(services, await clickedIn(context), context.person),
    },
  ];
}

/** @throws Refusal, UsageError when an org has to be named */
async function requireAccess(
  { access, orgs }: Pick<Services, 'access' | 'orgs'>,
  command: DeploymentsCommand,
  person: Person,
): Promise<void> {
  await access.requireOrgAccess(person);
  const named = 'org' in command ? command.org : undefined;
  const isOfOne = 'target' in command && command.target !== undefined;
  if (isOfOne || named !== undefined)
    await access.requireOrgAccess(person, resolveOrg(named, orgs));
}

async function answerTo(
  services: DeploymentsServices,
  command: DeploymentsCommand,
  context: CommandContext,
): Promise<Answer> {
  if ('channel' in command) return answerOfChannel(services, command, context);
  switch (command.kind) {
    case 'overview':
      return overview(services, command.org, context.person);
    case 'status': {
      const org = resolveOrg(command.org, services.orgs);
      return status(services, { org, target: command.target, page: 1 });
    }
    case 'jobs':
      return executions(services, command);
  }
}

type OfChannel = Extract<DeploymentsCommand, { channel: string | undefined }>;

/** Commands about the channel where they are typed, or another one. */
async function answerOfChannel(
  services: DeploymentsServices,
  command: OfChannel,
  context: CommandContext,
): Promise<Answer> {
  const { access, orgs, slack } = services;
  const { person, channelId } = context;
  const { channel = channelId } = command;
  const where = { channel, here: channel === channelId, defaultOrg: orgs.fallback };
  if (!('target' in command)) {
    // Lists of a channel are open to all who read the orgs; those of direct messages to that person.
    if (isDirect(channel)) await requireChannelMember(slack, context, channel);
    const readable = await access.readableOrgs(person, orgs.known);
    return (command.kind === 'watches' ? listWatches : listMutes)(services, where, readable);
  }
  await requireChannelMember(slack, context, channel);
  if (command.kind === 'watch') return watch(services, command, where, person);
  const scope = scopeOf(services, command);
  if (command.kind === 'mute') {
    return mute(services, scope, where, { forMs: command.forMs, person });
  }
  return (command.kind === 'unwatch' ? unwatch : unmute)(services, scope, where, person);
}

/** Without a GVC and an org: everything in the channel, of all orgs. */
function scopeOf(
  { orgs }: Pick<Services, 'orgs'>,
  { target, org }: Exclude<OfChannel, { kind: 'watches' | 'mutes' }>,
): Scope {
  if (target === undefined && org === undefined) return {};
  return { org: resolveOrg(org, orgs), gvc: target?.gvc, workload: target?.workload };
}

async function overview(
  services: DeploymentsServices,
  named: string | undefined,
  person: Person,
): Promise<Answer> {
  const { access, orgs, clock } = services;
  const org = named === undefined ? undefined : resolveOrg(named, orgs);
  const readable = await access.readableOrgs(person, orgs.known);
  const gvcs = (await readWatched(services, org)).filter((one) => readable.includes(one.org));
  return overviewAnswer({ org, defaultOrg: orgs.fallback, gvcs, now: clock.now() });
}
