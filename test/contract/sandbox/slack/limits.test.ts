import { WebAPIPlatformError } from '@slack/web-api';
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
const table = (rows: number, columns: number) => ({
  type: 'table',
  rows: times(rows, () => times(columns, () => cell('x'))),
});
const dataTable = (rows: object[][]) => ({ type: 'data_table', caption: 'c', rows });
const input = (element: object, more: object = {}) => ({
  type: 'input',
  label: plain('Label'),
  element,
  ...more,
});
const textInput = (more: object = {}) => ({ type: 'plain_text_input', action_id: 'a', ...more });

/** What is just allowed, and what is just too much. */
const edges: readonly (readonly [name: string, fits: object[], tooMuch: object[]])[] = [
  ['50 blocks', times(50, () => section('x')), times(51, () => section('x'))],
  ['section text 3000', [section(x(3_000))], [section(x(3_001))]],
  ['section text not empty', [section('x')], [section('')]],
  [
    '10 fields',
    [{ type: 'section', fields: times(10, () => plain('x')) }],
    [{ type: 'section', fields: times(11, () => plain('x')) }],
  ],
  [
    'field text 2000',
    [{ type: 'section', fields: [plain(x(2_000))] }],
    [{ type: 'section', fields: [plain(x(2_001))] }],
  ],
  [
    'header 150',
    [{ type: 'header', text: plain(x(150)) }],
    [{ type: 'header', text: plain(x(151)) }],
  ],
  [
    'header is plain text',
    [{ type: 'header', text: plain('x') }],
    [{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }],
  ],
  [
    '10 context elements',
    [{ type: 'context', elements: times(10, () => plain('x')) }],
    [{ type: 'context', elements: times(11, () => plain('x')) }],
  ],
  [
    '25 actions',
    [actions(...times(25, (index) => button('x', `a${index}`)))],
    [actions(...times(26, (index) => button('x', `a${index}`)))],
  ],
  ['button text 75', [actions(button(x(75), 'a'))], [actions(button(x(76), 'a'))]],
  [
    'button value 2000',
    [actions(button('x', 'a', x(2_000)))],
    [actions(button('x', 'a', x(2_001)))],
  ],
  ['action_id 255', [actions(button('x', x(255)))], [actions(button('x', x(256)))]],
  ['unique action_id', [actions(button('x', 'a'))], [actions(button('x', 'a'), button('y', 'a'))]],
  [
    'unique block_id',
    [{ ...section('x'), block_id: 'b' }],
    [
      { ...section('x'), block_id: 'b' },
      { ...section('y'), block_id: 'b' },
    ],
  ],
  [
    '100 options',
    [actions(select({ options: times(100, option) }))],
    [actions(select({ options: times(101, option) }))],
  ],
  [
    'options are needed',
    [actions(select({ option_groups: [{ label: plain('g'), options: [option(1)] }] }))],
    [actions(select({}))],
  ],
  [
    'the initial option is an option',
    [actions(select({ options: [option(1)], initial_option: option(1) }))],
    [actions(select({ options: [option(1)], initial_option: option(2) }))],
  ],
  [
    '5 overflow options',
    [actions({ type: 'overflow', action_id: 'o', options: times(5, option) })],
    [actions({ type: 'overflow', action_id: 'o', options: times(6, option) })],
  ],
  ['100 rows', [table(100, 1)], [table(101, 1)]],
  ['20 columns', [table(1, 20)], [table(1, 21)]],
  ['cells are not empty', [table(1, 1)], [{ type: 'table', rows: [[cell('')]] }]],
  [
    'table text 10000',
    [{ type: 'table', rows: [[cell(x(10_000))]] }],
    [{ type: 'table', rows: [[cell(x(10_001))]] }],
  ],
  [
    'rows of a data table are equally long',
    [dataTable([[cell('h')], [cell('c')]])],
    [dataTable([[cell('h')], [cell('c'), cell('c')]])],
  ],
  [
    'header cells of a data table are plain',
    [dataTable([[cell('h')], [cell('c')]])],
    [
      dataTable([
        [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] }],
        [cell('c')],
      ]),
    ],
  ],
  [
    'markdown 12000 in all',
    [{ type: 'markdown', text: x(12_000) }],
    [
      { type: 'markdown', text: x(6_000) },
      { type: 'markdown', text: x(6_001) },
    ],
  ],
  ['known block types', [{ type: 'divider' }], [{ type: 'dividor' }]],
  ['known members', [section('x')], [{ ...section('x'), colour: 'red' }]],
  ['modal-only blocks', [section('x')], [{ type: 'alert', text: plain('x') }]],
  [
    'elements in their place',
    [{ ...section('x'), accessory: button('x', 'a') }],
    [{ ...section('x'), accessory: textInput() }],
  ],
];

describe('limits of messages', () => {
  it.each(edges)('%s', async (_name, fits, tooMuch) => {
    const post = (blocks: object[]) =>
      refusal(workspace.client.chat.postMessage({ channel: CHANNEL, text: 't', blocks } as never));
    expect(await post(fits)).toBe('ok');
    expect(await post(tooMuch)).toBe('invalid_blocks');
  });

  it('one table per message', async () => {
    const blocks = [table(1, 1), dataTable([[cell('h')], [cell('c')]])] as never;
    const failure = await workspace.client.chat
      .postMessage({ channel: CHANNEL, text: 't', blocks })
      .catch((error: unknown) => error as WebAPIPlatformError);
    expect((failure as WebAPIPlatformError).data).toMatchObject({
      error: 'invalid_attachments',
      response_metadata: { messages: [expect.stringContaining('only_one_table_allowed')] },
    });
  });

  it('all blocks together', async () => {
    const { client } = workspace;
    const post = (last: number) =>
      refusal(
        client.chat.postMessage({
          channel: CHANNEL,
          text: 't',
          blocks: [...times(4, () => section(x(3_000))), section(x(last))],
        }),
      );
    expect(await post(1_200)).toBe('ok');
    expect(await post(1_201)).toBe('msg_blocks_too_long');
  });

  it('a failure names the place by a JSON pointer', async () => {
    const failure = await workspace.client.chat
      .postMessage({ channel: CHANNEL, text: 't', blocks: [section('ok'), section(x(3_001))] })
      .catch((error: unknown) => error);
    expect((failure as WebAPIPlatformError).data.response_metadata?.messages).toEqual([
      '[ERROR] must be less than 3001 characters [json-pointer:/blocks/1/text/text]',
    ]);
  });

  it('blocks must be a list', async () => {
    const post = workspace.client.apiCall('chat.postMessage', { channel: CHANNEL, blocks: '{}' });
    expect(await refusal(post)).toBe('invalid_blocks_format');
  });

  it('accepts every section within its limits, refuses every one beyond', () => {
    const checker = createBlockChecker();
    fc.assert(
      fc.property(
        fc.constantFrom('x', 'é', '😀', '&'),
        fc.integer({ min: 1, max: 6_000 }),
        (letter, length) => {
          const problems = checker.blocks([section(letter.repeat(length))], 'message');
          expect(problems.length === 0).toBe(length <= 3_000);
        },
      ),
    );
  });
});

describe('limits of views', () => {
  const modal = (more: object = {}) => ({
    type: 'modal',
    title: plain('Title'),
    blocks: [section('x')],
    ...more,
  });
  const submit = plain('Send');
  const valid = async (view: object) =>
    refusal(workspace.client.blocks.validate({ view } as never));

  it.each<readonly [string, object, object]>([
    ['title 24', { title: plain(x(24)) }, { title: plain(x(25)) }],
    ['submit 24', { submit: plain(x(24)) }, { submit: plain(x(25)) }],
    ['private_metadata 3000', { private_metadata: x(3_000) }, { private_metadata: x(3_001) }],
    ['callback_id 255', { callback_id: x(255) }, { callback_id: x(256) }],
    [
      '100 blocks',
      { blocks: times(100, () => section('x')) },
      { blocks: times(101, () => section('x')) },
    ],
    [
      'inputs need a submit button',
      { submit, blocks: [input(textInput())] },
      { blocks: [input(textInput())] },
    ],
    ['no tables', { blocks: [section('x')] }, { blocks: [table(1, 1)] }],
    [
      'focus on one element',
      { submit, blocks: [input(textInput({ focus_on_load: true }))] },
      {
        submit,
        blocks: [
          input(textInput({ focus_on_load: true })),
          input(textInput({ focus_on_load: true })),
        ],
      },
    ],
    [
      'buttons are no inputs',
      { submit, blocks: [input(textInput())] },
      { submit, blocks: [input(button('x', 'a'))] },
    ],
  ])('%s', async (_name, fits, tooMuch) => {
    expect(await valid(modal(fits))).toBe('ok');
    expect(await valid(modal(tooMuch))).toBe('invalid_view');
  });

  it('takes every input element', async () => {
    const elements = [
      textInput({ multiline: true, min_length: 1, max_length: 3_000 }),
      { type: 'number_input', is_decimal_allowed: false, min_value: '1' },
      { type: 'email_text_input' },
      { type: 'url_text_input' },
      { type: 'rich_text_input' },
      { type: 'file_input', max_files: 1, filetypes: ['yaml'] },
      select({ options: [option(1)] }),
      { type: 'multi_static_select', options: [option(1)] },
      { type: 'external_select', min_query_length: 1 },
      { type: 'users_select' },
      { type: 'conversations_select', default_to_current_conversation: true },
      { type: 'channels_select' },
      { type: 'checkboxes', options: [option(1)] },
      { type: 'radio_buttons', options: [option(1)] },
      { type: 'datepicker', initial_date: '2026-10-05' },
      { type: 'timepicker', initial_time: '09:00' },
      { type: 'datetimepicker', initial_date_time: 1_790_000_000 },
    ];
    const blocks = elements.map((element) => input(element, { optional: true, hint: plain('h') }));
    expect(await valid(modal({ submit, blocks }))).toBe('ok');
  });

  it('blocks.validate tells pointer, code and message', async () => {
    const failure = await workspace.client.blocks
      .validate({ blocks: [section(x(3_001))] })
      .catch((error: unknown) => error);
    expect((failure as WebAPIPlatformError).data).toMatchObject({
      error: 'invalid_blocks',
      errors: [{ pointer: '/blocks/0/text/text', code: 'failed_constraint' }],
    });
    expect(await refusal(workspace.client.blocks.validate({}))).toBe('invalid_arguments');
  });
});
