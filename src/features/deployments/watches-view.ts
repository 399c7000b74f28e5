import type { KnownBlock } from '@slack/types';
import { compareNames, formatAge, plural } from '../../lib/text.ts';
import type { Pulse } from '../../rollouts/gvc-store.ts';
import { muteOf } from '../../rollouts/mutes.ts';
import type { Mute } from '../../rollouts/mutes.ts';
import { placeOf } from '../../rollouts/watches.ts';
import type { Watch } from '../../rollouts/watches.ts';
import {
  code,
  context,
  joinMrkdwn,
  lines,
  mentionChannel,
  mentionUser,
  moment,
  mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { muteLine } from './mute-view.ts';
import { overlap } from './place.ts';
import { narrowing } from './watch-view.ts';

/** A watch with the health of its GVC. */
interface WatchHealth {
  watch: Watch;
  pulse: Pulse;
}

export interface WatchesView {
  channel: string;
  /** The bot is not in the channel, so it cannot post. */
  outside: boolean;
  entries: readonly WatchHealth[];
  /** Those of the channel. */
  mutes: readonly Mute[];
  /** How many watches other channels have. */
  elsewhere: number;
  /** Milliseconds since the epoch. */
  now: number;
}

const MAX_WATCHES = 60;
/** A text block takes 3,000 characters, and a line with two long names may have 300. */
const LINES_PER_BLOCK = 8;
const ERROR_LENGTH = 100;

/** What `/deployments watches` answers. Pure. */
export function watchesAnswer(view: WatchesView): Answer {
  const { channel, entries, elsewhere } = view;
  const warning = view.outside ? [section(OUTSIDE)] : [];
  if (entries.length === 0) {
    const others = elsewhere === 0 ? '' : ` ${elsewhere} in other channels.`;
    const text = mrkdwn`Nothing is watched in ${mentionChannel(channel)}.${others} Start with ${code('/deployments watch GVC')}.`;
    return { text: topText(text), blocks: [section(text), ...warning] };
  }
  const sorted = entries.toSorted((a, b) => compareNames(placeOf(a.watch), placeOf(b.watch)));
  const title = mrkdwn`*Watched in* ${mentionChannel(channel)}${troubled(entries)}`;
  return {
    text: topText(title),
    blocks: [
      section(title),
      ...warning,
      ...inBlocks(sorted.slice(0, MAX_WATCHES).map((entry) => watchLine(entry, view))),
      ...notes(view),
    ],
    shareable: true,
    needs: 'orgs',
  };
}

const OUTSIDE = mrkdwn`:warning: Purser is not in the channel, so nothing reaches it: type ${code('/invite @Purser')} there.`;

/** Of many lines the one that matters must not be looked for. */
function troubled(entries: readonly WatchHealth[]): Mrkdwn {
  const failing = entries.filter(({ pulse }) => pulse.failures > 0).length;
  return failing === 0 || entries.length === 1
    ? mrkdwn``
    : mrkdwn` – ${failing} of ${entries.length} cannot be read just now`;
}

function inBlocks(all: readonly Mrkdwn[]): KnownBlock[] {
  const blocks: KnownBlock[] = [];
  for (let from = 0; from < all.length; from += LINES_PER_BLOCK) {
    blocks.push(lines(all.slice(from, from + LINES_PER_BLOCK)));
  }
  return blocks;
}

function watchLine({ watch, pulse }: WatchHealth, { channel, mutes, now }: WatchesView): Mrkdwn {
  const mute = muteOf(mutes, channel, watch, now);
  const parts = [
    health(pulse, now),
    ...(pulse.skipped === 0 ? [] : [mrkdwn`${plural(pulse.skipped, 'deployment')} unreadable`]),
    ...(mute === undefined ? [] : [mrkdwn`:no_bell: until ${moment(mute.until)}`]),
    origin(watch),
  ];
  return mrkdwn`*${placeOf(watch)}*${narrowing(watch)} – ${joinMrkdwn(parts, ' · ')}`;
}

function origin({ configured, by }: Watch): Mrkdwn {
  if (configured) return mrkdwn`set by WATCHES`;
  return by === undefined ? mrkdwn`made by command` : mrkdwn`made by ${mentionUser(by)}`;
}

function health(pulse: Pulse, now: number): Mrkdwn {
  if (pulse.failures > 0) {
    const last = pulse.at === 0 ? 'never read' : `last read ${formatAge(now - pulse.at)}`;
    return mrkdwn`:warning: ${last}, ${pulse.failures} failed since: ${code(pulse.error, ERROR_LENGTH)}`;
  }
  if (pulse.at === 0) return mrkdwn`not read yet`;
  return mrkdwn`read ${formatAge(now - pulse.at)}`;
}

function notes({ channel, entries, mutes, elsewhere, now }: WatchesView): KnownBlock[] {
  // A mute of one workload silences no whole watch of its GVC, so no line above has it.
  const partial = mutes.filter((mute) =>
    entries.some(
      ({ watch }) => overlap(watch, mute) && muteOf([mute], channel, watch, now) === undefined,
    ),
  );
  const hidden = entries.length - MAX_WATCHES;
  const said = [
    ...(hidden > 0 ? [mrkdwn`${plural(hidden, 'more watch', 'more watches')} not shown`] : []),
    ...partial.slice(0, 5).map(muteLine),
    ...(partial.length > 5
      ? [mrkdwn`${partial.length - 5} more are muted: ${code('/deployments mute')}`]
      : []),
    ...(elsewhere > 0 ? [mrkdwn`${elsewhere} more in other channels`] : []),
  ];
  return said.length === 0 ? [] : [context(...said)];
}
