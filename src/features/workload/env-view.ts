import type { KnownBlock } from '@slack/types';
import type { Brand } from '../../platform/workload/addresses.ts';
import { TAGS, variableName, VARIABLES, type Variable } from '../../platform/workload/tags.ts';
import { context, lines } from '../../slack/kit/blocks.ts';
import { code, mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { tagEntry, variableEntry, lookupAnswer, type Detail } from './lookup-view.ts';

const DOMAIN = '{global_domain}';

interface EnvView {
  readonly brand: Brand;
  /** Undefined: all. */
  readonly word: string | undefined;
}

/** Spec 2.15. Pure. */
export function envAnswer({ brand, word }: EnvView): Answer {
  const { prefix } = brand;
  return lookupAnswer(
    {
      prefix,
      command: '/workload env',
      thing: 'variable',
      items: VARIABLES,
      head: mrkdwn`*${VARIABLES.length} variables* are in every container of a workload`,
      entryOf: (variable) => variableEntry(prefix, variable),
      columns: [
        { title: 'Variable', of: (variable) => variableName(prefix, variable) },
        { title: 'Meaning', of: ({ meaning }) => meaning },
        { title: 'Looks like', of: (variable) => formOf(brand, variable) ?? '–' },
      ],
      notes: (variables) => missingDomain(brand, variables),
      detail: (variable) => detailOf(brand, variable),
      other: {
        command: '/workload tags',
        thing: 'special tag',
        entries: TAGS.map((rule) => tagEntry(prefix, rule)),
      },
    },
    word,
  );
}

function detailOf(brand: Brand, variable: Variable): Detail {
  const { meaning, notes = [], header } = variable;
  const name = variableName(brand.prefix, variable);
  const form = formOf(brand, variable);
  const facts = [
    ...(form === undefined ? [] : [mrkdwn`• It looks like ${code(form)}`]),
    ...notes.map((note) => mrkdwn`• ${note}`),
    ...(header === undefined
      ? []
      : [mrkdwn`• As the whole value of the header ${code(header)}: ${code(`$${name}`)}`]),
  ];
  return {
    head: mrkdwn`*${code(name)}* – ${meaning}`,
    blocks: [...(facts.length === 0 ? [] : [lines(facts)]), ...missingDomain(brand, [variable])],
  };
}

function missingDomain({ globalDomain }: Brand, shown: readonly Variable[]): KnownBlock[] {
  const isMissing = globalDomain === undefined && shown.some(({ form }) => form !== undefined);
  return isMissing
    ? [context(mrkdwn`${code(DOMAIN)} is shown because ${code('GLOBAL_DOMAIN')} is not set`)]
    : [];
}

function formOf({ globalDomain }: Brand, { form }: Variable): string | undefined {
  return globalDomain === undefined ? form : form?.replace(DOMAIN, globalDomain);
}
