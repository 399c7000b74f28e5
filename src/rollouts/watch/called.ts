import { call, endRollout, wordOfCall } from './episode.ts';
import { groupId, type Group, type Ill, type OrgState, type WorkloadNotice } from './group.ts';
import { impactOf, type Impact, type Level } from './impact.ts';
import { isAside, isUnknown, isYoung, type Location } from './location.ts';
import { versionBefore } from './rollout.ts';
import type { PollTime } from './spans.ts';
import {
  changeLocations,
  nextNumber,
  post,
  type Event,
  type Turn,
  type Word,
  type Workload,
} from './workload.ts';

export function hasNewMembers({ groups }: OrgState, gvc: string): boolean {
  return Object.values(groups).some(({ members }) =>
    Object.entries(members).some(
      ([name, { isNew }]) => isNew === true && name.startsWith(`${gvc}/`),
    ),
  );
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
      const workload = workloads[name.slice(gvc.length + 1)];
      if (member.isNew !== true || !name.startsWith(`${gvc}/`)) continue;
      const { isNew: _, ...taken } = member;
      isSame = false;
      groups[id] = { ...groups[id], members: { ...groups[id]?.members, [name]: taken } } as Group;
      if (workload === undefined) continue;
      const { workload: state, event } = asCalled(workload, group, time);
      const own = name.slice(gvc.length + 1);
      workloads[own] = state;
      notices.push({ kind: 'event', workload: own, event, state, group: groupId(group) });
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
    const event = post(turn, 'stale', { loud: true, calls: true, locations: [name] });
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

/** Word and number of the last call. */
export function lastCallOf(
  workload: Workload,
  { kind, name }: Pick<Group, 'kind' | 'name'>,
): { word: Word; n: number } {
  if (kind === 'silent') return { word: 'stale', n: workload.locations[name]?.report?.n ?? 0 };
  const call = workload.calls?.at(-1);
  if (call !== undefined) return { word: call.word, n: call.n };
  return { word: 'failed', n: workload.ends.failed ?? 0 };
}

/** The group of trouble in any location. */
const TROUBLE = { kind: 'trouble', name: '' } as const;

/** A workload that is ill in a location; nothing for one that is well. */
export function illOf(name: string, workload: Workload, time: PollTime): Ill[] {
  const { locations, version } = workload;
  const impact = impactOf(locations, time);
  const isTrouble = ([location, one]: [string, Location]): boolean =>
    (impact.sick.includes(location) && one.served && !isYoung(one, time)) || one.state === 'failed';
  const all = Object.entries(locations).filter(([, one]) => !isAside(one));
  const trouble = all.filter(isTrouble).map(([location]) => location);
  const silent = all
    .filter(([, one]) => isUnknown(one) && (one.served || one.state === 'stale'))
    .map(([location]) => location);
  if (trouble.length + silent.length === 0) return [];
  const word = trouble.length > 0 ? callWordOf(workload, impact) : 'stale';
  const n = nextNumber(workload, word);
  const { level, have, wanted } = impact;
  const cause = trouble.flatMap((location) => locations[location]?.cause ?? [])[0] ?? '';
  const isPosted = trouble.length > 0 && !isCallNews(workload, TROUBLE, level);
  const posted = isPosted ? lastCallOf(workload, TROUBLE) : undefined;
  const lost = Object.fromEntries(
    silent.flatMap((location) => {
      const report = locations[location]?.report;
      return report === undefined ? [] : [[location, report.n]];
    }),
  );
  const staleN = nextNumber(workload, 'stale');
  const before = versionBefore(workload, time.now);
  const counts = { version, level, have, wanted, cause, before };
  const base = { workload: name, ...counts, trouble, silent, word, n };
  return [{ ...base, posted, ...(silent.length > 0 ? { lost, staleN } : {}) }];
}
