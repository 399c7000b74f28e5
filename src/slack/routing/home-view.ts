import type { HomeView, KnownBlock } from '@slack/types';
import { actions, button, context, divider, header, section } from '../kit/blocks.ts';
import { code, LIMITS, moment, mrkdwn } from '../kit/text.ts';
import type { Answer } from './routes.ts';

export const REFRESH_ACTION = 'home.refresh';

/** A part as it is known now. */
export interface PartView {
  readonly title: string;
  /** Undefined: it is still being read. None: it is left out. */
  readonly blocks: readonly KnownBlock[] | undefined;
  /** It cannot be read now: of when the blocks are, ms since the epoch; undefined: there are none. */
  readonly failed?: { readonly shownOf: number | undefined };
}

export interface HomeState {
  /** In their order. */
  readonly parts: readonly PartView[];
  /** Why parts cannot be read now, a sentence each, however many parts it is true of. */
  readonly troubles: readonly string[];
  /** When the oldest of what is shown was read, ms since the epoch; undefined when nothing is. */
  readonly asOf: number | undefined;
  /** More is on its way. */
  readonly isReading: boolean;
}

/** Of a part, so that one never takes the room of all others. */
const PART_BLOCKS = 15;

/** The home tab of somebody who may use the bot (design section 3). Pure. */
export function homeView({ parts, troubles, asOf, isReading }: HomeState): HomeView {
  const below = [
    divider(),
    context(mrkdwn`${footer(asOf, isReading)} · ${HELP}`),
    actions(button({ action: REFRESH_ACTION, text: 'Refresh' })),
  ];
  const above = [
    ...troubles.map((why) => section(mrkdwn`:warning: ${why}`)),
    ...parts.flatMap(partBlocks),
  ];
  const room = LIMITS.homeBlocks - below.length;
  const shown = above.length <= room ? above : [...above.slice(0, room - 1), context(CUT)];
  return { type: 'home', blocks: [...shown, ...below] };
}

/** The home tab of somebody who may not. Pure. */
export function refusedHome({ blocks }: Pick<Answer, 'blocks'>): HomeView {
  return { type: 'home', blocks: blocks.slice(0, LIMITS.homeBlocks) };
}

const CUT = mrkdwn`… and more, for which there is no room here`;
const HELP = mrkdwn`${code('/purser help')} shows all commands`;

function partBlocks({ title, blocks, failed }: PartView): KnownBlock[] {
  if (failed !== undefined && failed.shownOf === undefined) {
    return [header(title), context(mrkdwn`Not known just now`)];
  }
  if (blocks?.length === 0) return [];
  return [
    header(title),
    ...(blocks ?? [context(mrkdwn`Reading …`)]).slice(0, PART_BLOCKS),
    ...(failed?.shownOf === undefined
      ? []
      : [
          context(
            mrkdwn`As of ${moment(failed.shownOf, '{time_secs}')}: nothing newer can be read just now`,
          ),
        ]),
  ];
}

function footer(asOf: number | undefined, isReading: boolean) {
  if (asOf === undefined) return isReading ? mrkdwn`Reading …` : mrkdwn`Nothing could be read`;
  const read = mrkdwn`As of ${moment(asOf, '{time_secs}')}`;
  return isReading ? mrkdwn`${read}, reading again …` : read;
}
