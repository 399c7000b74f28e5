import type { Message } from '../../notify/message.ts';
import type { Link } from '../../slack/kit/blocks.ts';
import type { AdoptedNotice, CardNotice, Notice } from '../watch/advance.ts';
import {
  eventKey,
  groupId,
  type Group,
  type GroupNotice,
  type Member,
  type WorkloadNotice,
} from '../watch/group.ts';
import type { Level } from '../watch/impact.ts';
import type { JobKey, JobNotice } from '../watch/jobs.ts';
import { stateWord } from '../watch/status.ts';
import { nextNumber, type Event, type Word, type Workload } from '../watch/workload.ts';
import {
  muteMark,
  muteOf,
  type Mute,
  type Scope,
  type Watch,
  type WatchedGvc,
} from '../watches.ts';
import { cardContent, closedCardContent } from './card.ts';
import { adoptedContent, groupContent } from './groups.ts';
import { jobContent } from './jobs.ts';
import { apiMessage } from './operators.ts';
import { outcomeContent } from './outcome.ts';
import { illWords, mentioning } from './parts.ts';

/** All watches that may get the news of a poll. */
export interface Audience {
  watches: readonly Watch[];
  mutes: readonly Mute[];
  /** Milliseconds since the epoch. */
  now: number;
  /** The channel of the operators. */
  ops: string;
  /** Pages that messages lead to. */
  links?: readonly Link[];
}

/** A channel that watches one workload or more, all its watches taken together. */
interface Channel {
  id: string;
  watches: readonly Watch[];
}

/** A group of a location is one message in a channel that hears of so many of those that opened it. */
const GROUP_FROM = 5;

/** The messages that a poll becomes, for every channel that hears them. Pure. */
export function messagesOf(
  place: WatchedGvc,
  notices: readonly Notice[],
  audience: Audience,
): Message[] {
  const ids = new Set(audience.watches.map(({ channel }) => channel));
  const toOperators = notices
    .filter((one) => one.kind === 'api')
    .map((one) => ({ channel: audience.ops, ...apiMessage(place, one, audience.now) }));
  const toWatchers = [...ids].flatMap((id) => {
    const watches = audience.watches.filter(
      ({ channel, org }) => channel === id && org === place.org,
    );
    const channel = { id, watches };
    const context: Context = { place, audience, channel, groups: groupsHeard(notices, channel) };
    return notices
      .flatMap((notice) => saidAbout(context, notice))
      .map((one) => messageOf(context, one));
  });
  return [...toWatchers, ...toOperators];
}

interface Context {
  place: WatchedGvc;
  audience: Audience;
  channel: Channel;
  /** Ids of the groups that this channel hears of. */
  groups: ReadonlySet<string>;
}

/** A message, before it is known whether a mute holds it back. */
interface Said extends Omit<Message, 'channel' | 'held'> {
  /** A mute of all of them holds it back. */
  about: readonly Scope[];
  /** Their people are mentioned, unless it is held back (design section 4, `notify`). */
  notifies?: readonly Watch[] | undefined;
}

function messageOf({ audience, channel }: Context, said: Said): Message {
  const { about, notifies = [], ...message } = said;
  const { mutes, now } = audience;
  const marks = about.flatMap((scope) => {
    const mute = muteOf(mutes, channel.id, scope, now);
    return mute === undefined ? [] : [muteMark(scope, mute, now)];
  });
  const held = marks.length === about.length ? marks[0] : undefined;
  const names = held === undefined ? notifies.flatMap(({ notify }) => notify ?? []) : [];
  return { ...mentioning(message, names), channel: channel.id, held };
}

function groupsHeard(notices: readonly Notice[], channel: Channel): Set<string> {
  const groups = notices.flatMap((one) => (one.kind === 'group' ? [one.group] : []));
  return new Set(groups.filter((group) => hearsGroup(channel, group)).map(groupId));
}

function hearsGroup(channel: Channel, group: Group): boolean {
  if (group.kind === 'gvc') return watchesOf(channel, { gvc: group.name }).length > 0;
  const heard = group.openedBy.filter((name) => hearsMember(channel, name, group.members[name]));
  return heard.length >= GROUP_FROM;
}

function hearsMember(channel: Channel, name: string, member: Member | undefined): boolean {
  return hears(watchesOf(channel, scopeOf(name)), member?.word ?? 'ready');
}

/** @param name `gvc/workload` */
function scopeOf(name: string): { gvc: string; workload: string } {
  const [gvc = '', workload = ''] = name.split('/');
  return { gvc, workload };
}

/** The watches of a channel for a workload, or for any workload of a GVC. */
function watchesOf({ watches }: Channel, scope: { gvc: string; workload?: string }): Watch[] {
  return watches.filter(({ gvc, workload = scope.workload }) => {
    return gvc === scope.gvc && (scope.workload ?? workload) === workload;
  });
}

/** Of several watches the most talkative one counts. */
function hears(watches: readonly Watch[], word: Word): boolean {
  return watches.some(({ only }) => only === undefined || only.includes(word));
}

function isQuiet(watches: readonly Watch[], word: Word): boolean {
  const naming = watches.filter((watch) => hears([watch], word));
  return (naming.length > 0 ? naming : watches).every(({ quiet }) => quiet);
}

function saidAbout(context: Context, notice: Notice): Said[] {
  switch (notice.kind) {
    case 'card':
      return ofCard(context, notice);
    case 'event':
      return ofEvent(context, notice);
    case 'group':
      return ofGroup(context, notice);
    case 'job':
      return ofJob(context, notice);
    case 'adopted':
      return ofAdoption(context, notice);
    case 'api':
      return [];
  }
}

/** Key of the card of a rollout, or of the post that serves as one. */
export function cardKey(place: WatchedGvc, workload: string, state: Workload): string {
  const n = state.card ?? state.postAsCard ?? nextNumber(state, 'card');
  return keyOf(place, workload, state.version, 'card', n);
}

function keyOf(
  { org, gvc }: WatchedGvc,
  workload: string,
  ...[version, word, n]: [version: number, word: string, n: number]
): string {
  return `${org}/${eventKey(`${gvc}/${workload}`, version, word, n)}`;
}

function ofCard({ place, audience, channel }: Context, notice: CardNotice): Said[] {
  const { workload, card, state, impact } = notice;
  const { opens, closed } = card;
  const scope = { ...place, workload };
  const watches = watchesOf(channel, scope);
  if (watches.length === 0) return [];
  const about = [scope];
  const past = closed && {
    about,
    key: cardKey(place, workload, closed),
    ...closedCardContent(place, workload, closed, impact, state.version),
    editOnly: true,
  };
  const present = state.card !== undefined && {
    about,
    key: cardKey(place, workload, state),
    ...cardContent(place, workload, state, impact, audience),
    // A filter holds the card back until a word that it names comes.
    editOnly: !opens || watches.every(({ only }) => only !== undefined),
  };
  return [...(past ? [past] : []), ...(present ? [present] : [])];
}

function ofEvent(context: Context, notice: WorkloadNotice): Said[] {
  const { place, audience, channel, groups } = context;
  const { workload, event, state, group, below } = notice;
  const scope = { ...place, workload };
  const watches = watchesOf(channel, scope);
  const isInGroup = group !== undefined && groups.has(group);
  if (watches.length === 0 || (isInGroup && below === undefined)) return [];
  const { what, word, n, version, root } = event;
  const heard = hears(watches, word);
  const card = root
    ? keyOf(place, workload, root.version, 'card', root.card)
    : cardKey(place, workload, state);
  const thread = isInGroup && below !== undefined ? groupKey(place.org, below) : undefined;
  const posts = (event.loud || what === 'crashes') && heard;
  return [
    {
      about: [scope],
      key: keyOf(place, workload, version, word, n),
      ...outcomeContent(place, workload, event, state, audience),
      notifies: posts && isMentioning(event, state) ? watches : undefined,
      threadKey: posts ? (thread ?? card) : card,
      broadcast: event.loud && heard && !isQuiet(watches, word),
      ...(!posts ? { orphan: 'drop' } : thread === undefined ? { orphan: 'root' } : {}),
      editOnly: event.edit === true,
      ...(event.isCard === true ? { covers: [card] } : {}),
    },
  ];
}

/** Also an edit while that is so: it may come before the message is delivered. */
function isMentioning(
  { what, word, n, version, impact }: Event,
  { calls = [] }: Workload,
): boolean {
  if (what !== 'call' || impact.level < 2) return false;
  const own = calls.find((one) => one.word === word && one.n === n && one.version === version);
  return own?.mentions === true;
}

/** The members whose call the message is, if it mentions people, as long as they are at level 2 or 3. */
function calledBy({ group, what }: GroupNotice, about: readonly string[]): string[] {
  if (what !== 'first' && what !== 'joined') return [];
  const { covers, members, openedAt } = group;
  return about.filter((name) => {
    const { mentions, level = 0, at } = members[name] ?? {};
    const isFirst = at === openedAt && covers.some((key) => key.startsWith(`${name}/`));
    return mentions === true && level >= 2 && (what === 'joined' || isFirst);
  });
}

function ofGroup({ place, audience, channel, groups }: Context, notice: GroupNotice): Said[] {
  const { group, what, opens, isCard, loud } = notice;
  const { org } = place;
  if (!groups.has(groupId(group))) return [];
  const members = Object.entries(group.members).filter(([name, member]) =>
    hearsMember(channel, name, member),
  );
  const about = notice.about.filter((name) => members.some(([own]) => own === name));
  if (what !== 'first' && about.length === 0) return [];
  const first = groupKey(org, group);
  const [key, covered] =
    what === 'first' ? [first, firstCovers(org, group, members)] : replyKeys(org, notice, about);
  const covers = isCard === true ? [first, ...covered] : covered;
  const word = what === 'over' ? 'recovered' : what === 'ready' ? 'ready' : (group.word as Word);
  // A filter holds the card of a GVC version back until a word that it names comes.
  const isHeard = group.kind !== 'gvc' || channel.watches.some(({ only }) => only === undefined);
  const reply = {
    threadKey: first,
    broadcast: loud && !isQuiet(channel.watches, word),
    orphan: loud ? ('root' as const) : ('drop' as const),
  };
  return [
    {
      about: members.map(([name]) => ({ org, ...scopeOf(name) })),
      key,
      ...groupContent(org, { ...notice, about }, members, audience),
      notifies: calledBy(notice, about).flatMap((name) => watchesOf(channel, scopeOf(name))),
      ...(what === 'first' ? { editOnly: opens !== true || !isHeard } : reply),
      ...(covers.length === 0 ? {} : { covers }),
    },
  ];
}

/** Key of the first message of a group. */
export function groupKey(org: string, { kind, name, word, n }: Group): string {
  return kind === 'gvc' ? `${org}/${name}/@gvc/${n}/card` : `${org}/@location/${name}/${word}/${n}`;
}

function firstCovers(
  org: string,
  { covers }: Group,
  members: readonly [string, Member][],
): string[] {
  const heard = new Set(members.map(([name]) => name));
  return covers
    .filter((key) => heard.has(key.split('/').slice(0, 2).join('/')))
    .map((key) => `${org}/${key}`);
}

/** The key of a reply, and the messages that it covers. */
function replyKeys(
  org: string,
  { group, what, n, loud }: GroupNotice,
  about: readonly string[],
): [string, string[]] {
  const keyOf = (name: string): string => {
    const member = group.members[name];
    const over = what === 'over' ? member?.wasOver : undefined;
    const word = over?.word ?? (what === 'ready' ? 'ready' : (member?.word ?? 'failed'));
    const number = over?.n ?? (what === 'ready' ? member?.ready : member?.n) ?? 1;
    return `${org}/${eventKey(name, member?.version ?? 0, word, number)}`;
  };
  const keys = about.map(keyOf);
  if (what === 'ready') {
    const posted = about
      .filter((name) => group.members[name]?.ready !== undefined)
      .filter((name) => group.members[name]?.wasPosted !== true)
      .map(keyOf);
    return [`${org}/${group.name}/@gvc/${group.n}/ready`, posted];
  }
  if (what === 'over' && group.kind !== 'gvc') {
    return [`${org}/@location/${group.name}/${loud ? 'recovered' : 'gone'}/${n ?? 1}`, keys];
  }
  return [keys[0] ?? groupKey(org, group), keys.slice(1)];
}

function ofJob({ place, audience, channel }: Context, notice: JobNotice): Said[] {
  const { workload, what, episode } = notice;
  const { first, good } = episode;
  const scope = { ...place, workload };
  const watches = watchesOf(channel, scope);
  const word = what === 'recovered' ? 'recovered' : 'failed';
  if (!hears(watches, word)) return [];
  const jobKey = ({ location, execution, status }: JobKey): string =>
    `${place.org}/${place.gvc}/${workload}/@job/${location}/${execution}/${status}`;
  const root = jobKey(first);
  const isReply = what === 'recovered' && good !== undefined;
  return [
    {
      about: [scope],
      key: isReply ? jobKey(good) : root,
      ...jobContent(place, notice, audience),
      ...(isReply ? { threadKey: root, broadcast: !isQuiet(watches, word) } : {}),
      editOnly: what === 'edited',
    },
  ];
}

/** One line about the workloads that are ill at the first poll. */
function ofAdoption({ place, channel }: Context, { ill }: AdoptedNotice): Said[] {
  const { org, gvc } = place;
  const own = ill.filter(({ workload }) => watchesOf(channel, { gvc, workload }).length > 0);
  if (own.length === 0) return [];
  const level = Math.max(...own.map(({ impact }) => impact.level)) as Level;
  const words = own.map((one) => illWords(one.workload, stateWord(one.state), one.impact));
  const key = `${org}/${gvc}/@gvc/adopted`;
  return [{ about: [place], key, ...adoptedContent(place, words, level) }];
}
