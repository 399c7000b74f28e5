import type { KnownBlock } from '@slack/types';
import { context } from '../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import type { FormContent, FormValues } from '../../../src/slack/routing/routes.ts';
import { modal, type Area, type Entry } from '../entry.ts';
import { startReports, type World } from './reports-bot.ts';

interface Opened {
  readonly line?: string;
  readonly world?: World;
  readonly press?: readonly string[];
  /** Before the values are there. */
  readonly early?: boolean;
}

async function opened({ line = '/charges', world, press = [], early = false }: Opened) {
  const bot = startReports(world);
  let shown = await bot.type(line);
  for (const label of press) shown = await bot.press(shown, label);
  const [first, last] = await bot.open(shown);
  const form = early ? first : last;
  if (form === undefined) throw new Error('there is no form');
  return { bot, form };
}

function form(id: string, when: string, how: Opened = {}): Entry {
  return modal(id, when, async () => (await opened(how)).form);
}

/** A submitted form, with the errors below its fields. */
function mistaken(
  id: string,
  when: string,
  values: FormValues,
  line = '/charges by workload',
): Entry {
  return modal(id, when, async () => {
    const { bot, form } = await opened({ line });
    const verdict = await bot.submit(form, { ...untouched(form), ...values });
    if (!('errors' in verdict)) throw new Error(`${id} was not refused`);
    return {
      ...form,
      blocks: form.blocks.flatMap((block) => reported(block, values, verdict.errors)),
    };
  });
}

function reported(block: KnownBlock, values: FormValues, errors: Readonly<Record<string, string>>) {
  const { block_id: id = '' } = block;
  const error = errors[id];
  const typed = values[id];
  const filled: KnownBlock =
    block.type === 'input' && block.element.type === 'plain_text_input' && typeof typed === 'string'
      ? { ...block, element: { ...block.element, initial_value: typed } }
      : block;
  return error === undefined ? [filled] : [filled, context(mrkdwn`:red_circle: ${error}`)];
}

/** The values that are sent when the person changes nothing. */
function untouched({ blocks }: FormContent): FormValues {
  return Object.fromEntries(
    blocks.flatMap((block): [string, string | string[] | undefined][] => {
      if (block.type !== 'input') return [];
      const { block_id: id = '', element } = block;
      if (element.type === 'plain_text_input') return [[id, element.initial_value]];
      if (element.type === 'static_select') return [[id, element.initial_option?.value]];
      if (element.type !== 'multi_static_select' && element.type !== 'checkboxes') return [];
      return [[id, (element.initial_options ?? []).map(({ value }) => value ?? '')]];
    }),
  );
}

const MANY = Array.from({ length: 170 }, (_, at) => `preview-${at + 1}`);
/** No one can type it, and a list has no room for it. */
const LONG = 'x'.repeat(80);

export const customize: Area = {
  id: 'customize',
  title: 'Customize: a report as a form',
  entries: [
    form('customize-charges-opening', 'The form of charges, before the orgs and values are read.', {
      early: true,
    }),
    form('customize-charges', 'The form of charges.', {}),
    form('customize-usage', 'The form of usage.', { line: '/usage' }),
    form('customize-filled', 'The form of a question with all of its parts.', {
      line: '/charges last 3 weeks by gvc,"team" of cpu,memory item cpu where gvc=shop workload=/^(cart|web)$/ location=/^aws/ locationType=hosted "team"=blue org acme step day',
    }),
    form('customize-detailed', 'The pricing tiers were shown.', { press: ['Tiers'] }),
    form(
      'customize-opening-with-choices',
      'The values of the question can be chosen before the others are read.',
      {
        line: '/charges where gvc=shop org acme',
        early: true,
      },
    ),
    form('customize-unreadable', 'Neither the orgs nor items nor any values can be read.', {
      world: { orgs: 'down', items: 'down', values: 'down' },
    }),
    form('customize-unreadable-with-choices', 'The same, for a question that names some.', {
      line: '/charges item cpu where gvc=shop org acme',
      world: { orgs: 'down', items: 'down', values: 'down' },
    }),
    form('customize-many-values', 'There are more values than a list offers.', {
      line: '/charges where gvc=shop locationType=hosted feature=workloads provider=aws',
      world: { values: { workload: MANY } },
    }),
    form('customize-no-items', 'There are no chargeable items.', { world: { items: [] } }),
    form('customize-one-value-too-long', 'A value is longer than a list takes.', {
      world: { values: { workload: ['cart', LONG] } },
    }),
    form('customize-no-values', 'There are no values at all.', {
      world: { values: { gvc: [], workload: [], location: [] } },
    }),
  ],
};

/** Typed values that cannot be read. */
const TYPED: readonly (readonly [id: string, when: string, values: FormValues])[] = [
  ['range-in-words', 'The other range is not a range.', { 'other-range': 'some time in spring' }],
  ['range-mistyped', 'The other range is mistyped.', { 'other-range': 'last mnth' }],
  ['range-near', 'The other range is near to one.', { 'other-range': 'yestreday' }],
  [
    'range-backwards',
    'The other range ends before it begins.',
    { 'other-range': '2026-10-15..2026-10-01' },
  ],
  [
    'range-with-more',
    'There is more than a range in the field.',
    { 'other-range': '2026-10 by gvc' },
  ],
  ['filter-without-value', 'A filter has no value.', { 'more-filters': 'locationType' }],
  [
    'filter-unknown-tag',
    'A filter has a tag that no one knows.',
    { 'more-filters': 'locationTyp=byok' },
  ],
  [
    'filter-with-more',
    'There is more than filters in the field.',
    { 'more-filters': 'locationType=byok step day' },
  ],
  [
    'filter-quote-open',
    'A quotation mark is never closed.',
    { 'more-filters': 'locationType="byok' },
  ],
  [
    'filter-chosen-above',
    'A filter is chosen in a list and typed.',
    { 'where-gvc': ['shop'], 'more-filters': 'gvc=data' },
  ],
  [
    'metrics-twice',
    'Metrics are chosen in the list and by a filter.',
    { of: ['cpu'], 'more-filters': 'metric=/^mem/' },
  ],
  [
    'orgs-twice',
    'Orgs are chosen in the list and by a filter.',
    { orgs: ['acme'], 'more-filters': 'org=globex' },
  ],
  [
    'several',
    'Several fields are wrong at once.',
    { 'other-range': '2026-13', of: ['cpu'], 'more-filters': 'metric=gpu gvc!=shop' },
  ],
];

export const customizeErrors: Area = {
  id: 'customize-errors',
  title: 'Customize: fields that cannot be read (Slack shows the sentence in red below the field)',
  entries: TYPED.map(([id, when, values]) => mistaken(`customize-error-${id}`, when, values)),
};
