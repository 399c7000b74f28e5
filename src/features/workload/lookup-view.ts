import type { KnownBlock } from '@slack/types';
import { plural, truncate } from '../../lib/text.ts';
import { context, section, topText } from '../../slack/kit/blocks.ts';
import { code, joinFirst, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { comparable, mentions, search, suggest, type Entry, type Hits } from './search.ts';

/** What is listed, and looked up by a part of its name. */
interface Topic<Item> {
  readonly prefix: string;
  /** `/workload tags` */
  readonly command: string;
  /** "special tag" */
  readonly thing: string;
  /** Of the window with all of them. */
  readonly title: string;
  /** A name that is worth looking up. */
  readonly example: string;
  readonly items: readonly Item[];
  /** Above the list of all. */
  readonly head: Mrkdwn;
  readonly entryOf: (item: Item) => Entry;
  /** Each with what it does. */
  readonly list: (items: readonly Item[]) => KnownBlock[];
  /** Only what they are called, where they are many. */
  readonly names: (items: readonly Item[]) => KnownBlock[];
  readonly detail: (item: Item) => Detail;
  /** Where a word may have been meant for that is not found here. */
  readonly other: Readonly<{ command: string; thing: string; entries: readonly Entry[] }>;
}

export interface Detail {
  readonly head: Mrkdwn;
  readonly blocks: KnownBlock[];
}

/** A foreign word is repeated up to this length. */
const WORD_LENGTH = 60;
/** Names of what else has the word. */
const MAX_OTHERS = 8;

/** All of a topic, the one thing that is meant, all with the word, or the nearest names. Pure. */
export function lookupAnswer<Item>(topic: Topic<Item>, typed: string | undefined): Answer {
  const word = typed?.trim() === '' ? undefined : typed;
  const remarks = remarkBlocks(topic.prefix, word);
  if (word === undefined) {
    const { head, items } = topic;
    return listed(topic, { head, items, remarks, others: [] });
  }
  const hits = search(topic.items, topic.entryOf, word);
  const meant = meantOf(hits);
  if (meant !== undefined) {
    const { head, blocks } = topic.detail(meant);
    const others = [...hits.named, ...hits.mentioned].filter((item) => item !== meant);
    return answer(head, [...blocks, ...othersBlock(topic, others), ...remarks]);
  }
  const [found, others] =
    hits.named.length > 0 ? [hits.named, hits.mentioned] : [hits.mentioned, []];
  if (found.length > 0) {
    const head = mrkdwn`*${plural(found.length, topic.thing)}* with “${truncate(word, WORD_LENGTH)}”`;
    return listed(topic, { head, items: found, remarks, others });
  }
  const none = answer(nothing(topic, word, remarks.length > 0), remarks);
  return remarks.length > 0 ? none : { text: none.text, blocks: none.blocks };
}

/** A longer list has only names, and a button opens what each does. Lines and characters. */
const LONG = { lines: 14, characters: 1_000 } as const;

function isLong(list: readonly KnownBlock[]): boolean {
  const text = list
    .map((block) => (block.type === 'section' ? (block.text?.text ?? '') : ''))
    .join('\n');
  return text.split('\n').length > LONG.lines || text.length > LONG.characters;
}

function listed<Item>(
  topic: Topic<Item>,
  found: Readonly<{
    head: Mrkdwn;
    items: readonly Item[];
    remarks: readonly KnownBlock[];
    others: readonly Item[];
  }>,
): Answer {
  const { head, items, remarks, others } = found;
  const ends = [...othersBlock(topic, others), howToSeeOne(topic)];
  const list = topic.list(items);
  if (!isLong(list)) return answer(head, [...list, ...remarks, ...ends]);
  const short = answer(head, [...topic.names(items), ...ends]);
  const button = `All ${plural(items.length, topic.thing)}`;
  return { ...short, rest: { button, title: topic.title, blocks: [...list, ...remarks] } };
}

function answer(head: Mrkdwn, blocks: readonly KnownBlock[]): Answer {
  return {
    text: topText(head),
    blocks: [section(head), ...blocks],
    shareable: true,
    needs: 'orgs',
  };
}

/** The one thing that a word stands for: its name, the only name with it, or the only text. */
function meantOf<Item>({ exact, named, mentioned }: Hits<Item>): Item | undefined {
  if (exact !== undefined) return exact;
  const closest = named.length > 0 ? named : mentioned;
  return closest.length === 1 ? closest[0] : undefined;
}

function othersBlock<Item>(topic: Topic<Item>, others: readonly Item[]): KnownBlock[] {
  if (others.length === 0) return [];
  const names = others.map((item) => code(topic.entryOf(item).fullName));
  return [context(mrkdwn`Also with this word: ${joinFirst(names, MAX_OTHERS)}`)];
}

function howToSeeOne(topic: Pick<Topic<never>, 'command' | 'thing' | 'example'>): KnownBlock {
  const { command, thing, example } = topic;
  return context(
    mrkdwn`All about one ${thing}: ${code(`${command} NAME`)}, such as ${code(`${command} ${example}`)}`,
  );
}

/** What is said when nothing is found: whether it stands elsewhere, the nearest names, how to see all. */
function nothing<Item>(topic: Topic<Item>, word: string, isRemarked: boolean): Mrkdwn {
  const { command, thing, other } = topic;
  const none = mrkdwn`No ${thing} has “${truncate(word, WORD_LENGTH)}” in its name or description`;
  if (isRemarked) return mrkdwn`${none}, but this is known:`;

  const all = mrkdwn`${code(command)} shows all.`;
  const elsewhere = search(other.entries, (entry) => entry, word).named[0];
  if (elsewhere !== undefined) {
    const command = code(`${other.command} ${elsewhere.name}`);
    return mrkdwn`${none}, but there is the ${other.thing} ${code(elsewhere.fullName)}: ${command}. ${all}`;
  }
  const near = suggest(topic.items.map(topic.entryOf), word).map((name) => code(name));
  return near.length === 0
    ? mrkdwn`${none}: ${all}`
    : mrkdwn`${none}; the nearest: ${joinMrkdwn(near, ', ')}. ${all}`;
}

/** Shorter words are in nearly everything. */
const SHORTEST = 3;

interface Remark {
  readonly keys: readonly string[];
  readonly text: Mrkdwn;
}

/** What else is asked beside variables and tags (spec 2.13): those with the word, or all. Pure. */
function remarkBlocks(prefix: string, word: string | undefined): KnownBlock[] {
  return [health(), mounter(prefix)]
    .filter(({ keys }) => word === undefined || isIn(keys, word))
    .map(({ text }) => section(text));
}

function isIn(keys: readonly string[], word: string): boolean {
  return comparable(word).length >= SHORTEST && keys.some((key) => mentions(key, word));
}

function health(): Remark {
  const values = joinMrkdwn(
    HEALTH_VALUES.map((value) => code(value)),
    ', ',
  );
  return {
    keys: ['health', ...HEALTH_VALUES],
    text: mrkdwn`*Workload health* has the values ${values}. No endpoint here gives them: a deployment tells ${code('ready')}, ${code('deploying')} and ${code('message')}, and ${code('/deployments')} shows the state made of them.`,
  };
}

function mounter(prefix: string): Remark {
  const name = mounterName(prefix);
  return {
    keys: [name, 'object stores', 'object storage', 'mounted'],
    text: mrkdwn`*${code(name)} in usage*: object stores mounted by a workload are metered to that workload; their CPU, memory and egress appear under a container of that name.`,
  };
}

/** The health values of a workload (spec 2.13). No endpoint of the three APIs gives them. */
const HEALTH_VALUES = ['Loading', 'Healthy', 'Unhealthy', 'Deleting', 'Unknown'] as const;

/** The container under which usage has the object stores that a workload mounts (spec 2.13): `svc-mounter`. */
function mounterName(prefix: string): string {
  return `${prefix}-mounter`;
}
