import { call, endRollout, wordOfCall } from './episode.ts';
import { groupId, type Group, type Ill, type OrgState, type WorkloadNotice } from './group.ts';
import { impactOf, type Impact, type Level } from './impact.ts';
import { isAside, isUnknown, isYoung } from './location.ts';
import { versionBefore } from './rollout.ts';
import type { PollTime } from './spans.ts';
import {
  changeLocations,
  nextNumber,
  own,
  post,
  type Event,
  type Turn,
  type Word,
  type Workload,
} from './workload.ts';

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
export function asCalled(
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
export function isCallNews(
  workload: Workload,
  { kind, name }: Pick<Group, 'kind' | 'name'>,
  level: Level,
): boolean {
  if (kind === 'silent') return workload.locations[name]?.report === undefined;
  if (level > (workload.episode?.called ?? 0)) return true;
  return workload.episode === undefined && workload.ends.failed === undefined;
}

export function lastCallOf(
  workload: Workload,
  { kind, name }: Pick<Group, 'kind' | 'name'>,
): { word: Word; n: number } {
  if (kind === 'silent') return { word: 'stale', n: workload.locations[name]?.report?.n ?? 0 };
  const call = workload.calls?.at(-1);
  if (call !== undefined) return { word: call.word, n: call.n };
  return { word: 'failed', n: workload.ends.failed ?? 0 };
}

/** A workload in each location where it is ill; nothing for one that is well. */
export function illOf(name: string, workload: Workload, time: PollTime): Ill[] {
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
      return { ...base, word, n: nextNumber(workload, word) };
    });
  });
}
