import type { Message } from '../../notify/message.ts';
import { section, type Link } from '../../slack/kit/blocks.ts';
import { Mrkdwn } from '../../slack/kit/text.ts';
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
import type { JobNotice } from '../watch/jobs.ts';
import { stateWord } from '../watch/status.ts';
import { nextNumber, type Word, type Workload } from '../watch/workload.ts';
import { muteMark, muteOf, type Mute, type Watch, type WatchedGvc } from '../watches.ts';
import { cardContent, closedCardContent } from './card.ts';
import { adoptedContent, groupContent } from './groups.ts';
import { jobContent } from './jobs.ts';
import { apiMessage } from './operators.ts';
import { outcomeContent } from './outcome.ts';
import { illWords, type Content } from './parts.ts';

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
    return notices.flatMap((notice) => messagesIn(context, notice));
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

function groupsHeard(notices: readonly Notice[], channel: Channel): Set<string> {
  const groups = notices.flatMap((one) => (one.kind === 'group' ? [one.group] : []));
  return new Set(groups.filter((group) => hearsGroup(channel, group)).map(groupId));
}

function hearsGroup(channel: Channel, group: Group): boolean {
  if (group.kind === 'gvc') return watchesOf(channel, group.name).length > 0;
  return (
    group.openedBy.filter((name) => hearsMember(channel, name, group.members[name])).length >=
    GROUP_FROM
  );
}

function hearsMember(channel: Channel, name: string, member: Member | undefined): boolean {
  return hears(watchesOfMember(channel, name), member?.word ?? 'ready');
}

function watchesOfMember(channel: Channel, name: string): Watch[] {
  const [gvc = '', workload] = name.split('/');
  return watchesOf(channel, gvc, workload);
}

/** The watches of a channel for a workload, or for any workload of a GVC. */
function watchesOf({ watches }: Channel, gvc: string, workload?: string): Watch[] {
  return watches.filter(
    (watch) =>
      watch.gvc === gvc &&
      (workload === undefined || watch.workload === undefined || watch.workload === workload),
  );
}

/** Of several watches the most talkative one counts. */
function hears(watches: readonly Watch[], word: Word): boolean {
  return watches.some(({ only }) => only === undefined || only.includes(word));
}

function isQuiet(watches: readonly Watch[], word: Word): boolean {
  const naming = watches.filter((watch) => hears([watch], word));
  return (naming.length > 0 ? naming : watches).every(({ quiet }) => quiet);
}

function messagesIn(context: Context, notice: Notice): Message[] {
  switch (notice.kind) {
    case 'card':
      return cardMessages(context, notice);
    case 'event':
      return eventMessages(context, notice);
    case 'group':
      return groupMessages(context, notice);
    case 'job':
      return jobMessages(context, notice);
    case 'adopted':
      return adoptedMessages(context, notice);
    case 'api':
      return [];
  }
}

/** Key of the card of a rollout, or of the post that serves as one. */
export function cardKey({ org, gvc }: WatchedGvc, workload: string, state: Workload): string {
  const n = state.card ?? state.postAsCard ?? nextNumber(state, 'card');
  return `${org}/${eventKey(`${gvc}/${workload}`, state.version, 'card', n)}`;
}

function cardMessages(
  { place, audience, channel }: Context,
  { workload, card, state, impact }: CardNotice,
): Message[] {
  const watches = watchesOf(channel, place.gvc, workload);
  if (watches.length === 0) return [];
  const messages: Message[] = [];
  if (card.closed !== undefined) {
    const key = cardKey(place, workload, card.closed);
    const content = closedCardContent(place, workload, card.closed, impact, state.version);
    messages.push({ channel: channel.id, key, ...content, editOnly: true });
  }
  if (state.card === undefined) return messages;
  const key = cardKey(place, workload, state);
  const held = heldMark(channel.id, { ...place, workload }, audience);
  // A filter holds the card back until a word that it names comes.
  const opens = card.opens && watches.some(({ only }) => only === undefined);
  const content = cardContent(place, workload, state, impact, audience);
  return [...messages, { channel: channel.id, key, ...content, editOnly: !opens, ...held }];
}

function eventMessages(
  context: Context,
  { workload, event, state, group, below }: WorkloadNotice,
): Message[] {
  const { place, audience, channel, groups } = context;
  const watches = watchesOf(channel, place.gvc, workload);
  const isInGroup = group !== undefined && groups.has(group);
  if (watches.length === 0 || (isInGroup && below === undefined)) return [];
  const { word, n, version } = event;
  const heard = hears(watches, word);
  const key = `${place.org}/${eventKey(`${place.gvc}/${workload}`, version, word, n)}`;
  const card =
    event.root === undefined
      ? cardKey(place, workload, state)
      : `${place.org}/${eventKey(`${place.gvc}/${workload}`, event.root.version, 'card', event.root.card)}`;
  const content = outcomeContent(place, workload, event, state, audience);
  const root = isInGroup && below !== undefined ? groupKey(place.org, below) : undefined;
  const posts = (event.loud || event.what === 'crashes') && heard;
  const held = heldMark(channel.id, { ...place, workload }, audience);
  return [
    {
      channel: channel.id,
      key,
      ...(event.mentions === true && posts && held.held === undefined
        ? withMentions(content, watches)
        : content),
      threadKey: posts ? (root ?? card) : card,
      broadcast: event.loud && heard && !isQuiet(watches, word),
      ...(!posts ? { orphan: 'drop' } : root === undefined ? { orphan: 'root' } : {}),
      editOnly: event.edit === true,
      ...(event.isCard === true ? { covers: [card] } : {}),
      ...held,
    },
  ];
}

/** Mentions the people named in the watches, on a partial outage or worse (design section 4, `notify`). */
function withMentions(content: Content, watches: readonly Watch[]): Content {
  const names = [...new Set(watches.flatMap(({ notify }) => notify ?? []))];
  if (names.length === 0) return content;
  const mentions = new Mrkdwn(names.join(' '));
  return {
    text: `${content.text}\n${mentions.text}`,
    blocks: [...content.blocks, section(mentions)],
  };
}

/** The members that the channel hears of. */
function membersHeard(channel: Channel, group: Group): [string, Member][] {
  return Object.entries(group.members).filter(([name, member]) =>
    hearsMember(channel, name, member),
  );
}

function groupMessages(context: Context, notice: GroupNotice): Message[] {
  const { place, audience, channel, groups } = context;
  const { group, what } = notice;
  if (!groups.has(groupId(group))) return [];
  const { org } = place;
  const members = membersHeard(channel, group);
  const about = notice.about.filter((name) => members.some(([own]) => own === name));
  if (what !== 'first' && about.length === 0) return [];
  const first = groupKey(org, group);
  const [key, covers] =
    what === 'first' ? [first, firstCovers(org, group, members)] : replyKeys(org, notice, about);
  const held = heldMarkOf(context, members);
  const plain = groupContent(org, { ...notice, about }, members, audience);
  const isGrave = notice.mentions === true && held.held === undefined;
  const named = about.flatMap((name) => watchesOfMember(channel, name));
  const content = isGrave ? withMentions(plain, named) : plain;
  const word = what === 'over' ? 'recovered' : what === 'ready' ? 'ready' : (group.word as Word);
  // A filter holds the card of a GVC version back until a word that it names comes.
  const isHeard = group.kind !== 'gvc' || channel.watches.some(({ only }) => only === undefined);
  const opens = notice.opens === true && isHeard;
  const reply = {
    threadKey: first,
    broadcast: notice.loud && !isQuiet(channel.watches, word),
    orphan: notice.loud ? ('root' as const) : ('drop' as const),
  };
  const message: Message = {
    channel: channel.id,
    key,
    ...content,
    ...(what === 'first' ? { editOnly: !opens } : reply),
    ...held,
  };
  const allCovers = notice.isCard === true ? [first, ...covers] : covers;
  return [allCovers.length === 0 ? message : { ...message, covers: allCovers }];
}

/** A mute of every member holds the message of a group back. */
function heldMarkOf(
  { place, audience, channel }: Context,
  members: readonly [string, Member][],
): { held?: string } {
  const marks = members.map(([name]) => {
    const [gvc = '', workload = ''] = name.split('/');
    return heldMark(channel.id, { org: place.org, gvc, workload }, audience);
  });
  return marks.every(({ held }) => held !== undefined) ? (marks[0] ?? {}) : {};
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

function jobMessages({ place, audience, channel }: Context, notice: JobNotice): Message[] {
  const { workload, what, episode } = notice;
  const watches = watchesOf(channel, place.gvc, workload);
  const word = what === 'recovered' ? 'recovered' : 'failed';
  if (!hears(watches, word)) return [];
  const keyOf = ({ location, execution, status }: typeof episode.first): string =>
    `${place.org}/${place.gvc}/${workload}/@job/${location}/${execution}/${status}`;
  const root = keyOf(episode.first);
  const isReply = what === 'recovered' && episode.good !== undefined;
  return [
    {
      channel: channel.id,
      key: isReply ? keyOf(episode.good ?? episode.first) : root,
      ...jobContent(place, notice, audience),
      ...(isReply ? { threadKey: root, broadcast: !isQuiet(watches, word) } : {}),
      editOnly: what === 'edited',
      ...heldMark(channel.id, { ...place, workload }, audience),
    },
  ];
}

/** One line about the workloads that are ill at the first poll. */
function adoptedMessages({ place, audience, channel }: Context, { ill }: AdoptedNotice): Message[] {
  const own = ill.filter(({ workload }) => watchesOf(channel, place.gvc, workload).length > 0);
  if (own.length === 0) return [];
  const level = Math.max(...own.map(({ impact }) => impact.level)) as Level;
  const words = own.map(({ workload, state, impact }) =>
    illWords(workload, stateWord(state), impact),
  );
  return [
    {
      channel: channel.id,
      key: `${place.org}/${place.gvc}/@gvc/adopted`,
      ...adoptedContent(place, words, level),
      ...heldMark(channel.id, place, audience),
    },
  ];
}

function heldMark(
  channel: string,
  place: Pick<Watch, 'org' | 'workload'> & { gvc?: string },
  { mutes, now }: Audience,
): { held?: string } {
  const mute = muteOf(mutes, channel, place, now);
  return mute === undefined ? {} : { held: muteMark(place, mute, now) };
}
