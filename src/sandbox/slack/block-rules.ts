import { asJson, asList, asText, isJson, objectsOf, type Json } from './json.ts';
import { LIMITS } from './limits.ts';
import type { Surface } from './schema-blocks.ts';

/** One thing wrong with a payload, as `blocks.validate` shows it. */
export interface BlockProblem {
  /** JSON pointer, e.g. `/blocks/0/text/text`. */
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  readonly constraint?: Json;
}

/** The buttons in the cells of a `data_table`, row by row. */
export function cellElements(block: Json): Json[] {
  if (block['type'] !== 'data_table') return [];
  const cells = asList(block['rows']).flatMap(objectsOf);
  return cells.filter(({ type }) => type === 'action_cell').map((cell) => asJson(cell['element']));
}

/** Every element of a block that can carry an `action_id`. */
export function elementsOf(block: Json): Json[] {
  return [
    ...cellElements(block),
    ...(block['type'] === 'actions' ? objectsOf(block['elements']) : []),
    ...[block['accessory'], block['element']].filter(isJson),
  ].filter((element) => element['type'] !== 'image');
}

/** All characters that a reader sees in this value. */
function visibleText(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + visibleText(item), 0);
  if (!isJson(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, member]) =>
      sum + (key === 'text' && typeof member === 'string' ? member.length : visibleText(member)),
    0,
  );
}

const problem = (pointer: string, message: string): BlockProblem => ({
  pointer,
  code: 'failed_constraint',
  message,
});

function uniqueIds(blocks: readonly Json[]): BlockProblem[] {
  const problems: BlockProblem[] = [];
  const blockIds = new Set<string | undefined>();
  blocks.forEach((block, index) => {
    const blockId = asText(block['block_id']);
    if (blockId !== undefined && blockIds.has(blockId)) {
      const message = `block_id ${blockId} already exists`;
      problems.push(problem(`/blocks/${index}/block_id`, message));
    }
    blockIds.add(blockId);
    const actionIds = new Set<string | undefined>();
    for (const element of elementsOf(block)) {
      const actionId = asText(element['action_id']);
      if (actionId !== undefined && actionIds.has(actionId)) {
        const message = `action_id ${actionId} already exists`;
        problems.push(problem(`/blocks/${index}/elements`, message));
      }
      actionIds.add(actionId);
    }
  });
  return problems;
}

/** All options of an element, the grouped ones included. */
function optionsOf(element: Json): Json[] {
  return [
    ...objectsOf(element['options']),
    ...objectsOf(element['option_groups']).flatMap((group) => objectsOf(group['options'])),
  ];
}

function initialOptionsExist(blocks: readonly Json[]): BlockProblem[] {
  return blocks.flatMap((block, index) =>
    elementsOf(block).flatMap((element) => {
      const options = optionsOf(element);
      const initial = [element['initial_option'], ...asList(element['initial_options'])].filter(
        isJson,
      );
      const known = new Set(options.map((option) => JSON.stringify(option)));
      const lost =
        options.length > 0 && initial.some((option) => !known.has(JSON.stringify(option)));
      return lost ? [problem(`/blocks/${index}`, 'initial option is not one of the options')] : [];
    }),
  );
}

function focusOnce(blocks: readonly Json[]): BlockProblem[] {
  const focused = blocks.flatMap(elementsOf).filter((element) => element['focus_on_load'] === true);
  return focused.length > 1 ? [problem('/blocks', 'only one element may have focus_on_load')] : [];
}

const isTable = (block: Json): boolean =>
  block['type'] === 'table' || block['type'] === 'data_table';

function dataTableShape(blocks: readonly Json[]): BlockProblem[] {
  return blocks.flatMap((block, index) => {
    if (block['type'] !== 'data_table') return [];
    const rows = asList(block['rows']).map((row) => objectsOf(row));
    const pointer = `/blocks/${index}/rows`;
    const mixed = new Set(rows.map((row) => row.length)).size > 1;
    const isPlain = rows[0]?.every(({ type }) => type === 'raw_text' || type === 'raw_number');
    return [
      ...(mixed ? [problem(pointer, 'all rows must have the same length')] : []),
      ...(isPlain === false ? [problem(`${pointer}/0`, 'header cells must be raw text')] : []),
    ];
  });
}

/** Each series has a point for each category, in any order, and a name of its own. */
function chartShape(blocks: readonly Json[]): BlockProblem[] {
  return blocks.flatMap((block, index) => {
    const chart = asJson(block['chart']);
    if (block['type'] !== 'data_visualization' || chart['type'] === 'pie') return [];
    const categories = asList(asJson(chart['axis_config'])['categories']);
    const series = objectsOf(chart['series']);
    const pointer = `/blocks/${index}/chart/series`;
    const isWhole = series.every(({ data }) => {
      const labels = new Set(objectsOf(data).map(({ label }) => label));
      return labels.size === categories.length && categories.every((one) => labels.has(one));
    });
    const names = new Set(series.map(({ name }) => name));
    return [
      ...(isWhole ? [] : [problem(pointer, 'each series must have a point for each category')]),
      ...(names.size < series.length ? [problem(pointer, 'names of series must differ')] : []),
    ];
  });
}

function sumsOfMessage(blocks: readonly Json[]): BlockProblem[] {
  const { tableText, dataTableText, charts } = LIMITS.message;
  const ofType = (wanted: string) => blocks.filter(({ type }) => type === wanted);
  return [
    ...(visibleText(ofType('table')) > tableText
      ? [problem('/blocks', `tables must be less than ${tableText + 1} characters in total`)]
      : []),
    ...(visibleText(ofType('data_table')) > dataTableText
      ? [problem('/blocks', `data tables must be less than ${dataTableText + 1} characters`)]
      : []),
    ...(ofType('data_visualization').length > charts
      ? [problem('/blocks', `no more than ${charts} charts allowed`)]
      : []),
  ];
}

/** The rules that no schema of a single block can say. */
export function crossChecks(blocks: readonly Json[], surface: Surface): BlockProblem[] {
  return [
    ...uniqueIds(blocks),
    ...initialOptionsExist(blocks),
    ...focusOnce(blocks),
    ...dataTableShape(blocks),
    ...chartShape(blocks),
    ...(surface === 'message' ? sumsOfMessage(blocks) : []),
  ];
}

/** More than one table: Slack refuses the message with an error of its own. */
export function hasTooManyTables(blocks: readonly Json[]): boolean {
  return blocks.filter(isTable).length > LIMITS.message.tables;
}

/** Text over all blocks but tables, against `msg_blocks_too_long`. */
export function isTooLong(blocks: readonly Json[]): boolean {
  return visibleText(blocks.filter((block) => !isTable(block))) > LIMITS.message.blockText;
}

/** The element of these blocks with this pair of ids. */
export function findElement(blocks: readonly Json[], blockId: string, actionId: string) {
  const block = blocks.find(({ block_id: id }) => id === blockId);
  return elementsOf(asJson(block)).find(({ action_id: id }) => id === actionId);
}
