import type { KnownBlock } from '@slack/types';
import { editDistance, nearest, plural, truncate } from '../../lib/text.ts';
import {
  tagName,
  type TagRule,
  valueText,
  type Variable,
  variableName,
} from '../../platform/workload/tags.ts';
import { capital } from '../../rollouts/render/parts.ts';
import { button, context, section } from '../../slack/kit/blocks.ts';
import { code, joinFirst, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { RUN_ACTION } from '../../slack/replies/help-view.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { listed, type ListColumn } from '../list.ts';

interface Topic<Item> {
  readonly prefix: string;
  /** `/workload tags` */
  readonly command: string;
  /** "special tag" */
  readonly thing: string;
  readonly items: readonly Item[];
  readonly head: Mrkdwn;
  readonly entryOf: (item: Item) => Entry;
  /** The first is the name. */
  readonly columns: readonly ListColumn<Item>[];
  readonly notes?: (items: readonly Item[]) => KnownBlock[];
  readonly detail: (item: Item) => Detail;
  /** Searched when a word is not found here. */
  readonly other: Readonly<{ command: string; thing: string; entries: readonly Entry[] }>;
}

export interface Detail {
  readonly head: Mrkdwn;
  readonly blocks: KnownBlock[];
}

/** A typed word is repeated up to this length. */
const WORD_LENGTH = 60;
const MAX_OTHERS = 8;

/** All items, the one that matches, those that contain the word, or the nearest names. Pure. */
export function lookupAnswer<Item>(topic: Topic<Item>, typed: string | undefined): Answer {
  const word = typed?.trim() === '' ? undefined : typed;
  const remarks = remarkBlocks(topic.prefix, word);
  if (word === undefined) {
    const { head, items } = topic;
    return listAnswer(topic, { head, items, remarks, others: [] });
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
    return listAnswer(topic, { head, items: found, remarks, others });
  }
  const none = answer(nothing(topic, word, remarks.length > 0), remarks);
  return remarks.length > 0 ? none : { blocks: none.blocks };
}

function listAnswer<Item>(
  topic: Topic<Item>,
  found: Readonly<{
    head: Mrkdwn;
    items: readonly Item[];
    remarks: readonly KnownBlock[];
    others: readonly Item[];
  }>,
): Answer {
  const { head, items, remarks, others } = found;
  const table = listed({
    caption: capital(`${topic.thing}s of workloads`),
    columns: topic.columns,
    rows: items,
    step: (item) =>
      button({
        action: RUN_ACTION,
        text: 'Details',
        value: `${topic.command} ${topic.entryOf(item).name}`,
      }),
  });
  return answer(head, [
    ...table.blocks,
    ...(topic.notes?.(items) ?? []),
    ...remarks,
    ...othersBlock(topic, others),
  ]);
}

function answer(head: Mrkdwn, blocks: readonly KnownBlock[]): Answer {
  return {
    blocks: [section(head), ...blocks],
    shareable: true,
    needs: 'orgs',
  };
}

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

/** Shorter words occur nearly everywhere. */
const SHORTEST = 3;

/** Facts beside variables and tags (spec 2.13): those with the word, or all. Pure. */
function remarkBlocks(prefix: string, word: string | undefined): KnownBlock[] {
  return [health(), mounter(prefix)]
    .filter(({ keys }) => word === undefined || isIn(keys, word))
    .map(({ text }) => section(text));
}

function isIn(keys: readonly string[], word: string): boolean {
  return comparable(word).length >= SHORTEST && keys.some((key) => mentions(key, word));
}

function health() {
  const values = joinMrkdwn(
    HEALTH_VALUES.map((value) => code(value)),
    ', ',
  );
  return {
    keys: ['health', ...HEALTH_VALUES],
    text: mrkdwn`*Workload health* has the values ${values}. No endpoint here gives them: a deployment has ${code('ready')}, ${code('deploying')} and ${code('message')}, and ${code('/deployments')} shows the state that follows from them.`,
  };
}

function mounter(prefix: string) {
  // Usage lists the object stores that a workload mounts under this container (spec 2.13).
  const name = `${prefix}-mounter`;
  return {
    keys: [name, 'object stores', 'object storage', 'mounted'],
    text: mrkdwn`*${code(name)} in usage*: object stores mounted by a workload are metered to that workload; their CPU, memory and egress appear under a container of that name.`,
  };
}

/** The health values of a workload (spec 2.13). None of the three APIs returns them. */
const HEALTH_VALUES = ['Loading', 'Healthy', 'Unhealthy', 'Deleting', 'Unknown'] as const;

export interface Entry {
  /** Without the brand's prefix. */
  readonly name: string;
  readonly fullName: string;
  readonly texts: readonly string[];
}

export interface Hits<Item> {
  /** Has exactly this name, with or without the prefix. */
  readonly exact: Item | undefined;
  readonly named: readonly Item[];
  /** Those that only have it at the beginning of a word in their texts. */
  readonly mentioned: readonly Item[];
}

const SUGGESTIONS = 3;

/** A word for comparison: ignores case and everything but letters and digits; "" matches nothing. */
export function comparable(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The word begins a word of the text: "auth" in "external authorization", not in "unauthorized". */
export function mentions(text: string, word: string): boolean {
  const wanted = comparable(word);
  if (wanted === '') return false;
  const words = text.split(/[^\p{L}\p{N}]+/u).map((one) => one.toLowerCase());
  const joined = words.join('');
  let start = 0;
  return words.some((one) => {
    const isHere = joined.startsWith(wanted, start);
    start += one.length;
    return isHere;
  });
}

function search<Item>(
  items: readonly Item[],
  entryOf: (item: Item) => Entry,
  word: string,
): Hits<Item> {
  const wanted = comparable(word);
  if (wanted === '') return { exact: undefined, named: [], mentioned: [] };

  const named = items.filter((item) => comparable(entryOf(item).fullName).includes(wanted));
  const hasInText = (item: Item): boolean =>
    entryOf(item).texts.some((text) => mentions(text, word));
  return {
    exact: named.find((item) => {
      const { name, fullName } = entryOf(item);
      return [name, fullName].some((known) => comparable(known) === wanted);
    }),
    named,
    mentioned: items.filter((item) => !named.includes(item) && hasInText(item)),
  };
}

function suggest(entries: readonly Entry[], word: string): string[] {
  const wanted = comparable(word);
  return entries
    .flatMap(({ name, fullName }) => {
      const near = nearest(wanted, [comparable(fullName), ...partsOf(name)]);
      return near === undefined ? [] : [{ fullName, distance: editDistance(wanted, near) }];
    })
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTIONS)
    .map(({ fullName }) => fullName);
}

/** Every run of the words in a name: `external`, `externalauth`, `auth` … of `externalAuthPort`. */
function partsOf(name: string): string[] {
  const words = name.match(/[A-Z]?[a-z\d]+|[A-Z]+/g) ?? [];
  return words.flatMap((_, from) =>
    words
      .slice(from)
      .map((__, length) => comparable(words.slice(from, from + length + 1).join(''))),
  );
}

export function tagEntry(prefix: string, rule: TagRule): Entry {
  const { name, value, effect, insteadUse, restriction, hint } = rule;
  return {
    name,
    fullName: tagName(prefix, rule),
    texts: [effect, valueText(value), rule.default, insteadUse, restriction, hint].filter(
      (text) => text !== undefined,
    ),
  };
}

export function variableEntry(prefix: string, variable: Variable): Entry {
  const { name, meaning, notes = [] } = variable;
  return { name, fullName: variableName(prefix, variable), texts: [meaning, ...notes] };
}
