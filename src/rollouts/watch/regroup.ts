import { createHash } from 'node:crypto';
import { withCall, wordOfCall } from './episode.ts';
import {
  eventKey,
  groupId,
  type Group,
  type GroupNotice,
  type Ill,
  type Member,
  type OrgState,
  type Over,
  type WorkloadNotice,
} from './group.ts';
import { impactOf, type Impact, type Level } from './impact.ts';
import { isAside, isKnown, isUnknown, isYoung, type Location } from './location.ts';
import { changed } from './reports.ts';
import { isReady } from './rollout.ts';
import { lasted, type PollTime } from './spans.ts';
import { nextNumber, takeNumber, type Event, type Word, type Workload } from './workload.ts';

/** So many workloads of an org that are ill in one location share a message. */
const GROUP_FROM = 5;

/** What one poll of a GVC came to, before its calls are put into groups. */
export interface GvcStep {
  gvc: string;
  time: PollTime;
  /** All workloads of the GVC after the poll; a group may mark further ones as called. */
  workloads: Record<string, Workload>;
  /** Those that were stepped, with their messages and impact. */
  stepped: ReadonlyMap<
    string,
    { events: readonly Event[]; impact: Impact; rolls?: true | undefined }
  >;
}

export interface Regrouped {
  org: OrgState;
  notices: (GroupNotice | WorkloadNotice)[];
}

/** Puts the calls and returns of a poll into the groups of the org, and lets the groups speak. */
export function regroup(before: OrgState, step: GvcStep): Regrouped {
  const draft = new Draft(before, step);
  draft.updateIll();
  draft.openRolls();
  for (const [workload, { events }] of step.stepped) {
    for (const event of events) draft.place(workload, event);
  }
  draft.updateMembers();
  draft.speak();
  return { org: draft.result(), notices: draft.notices };
}

/**
 * A workload that a group of another GVC's poll has named counts as called from its own next poll on.
 * @returns the workload as it is to be stepped, and the org in which the member is no longer new
 */
export function takeCalls(
  org: OrgState,
  gvc: string,
  workloads: Record<string, Workload>,
  time: PollTime,
): OrgState {
  const groups: Record<string, Group> = { ...org.groups };
  for (const [id, group] of Object.entries(org.groups)) {
    for (const [name, member] of Object.entries(group.members)) {
      const workload = workloads[name.slice(gvc.length + 1)];
      if (member.isNew !== true || !name.startsWith(`${gvc}/`)) continue;
      const { isNew: _, ...taken } = member;
      groups[id] = { ...groups[id], members: { ...groups[id]?.members, [name]: taken } } as Group;
      if (workload === undefined) continue;
      const called = asCalled(workload, group, time);
      workloads[name.slice(gvc.length + 1)] = called;
    }
  }
  return { ...org, groups };
}

/** It was called by the message of a group. */
function asCalled(
  workload: Workload,
  { kind, name }: Pick<Group, 'kind' | 'name'>,
  time: PollTime,
): Workload {
  if (kind === 'silent') {
    const { workload: next, n } = takeNumber(workload, 'stale');
    return changed(next, [name], (one) =>
      one.report === undefined && isUnknown(one) ? { ...one, report: { n, at: time.now } } : one,
    );
  }
  const impact = impactOf(workload.locations, time);
  const word = callWordOf(workload, impact);
  const locations = impact.sick.length > 0 ? impact.sick : [name];
  const called = withCall(workload, { word, locations, impact, rises: true }, time);
  if (word !== 'failed' && word !== 'stuck') return called.workload;
  const n = called.events[0]?.n ?? 1;
  const { ready: _, ...ends } = called.workload.ends;
  return {
    ...called.workload,
    ends: { ...ends, [word]: n },
    ended: { ...called.workload.ended, [word]: locations },
  };
}

function callWordOf(workload: Workload, impact: Impact): Word {
  if (impact.sick.length > 0) return wordOfCall(workload, impact.sick);
  return Object.values(workload.locations).some(({ state }) => state === 'failed')
    ? 'failed'
    : 'unhealthy';
}

const RETURNS: ReadonlySet<Word> = new Set(['recovered', 'suspended', 'gone', 'stale']);

/** The groups of an org while a poll is put into them. */
class Draft {
  readonly notices: (GroupNotice | WorkloadNotice)[] = [];
  private readonly groups: Record<string, Group>;
  private readonly numbers: Record<string, number>;
  private ill: OrgState['ill'];
  /** Workloads whose own call is due in this poll. */
  private readonly due: ReadonlySet<string>;
  private readonly step: GvcStep;
  private readonly before: OrgState;

  constructor(before: OrgState, step: GvcStep) {
    this.before = before;
    this.step = step;
    this.groups = { ...before.groups };
    this.numbers = { ...before.numbers };
    this.ill = before.ill;
    this.due = new Set(
      [...step.stepped]
        .filter(([, { events }]) =>
          events.some((one) => one.calls === true && one.edit === undefined),
        )
        .map(([name]) => name),
    );
  }

  /** The very object that was there where nothing has changed. */
  result(): OrgState {
    const next = { ill: this.ill, groups: this.groups, numbers: this.numbers };
    return JSON.stringify(next) === JSON.stringify(this.before) ? this.before : next;
  }

  /** Which workloads of this GVC are ill now. */
  updateIll(): void {
    const { gvc, stepped, workloads, time } = this.step;
    const known = (this.ill[gvc] ?? []).filter(({ workload }) => !stepped.has(workload));
    const found = [...stepped.keys()].flatMap((name) => {
      const workload = workloads[name];
      return workload === undefined ? [] : illOf(name, workload, time);
    });
    const all = [...known, ...found];
    const { [gvc]: _, ...others } = this.ill;
    this.ill = all.length === 0 ? others : { ...others, [gvc]: all };
  }

  /** A version of the GVC that rolls its workloads again opens with its card. */
  openRolls(): void {
    const { gvc, stepped, workloads, time } = this.step;
    for (const [name, { rolls }] of stepped) {
      const workload = workloads[name];
      if (rolls !== true || workload === undefined) continue;
      const id = groupId({ kind: 'gvc', name: gvc });
      const open = this.groups[id];
      if (open !== undefined && open.n >= workload.gvc) continue;
      if (open !== undefined)
        this.edit({ ...open, closedAt: time.now, supersededBy: workload.gvc });
      this.open({ kind: 'gvc', name: gvc, word: 'card', n: workload.gvc }, [], 0);
    }
  }

  /** A message of a workload: into a group, or by itself. */
  place(workload: string, event: Event): void {
    const state = this.step.workloads[workload];
    if (state === undefined) return;
    const name = `${this.step.gvc}/${workload}`;
    if (event.word === 'ready' && state.episode === undefined) this.endByReady(name, event);
    const group = this.groupFor(name, state, event);
    const notice: WorkloadNotice = { kind: 'event', workload, event, state };
    this.notices.push(notice);
    if (group === undefined) return;
    // Leaving is news by itself.
    if (!isLeaving(event)) notice.group = groupId(group);
    if (event.calls === true) {
      if (this.join(group, name, event) === 'rose') notice.below = this.groups[groupId(group)];
      return;
    }
    const member = group.members[name];
    if (member === undefined) return;
    const { now } = this.step.time;
    const change = event.word === 'ready' ? { ready: event.n } : { over: overOf(event, now) };
    this.put(this.groups[groupId(group)] ?? group, name, {
      ...(this.groups[groupId(group)]?.members[name] ?? member),
      ...change,
    });
  }

  /** Its own `ready` is the word that ends its trouble. */
  private endByReady(name: string, event: Event): void {
    for (const group of Object.values(this.groups)) {
      const member = group.members[name];
      if (group.kind === 'silent' || member?.word === undefined || member.wasOver !== undefined)
        continue;
      const wasOver: Over = { at: event.at, n: event.n, word: 'ready' };
      this.put(group, name, {
        ...member,
        joinsSince: undefined,
        over: undefined,
        wasOver,
        isIll: false,
        posted: 0,
      });
    }
  }

  /** The group to which a message goes: an open one, or one that it opens. */
  private groupFor(name: string, state: Workload, event: Event): Group | undefined {
    const { gvc } = this.step;
    const rolls = this.groups[groupId({ kind: 'gvc', name: gvc })];
    const isRolling = rolls !== undefined && rolls.closedAt === undefined && state.rolled === true;
    if (event.edit === true) return undefined;
    if (event.word === 'ready') return isRolling && rolls.n === state.gvc ? rolls : undefined;
    if (event.calls === true) {
      if (event.word === 'stale') return this.atLocation('silent', event);
      if (isRolling && rolls.n === state.gvc && state.ends.ready === undefined) return rolls;
      return this.atLocation('trouble', event);
    }
    if (!RETURNS.has(event.word)) return undefined;
    const kinds = event.report === undefined ? ['trouble', 'gvc'] : ['silent'];
    return Object.values(this.groups).find(
      (group) =>
        kinds.includes(group.kind) &&
        group.closedAt === undefined &&
        isNamed(group.members[name]) &&
        (group.kind !== 'silent' || event.locations.includes(group.name)),
    );
  }

  /** The group of one of the locations where the workload is ill now. */
  private atLocation(kind: 'trouble' | 'silent', event: Event): Group | undefined {
    const open = event.locations
      .map((location) => this.groups[groupId({ kind, name: location })])
      .find((group) => group !== undefined && group.closedAt === undefined);
    if (open !== undefined) return open;
    const counts = event.locations.map((location) => ({
      location,
      ill: this.illAt(kind, location),
    }));
    const most = counts.toSorted((a, b) => b.ill.length - a.ill.length)[0];
    if (most === undefined || most.ill.length < GROUP_FROM) return undefined;
    const { location, ill } = most;
    const n = this.takeNumber(`${location}/${event.word}`);
    const group = this.open({ kind, name: location, word: event.word, n }, ill, event.impact.level);
    return group;
  }

  private illAt(kind: 'trouble' | 'silent', location: string): { gvc: string; ill: Ill }[] {
    return Object.entries(this.ill).flatMap(([gvc, all]) =>
      all.filter((one) => one[kind].includes(location)).map((ill) => ({ gvc, ill })),
    );
  }

  private takeNumber(name: string): number {
    const n = (this.numbers[name] ?? 0) + 1;
    this.numbers[name] = n;
    return n;
  }

  private open(
    key: Pick<Group, 'kind' | 'name' | 'word' | 'n'>,
    ill: readonly { gvc: string; ill: Ill }[],
    level: Level,
  ): Group {
    const { now } = this.step.time;
    const members: Record<string, Member> = Object.create(null) as Record<string, Member>;
    const covers: string[] = [];
    for (const one of ill) {
      const name = `${one.gvc}/${one.ill.workload}`;
      const { member, isCalled } = this.namedMember(key, one);
      members[name] = member;
      const { version, word = '', n = 0 } = member;
      if (isCalled && n > 0) covers.push(eventKey(name, version, word, n));
    }
    const top = Math.max(level, ...Object.values(members).map((member) => member.level)) as Level;
    const openedBy = Object.keys(members);
    const group: Group = { ...key, openedAt: now, loudAt: now, top, openedBy, members, covers };
    this.groups[groupId(key)] = group;
    return group;
  }

  /** All that are ill when the group opens count as called, at their level of now. */
  private namedMember(
    key: Pick<Group, 'kind' | 'name'>,
    { gvc, ill }: { gvc: string; ill: Ill },
  ): { member: Member; isCalled: boolean } {
    const { level, version, have, wanted, cause } = ill;
    const { time, workloads } = this.step;
    const word = key.kind === 'silent' ? 'stale' : ill.word;
    const where = key.kind === 'silent' ? ill.silent : ill.trouble;
    const base = {
      version,
      posted: level,
      level,
      have,
      wanted,
      cause,
      where,
      at: time.now,
      isIll: true,
    };
    if (gvc !== this.step.gvc)
      return { member: { ...base, word, n: ill.n, isNew: true }, isCalled: true };
    const workload = workloads[ill.workload];
    if (workload === undefined) return { member: { ...base, word, n: ill.n }, isCalled: true };
    const isDue = this.due.has(ill.workload);
    const isCalled = isDue || isCallNews(workload, key, level);
    const called = isCalled && !isDue ? asCalled(workload, key, time) : workload;
    workloads[ill.workload] = called;
    return { member: { ...base, ...lastCallOf(called, key) }, isCalled };
  }

  private join(group: Group, name: string, event: Event): 'rose' | undefined {
    const { now } = this.step.time;
    const { level, have, wanted } = event.impact;
    const known = group.members[name];
    const cause = event.call?.cause ?? '';
    const { word, n, version, locations: where } = event;
    const call = { word, n, version, level, have, wanted, cause, where };
    if (known === undefined || known.word === undefined) {
      this.put(group, name, {
        ...known,
        ...call,
        posted: level,
        at: now,
        isIll: true,
        joinsSince: now,
      });
      return undefined;
    }
    // The message that opened the group has its key.
    if (known.word === event.word && known.n === event.n && group.openedAt === now)
      return undefined;
    const isAgain = known.over !== undefined && level <= known.posted;
    if (isAgain) {
      this.put(group, name, { ...known, over: undefined, isIll: true });
      return undefined;
    }
    const { wasOver: _, over: __, ...still } = known;
    this.put(group, name, { ...still, ...call, posted: level, at: now, isIll: true });
    const current = this.groups[groupId(group)] ?? group;
    const top = Math.max(current.top, level) as Level;
    this.groups[groupId(group)] = { ...current, loudAt: now, top };
    return 'rose';
  }

  /** What the members are now. */
  updateMembers(): void {
    const { gvc, stepped, workloads, time } = this.step;
    for (const group of Object.values(this.groups)) {
      if (group.closedAt !== undefined) continue;
      if (group.kind === 'gvc' && group.name === gvc) this.updateRolled(group);
      for (const [name, member] of Object.entries(this.groups[groupId(group)]?.members ?? {})) {
        const own = name.startsWith(`${gvc}/`) ? name.slice(gvc.length + 1) : '';
        const workload = workloads[own];
        if (!stepped.has(own) && workload !== undefined) continue;
        if (workload === undefined || member.word === undefined) continue;
        const { level, have, wanted } = impactOf(workload.locations, time);
        const isIll = member.isIll && isStillIll(group, workload);
        const current = this.groups[groupId(group)] ?? group;
        this.put(current, name, { ...member, level, have, wanted, isIll });
      }
    }
  }

  /** The workloads that the GVC version rolls, and those that it has not reached. */
  private updateRolled(group: Group): void {
    const { gvc, workloads, time } = this.step;
    let [members, unreached] = [{ ...group.members }, 0];
    for (const [workload, state] of Object.entries(workloads)) {
      const inPlay = Object.values(state.locations).filter(isKnown);
      if (inPlay.length === 0) continue;
      const isLower = inPlay.some((one) => one.gvc > 0 && one.gvc < group.n);
      const isRolled = state.rolled === true && state.gvc === group.n;
      if (!isRolled) unreached += isLower ? 1 : 0;
      if (!isRolled) continue;
      const { level, have, wanted } = impactOf(state.locations, time);
      const known = members[`${gvc}/${workload}`];
      const base = { posted: 0 as Level, cause: '', where: [], at: time.now, isIll: false };
      const ready = state.ends.ready;
      members = {
        ...members,
        [`${gvc}/${workload}`]: {
          ...base,
          ...known,
          version: state.version,
          level,
          have,
          wanted,
          ready,
        },
      };
    }
    this.groups[groupId(group)] = { ...group, members, unreached };
  }

  /** Joiners, returns, `ready` and the end of each group. */
  speak(): void {
    for (const id of Object.keys(this.groups)) {
      const group = this.groups[id];
      if (group === undefined || group.closedAt !== undefined) continue;
      this.sayFirst(id);
      this.sayJoined(id);
      this.sayReady(id);
      this.sayOver(id);
      this.close(id);
    }
  }

  private sayFirst(id: string): void {
    const group = this.groups[id];
    if (group === undefined) return;
    const print = printOf(group);
    if (print === group.print) return;
    const opens = group.print === undefined ? true : undefined;
    this.groups[id] = { ...group, print };
    this.say(
      {
        group: this.groups[id],
        what: 'first',
        opens,
        loud: opens === true,
        about: Object.keys(group.members),
      },
      true,
    );
  }

  private sayJoined(id: string): void {
    const group = this.groups[id];
    const { time } = this.step;
    if (group === undefined) return;
    const joiners = Object.entries(group.members).filter(([, one]) => one.joinsSince !== undefined);
    if (joiners.length === 0) return;
    const level = Math.max(...joiners.map(([, one]) => one.posted)) as Level;
    if (level <= group.top && !lasted(time, group.loudAt, 'collect')) return;
    const about = joiners
      .toSorted(([a, one], [b, other]) => other.posted - one.posted || (a < b ? -1 : 1))
      .map(([name]) => name);
    const members = { ...group.members };
    for (const name of about)
      members[name] = { ...(members[name] as Member), joinsSince: undefined };
    this.groups[id] = { ...group, members };
    this.say({ group: this.groups[id], what: 'joined', loud: true, about });
  }

  /** Every member is ready, and no workload in play is at a lower GVC version. */
  private sayReady(id: string): void {
    const group = this.groups[id];
    if (group?.kind !== 'gvc' || group.readyAt !== undefined) return;
    const { gvc, workloads, time } = this.step;
    if (group.name !== gvc || group.unreached !== 0) return;
    const rolled = Object.entries(workloads).filter(
      ([, state]) =>
        state.rolled === true &&
        state.gvc === group.n &&
        Object.values(state.locations).some(isKnown),
    );
    if (
      rolled.length === 0 ||
      rolled.some(([, state]) => state.ends.ready === undefined && !isReady(state, time))
    )
      return;
    this.groups[id] = { ...group, readyAt: time.now, loudAt: time.now };
    const about = rolled.map(([workload]) => `${gvc}/${workload}`);
    this.say({ group: this.groups[id], what: 'ready', loud: true, about });
  }

  private sayOver(id: string): void {
    const group = this.groups[id];
    const { time } = this.step;
    if (group === undefined) return;
    const named = Object.entries(group.members).filter(([, one]) => one.word !== undefined);
    const waiting = named.filter(
      ([, one]) => one.over !== undefined && one.joinsSince === undefined,
    );
    if (waiting.length === 0) return;
    const first = Math.min(...waiting.map(([, one]) => one.over?.at ?? time.now));
    const all = named.every(([, one]) => one.over !== undefined || one.wasOver !== undefined);
    if (!all && !lasted(time, first, 'collect')) return;
    const members = { ...group.members };
    for (const [name, one] of waiting)
      members[name] = { ...one, over: undefined, wasOver: one.over, isIll: false, posted: 0 };
    const recovered = waiting.filter(([, one]) => one.over?.why === undefined);
    const word = recovered.length > 0 ? 'recovered' : 'gone';
    const n = group.kind === 'gvc' ? undefined : this.takeNumber(`${group.name}/${word}`);
    this.groups[id] = { ...group, members, loudAt: recovered.length > 0 ? time.now : group.loudAt };
    const about = [...recovered, ...waiting.filter((one) => !recovered.includes(one))].map(
      ([name]) => name,
    );
    this.say({ group: this.groups[id], what: 'over', loud: recovered.length > 0, about, n });
  }

  /** The group ends when nobody of it is ill. */
  private close(id: string): void {
    const group = this.groups[id];
    if (group === undefined) return;
    const named = Object.values(group.members).filter(({ word }) => word !== undefined);
    const isDone = named.every((one) => one.wasOver !== undefined);
    const isReadyDone = group.kind !== 'gvc' || group.readyAt !== undefined;
    if (!isDone || !isReadyDone) return this.sayFirst(id);
    this.edit({ ...group, closedAt: this.step.time.now });
    delete this.groups[id];
  }

  private edit(group: Group): void {
    this.notices.push({
      kind: 'group',
      group,
      what: 'first',
      loud: true,
      about: Object.keys(group.members),
    });
  }

  private put(group: Group, name: string, member: Member): void {
    const id = groupId(group);
    const current = this.groups[id] ?? group;
    this.groups[id] = { ...current, members: { ...current.members, [name]: member } };
  }

  private say(notice: Omit<GroupNotice, 'kind'>, first = false): void {
    const id = groupId(notice.group);
    const { now } = this.step.time;
    const current = this.groups[id] ?? notice.group;
    const levels = notice.about.map((name) => current.members[name]?.posted ?? 0);
    const isCall = notice.what === 'joined' || notice.opens === true;
    if (isCall) {
      this.groups[id] = { ...current, loudAt: now, top: Math.max(current.top, ...levels) as Level };
    }
    const group = this.groups[id] ?? current;
    const all: GroupNotice = { kind: 'group', ...notice, group };
    // A first message that opens stands before the replies.
    if (first && notice.opens === true) this.notices.unshift(all);
    else this.notices.push(all);
  }
}

function isLeaving({ word, leavers, report, calls }: Event): boolean {
  const leaves = word === 'gone' || word === 'suspended';
  return leaves && leavers === undefined && report === undefined && calls === undefined;
}

function isNamed(member: Member | undefined): boolean {
  return member?.word !== undefined;
}

function overOf({ word, n, recovered, leavers, report }: Event, at: number): Over {
  if (report === 'back') return { at, n, word };
  if (report === 'dropped') return { at, n, word, why: 'dropped' };
  if (recovered !== undefined && recovered.length > 0) return { at, n, word };
  return { at, n, word, why: leavers?.[0]?.why ?? (word === 'gone' ? 'gone' : 'suspended') };
}

/** Whether a call about what is ill now would be news. */
function isCallNews(
  workload: Workload,
  { kind, name }: Pick<Group, 'kind' | 'name'>,
  level: Level,
): boolean {
  if (kind === 'silent') return workload.locations[name]?.report === undefined;
  if (level > (workload.episode?.called ?? 0)) return true;
  return workload.episode === undefined && workload.ends.failed === undefined;
}

/** Word and number of the last call. */
function lastCallOf(
  workload: Workload,
  { kind, name }: Pick<Group, 'kind' | 'name'>,
): { word: Word; n: number } {
  if (kind === 'silent') return { word: 'stale', n: workload.locations[name]?.report?.n ?? 0 };
  const call = workload.calls?.at(-1);
  if (call !== undefined) return { word: call.word, n: call.n };
  return { word: 'failed', n: workload.ends.failed ?? 0 };
}

function isStillIll({ kind, name }: Group, workload: Workload): boolean {
  if (kind === 'silent') return workload.locations[name]?.report !== undefined;
  return (
    workload.episode !== undefined ||
    Object.values(workload.locations).some(({ state }) => state === 'failed')
  );
}

function illOf(name: string, workload: Workload, time: PollTime): Ill[] {
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
  return [{ workload: name, version, level, have, wanted, cause, trouble, silent, word, n }];
}

function printOf({ print: _, loudAt: __, top: ___, ...shown }: Group): string {
  return createHash('sha1').update(JSON.stringify(shown)).digest('base64').slice(0, 8);
}
