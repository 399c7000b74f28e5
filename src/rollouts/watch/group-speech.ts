import { createHash } from 'node:crypto';
import {
  groupId,
  takeNumber,
  type Draft,
  type Group,
  type GroupNotice,
  type Member,
} from './group.ts';
import { impactOf, type Level } from './impact.ts';
import { isAside, isKnown } from './location.ts';
import { lasted } from './spans.ts';
import type { Workload } from './workload.ts';

/** Brings the members of each group up to date. */
export function updateMembers(draft: Draft): void {
  const { gvc, stepped, workloads, time } = draft;
  for (const group of draft.groups.values()) {
    if (group.kind === 'gvc' && group.name === gvc) updateRolled(draft, group);
    for (const [name, member] of Object.entries(group.members)) {
      if (!name.startsWith(`${gvc}/`) || member.word === undefined) continue;
      const workload = workloads[name.slice(gvc.length + 1)];
      if (workload === undefined || !stepped.has(name.slice(gvc.length + 1))) continue;
      const { level, have, wanted } = impactOf(workload.locations, time);
      Object.assign(member, { level, have, wanted });
      member.isIll &&= isStillIll(group, workload);
      // It left without a word: it was deleted before it ever served, for one.
      const left = workload.away !== undefined && Object.values(workload.locations).every(isAside);
      if (left && !member.isIll && member.over === undefined) {
        member.wasOver ??= { at: time.now, n: 0, word: 'gone', why: 'gone' };
      }
    }
  }
}

function isStillIll({ kind, name }: Group, { locations, episode }: Workload): boolean {
  if (kind === 'silent') return locations[name]?.report !== undefined;
  const isFailed = Object.values(locations).some(({ state }) => state === 'failed');
  return episode !== undefined || isFailed;
}

/** The workloads that the GVC version rolls, and those that it has not reached. */
function updateRolled({ gvc, workloads, time }: Draft, group: Group): void {
  group.unreached = 0;
  for (const [workload, state] of Object.entries(workloads)) {
    const inPlay = Object.values(state.locations).filter(isKnown);
    const name = `${gvc}/${workload}`;
    if (!isRolled(state, group) && group.members[name]?.word === undefined) {
      delete group.members[name];
    }
    if (inPlay.length === 0) continue;
    if (!isRolled(state, group)) {
      group.unreached += inPlay.some((one) => one.gvc > 0 && one.gvc < group.n) ? 1 : 0;
      continue;
    }
    const { level, have, wanted } = impactOf(state.locations, time);
    const known = group.members[name];
    const first = { posted: 0, cause: '', where: [], at: time.now, isIll: false } as const;
    const now = { version: state.version, level, have, wanted, ready: state.ends.ready };
    group.members[name] = { ...first, ...known, ...now };
  }
}

function isRolled({ rolled, gvc }: Workload, group: Group): boolean {
  return rolled === true && gvc === group.n;
}

/** First messages, joiners, `ready`, returns and ends of the groups. */
export function speak(draft: Draft): void {
  for (const group of draft.groups.values()) {
    // A GVC version that is ready when it is first seen is one post.
    if (group.print === undefined && isRolledOut(draft, group)) group.print = '';
    else postFirst(draft, group);
    postJoined(draft, group);
    postReady(draft, group);
    postOver(draft, group);
    close(draft, group);
  }
}

/** The first message, or its edit when it shows something else. */
function postFirst(draft: Draft, group: Group): void {
  const shown = { ...group, print: '', loudAt: 0, top: 0 };
  const print = createHash('sha1').update(JSON.stringify(shown)).digest('base64').slice(0, 8);
  if (print === group.print) return;
  const opens = group.print === undefined ? true : undefined;
  group.print = print;
  const about = Object.keys(group.members);
  const notice: GroupNotice = { kind: 'group', group, what: 'first', opens, loud: true, about };
  // The first message comes before its replies.
  if (opens === true) draft.notices.unshift(notice);
  else draft.notices.push(notice);
}

function named({ members }: Group): [string, Member][] {
  return Object.entries(members).filter(([, { word }]) => word !== undefined);
}

/** All that have joined since the last loud message, in one reply. */
function postJoined(draft: Draft, group: Group): void {
  const joiners = named(group).filter(([, one]) => one.joinsSince !== undefined);
  if (joiners.length === 0) return;
  const level = Math.max(...joiners.map(([, one]) => one.posted)) as Level;
  const since = Math.min(group.loudAt, ...joiners.map(([, one]) => one.joinsSince ?? Infinity));
  if (level <= group.top && !lasted(draft.time, since, 'collect')) return;
  const worstFirst = joiners.toSorted(
    ([a, one], [b, other]) => other.posted - one.posted || (a < b ? -1 : 1),
  );
  for (const [, member] of joiners) delete member.joinsSince;
  group.top = Math.max(group.top, level) as Level;
  group.loudAt = draft.time.now;
  const about = worstFirst.map(([name]) => name);
  draft.notices.push({ kind: 'group', group, what: 'joined', loud: true, about });
}

/** Every member is ready, and no workload in play is at a lower GVC version. */
function isRolledOut({ gvc, workloads }: Draft, group: Group): boolean {
  if (group.kind !== 'gvc' || group.name !== gvc || group.unreached !== 0) return false;
  const rolled = rolledIn(workloads, group);
  return rolled.length > 0 && rolled.every(([, { ends }]) => ends.ready !== undefined);
}

function rolledIn(workloads: Draft['workloads'], group: Group): [string, Workload][] {
  return Object.entries(workloads).filter(
    ([, state]) => isRolled(state, group) && Object.values(state.locations).some(isKnown),
  );
}

function postReady(draft: Draft, group: Group): void {
  if (group.readyAt !== undefined || !isRolledOut(draft, group)) return;
  const { gvc, workloads, time, notices } = draft;
  const isCard = group.print === '' ? true : undefined;
  group.readyAt = time.now;
  group.loudAt = time.now;
  const about = rolledIn(workloads, group).map(([workload]) => `${gvc}/${workload}`);
  // It is the word that ends their trouble, too.
  for (const member of Object.values(group.members)) {
    if (member.over?.word !== 'ready') continue;
    Object.assign(member, { wasOver: member.over, isIll: false, posted: 0 });
    delete member.over;
  }
  notices.push({ kind: 'group', group, what: 'ready', loud: true, about, isCard });
}

/** Returns are collected for five minutes, or until all are over. */
function postOver(draft: Draft, group: Group): void {
  const { time } = draft;
  // A member that is ill again waits until it is well, or is called about.
  const waiting = Object.entries(group.members).filter(
    ([name, one]) =>
      one.over !== undefined &&
      one.joinsSince === undefined &&
      !isIllAgain(draft, group, name, one),
  );
  if (waiting.length === 0) return;
  const first = Math.min(...waiting.map(([, one]) => one.over?.at ?? time.now));
  const areAll = named(group).every(
    ([name, one]) => one.wasOver !== undefined || waiting.some(([other]) => other === name),
  );
  if (!areAll && !lasted(time, first, 'collect')) return;
  const recovered = waiting.filter(([, one]) => one.over?.why === undefined);
  for (const [, member] of waiting) {
    const wasPosted = member.over?.word === 'ready' ? true : undefined;
    Object.assign(member, { wasOver: member.over, isIll: false, posted: 0, wasPosted });
    delete member.over;
  }
  const loud = recovered.length > 0;
  const word = loud ? 'recovered' : 'gone';
  const n = group.kind === 'gvc' ? undefined : takeNumber(draft, `${group.name}/${word}`);
  if (loud) group.loudAt = time.now;
  const others = waiting.filter((one) => !recovered.includes(one));
  const about = [...recovered, ...others].map(([name]) => name);
  draft.notices.push({ kind: 'group', group, what: 'over', loud, about, n });
}

/** It is ill, or a location that starts up makes it serve little: that is no time to call it recovered. */
function isIllAgain(
  { ill }: Draft,
  { kind, name: location }: Group,
  name: string,
  { level }: Member,
): boolean {
  const [gvc = '', workload] = name.split('/');
  const own = (ill[gvc] ?? []).filter((one) => one.workload === workload);
  if (kind === 'silent') {
    return own.some((one) => one.kind === kind && one.location === location);
  }
  return level >= 2 || own.some((one) => one.level > 0);
}

/** The group ends when no member is ill; a GVC version once it is ready, too. */
function close(draft: Draft, group: Group): void {
  const isDone = named(group).every(([, one]) => one.wasOver !== undefined);
  if (isDone && (group.kind !== 'gvc' || group.readyAt !== undefined)) {
    group.closedAt = draft.time.now;
    draft.groups.delete(groupId(group));
  }
  postFirst(draft, group);
}

/** The card of a GVC version that a newer one has replaced. */
export function closeReplaced(draft: Draft, group: Group, supersededBy: number): void {
  Object.assign(group, { closedAt: draft.time.now, supersededBy });
  draft.groups.delete(groupId(group));
  postFirst(draft, group);
}
