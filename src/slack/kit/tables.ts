import type { Button, DataTableBlock, KnownBlock, RichTextElement, TableBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { actions, context, table } from './blocks.ts';
import { pack } from './fit.ts';
import {
  clip,
  EMPTY,
  joinMrkdwn,
  LIMITS,
  mentionChannel,
  mentionGroup,
  mentionUser,
  moment,
  type Mrkdwn,
  mrkdwn,
  Rich,
  tidy,
} from './text.ts';

/** A number that sorts as one, and the text that is shown for it. */
export class Numeric {
  readonly value: number;
  readonly text: string;

  constructor(value: number, text = String(value)) {
    this.value = value;
    this.text = text;
  }

  get length(): number {
    return this.text.length;
  }
}

/** The last cell of a row can be a button: the next step for what the row is about. */
export type Cell = string | Numeric | Rich;

export interface DataRow {
  readonly cells: readonly Cell[];
  readonly button?: Button | undefined;
}

export interface DataTable {
  /** For screen readers: "Charges by workload". */
  readonly caption: string;
  /** Each begins with a capital; the first column names the row. */
  readonly columns: readonly string[];
  readonly rows: readonly DataRow[];
  /** 20 when absent. */
  readonly pageSize?: number | undefined;
}

/** The cell of a button, which @slack/types 3.2.0 does not have. */
interface ActionCell {
  readonly type: 'action_cell';
  readonly element: Button;
  /** For clients that show no buttons there. */
  readonly fallback: { readonly type: 'raw_text'; readonly text: string };
}

const PAGE_SIZE = 20;
/** The head of the column of buttons. */
const STEP = 'Next';
/** Widths that a cell is cut to, in characters: the widest with which all rows fit. */
const WIDTHS = [200, 120, 80, 60, 40, 30, 24];

/**
 * The rows of each page: up to Slack's 200, and as many as its characters allow with cells of 24 characters.
 */
export function rowPages(rows: readonly DataRow[]): DataRow[][] {
  const sizesOf = (row: DataRow): number[] => [lengthOf(row, WIDTHS.at(-1) ?? 1), 1];
  return pack(rows, sizesOf, [LIMITS.dataTableCharacters - HEAD_ROOM, LIMITS.dataTableRows]);
}

/** For the heads, in characters: of all, and of each of at most 20. */
const HEAD_ROOM = 500;
const HEAD_WIDTH = 25;

function lengthOf({ cells, button }: DataRow, width: number): number {
  const sum = cells.reduce((total, cell) => total + widthOf(cell, width), 0);
  return sum + (button === undefined ? 0 : buttonLength(button));
}

/** Its text and the fallback, and the words of its confirmation. */
function buttonLength({ text, confirm }: Button): number {
  const { title, text: question, confirm: yes, deny } = confirm ?? {};
  const words = [title, question, yes, deny].flatMap((one) => one?.text ?? []);
  return 2 * text.text.length + words.join('').length;
}

function widthOf(cell: Cell, width: number): number {
  return cell instanceof Rich ? cell.length : Math.min(cell.length, width);
}

/** A table that people sort, filter and page in Slack: only those of the first page (`rowPages`). */
export function dataTable({ caption, columns, rows, pageSize }: DataTable): DataTableBlock {
  const [shown = []] = rowPages(rows);
  const width = WIDTHS.find((one) => isRoomFor(shown, one)) ?? 1;
  const hasButtons = shown.some(({ button }) => button !== undefined);
  const heads = [...columns, ...(hasButtons ? [STEP] : [])];
  const cellsOf = ({ cells, button }: DataRow, index: number) => {
    const [name, ...others] = cells.map((cell) => cellOf(cell, width));
    return [name, ...others, ...(hasButtons ? [stepOf(button, index, textIn(name))] : [])];
  };
  return {
    type: 'data_table',
    caption: clip(tidy(caption).trim() || EMPTY, LIMITS.caption),
    page_size: Math.min(pageSize ?? PAGE_SIZE, LIMITS.dataTablePage),
    row_header_column_index: 0,
    // @slack/types has no cell with a button.
    rows: [
      heads.map((head) => ({ type: 'raw_text', text: headOf(head) })),
      ...shown.map(cellsOf),
    ] as DataTableBlock['rows'],
  };
}

function isRoomFor(rows: readonly DataRow[], width: number): boolean {
  const sum = rows.reduce((total, row) => total + lengthOf(row, width), 0);
  return sum <= LIMITS.dataTableCharacters - HEAD_ROOM;
}

function headOf(title: string): string {
  const text = shownText(title, HEAD_WIDTH);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function cellOf(cell: Cell, width: number): DataTableBlock['rows'][number][number] {
  if (cell instanceof Numeric) {
    return { type: 'raw_number', value: cell.value, text: shownText(cell.text, width) };
  }
  if (cell instanceof Rich) {
    const line = { type: 'rich_text_section' as const, elements: [...cell.elements] };
    return { type: 'rich_text', elements: [line] };
  }
  return { type: 'raw_text', text: shownText(cell, width) };
}

function shownText(text: string, width: number): string {
  return clip(tidy(text).trim() || EMPTY, width);
}

/**
 * The button of a row. Slack takes no two elements of one action in a block: from the second row on they have numbers.
 * A screen reader reads buttons without their row: "Details: shop/api".
 */
function stepOf(
  button: Button | undefined,
  index: number,
  name: string,
): ActionCell | { type: 'raw_text'; text: string } {
  if (button === undefined) return { type: 'raw_text', text: EMPTY };
  const { action_id: id = '', text, accessibility_label: label } = button;
  const named = name === '' ? text.text : `${text.text}: ${name}`;
  return {
    type: 'action_cell',
    element: {
      ...button,
      action_id: index === 0 ? id : `${id}#${index + 1}`,
      accessibility_label: label ?? clip(named, LIMITS.buttonText),
    },
    fallback: { type: 'raw_text', text: text.text },
  };
}

/** Buttons below a table that has none in its rows. */
const STEPS_BELOW = 5;

/** The same table for a Slack without data tables: fewer rows, and the first steps below it. */
export function plainTable({ rows }: DataTableBlock): KnownBlock[] {
  const [heads = [], ...body] = rows as readonly (readonly ShownCell[])[];
  const steps = body.flatMap((row) => row.flatMap((cell) => stepBelow(row[0], cell)));
  const width = heads.length - (steps.length > 0 ? 1 : 0);
  const columns = heads.slice(0, width).map((head, at) => ({
    title: textIn(head),
    align: body.some((row) => row[at]?.type === 'raw_number') ? ('right' as const) : undefined,
  }));
  const plain: TableBlock = table(
    columns.map(({ title, align }) => ({ title, ...(align && { align }) })),
    body.map((row) => row.slice(0, width).map(plainCell)),
  );
  const left = body.length - (plain.rows.length - 1);
  return [
    plain,
    ...(left > 0 ? [context(mrkdwn`… and ${plural(left, 'more row')}`)] : []),
    ...(steps.length > 0 ? [actions(...steps.slice(0, STEPS_BELOW))] : []),
  ];
}

export function hasButtons({ rows }: DataTableBlock): boolean {
  return (rows as readonly (readonly ShownCell[])[]).some((row) => row.some(isButton));
}

function isButton({ type }: ShownCell): boolean {
  return type === 'action_cell';
}

/** For a channel, where the buttons of one person mean nothing. */
export function withoutButtons(table: DataTableBlock): DataTableBlock {
  if (!hasButtons(table)) return table;
  // The buttons are the last column.
  return { ...table, rows: table.rows.map((row) => row.slice(0, -1)) };
}

/** The texts of a table, its heads first, without its buttons; an empty cell is ''. */
export function rowsIn(table: DataTableBlock | TableBlock): Mrkdwn[][] {
  const rows = table.rows as readonly (readonly ShownCell[])[];
  const width = rows.some((row) => row.some(isButton)) ? -1 : undefined;
  return rows.map((row) => row.slice(0, width).map(spokenCell));
}

function spokenCell(cell: ShownCell): Mrkdwn {
  if (cell.type !== 'rich_text') return textIn(cell) === EMPTY ? mrkdwn`` : mrkdwn`${textIn(cell)}`;
  const [line] = cell.elements;
  const parts = line?.type === 'rich_text_section' ? line.elements : [];
  return joinMrkdwn(parts.map(spokenPart), '');
}

/** A part of a line as Slack reads it in a text. */
export function spokenPart(part: RichTextElement): Mrkdwn {
  if (part.type === 'user') return mentionUser(part.user_id);
  if (part.type === 'usergroup') return mentionGroup(part.usergroup_id);
  if (part.type === 'channel') return mentionChannel(part.channel_id);
  if (part.type === 'date') return moment(part.timestamp * 1000, part.format);
  return mrkdwn`${'text' in part ? (part.text ?? '') : ''}`;
}

type ShownCell = DataTableBlock['rows'][number][number] | ActionCell;

function textIn(cell: ShownCell | undefined): string {
  if (cell === undefined || cell.type === 'rich_text') return '';
  return cell.type === 'action_cell' ? cell.fallback.text : cell.text;
}

function plainCell(cell: ShownCell): string | Rich {
  if (cell.type !== 'rich_text') return textIn(cell);
  const [line] = cell.elements;
  return new Rich(line?.type === 'rich_text_section' ? line.elements : []);
}

/** "Open shop/api": below the table a button needs the name of its row. */
function stepBelow(name: ShownCell | undefined, cell: ShownCell): Button[] {
  if (cell.type !== 'action_cell') return [];
  const { element } = cell;
  const text = clip(`${element.text.text} ${textIn(name)}`.trim(), LIMITS.buttonText);
  return [{ ...element, text: { ...element.text, text } }];
}
