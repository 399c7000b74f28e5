import { Refusal } from '../../lib/refusal.ts';
import type { Pulse } from '../../rollouts/gvc-store.ts';
import { outspokenBy } from '../../rollouts/watches.ts';
import type { Watch } from '../../rollouts/watches.ts';
import { helpAnswer } from '../../slack/help-view.ts';
import type { Answer, CommandContext, Person } from '../../slack/routes.ts';
import type { Feature } from '../feature.ts';
import { notThereYet } from '../not-there-yet.ts';
import { createDetails } from './details.ts';
import { DEPLOYMENTS_HELP } from './help.ts';
import { createWatchJobs } from './jobs.ts';
import type { WatchJobsDeps } from './jobs.ts';
import { parseDeployments, settleOrg } from './parse.ts';
import type { DeploymentsCommand } from './parse.ts';
import { readDetailed, readTargeted } from './read.ts';
import type { ReadDeps } from './read.ts';
import { statusAnswer } from './status-view.ts';
import { unwatchAnswer, watchAddedAnswer, watchesAnswer } from './watch-view.ts';

export interface DeploymentsFeatureDeps extends WatchJobsDeps, ReadDeps {
  orgs: { known: readonly string[]; fallback: string | undefined };
  /** Whether a person may read what needs org permissions. @throws Refusal */
  requireOrgAccess: (person: Person) => Promise<void>;
  readPulse: (org: string, gvc: string) => Promise<Pulse>;
  /** Whether the bot can post there; undefined when Slack does not say. */
  isMember: (channel: string) => Promise<boolean | undefined>;
  /** Called after the set of watches changed. */
  watchesChanged: () => Promise<void>;
  /** Asks for a poll at once, so that what a new watch takes as known is what is there now. */
  pollSoon: (org: string, gvc: string) => Promise<void>;
}

type Of<K extends DeploymentsCommand['kind']> = Extract<DeploymentsCommand, { kind: K }>;

/** `/deployments`: status, and the watches that tell channels of rollouts. */
export function createDeploymentsFeature(deps: DeploymentsFeatureDeps): Feature {
  return {
    name: 'deployments',
    jobs: createWatchJobs(deps),
    modals: [createDetails(deps)],
    commands: [
      {
        help: DEPLOYMENTS_HELP,
        async run(context) {
          const command = parseDeployments(context.words);
          if (command.kind === 'help') return helpAnswer(DEPLOYMENTS_HELP);
          if (command.kind === 'later') {
            throw notThereYet(`/deployments ${command.word}`, '/deployments help');
          }
          await deps.requireOrgAccess(context.person);
          switch (command.kind) {
            case 'status':
              return status(deps, command);
            case 'watch':
              return watch(deps, command, context);
            case 'unwatch':
              return unwatch(deps, command, context);
            case 'watches':
              return watches(deps, command, context);
          }
        },
      },
    ],
  };
}

async function status(deps: DeploymentsFeatureDeps, command: Of<'status'>): Promise<Answer> {
  const org = settleOrg(command.org, deps.orgs);
  const { target } = command;
  const { entries, skipped } = await readDetailed(deps, org, target);
  return statusAnswer({ org, target, statuses: entries.map(({ status: one }) => one), skipped });
}

async function watch(
  deps: DeploymentsFeatureDeps,
  command: Of<'watch'>,
  context: CommandContext,
): Promise<Answer> {
  const { target, only, quiet } = command;
  const org = settleOrg(command.org, deps.orgs);
  const channel = command.channel ?? context.channelId;
  await readTargeted(deps, org, target);
  if ((await deps.isMember(channel)) === false) {
    throw new Refusal(
      'Purser is not in that channel, so it could not post there: type "/invite @Purser" in the channel, then this command again.',
    );
  }
  const wanted: Watch = {
    org,
    gvc: target.gvc,
    ...(target.workload === undefined ? {} : { workload: target.workload }),
    channel,
    ...(only === undefined ? {} : { only }),
    quiet,
    configured: false,
    by: context.person.userId,
  };
  const replaced = await deps.watches.add(wanted);
  await deps.watchesChanged();
  await deps.pollSoon(org, target.gvc);
  const wider = outspokenBy(wanted, await deps.watches.all());
  return watchAddedAnswer(wanted, replaced, wider);
}

async function unwatch(
  deps: DeploymentsFeatureDeps,
  command: Of<'unwatch'>,
  context: CommandContext,
): Promise<Answer> {
  const channel = command.channel ?? context.channelId;
  const { target } = command;
  const org =
    target === undefined && command.org === undefined
      ? undefined
      : settleOrg(command.org, deps.orgs);
  const meant = (await deps.watches.all()).filter(
    (one) =>
      one.channel === channel &&
      (org === undefined || one.org === org) &&
      (target === undefined || (one.gvc === target.gvc && one.workload === target.workload)),
  );
  const removed = meant.filter((one) => !one.configured);
  await deps.watches.remove(removed);
  if (removed.length > 0) await deps.watchesChanged();
  const kept = meant.filter((one) => one.configured);
  return unwatchAnswer(removed, kept, channel);
}

async function watches(
  deps: DeploymentsFeatureDeps,
  command: Of<'watches'>,
  context: CommandContext,
): Promise<Answer> {
  const channel = command.channel ?? context.channelId;
  const all = await deps.watches.all();
  const own = all.filter((one) => one.channel === channel);
  const entries = await Promise.all(
    own.map(async (one) => ({ watch: one, pulse: await deps.readPulse(one.org, one.gvc) })),
  );
  return watchesAnswer(channel, entries, all.length - own.length, deps.clock.now());
}
