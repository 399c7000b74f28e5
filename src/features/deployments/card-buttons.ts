import { Refusal } from '../../lib/refusal.ts';
import { CARD_ACTIONS } from '../../rollouts/messages/card-actions.ts';
import type { ActionContext, ActionRoute, Answer, Person } from '../../slack/routes.ts';
import { mute } from './mute.ts';
import type { MuteDeps } from './mute.ts';
import { overlap, placeValue, readPlaceValue } from './place.ts';
import { endWatches } from './unwatch.ts';
import type { UnwatchDeps } from './unwatch.ts';
import { unwatchAnswer } from './watch-view.ts';

interface CardButtonsDeps extends MuteDeps, UnwatchDeps {
  /** @throws Refusal */
  requireOrgAccess: (person: Person) => Promise<void>;
}

/** A click on a card: what it is about, and where. */
interface Clicked {
  org: string;
  gvc: string;
  workload?: string;
  channel: string;
}

const HOUR_MS = 3_600_000;

/**
 * Mute and Unwatch below a card, for everybody who may read the orgs. They are about the channel of the
 * click. Details is a modal of its own.
 */
export function createCardButtons(deps: CardButtonsDeps): ActionRoute[] {
  const muteFor = (actionId: string, hours: number): ActionRoute => ({
    actionId,
    async run(context) {
      const { channel, ...scope } = await readClick(deps, context);
      const wish = { scope, channel, typedIn: channel };
      return mute(deps, wish, { forMs: hours * HOUR_MS, person: context.person });
    },
  });
  return [
    muteFor(CARD_ACTIONS.muteOneHour, 1),
    muteFor(CARD_ACTIONS.muteEightHours, 8),
    {
      actionId: CARD_ACTIONS.unwatch,
      run: async (context) => unwatchClicked(deps, await readClick(deps, context)),
    },
  ];
}

/** @throws Refusal for who has no right, and for a button that is none of a card's */
async function readClick(deps: CardButtonsDeps, context: ActionContext): Promise<Clicked> {
  await deps.requireOrgAccess(context.person);
  const { org, target } = readPlaceValue(context.value, deps.orgs);
  if (context.channelId === undefined) {
    throw new Refusal('Slack does not say which channel this is: use the button in the channel.');
  }
  const { gvc, workload } = target;
  return {
    org,
    gvc,
    ...(workload === undefined ? {} : { workload }),
    channel: context.channelId,
  };
}

/** Every watch of the channel goes that tells of the card's workload. */
async function unwatchClicked(deps: CardButtonsDeps, clicked: Clicked): Promise<Answer> {
  const { channel, org, gvc, workload } = clicked;
  const meant = (await deps.watches.all()).filter(
    (watch) => watch.channel === channel && overlap(watch, clicked),
  );
  const unwatched = await endWatches(deps, channel, meant);
  const clickedPlace = placeValue(org, { gvc, ...(workload === undefined ? {} : { workload }) });
  return unwatchAnswer(unwatched, {
    channel,
    clicked: clickedPlace,
    here: true,
    defaultOrg: deps.orgs.fallback,
  });
}
