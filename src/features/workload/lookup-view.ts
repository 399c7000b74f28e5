import type { KnownBlock } from '@slack/types';
import { plural, truncate } from '../../lib/text.ts';
import { editDistance, nearest } from '../../lib/words.ts';
import { capital } from '../../rollouts/render/parts.ts';
import { button, context, lines, section } from '../../slack/kit/blocks.ts';
import { code, joinFirst, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { RUN_ACTION } from '../../slack/replies/help-view.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { listed } from '../list.ts';

/** A list of known things: the special tags, or the variables. */
export interface Topic {
  /** `/workload tags` */
  readonly command: string;
  /** "special tag" */
  readonly thing: string;
  readonly head: Mrkdwn;
  readonly titles: readonly string[];
  readonly entries: readonly Entry[];
}

export interface Entry {
  /** Without the brand's prefix. */
  readonly name: string;
  readonly fullName: string;
  /** Searched beside the names. */
  readonly texts: readonly string[];
  /** Below the titles of the list, behind the name. */
  readonly cells: readonly string[];
  readonly meaning: string;
  readonly facts: readonly Mrkdwn[];
  readonly note?: Mrkdwn | undefined;
}

/** A typed word is repeated up to this length. */
const WORD_LENGTH = 60;
const MAX_OTHERS = 8;

/**
 * All entries, the one that matches, those that contain the word, or the nearest names. Pure.
 * @param other searched when a word is not found here
 */
export function lookupAnswer(
  topic: Topic,
  other: Topic,
  { prefix, word }: { readonly prefix: string; readonly word: string | undefined },
): Answer {
  const remarks = remarksOn(prefix, word);
  if (word === undefined) {
    return answer(topic.head, [...listOf(topic, topic.entries), ...remarks]);
  }
  const { exact, named, mentioned } = search(topic.entries, word);
  const [found, others] = named.length > 0 ? [named, mentioned] : [mentioned, []];
  const meant = exact ?? (found.length === 1 ? found[0] : undefined);
  if (meant !== undefined) {
    const also = [...named, ...mentioned].filter((entry) => entry !== meant);
    const facts = meant.facts.map((fact) => mrkdwn`• ${fact}`);
    return answer(mrkdwn`*${code(meant.fullName)}* – ${meant.meaning}`, [
      ...(facts.length === 0 ? [] : [lines(facts)]),
      ...notesOf([meant]),
      ...othersOf(also),
      ...remarks,
    ]);
  }
  if (found.length > 0) {
    const head = mrkdwn`*${plural(found.length, topic.thing)}* with “${truncate(word, WORD_LENGTH)}”`;
    return answer(head, [...listOf(topic, found), ...remarks, ...othersOf(others)]);
  }
  const none = mrkdwn`No ${topic.thing} has “${truncate(word, WORD_LENGTH)}” in its name or description`;
  return remarks.length > 0
    ? answer(mrkdwn`${none}, but this is known:`, remarks)
    : { blocks: [section(mrkdwn`${none}${elsewhere(topic, other, word)}`)] };
}

function answer(head: Mrkdwn, blocks: readonly KnownBlock[]): Answer {
  return { blocks: [section(head), ...blocks], shareable: true, needs: 'orgs' };
}

function listOf({ command, thing, titles }: Topic, rows: readonly Entry[]): KnownBlock[] {
  const [first = '', ...others] = titles;
  const table = listed({
    caption: capital(`${thing}s of workloads`),
    columns: [
      { title: first, of: ({ fullName }) => fullName },
      ...others.map((title, at) => ({ title, of: ({ cells }: Entry) => cells[at] ?? '' })),
    ],
    rows,
    step: ({ name }) =>
      button({ action: RUN_ACTION, text: 'Details', value: `${command} ${name}` }),
  });
  return [...table.blocks, ...notesOf(rows)];
}

function notesOf(entries: readonly Entry[]): KnownBlock[] {
  return entries.flatMap(({ note }) => (note === undefined ? [] : [context(note)]));
}

function othersOf(others: readonly Entry[]): KnownBlock[] {
  if (others.length === 0) return [];
  const names = others.map(({ fullName }) => code(fullName));
  return [context(mrkdwn`Also with this word: ${joinFirst(names, MAX_OTHERS)}`)];
}

function elsewhere(topic: Topic, other: Topic, word: string): Mrkdwn {
  const all = mrkdwn`${code(topic.command)} shows all.`;
  const [there] = search(other.entries, word).named;
  if (there !== undefined) {
    const command = code(`${other.command} ${there.name}`);
    return mrkdwn`, but there is the ${other.thing} ${code(there.fullName)}: ${command}. ${all}`;
  }
  const near = suggestions(topic.entries, word).map((name) => code(name));
  return near.length === 0
    ? mrkdwn`: ${all}`
    : mrkdwn`; the nearest: ${joinMrkdwn(near, ', ')}. ${all}`;
}

/** The health values of a workload (spec 2.13). None of the three APIs returns them. */
const HEALTH_VALUES = ['Loading', 'Healthy', 'Unhealthy', 'Deleting', 'Unknown'];

/** Shorter words occur nearly everywhere. */
const SHORTEST = 3;

/** Facts beside variables and tags (spec 2.13): those with the word, or all. */
function remarksOn(prefix: string, word: string | undefined): KnownBlock[] {
  const values = HEALTH_VALUES.map((value) => code(value));
  // Usage lists the object stores that a workload mounts under this container.
  const mounter = `${prefix}-mounter`;
  const remarks = [
    {
      keys: ['health', ...HEALTH_VALUES],
      text: mrkdwn`*Workload health* has the values ${joinMrkdwn(values, ', ')}. No endpoint here gives them: a deployment has ${code('ready')}, ${code('deploying')} and ${code('message')}, and ${code('/deployments')} shows the state that follows from them.`,
    },
    {
      keys: [mounter, 'object stores', 'object storage', 'mounted'],
      text: mrkdwn`*${code(mounter)} in usage*: object stores mounted by a workload are metered to that workload; their CPU, memory and egress appear under a container of that name.`,
    },
  ];
  const isAsked = (keys: readonly string[]) =>
    word === undefined ||
    (comparable(word).length >= SHORTEST && keys.some((key) => mentions(key, word)));
  return remarks.filter(({ keys }) => isAsked(keys)).map(({ text }) => section(text));
}

/** A word for comparison: ignores case and everything but letters and digits; "" matches nothing. */
export function comparable(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The word begins a word of the text: "auth" in "external authorization", not in "unauthorized". */
function mentions(text: string, word: string): boolean {
  const wanted = comparable(word);
  const words = text.split(/[^\p{L}\p{N}]+/u).map((one) => one.toLowerCase());
  return words.some((_, at) => words.slice(at).join('').startsWith(wanted));
}

/** `named`: by a part of the name; `mentioned`: only by a word of the texts. */
function search(entries: readonly Entry[], word: string) {
  const wanted = comparable(word);
  if (wanted === '') return { exact: undefined, named: [], mentioned: [] };
  const named = entries.filter(({ fullName }) => comparable(fullName).includes(wanted));
  return {
    exact: named.find(({ name, fullName }) => [name, fullName].map(comparable).includes(wanted)),
    named,
    mentioned: entries.filter(
      (entry) => !named.includes(entry) && entry.texts.some((text) => mentions(text, word)),
    ),
  };
}

const SUGGESTIONS = 3;

function suggestions(entries: readonly Entry[], word: string): string[] {
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
