import type { KnownBlock } from '@slack/types';
import { compareNatural, plural } from '../../lib/text.ts';
import { lines, section, SIGN } from '../../slack/kit/blocks.ts';
import { contentOf, messageText } from '../../slack/kit/message-text.ts';
import { mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Fallback } from '../watch/causes.ts';
import type { Group, GroupNotice, Member } from '../watch/group.ts';
import type { Level } from '../watch/impact.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  bold,
  buttons,
  capital,
  causeLines,
  CHECK_AND_WAIT,
  dotted,
  duration,
  headline,
  levelWords,
  listed,
  LOOK_AT_HURT,
  nextStep,
  short,
  spoken,
  undoGvc,
  type Content,
  type Whereabouts,
} from './parts.ts';

const MAX_LINES = 9;
const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  0: 'No impact',
  1: 'Reduced capacity',
  2: 'Partial outage',
  3: 'Outage',
};

type Named = readonly [name: string, member: Member];

interface View {
  org: string;
  group: Group;
  /** All that the channel hears of, and those that the message is about. */
  members: readonly Named[];
  about: readonly Named[];
  where: Whereabouts;
}

/**
 * A message of a group.
 * @param members those that the channel hears of, as `gvc/workload`
 */
export function groupContent(
  org: string,
  notice: GroupNotice,
  members: readonly Named[],
  where: Whereabouts,
): Content {
  const about = members.filter(([name]) => notice.about.includes(name));
  return CONTENT[notice.what]({ org, group: notice.group, members, about, where });
}

const CONTENT: Readonly<Record<GroupNotice['what'], (view: View) => Content>> = {
  first: firstContent,
  joined: joinedContent,
  over: overContent,
  ready: readyContent,
};

function titleOf({ kind, name, n }: Group): string {
  return kind === 'gvc' ? `${short(name)} GVC v${n}` : short(name);
}

function highest(members: readonly Named[]): Level {
  return Math.max(0, ...members.map(([, one]) => one.level)) as Level;
}

function isIll([, member]: Named): boolean {
  return member.isIll;
}

/** It is named: people were called about it. */
function isCalled([, member]: Named): boolean {
  return member.word !== undefined;
}

function signOf(group: Group, level: Level): string {
  if (level >= 2) return SIGN.hurt;
  return group.kind === 'silent' ? SIGN.unknown : SIGN.wrong;
}

function firstContent({ org, group, members, where }: View): Content {
  const isGvc = group.kind === 'gvc';
  const shown = isGvc ? members : members.filter(isCalled);
  const { sign, words } = isGvc ? gvcLine(group, shown) : locationLine(org, group, shown);
  const rows = rowsOf(shown);
  const isOpen = group.closedAt === undefined;
  const ill = isOpen ? rows.filter(isIll) : [];
  const isOut = isGvc && isOpen && members.some(([, one]) => one.level >= 2);
  const why = ill.length > 0 || isOut ? [lines(whyOf(org, group, ill, members))] : [];
  const head = headline(isGvc ? '' : sign, words);
  return {
    text: messageText([section(head), ...linesOf(spokenRows(rows)), ...why]),
    blocks: [
      section(headline(sign, words)),
      ...linesOf(rows.map(memberLine)),
      ...why,
      ...buttonsOf(org, group, ill, where),
    ],
  };
}

/** The causes of the ill with their next steps, else the step for all that the message shows. */
function whyOf(
  org: string,
  group: Group,
  ill: readonly Named[],
  shown: readonly Named[],
): Mrkdwn[] {
  const causes = causeLines(
    ill.map(([name, { cause }]) => [name, cause] as const),
    true,
    (names) => ({
      ...fallbackOf(
        group,
        ill.filter(([name]) => names.includes(name)),
      ),
      org,
    }),
  );
  return causes.length > 0 ? causes : [stepOf(org, group, shown, '')];
}

/** The next step for members of a group that share a cause, or have none. */
function stepOf(org: string, group: Group, members: readonly Named[], cause: string): Mrkdwn {
  const isOne = members.length === 1;
  if (group.kind === 'silent') {
    return isOne
      ? CHECK_AND_WAIT
      : mrkdwn`→ Check them from outside; I post here when they report again`;
  }
  // Trouble that many share is rarely in their logs.
  if (group.kind === 'trouble' && !isOne && cause === '')
    return mrkdwn`→ Check whether the location has an incident`;
  return nextStep(cause, { ...fallbackOf(group, members), org });
}

/** The order that undoes the last change of all the members. */
function fallbackOf({ kind, n }: Group, members: readonly Named[]): Fallback {
  const all = members.map(([, one]) => one);
  const several = all.length > 1;
  const urgent = all.some(({ level }) => level >= 2);
  if (kind === 'gvc') return { back: undoGvc(n), urgent, several };
  const [before] = all.map((one) => one.before);
  if (all.some((one) => one.before === undefined)) return { several };
  const back = several ? 'roll each back to its version before' : `roll back to v${before}`;
  return { back, urgent, several };
}

/** Of a location while workloads are ill there: for their GVC, or for the worst of them if they are of several. */
function buttonsOf(
  org: string,
  { kind, name, openedAt }: Group,
  ill: readonly Named[],
  where: Whereabouts,
): KnownBlock[] {
  if (kind === 'gvc') return [buttons(where, { org, gvc: name }, { start: openedAt })];
  const [worstOne] = ill;
  if (worstOne === undefined) return [];
  const [gvc = '', workload = ''] = worstOne[0].split('/');
  const isOne = ill.every(([other]) => other.startsWith(`${gvc}/`));
  const about = { location: name, ...(isOne ? {} : { workload }) };
  return [buttons(where, { org, gvc }, { ...about, start: openedAt }, isOne)];
}

interface Line {
  sign: string;
  words: (string | Mrkdwn)[];
}

function locationLine(org: string, group: Group, named: readonly Named[]): Line {
  const ill = named.filter(isIll);
  const level = highest(ill);
  const unknown = ill.filter(([, one]) => isUnknown(one)).map(([name]) => name);
  const happened = mrkdwn`${bold(titleOf(group))} ${happenedTo(group, named)}`;
  if (group.closedAt !== undefined) {
    const was = group.top === 0 ? '' : `was ${LEVEL_WORDS[group.top]}, `;
    const past = `${was}over${duration('after', group.openedAt, group.closedAt)}`;
    return { sign: '', words: [past, happened, `org ${short(org)}`] };
  }
  const areUnknown = unknown.length > 0 && unknown.length === ill.length;
  const left =
    ill.length === named.length ? '' : `${ill.length === 0 ? 'none' : ill.length} of them now`;
  return {
    sign: ill.length === 0 ? SIGN.good : signOf(group, level),
    words: [
      bold(areUnknown ? 'Unknown' : LEVEL_WORDS[level]),
      happened,
      left,
      areUnknown || unknown.length === 0 ? '' : `unknown: ${listed(unknown)}`,
      flapping(ill),
      `org ${short(org)}`,
    ],
  };
}

/** "unhealthy: 5 workloads", or "unhealthy: 4 workloads, rollouts failed: 1" */
function happenedTo({ word }: Group, members: readonly Named[]): string {
  const counts = new Map<string, number>();
  for (const [, one] of members) {
    const happened = HAPPENED[one.word ?? word] ?? word;
    counts.set(happened, (counts.get(happened) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([happened, count], at) => `${happened}: ${at === 0 ? plural(count, 'workload') : count}`)
    .join(', ');
}

const HAPPENED: Readonly<Record<string, string>> = {
  failed: 'rollouts failed',
  stuck: 'rollouts stuck',
  unhealthy: 'unhealthy',
  stale: 'stopped reporting',
};

function flapping(members: readonly Named[]): string {
  return members.some(([, one]) => one.flaps) ? 'flapping: 3 times in an hour' : '';
}

function gvcLine(group: Group, members: readonly Named[]): Line {
  const { openedAt, readyAt, supersededBy, unreached = 0 } = group;
  const ready = members.filter(([, one]) => one.ready !== undefined).length;
  const level = highest(members);
  const isFailed = members.some(([, one]) => one.word === 'failed' && one.isIll);
  const [word, own] =
    supersededBy !== undefined
      ? [`superseded by v${supersededBy}`, SIGN.over]
      : readyAt !== undefined
        ? ['ready', SIGN.good]
        : isFailed
          ? ['failed', SIGN.wrong]
          : ['deploying', SIGN.underWay];
  const took = readyAt === undefined ? '' : duration('· live in', openedAt, readyAt);
  return {
    sign: level > 0 ? signOf(group, level) : own,
    words: [
      bold(word),
      LEVEL_WORDS[level],
      bold(titleOf(group)),
      `${ready} of ${members.length} ready${took}`,
      unreached === 0 ? '' : `${unreached} not reached`,
    ],
  };
}

/** The worst first. */
function rowsOf(members: readonly Named[]): Named[] {
  return members.toSorted(
    ([a, one], [b, other]) =>
      Number(other.isIll) - Number(one.isIll) ||
      other.level - one.level ||
      Number(isUnknown(other)) - Number(isUnknown(one)) ||
      compareNatural(a, b),
  );
}

/** It does not report, and is known in no other location that should serve. */
function isUnknown({ isIll, word, level, wanted }: Member): boolean {
  return isIll && word === 'stale' && level === 0 && wanted === 0;
}

/** "2 of 2 serve" of members in the same state; '' of well ones. */
function countsOf(members: readonly Member[]): string {
  const counted = members.filter(({ word, level }) => word !== undefined || level > 0);
  const [have, wanted] = counted.reduce(
    ([some, all], one) => [some + one.have, all + one.wanted],
    [0, 0],
  );
  return wanted === 0 ? '' : `${have} of ${wanted} serve`;
}

function memberLine([name, member]: Named): Mrkdwn {
  const title = mrkdwn`*${short(name)}* v${member.version}`;
  return dotted([title, ...statesOf(member), countsOf([member])]);
}

function linesOf(all: readonly Mrkdwn[]): KnownBlock[] {
  return all.length === 0 ? [] : [lines(all, MAX_LINES)];
}

/** "Outage, deploying: shop/d, 0 of 2 serve", and "Ready: shop/a, shop/b": a line for each state. */
function spokenRows(rows: readonly Named[]): Mrkdwn[] {
  const byState = new Map<string, Named[]>();
  for (const row of rows) {
    const state = statesOf(row[1]).filter(Boolean).join(', ');
    byState.set(state, [...(byState.get(state) ?? []), row]);
  }
  return [...byState].map(([state, some]) => {
    const names = listed(some.map(([name]) => name));
    const counts = countsOf(some.map(([, one]) => one));
    return mrkdwn`${capital(state)}: ${names}${counts === '' ? '' : `, ${counts}`}`;
  });
}

/** "Outage" and "deploying"; of one that is well, or over, only the word for that. */
function statesOf(member: Member): string[] {
  const { word, level, wasOver, ready, isIll } = member;
  if (word === undefined) {
    if (level === 0) return [ready === undefined ? 'deploying' : 'ready'];
    return [LEVEL_WORDS[level], ready === undefined ? 'deploying' : ''];
  }
  if (wasOver !== undefined)
    return [wasOver.why ?? (word === 'stale' ? 'reports again' : 'recovered')];
  const happened = isIll ? (HAPPENED_ONE[word] ?? word) : '';
  return [isUnknown(member) ? 'Unknown' : LEVEL_WORDS[level], happened];
}

const HAPPENED_ONE: Readonly<Record<string, string>> = {
  failed: 'rollout failed',
  stuck: 'rollout stuck',
  unhealthy: 'unhealthy',
  stale: 'no report',
};

function joinedContent({ org, group, about, where }: View): Content {
  const level = highest(about);
  const [name = '', first] = about[0] ?? [];
  const isOne = about.length === 1 && first !== undefined;
  const lead = isOne
    ? levelWords(level, first.where, first.have, first.wanted)
    : LEVEL_WORDS[level];
  const word = first?.word ?? 'unhealthy';
  const all = HAPPENED[word] ?? word;
  const who = isOne
    ? mrkdwn`${bold(name)} v${first.version} ${HAPPENED_ONE[word] ?? word} in ${listed(first.where)}`
    : mrkdwn`${bold(titleOf(group))} ${all}: ${plural(about.length, group.kind === 'gvc' ? 'workload' : 'more workload')} · ${listed(about.map(([one]) => one))}`;
  const counts = isOne ? countsOf([first]) : '';
  const cause = about.map(([, one]) => one.cause).find((text) => text !== '') ?? '';
  const words = [bold(lead), who, counts, flapping(about), spoken(cause)];
  const next = stepOf(org, group, about, cause);
  const [gvc = '', workload = ''] = name.split('/');
  const target = isOne ? { workload, version: first.version } : {};
  return contentOf([
    section(mrkdwn`${headline(signOf(group, level), words)}\n${next}`),
    buttons(where, { org, gvc }, target),
  ]);
}

/** "recovered in kyiv · shop/a, shop/b · not recovered: shop/c deleted · still: d, e" */
function overContent({ org, group, about, members, where }: View): Content {
  const isBack = ([, { wasOver }]: Named): boolean =>
    wasOver?.why === undefined || (group.kind === 'silent' && wasOver.why === 'nothing to serve');
  const back = about.filter(isBack).map(([name]) => name);
  const lost = about
    .filter((one) => !isBack(one))
    .map(([name, one]) => `${name} ${one.wasOver?.why ?? ''}`);
  const still = members.filter((one) => isCalled(one) && one[1].wasOver === undefined);
  // The time of the group is not that of its first member that is well.
  const took = still.length > 0 ? '' : duration('after', group.openedAt, where.now);
  const place = group.kind === 'gvc' ? titleOf(group) : `in ${titleOf(group)}`;
  const verb = group.kind === 'silent' ? `${titleOf(group)} reports again` : `recovered ${place}`;
  const good = back.length > 0 ? SIGN.good : SIGN.unknown;
  const sign = still.length > 0 ? signOf(group, highest(still.filter(isIll))) : good;
  const line = headline(sign, [
    back.length > 0 ? mrkdwn`${bold(verb)}${took}` : mrkdwn`over ${place} without recovery`,
    listed(back),
    lost.length === 0 ? '' : `${back.length > 0 ? 'not recovered: ' : ''}${listed(lost)}`,
    still.length === 0 ? '' : `still: ${listed(still.map(([name]) => name))}`,
  ]);
  const details = still.length === 0 ? [] : buttonsOf(org, group, rowsOf(still), where);
  return contentOf([section(line), ...details]);
}

function readyContent({ org, group, about: ready, members, where }: View): Content {
  const ill = members.filter(
    (one) => one[1].level > 0 || (isCalled(one) && one[1].wasOver === undefined),
  );
  const well = ready.filter((one) => !ill.includes(one)).map(([name]) => name);
  const lead = ready.some(([, one]) => one.recovered) ? 'Ready, recovered' : 'Ready';
  const count = plural(ready.length, 'workload');
  const took = duration('· live in', group.openedAt, where.now);
  const line = headline(ill.length > 0 ? signOf(group, highest(ill)) : SIGN.good, [
    bold(lead),
    mrkdwn`${bold(titleOf(group))} in ${count}${took}`,
    listed(well),
    ill.length === 0 ? '' : `not well now: ${listed(ill.map(([name]) => name))}`,
  ]);
  if (ill.length === 0) return contentOf([section(line)]);
  const rows = rowsOf(ill);
  return contentOf([
    section(line),
    ...linesOf(rows.map(memberLine)),
    lines(whyOf(org, group, rows, rows)),
    ...buttonsOf(org, group, rows, where),
  ]);
}

/**
 * "I start from here: cart Outage (failed), pay no report"
 * @param level the highest one
 */
export function adoptedContent(place: WatchedGvc, ill: readonly string[], level: Level): Content {
  const line = dotted([`I start from here: ${ill.join(', ')}`, short(place.gvc)]);
  const step = level > 0 ? mrkdwn`\n${LOOK_AT_HURT}` : mrkdwn``;
  return contentOf([section(mrkdwn`${line}${step}`), buttons({ now: 0 }, place, {})]);
}
