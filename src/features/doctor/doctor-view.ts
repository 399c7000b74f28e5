import type { KnownBlock } from '@slack/types';
import type { Config } from '../../config/config.ts';
import { formatDuration, plural, truncate } from '../../lib/text.ts';
import type { Services } from '../../services.ts';
import { context, lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, moment, Mrkdwn, mrkdwn, withCode } from '../../slack/kit/text.ts';
import type { Answer, Rest } from '../../slack/routing/routes.ts';

/** One thing that the doctor looked at. Plain text, no secret, no amount, no person. */
export interface Finding {
  /** What was looked at: "Org acme, deployments", "#deployments", "SLACK_BOT_TOKEN". */
  readonly what: string;
  /** `broken`: something does not work. `doubtful`: it works, and may not for long or not as meant. `off`: not configured. */
  readonly state: 'well' | 'doubtful' | 'broken' | 'off';
  /** One sentence without its end: what is wrong, or what is well. */
  readonly says: string;
  /**
   * What to do, as an order without its end, with commands between backticks; there whenever something is
   * broken or doubtful.
   */
  readonly fix?: string;
}

/** How long a check may take, in milliseconds. */
export const CHECK_TIMEOUT_MS = 10_000;

/** A fix for what may be over soon. */
export const RUN_AGAIN = 'run `/purser doctor` again in a minute';

/** Things that are looked at together: a file with its judgement, and a line in the list of `doctor.ts`. */
export interface Check {
  /** The heading of its findings: "Slack", "Billing". */
  readonly area: string;
  /**
   * @param signal aborted after `CHECK_TIMEOUT_MS`; what is known by then can be returned within a second
   * @throws when nothing is known; the doctor reports it as broken, an error of the platform in its own words
   */
  run(signal: AbortSignal): Promise<readonly Finding[]>;
}

/** The services that a check needs, and the parts of the configuration. */
export type CheckServices<Service extends keyof Services, Part extends keyof Config> = Pick<
  Services,
  Service
> & { readonly config: Pick<Config, Part> };

const trouble =
  (state: 'doubtful' | 'broken') =>
  (what: string, says: string, fix: string): Finding => ({ what, state, says, fix });

export const doubtful = trouble('doubtful');
export const broken = trouble('broken');

export function well(what: string, says: string): Finding {
  return { what, state: 'well', says };
}

export function off(what: string, says: string, fix?: string): Finding {
  return { what, state: 'off', says, ...(fix !== undefined && { fix }) };
}

/** Without what is not there: what is well is often no finding. */
export function compact(findings: readonly (Finding | false | undefined)[]): Finding[] {
  return findings.filter((finding) => finding !== undefined && finding !== false);
}

/**
 * "a, b and c"; of more than `max` the rest is counted: "a, b and 3 more". Names with a comma are set
 * apart by semicolons.
 */
export function listed(names: readonly string[], max = names.length): string {
  const shown = names.slice(0, max);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  const separator = names.some((name) => name.includes(',')) ? '; ' : ', ';
  return shown.length === 0 ? (last ?? '') : `${shown.join(separator)} and ${last}`;
}

/** A finding with the heading that it stands under. */
type Placed = Finding & { readonly area: string };

const ICONS = {
  broken: new Mrkdwn(SIGN.hurt),
  doubtful: new Mrkdwn(SIGN.wrong),
  off: new Mrkdwn(SIGN.off),
  well: new Mrkdwn(SIGN.good),
} as const;

/** Troubles in the answer itself, and settings that are off in a line each. */
const MAX_TROUBLES = 8;
const MAX_OFFS = 3;
const MAX_NAMES = 6;
/** Characters, before they are escaped. */
const LENGTH = { says: 240, fix: 320, well: 90, name: 80, names: 240, area: 330 } as const;
/** Characters as they are sent, of the troubles in the answer. */
const ROOM = 1_150;
/** The same of one block, below `LIMITS.sectionText`; a line is shorter, however much of it is escaped. */
const BLOCK_ROOM = 2_900;
/** Blocks of each part of the window, which has room for 100. */
const MAX_BLOCKS = { troubles: 60, well: 20, off: 15 } as const;

/**
 * What `/purser doctor` answers: what is broken and then what is doubtful, a line each with its fix. What is
 * well is one line, and a button opens it. Pure.
 */
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
  const told = shownTroubles(troubles.map(troubleLine));
  const hidden = troubles.length - told.length;
  const more = hidden > 0 ? [mrkdwn`… and ${hidden} more`] : [];
  const took = tookMs < 1_000 ? 'less than 1 s' : formatDuration(tookMs);
  return {
    text: topText(mrkdwn`${title}${inShort(troubles)}`),
    blocks: [
      section(mrkdwn`${icon} *${title}*`),
      ...inBlocks([...told, ...more]),
      ...inBlocks([...(troubles.length > 0 ? wellCount(well) : []), ...offLines(offs)]),
      context(
        mrkdwn`Checked at ${moment(at, '{time_secs}')} in ${took}; asking again within 10 s gives the same answer`,
      ),
    ],
    ...restOf({ troubles: hidden > 0 ? troubles : [], well, offs }, all.length),
    shareable: {
      question:
        'Everybody in the channel will see what of Purser is set up, and what is wrong with it.',
    },
    needs: 'orgs',
  };
}

function headline(broken: number, doubtful: number, well: number, off: number): string {
  if (broken + doubtful === 0) {
    const rest = off === 0 ? '' : `, ${plural(off, 'thing')} off`;
    return `Purser is well: ${plural(well, 'check')}${rest}`;
  }
  const areDoubtful = doubtful === 1 ? '1 is doubtful' : `${doubtful} are doubtful`;
  const parts = [
    ...(broken === 0 ? [] : [thingsAre(broken, 'broken')]),
    ...(doubtful === 0 ? [] : [broken === 0 ? thingsAre(doubtful, 'doubtful') : areDoubtful]),
  ];
  return parts.join(', ');
}

function thingsAre(count: number, how: string): string {
  return count === 1 ? `1 thing is ${how}` : `${count} things are ${how}`;
}

/** For a notification, and for screen readers. */
function inShort(troubles: readonly Placed[]): string {
  const first = troubles.slice(0, 8).map(({ what, says }) => `${what} – ${truncate(says, 120)}`);
  return first.length === 0 ? '' : `: ${first.join('; ').replaceAll('`', '')}`;
}

/** As many as can be taken in at a glance, and at least the worst one. */
function shownTroubles(all: readonly Mrkdwn[]): readonly Mrkdwn[] {
  const some = all.slice(0, MAX_TROUBLES);
  return some.slice(0, Math.max(1, fitting(some, ROOM).length));
}

function troubleLine({ area, what, state, says, fix }: Placed): Mrkdwn {
  return mrkdwn`${ICONS[state]} *${placeOf(area, what)}* – ${sentence(says, fix)}`;
}

/** What is wrong, an arrow, and what to do. */
function sentence(says: string, fix: string | undefined): Mrkdwn {
  const is = withCode(truncate(says, LENGTH.says));
  return fix === undefined ? is : mrkdwn`${is} → ${withCode(settingsAsCode(fix))}`;
}

/** A setting stands in a fix as it is typed: `REDIS_URL`, `ROLE=worker`. Code stays as it is. */
function settingsAsCode(fix: string): string {
  return truncate(fix, LENGTH.fix).replace(
    /`[^`]*`|(?<![\w`])[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9](?:=\w+)?/g,
    (found) => (found.startsWith('`') ? found : `\`${found}\``),
  );
}

/** The area goes before what it does not name itself. */
function placeOf(area: string, what: string): string {
  const isNamed = what.toLowerCase().includes(area.toLowerCase());
  return truncate(isNamed ? what : `${area}: ${what}`, LENGTH.name);
}

function wellCount(well: readonly Placed[]): Mrkdwn[] {
  return well.length === 0 ? [] : [mrkdwn`${ICONS.well} ${plural(well.length, 'check')} well`];
}

/** Few with what they mean, many by their names. */
function offLines(offs: readonly Placed[]): Mrkdwn[] {
  if (offs.length <= MAX_OFFS) return offs.map(offLine);
  return [
    mrkdwn`${ICONS.off} ${plural(offs.length, 'thing')} off: ${namesOf(offs.map(({ what }) => what))}`,
  ];
}

function offLine({ area, what, says, fix }: Placed): Mrkdwn {
  return mrkdwn`${ICONS.off} ${placeOf(area, what)} – ${sentence(says, fix)}`;
}

type Parts = Readonly<Record<'troubles' | 'well' | 'offs', readonly Placed[]>>;

/** The window with what the answer has no line for. */
function restOf({ troubles, well, offs }: Parts, all: number): { rest?: Rest } {
  const left = offs.length > MAX_OFFS ? offs : [];
  const isMore = troubles.length + left.length > 0;
  if (!isMore && well.length === 0) return {};
  const fine = [...grouped(well, ({ area }) => area)].map(wellLine);
  return {
    rest: {
      button: isMore ? `All ${plural(all, 'finding')}` : 'What is well',
      title: isMore ? 'All findings' : 'What is well',
      blocks: [
        ...inBlocks(troubles.map(troubleLine)).slice(0, MAX_BLOCKS.troubles),
        ...inBlocks(fine).slice(0, MAX_BLOCKS.well),
        ...inBlocks((isMore ? offs : []).map(offLine)).slice(0, MAX_BLOCKS.off),
      ],
    },
  };
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
