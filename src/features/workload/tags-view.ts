import type { Brand } from '../../platform/workload/addresses.ts';
import {
  listedValues,
  tagName,
  TAGS,
  valueText,
  VARIABLES,
  type TagRule,
  type TagValue,
} from '../../platform/workload/tags.ts';
import { lines } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { tagEntry, variableEntry, lookupAnswer, type Detail } from './lookup-view.ts';

interface TagsView {
  readonly brand: Brand;
  /** Undefined: all. */
  readonly word: string | undefined;
}

type Family = TagRule['family'];

const FAMILY_EFFECTS: Readonly<Partial<Record<Family, string>>> = {
  'external authorization':
    'All requests are checked against the service before they are processed',
};

/** Spec 2.16. Pure. */
export function tagsAnswer({ brand: { prefix }, word }: TagsView): Answer {
  return lookupAnswer(
    {
      prefix,
      command: '/workload tags',
      thing: 'special tag',
      items: TAGS,
      head: mrkdwn`*${TAGS.length} special tags* of workloads`,
      entryOf: (rule) => tagEntry(prefix, rule),
      columns: [
        { title: 'Tag', of: (rule) => tagName(prefix, rule) },
        { title: 'Effect', of: effectCell },
        { title: 'Values', of: ({ value }) => valueText(value) },
        { title: 'Default', of: defaultWords },
      ],
      detail: (rule) => detailOf(prefix, rule),
      other: {
        command: '/workload env',
        thing: 'variable',
        entries: VARIABLES.map((variable) => variableEntry(prefix, variable)),
      },
    },
    word,
  );
}

/** With what must not be overlooked before it is set. */
function effectCell({ effect, insteadUse, restriction, hint }: TagRule): string {
  return [
    effect,
    insteadUse === undefined ? undefined : `deprecated: use ${insteadUse} instead`,
    restriction,
    hint,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function detailOf(prefix: string, rule: TagRule): Detail {
  const { family, effect, value, insteadUse, restriction, hint } = rule;
  const name = tagName(prefix, rule);
  const needed = TAGS.find((other) => other.family === family && other.required);
  const facts = [
    mrkdwn`*Values:* ${takes(value)}`,
    mrkdwn`*Default:* ${defaultOf(rule)}`,
    insteadUse === undefined ? undefined : mrkdwn`*Deprecated:* use ${code(insteadUse)} instead`,
    restriction === undefined ? undefined : mrkdwn`*Restriction:* ${restriction}`,
    hint === undefined ? undefined : mrkdwn`*Note:* ${withPaths(hint)}`,
    needed === undefined || needed === rule
      ? undefined
      : mrkdwn`*Required beside it:* ${code(tagName(prefix, needed))}`,
    ...ofFamily(rule),
    ...toCopy(name, rule),
  ];
  return {
    head: mrkdwn`*${code(name)}* – ${effect}`,
    blocks: [lines(facts.flatMap((fact) => (fact === undefined ? [] : [mrkdwn`• ${fact}`])))],
  };
}

function withPaths(sentence: string): Mrkdwn {
  const parts = sentence.split(/\b(spec(?:\.\w+)+)/);
  return joinMrkdwn(
    parts.map((part, index) => (index % 2 === 1 ? code(part) : mrkdwn`${part}`)),
    '',
  );
}

function ofFamily({ family, hint }: TagRule): Mrkdwn[] {
  const says = FAMILY_EFFECTS[family];
  return [
    ...(says === undefined ? [] : [mrkdwn`*Effect:* ${says}`]),
    ...(family === 'general' || hint !== undefined
      ? []
      : [mrkdwn`What each tag of this family does in detail is not published`]),
  ];
}

function takes(value: TagValue): Mrkdwn {
  const listed = listedValues(value)?.map((text) => code(text));
  if (listed === undefined) return mrkdwn`${valueText(value)}`;
  const first = listed.slice(0, -1);
  return joinMrkdwn(
    [...(first.length === 0 ? [] : [joinMrkdwn(first, ', ')]), ...listed.slice(-1)],
    ' or ',
  );
}

function defaultOf(rule: TagRule): Mrkdwn {
  const { default: usual, required } = rule;
  if (usual !== undefined) return isInWords(usual) ? mrkdwn`${usual}` : code(usual);
  return required ? mrkdwn`none, it is *required*` : mrkdwn`${defaultWords(rule)}`;
}

function defaultWords({ required, default: usual, family }: TagRule): string {
  if (usual !== undefined) return usual;
  if (required) return 'none, it is required';
  return family === 'general' ? 'not published' : 'none';
}

/** "the platform’s short brand name" is a description, not a value to be typed. */
function isInWords(value: string): boolean {
  return value.includes(' ');
}

function toCopy(name: string, { example, ...rule }: TagRule): Mrkdwn[] {
  if (typeof example === 'object') return [];
  const line = code(`${name}: "${example ?? exampleOf(rule)}"`);
  return [mrkdwn`*To copy* into ${code('tags')}: ${line}`];
}

function exampleOf({ value, default: usual }: Pick<TagRule, 'value' | 'default'>): string {
  if (usual !== undefined && !isInWords(usual)) return usual;
  switch (value.kind) {
    case 'flag':
    case 'boolean':
    case 'open':
      return 'true';
    case 'enum':
      return value.values[0] ?? '';
    case 'port':
      return '8080';
    case 'seconds':
      return String(value.max);
    case 'duration':
      return '1s';
    case 'cidr':
      return '10.0.0.0/8';
    case 'host':
      return 'service.example.com';
    case 'text':
      return value.what.toUpperCase().replaceAll(' ', '-');
  }
}
