import type { KnownBlock } from '@slack/types';
import { formatDuration, plural, truncate } from '../../lib/text.ts';
import { context, lines, section, topText } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, moment, mrkdwn } from '../../slack/kit/text.ts';
import type { Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import type { Check, Finding } from './check.ts';
import { listed } from './check.ts';

/** Everything that was found. */
interface Examination {
  readonly areas: readonly {
    readonly area: Check['area'];
    readonly findings: readonly Finding[];
  }[];
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly tookMs: number;
}

/** A finding with the heading that it stands under. */
type Placed = Finding & { readonly area: string };

const ICONS = {
  broken: mrkdwn`:red_circle:`,
  doubtful: mrkdwn`:warning:`,
  off: mrkdwn`:white_circle:`,
  well: mrkdwn`:white_check_mark:`,
} as const;

/** Findings that are told with their fix. */
const MAX_TROUBLES = 24;
const MAX_NAMES = 6;
/** Characters, before they are escaped. */
const TROUBLE_LENGTH = 240;
const WELL_LENGTH = 90;
const NAME_LENGTH = 80;
const NAMES_LENGTH = 240;
const AREA_LENGTH = 330;
/**
 * Characters as they are sent, of each part: together with heading, footer and buttons they stay below
 * what Slack takes of a message (`LIMITS.messageCharacters`).
 */
const ROOM = { troubles: 6_800, well: 3_800, off: 1_400 } as const;
/** The same of one block, below `LIMITS.sectionText`; a line is shorter, however much of it is escaped. */
const BLOCK_ROOM = 2_900;

/** What `/purser doctor` answers: what is broken first, each with its fix. Pure. */
export function doctorAnswer({ areas, at, tookMs }: Examination): Answer {
  const all = areas.flatMap(({ area, findings }) => findings.map((one) => ({ ...one, area })));
  const of = (state: Finding['state']): Placed[] => all.filter((one) => one.state === state);
  const [broken, doubtful] = [of('broken'), of('doubtful')];
  const title = headline(broken.length, doubtful.length, of('well').length, of('off').length);
  const icon = broken.length > 0 ? ICONS.broken : doubtful.length > 0 ? ICONS.doubtful : ICONS.well;
  const troubles = [...broken, ...doubtful];
  const told = fitting(troubles.slice(0, MAX_TROUBLES).map(troubleLine), ROOM.troubles);
  const fine = wellLines(areas);
  const shownFine = fitting(fine, ROOM.well);
  const offs = of('off').map(offLine);
  const shownOffs = fitting(offs, ROOM.off);
  return {
    text: topText(mrkdwn`${title}${inShort(troubles)}`),
    blocks: [
      section(mrkdwn`${icon} *${title}*`),
      ...inBlocks(told),
      ...more(
        troubles.length - told.length,
        mrkdwn`: mend these first, and run ${'/purser doctor'} again`,
      ),
      ...inBlocks(shownFine),
      ...more(fine.length - shownFine.length, mrkdwn` in which something is well`),
      ...inBlocks(shownOffs),
      ...more(offs.length - shownOffs.length, mrkdwn` that are off`),
      context(
        mrkdwn`Looked at ${moment(at, '{time_secs}')}, which took ${tookMs < 1_000 ? 'less than 1 s' : formatDuration(tookMs)}; asked again within 10 s, the answer is the same`,
      ),
    ],
    shareable: {
      question:
        'Everybody in the channel will see what of Purser is set up, and what is wrong with it.',
    },
    needs: 'orgs',
  };
}

function headline(broken: number, doubtful: number, well: number, off: number): string {
  const rest = off === 0 ? '' : `, ${plural(off, 'thing')} off`;
  if (broken + doubtful === 0) return `Purser is well: ${plural(well, 'check')}${rest}`;
  const isDoubtful = doubtful === 1 ? '1 is doubtful' : `${doubtful} are doubtful`;
  const parts = [
    ...(broken === 0 ? [] : [broken === 1 ? '1 thing is broken' : `${broken} things are broken`]),
    ...(doubtful === 0 ? [] : [broken === 0 ? thingsAre(doubtful, 'doubtful') : isDoubtful]),
  ];
  return `${parts.join(', ')}; ${well} of ${plural(broken + doubtful + well, 'check')} well${rest}`;
}

function thingsAre(count: number, how: string): string {
  return count === 1 ? `1 thing is ${how}` : `${count} things are ${how}`;
}

/** For a notification, and for screen readers. */
function inShort(troubles: readonly Placed[]): string {
  if (troubles.length === 0) return '';
  return `: ${troubles
    .slice(0, 8)
    .map(({ what, says }) => `${what} – ${truncate(says, 120)}`)
    .join('; ')}`;
}

function troubleLine({ area, what, state, says, fix }: Placed): Mrkdwn {
  const line = mrkdwn`${ICONS[state]} *${placeOf(area, what)}* – ${truncate(says, TROUBLE_LENGTH)}`;
  return fix === undefined ? line : mrkdwn`${line}\n        → ${truncate(fix, TROUBLE_LENGTH)}`;
}

/** The area goes before what it does not name itself. */
function placeOf(area: string, what: string): string {
  const isNamed = what.toLowerCase().includes(area.toLowerCase());
  return truncate(isNamed ? what : `${area}: ${what}`, NAME_LENGTH);
}

function offLine({ area, what, says, fix }: Placed): Mrkdwn {
  const line = mrkdwn`${ICONS.off} ${placeOf(area, what)} – ${truncate(says, TROUBLE_LENGTH)}`;
  return fix === undefined ? line : mrkdwn`${line} → ${truncate(fix, TROUBLE_LENGTH)}`;
}

/** One line for each area, however much of it is well. */
function wellLines(areas: Examination['areas']): Mrkdwn[] {
  const byArea = new Map<string, Finding[]>();
  for (const { area, findings } of areas) {
    const fine = findings.filter(({ state }) => state === 'well');
    if (fine.length > 0) byArea.set(area, [...(byArea.get(area) ?? []), ...fine]);
  }
  return [...byArea].map(([area, findings]) => wellLine(area, findings));
}

/** What is well in the same way is said once. */
function wellLine(area: string, findings: readonly Finding[]): Mrkdwn {
  const groups = new Map<string, string[]>();
  for (const { what, says } of findings) groups.set(says, [...(groups.get(says) ?? []), what]);
  const shown: Mrkdwn[] = [];
  let [used, told] = [0, 0];
  for (const [says, whats] of groups) {
    const names = whats.length === 1 && whats[0] === area ? '' : `${namesOf(whats)}: `;
    const text = `${names}${truncate(says, WELL_LENGTH)}`;
    used += text.length;
    if (shown.length > 0 && used > AREA_LENGTH) break;
    shown.push(mrkdwn`${text}`);
    told += whats.length;
  }
  if (told < findings.length) shown.push(mrkdwn`${findings.length - told} more`);
  return mrkdwn`${ICONS.well} *${area}* – ${joinMrkdwn(shown, ' · ')}`;
}

function namesOf(whats: readonly string[]): string {
  const names = listed(
    whats.map((what) => truncate(what, NAME_LENGTH)),
    MAX_NAMES,
  );
  return truncate(names, NAMES_LENGTH);
}

function more(hidden: number, what: Mrkdwn): KnownBlock[] {
  return hidden <= 0 ? [] : [context(mrkdwn`… and ${hidden} more${what}`)];
}

/** The first lines, as many as have so many characters together. */
function fitting(all: readonly Mrkdwn[], room: number): Mrkdwn[] {
  let used = 0;
  const over = all.findIndex(({ text }) => {
    used += text.length + 1;
    return used > room;
  });
  return over === -1 ? [...all] : all.slice(0, over);
}

function inBlocks(all: readonly Mrkdwn[]): KnownBlock[] {
  const blocks: KnownBlock[] = [];
  for (let rest = all; rest.length > 0;) {
    const count = Math.max(1, fitting(rest, BLOCK_ROOM).length);
    blocks.push(lines(rest.slice(0, count), count));
    rest = rest.slice(count);
  }
  return blocks;
}
