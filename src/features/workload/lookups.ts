import type { KnownBlock } from '@slack/types';
import { plural, truncate } from '../../lib/text.ts';
import { editDistance, nearest } from '../../lib/words.ts';
import { capital } from '../../rollouts/render/parts.ts';
import { button, context, lines, section } from '../../slack/kit/blocks.ts';
import {
  code,
  joinFirst,
  joinMrkdwn,
  mrkdwn,
  type Mrkdwn,
  withCode,
} from '../../slack/kit/text.ts';
import { RUN_ACTION } from '../../slack/replies/help-view.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { listed } from '../list.ts';
import type { Brand } from '../../platform/workload/addresses.ts';
import { copied, either } from '../../platform/workload/finding.ts';
import {
  tagName,
  type TagRule,
  TAGS,
  variableName,
  VARIABLES,
} from '../../platform/workload/tags.ts';

interface Lookup {
  readonly brand: Brand;
  /** Undefined: all. */
  readonly word: string | undefined;
}

/** `/workload env` (spec 2.15). Pure. */
export function envAnswer({ brand, word }: Lookup): Answer {
  return lookupAnswer(variables(brand), tags(brand), { prefix: brand.prefix, word });
}

/** `/workload tags` (spec 2.16). Pure. */
export function tagsAnswer({ brand, word }: Lookup): Answer {
  return lookupAnswer(tags(brand), variables(brand), { prefix: brand.prefix, word });
}

const DOMAIN = '{global_domain}';

function variables({ prefix, globalDomain }: Brand): Topic {
  return {
    command: '/workload env',
    thing: 'variable',
    head: mrkdwn`*${VARIABLES.length} variables* are in every container of a workload`,
    titles: ['Variable', 'Meaning', 'Looks like'],
    entries: VARIABLES.map((variable): Entry => {
      const { name, meaning, form, notes = [], header } = variable;
      const fullName = variableName(prefix, variable);
      const full = globalDomain === undefined ? form : form?.replace(DOMAIN, globalDomain);
      return {
        name,
        fullName,
        texts: [meaning, ...notes],
        cells: [meaning, full ?? '–'],
        meaning,
        facts: [
          full === undefined ? undefined : mrkdwn`It looks like ${code(full)}`,
          ...notes.map((note) => mrkdwn`${note}`),
          header === undefined
            ? undefined
            : mrkdwn`As the whole value of the header ${code(header)}: ${code(`$${fullName}`)}`,
        ].filter((fact) => fact !== undefined),
        note: full?.includes(DOMAIN)
          ? mrkdwn`${code(DOMAIN)} is shown because ${code('GLOBAL_DOMAIN')} is not set`
          : undefined,
      };
    }),
  };
}

function tags({ prefix }: Brand): Topic {
  return {
    command: '/workload tags',
    thing: 'special tag',
    head: mrkdwn`*${TAGS.length} special tags* of workloads`,
    titles: ['Tag', 'Effect', 'Values', 'Default'],
    entries: TAGS.map((rule): Entry => {
      const { name, value, effect, insteadUse, restriction, hint } = rule;
      // Before it is set, a person should read all of these.
      const effects = [
        effect,
        insteadUse && `deprecated: use ${insteadUse} instead`,
        restriction,
        hint,
      ];
      const texts = [effect, value.words, rule.default, insteadUse, restriction, hint];
      return {
        name,
        fullName: tagName(prefix, rule),
        texts: texts.filter((text) => text !== undefined),
        cells: [
          effects.filter((text) => text !== undefined).join(' · '),
          value.words,
          defaultWords(rule),
        ],
        meaning: effect,
        facts: factsOf(prefix, rule),
      };
    }),
  };
}

/** "the platform’s short brand name" is a description, not a value to be typed. */
function typedDefault({ default: usual }: TagRule): string | undefined {
  return usual?.includes(' ') ? undefined : usual;
}

function defaultWords({ required, default: usual, family }: TagRule): string {
  if (usual !== undefined) return usual;
  if (required) return 'none, it is required';
  return family === 'general' ? 'not published' : 'none';
}

function factsOf(prefix: string, rule: TagRule): Mrkdwn[] {
  const { family, value, insteadUse, restriction, hint, required } = rule;
  const usual = typedDefault(rule);
  const untyped = required ? mrkdwn`none, it is *required*` : mrkdwn`${defaultWords(rule)}`;
  const needed = TAGS.find((other) => other.family === family && other.required);
  const example = rule.example ?? usual ?? value.example;
  return [
    mrkdwn`*Values:* ${value.listed === undefined ? value.words : withCode(either(value.listed.map(copied)))}`,
    mrkdwn`*Default:* ${usual === undefined ? untyped : code(usual)}`,
    insteadUse === undefined ? undefined : mrkdwn`*Deprecated:* use ${code(insteadUse)} instead`,
    restriction === undefined ? undefined : mrkdwn`*Restriction:* ${restriction}`,
    hint === undefined
      ? undefined
      : mrkdwn`*Note:* ${withCode(hint.replaceAll(/\bspec(?:\.\w+)+/g, copied))}`,
    needed === undefined || required
      ? undefined
      : mrkdwn`*Required beside it:* ${code(tagName(prefix, needed))}`,
    family === 'external authorization'
      ? mrkdwn`*Effect:* All requests are checked against the service before they are processed`
      : undefined,
    family === 'general' || hint !== undefined
      ? undefined
      : mrkdwn`What each tag of this family does in detail is not published`,
    typeof example === 'object'
      ? undefined
      : mrkdwn`*To copy* into ${code('tags')}: ${code(`${tagName(prefix, rule)}: "${example}"`)}`,
  ].filter((fact) => fact !== undefined);
}

/** A list of known things: the special tags, or the variables. */
interface Topic {
  /** `/workload tags` */
  readonly command: string;
  /** "special tag" */
  readonly thing: string;
  readonly head: Mrkdwn;
  readonly titles: readonly string[];
  readonly entries: readonly Entry[];
}

interface Entry {
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
function lookupAnswer(
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
