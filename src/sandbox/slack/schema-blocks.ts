import { LIMITS } from './limits.ts';
import {
  anyType,
  eitherText,
  flag,
  id,
  image,
  integer,
  listOf,
  mrkdwn,
  object,
  oneOf,
  PLACES,
  plainText,
  text,
  typed,
  type Schema,
} from './schema-elements.ts';

export type Surface = 'message' | 'modal' | 'home';

/** The member of a block that holds elements, and the elements that it takes. */
export interface Holds {
  readonly member: 'accessory' | 'element' | 'elements' | 'rows';
  readonly allowed: readonly string[];
}

interface BlockRule {
  readonly surfaces: readonly Surface[];
  readonly schema: Schema;
  readonly holds?: Holds;
}

const EVERYWHERE: readonly Surface[] = ['message', 'modal', 'home'];
const MESSAGES_AND_HOME: readonly Surface[] = ['message', 'home'];

function block(
  type: string,
  properties: Record<string, Schema>,
  required: string[] = [],
  surfaces: readonly Surface[] = EVERYWHERE,
): BlockRule {
  return { surfaces, schema: typed(type, { block_id: id, ...properties }, required) };
}

/** Checked on its own, against the schema of its type. */
const element: Schema = { type: 'object', required: ['type'] };

const richTextPart = anyType(
  typed('rich_text_section', { elements: { type: 'array' } }, ['elements']),
  typed('rich_text_quote', { elements: { type: 'array' }, border: integer(0, 1) }, ['elements']),
  typed(
    'rich_text_preformatted',
    { elements: { type: 'array' }, border: integer(0, 1), language: { type: 'string' } },
    ['elements'],
  ),
  typed(
    'rich_text_list',
    {
      style: oneOf('bullet', 'ordered'),
      elements: { type: 'array' },
      indent: integer(0, 8),
      offset: { type: 'integer', minimum: 0 },
      border: integer(0, 1),
    },
    ['style', 'elements'],
  ),
);
const richText = typed(
  'rich_text',
  { block_id: id, elements: { type: 'array', minItems: 1, items: richTextPart } },
  ['elements'],
);

const cell = anyType(
  typed('raw_text', { text: { type: 'string', minLength: 1 } }, ['text']),
  typed('raw_number', { value: { type: 'number' }, text: { type: 'string', minLength: 1 } }, [
    'value',
    'text',
  ]),
  richText,
);
const rawText = typed('raw_text', { text: { type: 'string', minLength: 1 } }, ['text']);
/** Its button is checked against the schema of a button. */
const actionCell = typed('action_cell', { element, fallback: anyType(rawText) }, ['element']);
const dataCell = anyType(...cell.oneOf, actionCell);

const { chart } = LIMITS;
const label = { type: 'string', minLength: 1, maxLength: chart.label };
const point = object({ label, value: { type: 'number' } }, ['label', 'value']);
const series = listOf(
  object({ name: label, data: listOf(point, 1, chart.points) }, ['name', 'data']),
  1,
  chart.series,
);
const axes = object(
  {
    categories: listOf(label, 1, chart.points),
    x_label: text(chart.axis),
    y_label: text(chart.axis),
  },
  ['categories'],
);
const plotted = ['line', 'bar', 'area'].map((type) =>
  typed(type, { series, axis_config: axes }, ['series', 'axis_config']),
);
const pie = typed('pie', { segments: listOf(point, 1, chart.series) }, ['segments']);

const columnSettings = listOf(
  {
    anyOf: [
      object({ align: oneOf('left', 'center', 'right'), is_wrapped: flag }),
      { type: 'null' },
    ],
  },
  0,
  LIMITS.table.columns,
);
const { table, dataTable } = LIMITS;

export const BLOCK_RULES: Readonly<Record<string, BlockRule>> = {
  section: {
    surfaces: EVERYWHERE,
    schema: {
      ...typed('section', {
        block_id: id,
        text: eitherText(LIMITS.textObject),
        fields: listOf(eitherText(LIMITS.section.fieldText), 1, LIMITS.section.fields),
        accessory: element,
        expand: flag,
      }),
      anyOf: [{ required: ['text'] }, { required: ['fields'] }],
    },
    holds: { member: 'accessory', allowed: PLACES.accessory },
  },
  divider: block('divider', {}),
  header: block('header', { text: plainText(LIMITS.header), level: integer(1, 4) }, ['text']),
  image: block(
    'image',
    {
      alt_text: text(LIMITS.image.altText),
      image_url: text(LIMITS.image.url),
      slack_file: { type: 'object' },
      title: plainText(LIMITS.image.title),
    },
    ['alt_text'],
  ),
  context: block(
    'context',
    {
      elements: listOf(
        anyType(image, plainText(LIMITS.textObject), mrkdwn(LIMITS.textObject)),
        1,
        LIMITS.context,
      ),
    },
    ['elements'],
  ),
  actions: {
    ...block('actions', { elements: listOf(element, 1, LIMITS.actions) }, ['elements']),
    holds: { member: 'elements', allowed: PLACES.actions },
  },
  input: {
    ...block(
      'input',
      {
        label: plainText(LIMITS.input.label),
        hint: plainText(LIMITS.input.hint),
        element,
        optional: flag,
        dispatch_action: flag,
      },
      ['label', 'element'],
    ),
    holds: { member: 'element', allowed: PLACES.input },
  },
  rich_text: { surfaces: EVERYWHERE, schema: richText },
  table: block(
    'table',
    {
      rows: listOf(listOf(cell, 1, table.columns), 1, table.rows),
      column_settings: columnSettings,
    },
    ['rows'],
    MESSAGES_AND_HOME,
  ),
  data_table: {
    ...block(
      'data_table',
      {
        caption: text(LIMITS.textObject),
        rows: listOf(listOf(dataCell, 1, dataTable.columns), dataTable.minRows, dataTable.rows),
        page_size: integer(1, dataTable.pageSize),
        row_header_column_index: integer(0, dataTable.columns - 1),
      },
      ['caption', 'rows'],
      MESSAGES_AND_HOME,
    ),
    holds: { member: 'rows', allowed: ['button'] },
  },
  alert: block(
    'alert',
    {
      text: eitherText(LIMITS.alert),
      level: oneOf('default', 'info', 'warning', 'error', 'success'),
    },
    ['text'],
    ['modal'],
  ),
  data_visualization: block(
    'data_visualization',
    { title: text(chart.title), chart: anyType(...plotted, pie) },
    ['title', 'chart'],
    MESSAGES_AND_HOME,
  ),
};

const viewText = plainText(LIMITS.view.button);
const viewCommon = {
  blocks: { type: 'array', items: { type: 'object' } },
  private_metadata: { type: 'string', maxLength: LIMITS.view.privateMetadata },
  callback_id: { type: 'string', maxLength: LIMITS.id },
  external_id: { type: 'string', maxLength: LIMITS.id },
} as const;

/** The frame of a view; its blocks are checked one by one against BLOCK_RULES. */
export const VIEW_RULE: Schema = anyType(
  typed(
    'modal',
    {
      ...viewCommon,
      title: plainText(LIMITS.view.title),
      submit: viewText,
      close: viewText,
      clear_on_close: flag,
      notify_on_close: flag,
      submit_disabled: flag,
    },
    ['title', 'blocks'],
  ),
  typed('home', viewCommon, ['blocks']),
);
