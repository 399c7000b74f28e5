import type { Brand } from '../../platform/workload/addresses.ts';
import { copied, either } from '../../platform/workload/finding.ts';
import {
  tagName,
  type TagRule,
  TAGS,
  variableName,
  VARIABLES,
} from '../../platform/workload/tags.ts';
import { code, mrkdwn, type Mrkdwn, withCode } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { lookupAnswer, type Entry, type Topic } from './lookup-view.ts';

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
