import { call, endRollout, mentionsAt, wordOfCall } from './episode.ts';
import {
  eventKey,
  groupId,
  takeNumber,
  type Draft,
  type Group,
  type GvcStep,
  type Ill,
  type Member,
  type OrgState,
  type Over,
  type WorkloadNotice,
} from './group.ts';
import { closeReplaced, speak, updateMembers } from './group-speech.ts';
import { impactOf, type Impact, type Level } from './impact.ts';
import { isAside, isUnknown, isYoung, shouldServe, type Location } from './location.ts';
import { versionBefore } from './rollout.ts';
import type { PollTime } from './spans.ts';
import {
  changeLocations,
  isCall,
  nextNumber,
  own,
  post,
  type Event,
  type Turn,
  type Word,
  type Workload,
} from './workload.ts';

/** So many workloads of an org that are ill in one location share a message. */
const GROUP_FROM = 5;

/** Puts the calls and returns of a poll into the groups of the org, and posts what the groups have to say. */
export function regroup(
  before: OrgState,
  step: GvcStep,
): { org: OrgState; notices: Draft['notices'] } {
  if (step.stepped.size === 0 && Object.keys(before.groups).length === 0) {
    return { org: before, notices: [] };
  }
  const draft: Draft = {
    ...step,
    groups: new Map(Object.entries(structuredClone(before.groups))),
    numbers: { ...before.numbers },
    ill: nextIll(before.ill, step),
    notices: [],
  };
  for (const [name, { rolls }] of step.stepped) if (rolls === true) openRoll(draft, name);
  for (const [workload, { events }] of step.stepped) {
    for (const event of events) place(draft, workload, event);
  }
  updateMembers(draft);
  speak(draft);
  const { ill, numbers } = draft;
  const org: OrgState = { ill, groups: Object.fromEntries(draft.groups), numbers };
  return { org: isEqual(org, before) ? before : org, notices: draft.notices };
}

function isEqual(a: OrgState, b: OrgState): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Which workloads of this GVC are ill now. */
function nextIll(
  before: OrgState['ill'],
  { gvc, stepped, workloads, time }: GvcStep,
): OrgState['ill'] {
  const known = (before[gvc] ?? []).filter(({ workload }) => !stepped.has(workload));
  const found = [...stepped.keys()].flatMap((name) => {
    const workload = workloads[name];
    return workload === undefined ? [] : illOf(name, workload, time);
  });
  const next = { ...before, [gvc]: [...known, ...found] };
  if (next[gvc]?.length === 0) delete next[gvc];
  return next;
}

/** A version of the GVC that rolls its workloads again opens with its card. */
function openRoll(draft: Draft, workload: string): void {
  const version = draft.workloads[workload]?.gvc ?? 0;
  const key = { kind: 'gvc', name: draft.gvc, word: 'card', n: version } as const;
  const open = draft.groups.get(groupId(key));
  if (open !== undefined && open.n >= version) return;
  if (open !== undefined) closeReplaced(draft, open, version);
  openGroup(draft, key, [], 0);
}

/** A message of a workload: into a group, or by itself. */
function place(draft: Draft, workload: string, event: Event): void {
  const state = draft.workloads[workload];
  if (state === undefined) return;
  const name = `${draft.gvc}/${workload}`;
  const group = groupFor(draft, name, state, event);
  const notice: WorkloadNotice = { kind: 'event', workload, event, state };
  draft.notices.push(notice);
  if (event.what === 'ready') endByReady(draft, name, event, { state, rolls: group });
  if (isCall(event)) leaveOthers(draft, name, group);
  if (group === undefined) return;
  // Leaving is news by itself.
  if (event.what !== 'left') notice.group = groupId(group);
  if (isCall(event)) {
    if (join(draft, group, { name, event, state })) notice.below = group;
    return;
  }
  const member = group.members[name];
  if (member !== undefined && event.what !== 'ready') member.over = overOf(event, state);
}

/** A workload that is called about elsewhere is no longer a matter of its other groups. */
function leaveOthers({ groups }: Draft, name: string, group: Group | undefined): void {
  for (const other of groups.values()) {
    const member = other.members[name];
    if (other === group || other.kind === 'silent' || member?.word === undefined) continue;
    if (member.over === undefined || member.wasOver !== undefined) continue;
    member.wasOver = { ...member.over, why: 'not well' };
    delete member.over;
  }
}

/**
 * A workload's `ready` ends its trouble. Posted by itself it is the word that ends it; as a part of the
 * `ready` of a GVC version it is collected like other returns.
 */
function endByReady(
  { groups }: Draft,
  name: string,
  { at, n, recovered }: Event,
  { state, rolls }: { state: Workload; rolls: Group | undefined },
): void {
  const own = rolls?.members[name];
  if (own !== undefined) {
    own.ready = n;
    own.recovered = recovered === undefined ? undefined : true;
  }
  if (state.episode !== undefined) return;
  const over: Over = { at, n, word: 'ready' };
  if (rolls !== undefined && own !== undefined && recovered !== undefined) own.over = over;
  for (const group of groups.values()) {
    const member = group.members[name];
    if (group.kind === 'silent' || member?.word === undefined || member.wasOver !== undefined)
      continue;
    delete member.joinsSince;
    if (group === rolls) {
      member.over = over;
      continue;
    }
    delete member.over;
    Object.assign(member, { wasOver: over, isIll: false, posted: 0 });
  }
}

function overOf(event: Event, { locations }: Workload): Over {
  const { what, word, n, at, loud, recovered, leavers } = event;
  if (what === 'dropped') return { at, n, word, why: 'dropped' };
  if (what === 'back') {
    if (loud) return { at, n, word };
    const isIdle = event.locations.every((name) => isIdleIn(locations[name]));
    return { at, n, word, why: isIdle ? 'nothing to serve' : 'not well' };
  }
  if (recovered !== undefined && recovered.length > 0) return { at, n, word };
  return { at, n, word, why: leavers?.[0]?.why ?? (word === 'gone' ? 'gone' : 'suspended') };
}

/** Nothing is to be served there, as by a job or at zero replicas. */
function isIdleIn(location: Location | undefined): boolean {
  return location === undefined || isAside(location) || shouldServe(location) === 0;
}

/** The group to which a message goes: an open one, or one that it opens. */
function groupFor(draft: Draft, name: string, state: Workload, event: Event): Group | undefined {
  const { what, edit, locations } = event;
  if (edit === true || what === 'resumed' || what === 'crashes') return undefined;
  const rolls = draft.groups.get(groupId({ kind: 'gvc', name: draft.gvc }));
  const isRolling = rolls !== undefined && state.rolled === true && rolls.n === state.gvc;
  if (what === 'ready') return isRolling ? rolls : undefined;
  if (what === 'lost') return atLocation(draft, 'silent', event);
  if (what === 'call') {
    const isUnready = state.ends.ready === undefined;
    return isRolling && isUnready ? rolls : atLocation(draft, 'trouble', event);
  }
  const isReport = what === 'back' || what === 'dropped';
  return [...draft.groups.values()].find(
    ({ kind, name: location, members }) =>
      members[name]?.word !== undefined &&
      (kind === 'silent') === isReport &&
      (kind !== 'silent' || locations.includes(location)),
  );
}

/** The open group of one of the locations of a call, or the one that it opens. */
function atLocation(draft: Draft, kind: 'trouble' | 'silent', event: Event): Group | undefined {
  const open = event.locations.flatMap((name) => draft.groups.get(groupId({ kind, name })) ?? []);
  if (open[0] !== undefined) return open[0];
  const found = event.locations.map((name) => ({ name, ill: illAt(draft, kind, name) }));
  const [most] = found.toSorted((a, b) => b.ill.length - a.ill.length);
  if (most === undefined || most.ill.length < GROUP_FROM) return undefined;
  const n = takeNumber(draft, `${most.name}/${event.word}`);
  const key = { kind, name: most.name, word: event.word, n };
  return openGroup(draft, key, most.ill, event.impact.level);
}

interface Found {
  gvc: string;
  ill: Ill;
}

function illAt({ ill }: Draft, kind: 'trouble' | 'silent', location: string): Found[] {
  return Object.entries(ill).flatMap(([gvc, all]) =>
    all
      .filter((one) => one.kind === kind && one.location === location)
      .map((one) => ({ gvc, ill: one })),
  );
}

type GroupKey = Pick<Group, 'kind' | 'name' | 'word' | 'n'>;

function openGroup(draft: Draft, key: GroupKey, found: readonly Found[], level: Level): Group {
  const { now } = draft.time;
  const members = Object.create(null) as Record<string, Member>;
  const covers: string[] = [];
  for (const one of found) {
    const name = `${one.gvc}/${one.ill.workload}`;
    const { member, isCalled } = namedMember(draft, key, one);
    members[name] = member;
    const { version, word = '', n = 0 } = member;
    if (isCalled && n > 0) covers.push(eventKey(name, version, word, n));
  }
  const top = Math.max(level, ...found.map(({ ill }) => ill.level)) as Level;
  const openedBy = Object.keys(members);
  const group: Group = { ...key, openedAt: now, loudAt: now, top, openedBy, members, covers };
  draft.groups.set(groupId(key), group);
  return group;
}

/** All that are ill when the group opens count as called, at their level of now. */
function namedMember(
  draft: Draft,
  key: GroupKey,
  { gvc, ill }: Found,
): { member: Member; isCalled: boolean } {
  const { workload, kind: _, location: __, isPosted, ...standing } = ill;
  const { level } = standing;
  const { time, workloads, stepped } = draft;
  const member: Member = { ...standing, posted: level, at: time.now, isIll: true };
  if (gvc !== draft.gvc) {
    const isNew = isPosted === true ? undefined : true;
    return { member: { ...member, isNew }, isCalled: isNew === true };
  }
  const state = workloads[workload];
  if (state === undefined) return { member, isCalled: true };
  const events = stepped.get(workload)?.events ?? [];
  const isDue = events.some(isCall);
  const isCalled = isDue || isCallNews(state, key, level);
  if (isCalled && !isDue) {
    const { workload: called, event } = asCalled(state, key, time);
    workloads[workload] = called;
    // Channels that do not hear of the group get a call of its own.
    draft.notices.push({ kind: 'event', workload, event, state: called, group: groupId(key) });
  }
  const now = workloads[workload] ?? state;
  const flaps = now.episode?.flaps;
  return { member: { ...member, ...lastCallOf(now, key), flaps }, isCalled };
}

/** A call of a member, named or not. @returns whether it is a message of its own in the group's thread */
function join(
  draft: Draft,
  group: Group,
  { name, event, state }: { name: string; event: Event; state: Workload },
): boolean {
  const { now } = draft.time;
  const { word, n, version, impact, call, locations: where } = event;
  const { level, have, wanted } = impact;
  const known = group.members[name];
  const news = {
    word,
    n,
    version,
    level,
    have,
    wanted,
    cause: call?.cause ?? '',
    before: versionBefore(state, now),
    where,
    mentions: call?.mentions,
    flaps: event.flaps,
  };
  const member: Member = { ...known, ...news, posted: level, at: now, isIll: true };
  if (known?.word === undefined) {
    group.members[name] = { ...member, joinsSince: now };
    return false;
  }
  // The message that opened the group has its key.
  if (known.word === word && known.n === n && group.openedAt === now) return false;
  if (known.over !== undefined && level <= known.posted && version === known.version) {
    delete known.over;
    known.isIll = true;
    return false;
  }
  delete member.over;
  delete member.wasOver;
  group.members[name] = member;
  group.loudAt = now;
  group.top = Math.max(group.top, level) as Level;
  return true;
}

/**
 * A workload that a group of another GVC's poll has named counts as called from its own next poll on.
 * @param workloads the called one is replaced as it is to be stepped
 * @returns the org without new members (the same object if it has none), and the calls for channels that do not
 *   hear of the group
 */
export function takeCalls(
  org: OrgState,
  gvc: string,
  workloads: Record<string, Workload>,
  time: PollTime,
): { org: OrgState; notices: WorkloadNotice[] } {
  const groups: Record<string, Group> = { ...org.groups };
  const notices: WorkloadNotice[] = [];
  let isSame = true;
  for (const [id, group] of Object.entries(org.groups)) {
    for (const [name, member] of Object.entries(group.members)) {
      if (member.isNew !== true || !name.startsWith(`${gvc}/`)) continue;
      const { isNew: _, ...taken } = member;
      isSame = false;
      groups[id] = { ...group, members: { ...groups[id]?.members, [name]: taken } };
      const workload = name.slice(gvc.length + 1);
      const known = own(workloads, workload);
      if (known === undefined) continue;
      const { workload: state, event } = asCalled(known, group, time);
      workloads[workload] = state;
      notices.push({ kind: 'event', workload, event, state, group: groupId(group) });
    }
  }
  return { org: isSame ? org : { ...org, groups }, notices };
}

/** It was called by the message of a group; the event is its call for channels that do not hear of the group. */
function asCalled(
  workload: Workload,
  { kind, name }: Pick<Group, 'kind' | 'name'>,
  time: PollTime,
): { workload: Workload; event: Event } {
  const impact = impactOf(workload.locations, time);
  const turn: Turn = { workload, impact, time, events: [] };
  if (kind === 'silent') {
    const event = post(turn, 'lost', 'stale', { loud: true, locations: [name] });
    const report = { n: event.n, at: time.now };
    changeLocations(turn, [name], (one) =>
      one.report === undefined && isUnknown(one) ? { ...one, report } : one,
    );
    return { workload: turn.workload, event };
  }
  const where = impact.sick.length > 0 ? impact.sick : [name];
  const event = call(turn, callWordOf(workload, impact), where, { rises: true });
  endRollout(turn, event);
  return { workload: turn.workload, event };
}

function callWordOf(workload: Workload, impact: Impact): Word {
  if (impact.sick.length > 0) return wordOfCall(workload, impact.sick);
  return Object.values(workload.locations).some(({ state }) => state === 'failed')
    ? 'failed'
    : 'unhealthy';
}

/** Whether a call about the workloads that are ill now would be news. */
function isCallNews(
  workload: Workload,
  { kind, name }: Pick<Group, 'kind' | 'name'>,
  level: Level,
): boolean {
  if (kind === 'silent') return workload.locations[name]?.report === undefined;
  if (level > (workload.episode?.called ?? 0)) return true;
  return workload.episode === undefined && workload.ends.failed === undefined;
}

function lastCallOf(
  workload: Workload,
  { kind, name }: Pick<Group, 'kind' | 'name'>,
): Pick<Ill, 'word' | 'n' | 'mentions'> {
  if (kind === 'silent') return { word: 'stale', n: workload.locations[name]?.report?.n ?? 0 };
  const call = workload.calls?.at(-1);
  if (call !== undefined) return { word: call.word, n: call.n, mentions: call.mentions };
  return { word: 'failed', n: workload.ends.failed ?? 0 };
}

/** A workload in each location where it is ill; nothing for one that is well. */
function illOf(name: string, workload: Workload, time: PollTime): Ill[] {
  const { locations, version } = workload;
  const impact = impactOf(locations, time);
  const all = Object.entries(locations).filter(([, one]) => !isAside(one));
  const trouble = all.filter(
    ([location, one]) =>
      (impact.sick.includes(location) && one.served && !isYoung(one, time)) ||
      one.state === 'failed',
  );
  const silent = all.filter(([, one]) => isUnknown(one) && (one.served || one.state === 'stale'));
  const { level, have, wanted } = impact;
  const cause = trouble.flatMap(([, one]) => one.cause ?? [])[0] ?? '';
  const before = versionBefore(workload, time.now);
  const counts = { workload: name, version, level, have, wanted, cause, before };
  const found = { trouble, silent };
  return (['trouble', 'silent'] as const).flatMap((kind) => {
    const where = found[kind].map(([location]) => location);
    return where.map((location): Ill => {
      const key = { kind, name: location };
      const base = { ...counts, kind, location, where };
      if (!isCallNews(workload, key, level)) {
        return { ...base, ...lastCallOf(workload, key), isPosted: true };
      }
      const word = kind === 'silent' ? 'stale' : callWordOf(workload, impact);
      const mentions = kind === 'trouble' ? mentionsAt(workload, level) : undefined;
      return { ...base, word, n: nextNumber(workload, word), mentions };
    });
  });
}
