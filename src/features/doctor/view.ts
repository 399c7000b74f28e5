import { formatDuration, plural, truncate } from '../../lib/text.ts';
import { context, section, SIGN } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, moment, Mrkdwn, mrkdwn, withCode } from '../../slack/kit/text.ts';
import type { Answer, Rest } from '../../slack/routing/routes.ts';
import { lineSections } from '../answer-parts.ts';
import { listed, type Finding } from './probe.ts';

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
/** Characters as sent in a message: of the problems, and of switched-off features. */
const ROOM = 9_000;
const OFF_ROOM = 1_500;

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
  const troubles = [...broken, ...doubtful];
  const icon = ICONS[troubles[0]?.state ?? 'well'];
  const shown = shownTroubles(troubles.map(lineOf));
  const hidden = troubles.length - shown.length;
  const took = tookMs < 1_000 ? 'less than 1 s' : formatDuration(tookMs);
  const passed = troubles.length > 0 && well.length > 0;
  return {
    blocks: [
      section(
        mrkdwn`${icon} *${headline(broken.length, doubtful.length, well.length, offs.length)}*`,
      ),
      ...lineSections([...shown, ...(hidden > 0 ? [mrkdwn`… and ${hidden} more`] : [])]),
      ...lineSections([
        ...(passed ? [mrkdwn`${ICONS.well} ${plural(well.length, 'check')} passed`] : []),
        ...offLines(offs),
      ]),
      context(
        mrkdwn`Checked at ${moment(at, '{time_secs}')} in ${took}; asking again within a minute gives the same answer`,
      ),
    ],
    ...restOf(hidden > 0 ? troubles : [], well, offs, all.length),
    shareable: {
      question:
        'Everyone in the channel will see what of Purser is set up, and what is wrong with it.',
    },
    needs: 'billing_admin',
  };
}

function headline(broken: number, doubtful: number, well: number, off: number): string {
  const are = (count: number, how: string) =>
    count === 1 ? `1 thing is ${how}` : `${count} things are ${how}`;
  if (broken + doubtful === 0) {
    const rest = off === 0 ? '' : `, ${plural(off, 'thing')} off`;
    if (well === 0) return `Nothing is wrong${rest}`;
    return `Everything works: ${plural(well, 'check')} passed${rest}`;
  }
  if (broken === 0) return are(doubtful, 'doubtful');
  const also = doubtful === 1 ? ', 1 is doubtful' : `, ${doubtful} are doubtful`;
  return `${are(broken, 'broken')}${doubtful === 0 ? '' : also}`;
}

/** As many as a message takes, at least the worst. */
function shownTroubles(all: readonly Mrkdwn[]): readonly Mrkdwn[] {
  let used = 0;
  const over = all.findIndex(({ text }) => (used += text.length + 1) > ROOM);
  return over === -1 ? all : all.slice(0, Math.max(1, over));
}

function lineOf({ area, what, state, says, fix }: Placed): Mrkdwn {
  const isNamed = what.toLowerCase().includes(area.toLowerCase());
  const place = truncate(isNamed ? what : `${area}: ${what}`, LENGTH.name);
  const name = state === 'off' ? mrkdwn`${place}` : mrkdwn`*${place}*`;
  const line = mrkdwn`${ICONS[state]} ${name} – ${withCode(truncate(says, LENGTH.says))}`;
  return fix === undefined ? line : mrkdwn`${line}\n→ ${withCode(settingsAsCode(fix))}`;
}

/** Settings as they are typed: `REDIS_URL`, `ROLE=worker`. Existing code stays. */
function settingsAsCode(fix: string): string {
  return truncate(fix, LENGTH.fix).replace(
    /`[^`]*`|(?<![\w`])[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9](?:=\w+)?/g,
    (found) => (found.startsWith('`') ? found : `\`${found}\``),
  );
}

function offLines(offs: readonly Placed[]): Mrkdwn[] {
  if (!areFolded(offs)) return offs.map(lineOf);
  return [mrkdwn`${ICONS.off} ${plural(offs.length, 'thing')} off: ${namesOf(offs)}`];
}

function areFolded(offs: readonly Placed[]): boolean {
  const used = offs.reduce((sum, one) => sum + lineOf(one).text.length, 0);
  return offs.length > MAX_OFFS || used > OFF_ROOM;
}

/** @param troubles all, where the message has no room for them */
function restOf(
  troubles: readonly Placed[],
  well: readonly Placed[],
  offs: readonly Placed[],
  all: number,
): { rest?: Rest } {
  const isMore = troubles.length > 0 || areFolded(offs);
  if (!isMore && well.length === 0) return {};
  const fine = [...grouped(well, ({ area }) => area)].map(wellLine);
  return {
    rest: {
      button: isMore ? `Show all (${all})` : 'Show checks',
      title: isMore ? 'All findings' : 'Checks that passed',
      blocks: lineSections([...troubles.map(lineOf), ...fine, ...(isMore ? offs : []).map(lineOf)]),
    },
  };
}

/** One line for an area, however many checks are healthy; equal sentences are merged. */
function wellLine([area, findings]: readonly [string, readonly Placed[]]): Mrkdwn {
  const shown: Mrkdwn[] = [];
  let [used, count] = [0, 0];
  for (const [says, alike] of grouped(findings, (one) => one.says)) {
    const isAlone = alike.length === 1 && alike[0]?.what === area;
    const text = `${isAlone ? '' : `${namesOf(alike)}: `}${truncate(says, LENGTH.well)}`;
    used += text.length;
    if (shown.length > 0 && used > LENGTH.area) break;
    shown.push(mrkdwn`${text}`);
    count += alike.length;
  }
  if (count < findings.length) shown.push(mrkdwn`${findings.length - count} more`);
  return mrkdwn`${ICONS.well} *${area}* – ${joinMrkdwn(shown, ' · ')}`;
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

function namesOf(findings: readonly Finding[]): string {
  const whats = new Set(findings.map(({ what }) => truncate(what, LENGTH.name)));
  return truncate(listed([...whats], MAX_NAMES), LENGTH.names);
}
