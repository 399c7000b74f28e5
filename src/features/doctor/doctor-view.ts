import type { Config } from '../../config/config.ts';
import { formatDuration, plural, truncate } from '../../lib/text.ts';
import type { Services } from '../../services.ts';
import { context, section, SIGN } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, moment, Mrkdwn, mrkdwn, withCode } from '../../slack/kit/text.ts';
import type { Answer, Rest } from '../../slack/routing/routes.ts';
import { lineSections } from '../answer-parts.ts';

/** One result of a check. Plain text, without secrets, amounts or people. */
export interface Finding {
  /** The subject: "Org acme, deployments", "#deployments", "SLACK_BOT_TOKEN". */
  readonly what: string;
  /** `doubtful`: works, but may fail soon or differently than intended. `off`: not configured. */
  readonly state: 'well' | 'doubtful' | 'broken' | 'off';
  readonly says: string;
  /** An imperative without its full stop, commands in backticks; always set for `broken` and `doubtful`. */
  readonly fix?: string;
}

/** Milliseconds. */
export const CHECK_TIMEOUT_MS = 10_000;

export const RUN_AGAIN = 'run `/purser doctor` again in a minute';

export interface Check {
  /** The heading of its findings: "Slack", "Billing". */
  readonly area: string;
  /**
   * @param signal aborted after `CHECK_TIMEOUT_MS`; partial results can be returned within a second
   * @throws when nothing is known; reported as broken, a platform error in its own words
   */
  run(signal: AbortSignal): Promise<readonly Finding[]>;
}

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

export function compact(findings: readonly (Finding | false | undefined)[]): Finding[] {
  return findings.filter((finding) => finding !== undefined && finding !== false);
}

/** "a, b and c"; more than `max` are counted: "a, b and 3 more". Semicolons when a name has a comma. */
export function listed(names: readonly string[], max = names.length): string {
  const shown = names.slice(0, max);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  const separator = names.some((name) => name.includes(',')) ? '; ' : ', ';
  return shown.length === 0 ? (last ?? '') : `${shown.join(separator)} and ${last}`;
}

type Placed = Finding & { readonly area: string };

const ICONS = {
  broken: new Mrkdwn(SIGN.hurt),
  doubtful: new Mrkdwn(SIGN.wrong),
  off: new Mrkdwn(SIGN.off),
  well: new Mrkdwn(SIGN.good),
} as const;

const MAX_OFFS = 3;
const MAX_NAMES = 6;
/** Characters, before they are escaped. */
const LENGTH = { says: 240, fix: 320, well: 90, name: 80, names: 240, area: 330 } as const;
/** Characters as sent, of the problems in a message. */
const ROOM = 9_000;

/** Broken, then doubtful findings, a line each with its fix; healthy ones share one line. Pure. */
export function doctorAnswer(examination: {
  readonly areas: readonly { readonly area: string; readonly findings: readonly Finding[] }[];
  /** End of the examination, ms since the epoch. */
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
  const shown = shownTroubles(troubles.map(troubleLine));
  const hidden = troubles.length - shown.length;
  const more = hidden > 0 ? [mrkdwn`… and ${hidden} more`] : [];
  const took = tookMs < 1_000 ? 'less than 1 s' : formatDuration(tookMs);
  return {
    blocks: [
      section(mrkdwn`${icon} *${title}*`),
      ...lineSections([...shown, ...more]),
      ...lineSections([...(troubles.length > 0 ? wellCount(well) : []), ...offLines(offs)]),
      context(
        mrkdwn`Checked at ${moment(at, '{time_secs}')} in ${took}; asking again within a minute gives the same answer`,
      ),
    ],
    ...restOf({ troubles: hidden > 0 ? troubles : [], well, offs }, all.length),
    shareable: {
      question:
        'Everybody in the channel will see what of Purser is set up, and what is wrong with it.',
    },
    needs: 'billing_admin',
  };
}

function headline(broken: number, doubtful: number, well: number, off: number): string {
  if (broken + doubtful === 0) {
    const rest = off === 0 ? '' : `, ${plural(off, 'thing')} off`;
    return `Everything works: ${plural(well, 'check')} passed${rest}`;
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

/** As many as a message takes, at least the worst. */
function shownTroubles(all: readonly Mrkdwn[]): readonly Mrkdwn[] {
  let used = 0;
  const over = all.findIndex(({ text }) => (used += text.length + 1) > ROOM);
  return over === -1 ? all : all.slice(0, Math.max(1, over));
}

function troubleLine({ area, what, state, says, fix }: Placed): Mrkdwn {
  return mrkdwn`${ICONS[state]} *${placeOf(area, what)}* – ${sentence(says, fix)}`;
}

function sentence(says: string, fix: string | undefined): Mrkdwn {
  const is = withCode(truncate(says, LENGTH.says));
  return fix === undefined ? is : mrkdwn`${is}\n→ ${withCode(settingsAsCode(fix))}`;
}

/** Settings as they are typed: `REDIS_URL`, `ROLE=worker`. Existing code stays. */
function settingsAsCode(fix: string): string {
  return truncate(fix, LENGTH.fix).replace(
    /`[^`]*`|(?<![\w`])[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9](?:=\w+)?/g,
    (found) => (found.startsWith('`') ? found : `\`${found}\``),
  );
}

function placeOf(area: string, what: string): string {
  const isNamed = what.toLowerCase().includes(area.toLowerCase());
  return truncate(isNamed ? what : `${area}: ${what}`, LENGTH.name);
}

function wellCount(well: readonly Placed[]): Mrkdwn[] {
  return well.length === 0 ? [] : [mrkdwn`${ICONS.well} ${plural(well.length, 'check')} well`];
}

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

function restOf({ troubles, well, offs }: Parts, all: number): { rest?: Rest } {
  const left = offs.length > MAX_OFFS ? offs : [];
  const isMore = troubles.length + left.length > 0;
  if (!isMore && well.length === 0) return {};
  const fine = [...grouped(well, ({ area }) => area)].map(wellLine);
  return {
    rest: {
      button: isMore ? `Show all (${all})` : 'Show checks',
      title: isMore ? 'All findings' : 'Checks that passed',
      blocks: lineSections([
        ...troubles.map(troubleLine),
        ...fine,
        ...(isMore ? offs : []).map(offLine),
      ]),
    },
  };
}

/** One line for an area, however many checks are healthy; equal sentences are merged. */
function wellLine([area, findings]: readonly [string, readonly Finding[]]): Mrkdwn {
  const shown: Mrkdwn[] = [];
  let [used, count] = [0, 0];
  for (const [says, alike] of grouped(findings, (one) => one.says)) {
    const whats = alike.map(({ what }) => what);
    const names = whats.length === 1 && whats[0] === area ? '' : `${namesOf(whats)}: `;
    const text = `${names}${truncate(says, LENGTH.well)}`;
    used += text.length;
    if (shown.length > 0 && used > LENGTH.area) break;
    shown.push(mrkdwn`${text}`);
    count += whats.length;
  }
  if (count < findings.length) shown.push(mrkdwn`${findings.length - count} more`);
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
