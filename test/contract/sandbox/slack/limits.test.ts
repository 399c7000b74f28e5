import type { WebAPIPlatformError } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import * as fc from '../../../support/fast-check.ts';
import { button, plain, refusal, section, startWorkspace, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0DEPLOYS';
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

const x = (length: number) => 'x'.repeat(length);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const option = (index: number) => ({ text: plain(`option ${index}`), value: `value ${index}` });
const actions = (...elements: object[]) => ({ type: 'actions', elements });
const select = (more: object) => ({ type: 'static_select', action_id: 'pick', ...more });
const cell = (text: string) => ({ type: 'raw_text', text });
const table = (rows: number, columns: number, text = 'x') => ({
  type: 'table',
  rows: times(rows, () => times(columns, () => cell(text))),
});
const dataTable = (...rows: object[][]) => ({ type: 'data_table', caption: 'c', rows });
const actionCell = (element: object) => ({ type: 'action_cell', element });
const tallTable = (rows: number, text = 'x') =>
  dataTable([cell('h')], ...times(rows, () => [cell(text)]));
/** A line for each list of values. */
const chart = (lines: number[][], more: object = {}) => ({
  type: 'data_visualization',
  title: 'Spend',
  chart: {
    type: 'line',
    series: lines.map((values, at) => ({
      name: `s${at}`,
      data: values.map((value, index) => ({ label: `d${index}`, value })),
    })),
    axis_config: { categories: (lines[0] ?? []).map((_, index) => `d${index}`) },
    ...more,
  },
});
const fields = (...texts: string[]) => ({ type: 'section', fields: texts.map(plain) });
const input = (element: object, more: object = {}) => ({
  type: 'input',
  label: plain('Label'),
  element,
  ...more,
});
const textInput = (more: object = {}) => ({ type: 'plain_text_input', action_id: 'a', ...more });
const named = (...ids: string[]) => ids.map((block_id) => ({ ...section('x'), block_id }));
const richCell = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] };

const post = (blocks: unknown) =>
  workspace.client.chat.postMessage({ channel: CHANNEL, text: 't', blocks } as never);
const failureOf = async (call: Promise<unknown>) =>
  ((await call.catch((error: unknown) => error)) as WebAPIPlatformError).data;

describe('limits of messages', () => {
  it.each<[name: string, limit: number, of: (size: number) => object[]]>([
    ['blocks', 50, (size) => times(size, () => section('x'))],
    ['characters of a section', 3_000, (size) => [section(x(size))]],
    ['fields', 10, (size) => [fields(...times(size, () => 'x'))]],
    ['characters of a field', 2_000, (size) => [fields(x(size))]],
    ['characters of a header', 150, (size) => [{ type: 'header', text: plain(x(size)) }]],
    [
      'context elements',
      10,
      (size) => [{ type: 'context', elements: times(size, () => plain('x')) }],
    ],
    ['actions', 25, (size) => [actions(...times(size, (index) => button('x', `a${index}`)))]],
    ['characters of a button', 75, (size) => [actions(button(x(size), 'a'))]],
    ['characters of a button value', 2_000, (size) => [actions(button('x', 'a', x(size)))]],
    ['characters of an action_id', 255, (size) => [actions(button('x', x(size)))]],
    ['options', 100, (size) => [actions(select({ options: times(size, option) }))]],
    [
      'overflow options',
      5,
      (size) => [actions({ type: 'overflow', action_id: 'o', options: times(size, option) })],
    ],
    ['rows', 100, (size) => [table(size, 1)]],
    ['columns', 20, (size) => [table(1, size)]],
    ['characters of a table', 10_000, (size) => [table(1, 1, x(size))]],
    ['rows of a data table, without its head', 200, (size) => [tallTable(size)]],
    ['characters of a data table', 20_000, (size) => [tallTable(1, x(size - 1))]],
    ['series of a chart', 12, (size) => [chart(times(size, () => [1]))]],
    ['points of a chart', 20, (size) => [chart([times(size, () => 1)])]],
    ['title of a chart', 50, (size) => [{ ...chart([[1]]), title: x(size) }]],
    ['charts', 2, (size) => times(size, () => chart([[1]]))],
  ])('%s: %i at most', async (_name, limit, of) => {
    expect(await refusal(post(of(limit)))).toBe('ok');
    expect(await refusal(post(of(limit + 1)))).toBe('invalid_blocks');
  });

  it.each<[rule: string, fits: object, refused: object, more?: object]>([
    ['section text is not empty', section('x'), section('')],
    [
      'a header is plain text',
      { type: 'header', text: plain('x') },
      { type: 'header', text: { type: 'mrkdwn', text: 'x' } },
    ],
    [
      'an action_id is unique',
      actions(button('x', 'a')),
      actions(button('x', 'a'), button('y', 'a')),
    ],
    [
      'options are needed',
      actions(select({ option_groups: [{ label: plain('g'), options: [option(1)] }] })),
      actions(select({})),
    ],
    [
      'the initial option is an option',
      actions(select({ options: [option(1)], initial_option: option(1) })),
      actions(select({ options: [option(1)], initial_option: option(2) })),
    ],
    ['cells are not empty', table(1, 1), table(1, 1, '')],
    [
      'rows of a data table are equally long',
      dataTable([cell('h')], [cell('c')]),
      dataTable([cell('h')], [cell('c'), cell('c')]),
    ],
    [
      'header cells of a data table are plain',
      dataTable([cell('h')], [cell('c')]),
      dataTable([richCell], [cell('c')]),
    ],
    [
      'a cell of a data table can be a button, and no other element',
      dataTable([cell('h')], [actionCell(button('x', 'a'))]),
      dataTable([cell('h')], [actionCell(textInput())]),
    ],
    [
      'buttons in cells have different ids',
      dataTable([cell('h')], [actionCell(button('x', 'a'))], [actionCell(button('x', 'b'))]),
      dataTable([cell('h')], [actionCell(button('x', 'a'))], [actionCell(button('x', 'a'))]),
    ],
    [
      'each series has each point',
      chart([
        [1, 2],
        [3, 4],
      ]),
      chart([[1, 2], [3]]),
    ],
    ['block types are known', { type: 'divider' }, { type: 'dividor' }],
    ['members are known', section('x'), { ...section('x'), colour: 'red' }],
    ['some blocks are for modals alone', section('x'), { type: 'alert', text: plain('x') }],
    [
      'elements have their places',
      { ...section('x'), accessory: button('x', 'a') },
      { ...section('x'), accessory: textInput() },
    ],
  ])('%s', async (_rule, fits, refused) => {
    expect(await refusal(post([fits]))).toBe('ok');
    expect(await refusal(post([refused]))).toBe('invalid_blocks');
  });

  it('a block_id is unique', async () => {
    expect(await refusal(post(named('a', 'b')))).toBe('ok');
    expect(await refusal(post(named('b', 'b')))).toBe('invalid_blocks');
  });

  it('one table per message', async () => {
    const blocks = [table(1, 1), dataTable([cell('h')], [cell('c')])];

    expect(await failureOf(post(blocks))).toMatchObject({
      error: 'invalid_attachments',
      response_metadata: { messages: [expect.stringContaining('only_one_table_allowed')] },
    });
  });

  it('all blocks together: 13,200 characters', async () => {
    const blocks = (last: number) => [...times(4, () => section(x(3_000))), section(x(last))];

    expect(await refusal(post(blocks(1_200)))).toBe('ok');
    expect(await refusal(post(blocks(1_201)))).toBe('msg_blocks_too_long');
  });

  it('a failure names the place by a JSON pointer; blocks must be a list', async () => {
    const failure = await failureOf(post([section('ok'), section(x(3_001))]));

    expect(failure.response_metadata?.messages).toEqual([
      '[ERROR] must be less than 3001 characters [json-pointer:/blocks/1/text/text]',
    ]);
    expect(await refusal(post('{}'))).toBe('invalid_blocks_format');
  });

  it('accepts every section within its limits, refuses every one beyond', () => {
    const checker = createBlockChecker();
    const letters = fc.constantFrom('x', 'é', '😀', '&');
    fc.assert(
      fc.property(letters, fc.integer({ min: 1, max: 6_000 }), (letter, length) => {
        const problems = checker.blocks([section(letter.repeat(length))], 'message');
        expect(problems.length === 0).toBe(length <= 3_000);
      }),
    );
  });
});

describe('limits of views', () => {
  const view = { type: 'modal', title: plain('Title'), blocks: [section('x')] };
  const submit = plain('Send');
  const validate = (more: object) =>
    refusal(workspace.client.blocks.validate({ view: { ...view, ...more } } as never));
  const focused = input(textInput({ focus_on_load: true }));

  it.each<[rule: string, fits: object, refused: object]>([
    ['a title has 24 characters at most', { title: plain(x(24)) }, { title: plain(x(25)) }],
    ['a submit has 24 at most', { submit: plain(x(24)) }, { submit: plain(x(25)) }],
    ['metadata has 3000', { private_metadata: x(3_000) }, { private_metadata: x(3_001) }],
    ['a callback_id has 255', { callback_id: x(255) }, { callback_id: x(256) }],
    [
      'there are 100 blocks at most',
      { blocks: times(100, () => section('x')) },
      { blocks: times(101, () => section('x')) },
    ],
    [
      'inputs need a submit button',
      { submit, blocks: [input(textInput())] },
      { blocks: [input(textInput())] },
    ],
    ['there are no tables', {}, { blocks: [table(1, 1)] }],
    [
      'one element has the focus',
      { submit, blocks: [focused] },
      { submit, blocks: [focused, focused] },
    ],
    [
      'buttons are no inputs',
      { submit, blocks: [input(textInput())] },
      { submit, blocks: [input(button('x', 'a'))] },
    ],
  ])('%s', async (_rule, fits, refused) => {
    expect([await validate(fits), await validate(refused)]).toEqual(['ok', 'invalid_view']);
  });

  it.each<object>([
    textInput({ multiline: true, min_length: 1, max_length: 3_000 }),
    { type: 'number_input', is_decimal_allowed: false, min_value: '1' },
    { type: 'email_text_input' },
    { type: 'file_input', max_files: 1, filetypes: ['yaml'] },
    select({ options: [option(1)] }),
    { type: 'multi_static_select', options: [option(1)] },
    { type: 'checkboxes', options: [option(1)] },
    { type: 'datepicker', initial_date: '2026-10-05' },
  ])('an input takes %j', async (element) => {
    const blocks = [input(element, { optional: true, hint: plain('h') })];

    expect(await validate({ submit, blocks })).toBe('ok');
  });

  it('blocks.validate answers with pointer, code and message', async () => {
    const { blocks } = workspace.client;

    expect(await failureOf(blocks.validate({ blocks: [section(x(3_001))] }))).toMatchObject({
      error: 'invalid_blocks',
      errors: [{ pointer: '/blocks/0/text/text', code: 'failed_constraint' }],
    });
    expect(await refusal(blocks.validate({}))).toBe('invalid_arguments');
  });
});
