import type { KnownBlock } from '@slack/types';
import { formatDuration, plural, truncate } from '../../lib/text.ts';
import { context, lines, section, topText } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, moment, mrkdwn } from '../../slack/kit/text.ts';
import type { Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { listed } from './check.ts';
import type { Finding } from './check.ts';

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
const LENGTH = { trouble: 240, well: 90, name: 80, names: 240, area: 330 } as const;
/**
 * Characters as they are sent, of each part: together with heading, footer and buttons they stay below
 * what Slack takes of a message (`LIMITS.messageCharacters`).
 */
const ROOM = { troubles: 6_800, well: 3_800, off: 1_400 } as const;
/** The same of one block, below `LIMITS.sectionText`; a line is shorter, however much of it is escaped. */
const BLOCK_ROOM = 2_900;

/** What `/purser doctor` answers: what is broken first, each with its fix. Pure. */
export function doctorAnswer(examination: {
  readonly areas: readonly { readonly area: string; readonly findings: readonly Finding[] }[];
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly tookMs: number;
}): Answer {
  const { areas, at, tookMs } = examination;
  const all = areas.flatMap(({ area, findings }) => findings.map((one) => ({ ...one, area })));
  const of = (state: Finding['state']): Placed[] => all.filter((one) => one.state === state);
  const [broken, doubtful, well, offs] = [of('broken'), of('doubtful'), of('well'), of('off')];
  const title = headline(broken.length, doubtful.length, well.length, offs.length);
  const troubles = [...broken, ...doubtful];
  const icon = ICONS[troubles[0]?.state ?? 'well'];
  const mend = mrkdwn`: mend these first, and run ${'/purser doctor'} again`;
  const fine = [...grouped(well, ({ area }) => area)].map(wellLine);
  const took = tookMs < 1_000 ? 'less than 1 s' : formatDuration(tookMs);
  return {
    text: topText(mrkdwn`${title}${inShort(troubles)}`),
    blocks: [
      section(mrkdwn`${icon} *${title}*`),
      ...part(troubles.map(troubleLine), ROOM.troubles, mend, MAX_TROUBLES),
      ...part(fine, ROOM.well, mrkdwn` in which something is well`),
      ...part(offs.map(offLine), ROOM.off, mrkdwn` that are off`),
      context(
        mrkdwn`Looked at ${moment(at, '{time_secs}')}, which took ${took}; asked again within 10 s, the answer is the same`,
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
  const areDoubtful = doubtful === 1 ? '1 is doubtful' : `${doubtful} are doubtful`;
  const parts = [
    ...(broken === 0 ? [] : [thingsAre(broken, 'broken')]),
    ...(doubtful === 0 ? [] : [broken === 0 ? thingsAre(doubtful, 'doubtful') : areDoubtful]),
  ];
  return `${parts.join(', ')}; ${well} of ${plural(broken + doubtful + well, 'check')} well${rest}`;
}

function thingsAre(count: number, how: string): string {
  return count === 1 ? `1 thing is ${how}` : `${count} things are ${how}`;
}

/** For a notification, and for screen readers. */
function inShort(troubles: readonly Placed[]): string {
  const first = troubles.slice(0, 8).map(({ what, says }) => `${what} – ${truncate(says, 120)}`);
  return first.length === 0 ? '' : `: ${first.join('; ')}`;
}

function troubleLine({ area, what, state, says, fix }: Placed): Mrkdwn {
  const line = mrkdwn`${ICONS[state]} *${placeOf(area, what)}* – ${truncate(says, LENGTH.trouble)}`;
  return fix === undefined ? line : mrkdwn`${line}\n        → ${truncate(fix, LENGTH.trouble)}`;
}

/** The area goes before what it does not name itself. */
function placeOf(area: string, what: string): string {
  const isNamed = what.toLowerCase().includes(area.toLowerCase());
  return truncate(isNamed ? what : `${area}: ${what}`, LENGTH.name);
}

function offLine({ area, what, says, fix }: Placed): Mrkdwn {
  const line = mrkdwn`${ICONS.off} ${placeOf(area, what)} – ${truncate(says, LENGTH.trouble)}`;
  return fix === undefined ? line : mrkdwn`${line} → ${truncate(fix, LENGTH.trouble)}`;
}

/** One line for an area, however much of it is well; what is well in the same way is said once. */
function wellLine([area, findings]: readonly [string, readonly Finding[]]): Mrkdwn {
  const shown: Mrkdwn[] = [];
  let [used, told] = [0, 0];
  for (const [says, alike] of grouped(findings, (one) => one.says)) {
    const whats = alike.map(({ what }) => what);
    const names = whats.length === 1 && whats[0] === area ? '' : `${namesOf(whats)}: `;
    const text = `${names}${truncate(says, LENGTH.well)}`;
    used += text.length;
    if (shown.length > 0 && used > LENGTH.area) break;
    shown.push(mrkdwn`${text}`);
    told += whats.length;
  }
  if (told < findings.length) shown.push(mrkdwn`${findings.length - told} more`);
  return mrkdwn`${ICONS.well} *${area}* – ${joinMrkdwn(shown, ' · ')}`;
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

function namesOf(whats: readonly string[]): string {
  const names = listed(
    whats.map((what) => truncate(what, LENGTH.name)),
    MAX_NAMES,
  );
  return truncate(names, LENGTH.names);
}

/** As many lines as there is room for. @param rest what is said behind the number of the others */
function part(all: readonly Mrkdwn[], room: number, rest: Mrkdwn, max = all.length): KnownBlock[] {
  const told = fitting(all.slice(0, max), room);
  const hidden = all.length - told.length;
  const more = hidden > 0 ? [context(mrkdwn`… and ${hidden} more${rest}`)] : [];
  return [...inBlocks(told), ...more];
}

/** The first lines, as many as have so many characters together. */
function fitting(all: readonly Mrkdwn[], room: number): readonly Mrkdwn[] {
  let used = 0;
  const over = all.findIndex(({ text }) => {
    used += text.length + 1;
    return used > room;
  });
  return over === -1 ? all : all.slice(0, over);
}

function inBlocks(all: readonly Mrkdwn[]): KnownBlock[] {
  if (all.length === 0) return [];
  const count = Math.max(1, fitting(all, BLOCK_ROOM).length);
  return [lines(all.slice(0, count), count), ...inBlocks(all.slice(count))];
}
