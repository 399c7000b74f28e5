import { Refusal } from '../../lib/errors.ts';
import { typed } from '../../grammar/typed.ts';
import { HOUR_MS } from '../../lib/time.ts';
import {
  nameOf,
  placeValue,
  readPlaceValue,
  resolveOrg,
} from '../../platform/deployments/target.ts';
import { END_WATCHES_ACTION } from '../../rollouts/outages/outage-view.ts';
import { missingGvcs } from '../../rollouts/outages/outages.ts';
import { CARD_ACTIONS } from '../../rollouts/render/parts.ts';
import { endWatches, type Unwatched } from '../../rollouts/unwatch.ts';
import {
  createWatches,
  overlaps,
  placeOf,
  type Scope,
  type Watch,
} from '../../rollouts/watches.ts';
import type { Feature, Services } from '../../services.ts';
import { isChannelMember, isDirect, requireChannelMember } from '../../slack/directory.ts';
import { button, section } from '../../slack/kit/blocks.ts';
import { mentionChannel, mrkdwn } from '../../slack/kit/text.ts';
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
import { listMutes, mute, muteButtons, type MuteRequest, unmute } from './mute.ts';
import { overviewAnswer } from './overview-view.ts';
import { DEPLOYMENTS_HELP, type DeploymentsCommand, parseDeployments } from './parse.ts';
import { askForOrg, createStatusRoutes, executions, status } from './status.ts';
import {
  endedAnswer,
  listWatches,
  unwatchAnswer,
  watch,
  WATCH_ANYWAY_ACTION,
  watchAgain,
} from './watch.ts';
import { createWatchForm } from './watch-form.ts';
import { readWatched } from './watched.ts';
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

interface Clicked {
  org: string;
  gvc: string;
  workload?: string;
  channel: string;
}

/** Mute and Unwatch of a card, for the channel of the click. They take the right to read the org. */
function createCardButtons(services: DeploymentsServices): ActionRoute[] {
  const muteFor = (actionId: string, hours: number): ActionRoute => ({
    actionId,
    async run(context) {
      const { channel, ...scope } = await readClick(services, context);
      const request = { scope, channel, typedIn: channel };
      return mute(services, request, { forMs: hours * HOUR_MS, person: context.person });
    },
  });
  return [
    muteFor(CARD_ACTIONS.muteOneHour, 1),
    muteFor(CARD_ACTIONS.muteEightHours, 8),
    {
      actionId: CARD_ACTIONS.unwatchAsk,
      run: async (context) => askToUnwatch(services, await readClick(services, context)),
    },
    {
      actionId: CARD_ACTIONS.unwatch,
      // Only replaces the question; below a card it is a message of its own.
      inPlace: true,
      run: async (context) =>
        unwatchClicked(services, await readClick(services, context), context.person),
    },
    {
      actionId: WATCH_ANYWAY_ACTION,
      inPlace: true,
      async run({ person, channelId = '', value }) {
        const command = watchAgain(value);
        await requireAccess(services, command, person);
        return watch(services, command, { person, channelId }, true);
      },
    },
    { actionId: END_WATCHES_ACTION, run: (context) => endMissing(services, context) },
  ];
}

/** @throws Refusal for a member without access to the orgs, and for a button of anything but a card */
async function readClick(services: DeploymentsServices, context: ActionContext): Promise<Clicked> {
  await services.access.requireOrgAccess(context.person);
  const { org, target } = readPlaceValue(context.value, services.orgs);
  await services.access.requireOrgAccess(context.person, org);
  if (context.channelId === undefined) {
    throw new Refusal('Slack omits which channel this is: use the button in the channel.');
  }
  const { gvc, workload } = target;
  return {
    org,
    gvc,
    ...(workload === undefined ? {} : { workload }),
    channel: context.channelId,
  };
}

/** A menu cannot ask for confirmation by itself, unlike the button of a card. */
async function askToUnwatch(services: DeploymentsServices, clicked: Clicked): Promise<Answer> {
  const { channel, org, ...target } = clicked;
  const where = mentionChannel(channel);
  const name = nameOf(target);
  const value = placeValue(org, target);
  const whole = (await watchesAt(services, clicked)).find(
    ({ workload, configured }) => workload === undefined && !configured,
  );
  const isWider = whole !== undefined && target.workload !== undefined;
  const question = isWider
    ? mrkdwn`The watch here is of the whole GVC: this ends *${placeOf(whole)}* with all its workloads in ${where}, for everyone in it. To silence only ${name}, mute it.`
    : mrkdwn`This ends the watch of ${name} in ${where}, for everyone in it.`;
  return {
    blocks: [section(question)],
    buttons: [
      button({ action: CARD_ACTIONS.unwatch, text: 'Unwatch', value, style: 'danger' }),
      ...(isWider ? muteButtons(value) : []),
    ],
  };
}

/** The watches in the channel that post the clicked workload. */
async function watchesAt(services: DeploymentsServices, clicked: Clicked): Promise<Watch[]> {
  const all = await createWatches(services).all();
  return all.filter((watch) => watch.channel === clicked.channel && overlaps(watch, clicked));
}

async function unwatchClicked(
  services: DeploymentsServices,
  clicked: Clicked,
  { userId: by }: Person,
): Promise<Answer> {
  const { channel, org, gvc, workload } = clicked;
  const meant = await watchesAt(services, clicked);
  const unwatched = await endWatches(services, { channel, by }, meant);
  const clickedPlace = placeValue(org, { gvc, ...(workload === undefined ? {} : { workload }) });
  return unwatchAnswer(unwatched, {
    channel,
    clicked: clickedPlace,
    here: true,
    defaultOrg: services.orgs.fallback,
  });
}

/** Ends the watches of GVCs that are not found, in the channels that the person is in. */
async function endMissing(services: DeploymentsServices, context: ActionContext): Promise<Answer> {
  const { access, slack } = services;
  await access.requireOrgAccess(context.person);
  const gvcs = await missingGvcs(services, context.value);
  const readable = await access.readableOrgs(context.person, services.orgs.known);
  const meant = (await createWatches(services).all()).filter(
    ({ org, gvc }) => readable.includes(org) && gvcs.includes(`${org}/${gvc}`),
  );
  const ended: Unwatched = { removed: [], kept: [] };
  const foreign: Watch[] = [];
  for (const channel of new Set(meant.map((watch) => watch.channel))) {
    const own = meant.filter((watch) => watch.channel === channel);
    const from = { person: context.person, channelId: context.channelId ?? '' };
    if (await isChannelMember(slack, from, channel)) {
      const { removed, kept } = await endWatches(
        services,
        { channel, by: context.person.userId },
        own,
      );
      ended.removed.push(...removed);
      ended.kept.push(...kept);
    } else foreign.push(...own);
  }
  return endedAnswer(ended, foreign);
}

type Of<K extends DeploymentsCommand['kind']> = Extract<DeploymentsCommand, { kind: K }>;

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
    actions: [...createCardButtons(services), ...actions],
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
  const readable = () => services.access.readableOrgs(context.person, services.orgs.known);
  switch (command.kind) {
    case 'overview':
      return overview(services, command.org, context.person);
    case 'status': {
      const org = resolveOrg(command.org, services.orgs);
      return status(services, { org, target: command.target, page: 1 });
    }
    case 'jobs':
      return executions(services, command);
    case 'watch':
      return watch(services, command, context);
    case 'unwatch':
      return unwatch(services, command, context);
    case 'watches':
      return listWatches(
        services,
        await listedChannel(services, command, context),
        await readable(),
      );
    case 'mute': {
      const request = await readMuteRequest(services, command, context);
      return mute(services, request, { forMs: command.forMs, person: context.person });
    }
    case 'unmute':
      return unmute(services, await readMuteRequest(services, command, context), context.person);
    case 'mutes':
      return listMutes(services, await listedChannel(services, command, context), await readable());
  }
}

/** Lists of a channel are open to all who read the orgs; those of direct messages to that person. @throws Refusal */
async function listedChannel(
  { slack }: Pick<Services, 'slack'>,
  command: Of<'watches'> | Of<'mutes'>,
  context: CommandContext,
): Promise<{ channel: string; here: boolean }> {
  const channel = command.channel ?? context.channelId;
  if (isDirect(channel)) await requireChannelMember(slack, context, channel);
  return { channel, here: channel === context.channelId };
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

async function unwatch(
  services: DeploymentsServices,
  command: Of<'unwatch'>,
  context: CommandContext,
): Promise<Answer> {
  const channel = command.channel ?? context.channelId;
  const { target } = command;
  const { org } = scopeOf(services, command);
  await requireChannelMember(services.slack, context, channel);
  const readable = await services.access.readableOrgs(context.person, services.orgs.known);
  const meant = (await createWatches(services).all()).filter(
    (one) =>
      one.channel === channel &&
      readable.includes(one.org) &&
      (org === undefined || one.org === org) &&
      (target === undefined || (one.gvc === target.gvc && one.workload === target.workload)),
  );
  const by = context.person.userId;
  return unwatchAnswer(await endWatches(services, { channel, by }, meant), {
    channel,
    here: channel === context.channelId,
    defaultOrg: services.orgs.fallback,
  });
}

async function readMuteRequest(
  services: DeploymentsServices,
  command: Of<'mute'> | Of<'unmute'>,
  context: CommandContext,
): Promise<MuteRequest> {
  const channel = command.channel ?? context.channelId;
  const scope = scopeOf(services, command);
  await requireChannelMember(services.slack, context, channel);
  return { scope, channel, typedIn: context.channelId };
}

/** Without a GVC and an org: everything in the channel, of all orgs. */
function scopeOf(
  { orgs }: Pick<Services, 'orgs'>,
  { target, org }: Of<'mute'> | Of<'unmute'> | Of<'unwatch'>,
): Scope {
  if (target === undefined && org === undefined) return {};
  const { gvc, workload } = target ?? {};
  return {
    org: resolveOrg(org, orgs),
    ...(gvc === undefined ? {} : { gvc }),
    ...(workload === undefined ? {} : { workload }),
  };
}
