import type {
  ActionsBlockElement,
  Button,
  ConfirmationDialog,
  KnownBlock,
  MrkdwnElement,
  Overflow,
  TableBlock,
} from '@slack/types';
import { cutText, pack, restLine } from './fit.ts';
import { clip, EMPTY, given, LIMITS, Mrkdwn, mrkdwn, plain, Rich, tidy } from './text.ts';

/**
 * How bad something is for the users of a workload (docs/style.md, "Signs"): first in the line of a state. Messages
 * have no other emoji.
 */
export const SIGN = {
  /** Users are hurt now. */
  hurt: ':red_circle:',
  /** Something is wrong, and users are served. */
  wrong: ':large_orange_circle:',
  good: ':white_check_mark:',
  unknown: ':white_circle:',
  underWay: ':hourglass_flowing_sand:',
  /** Switched off, and nothing is wrong. */
  off: ':double_vertical_bar:',
  over: ':heavy_minus_sign:',
} as const;

export function sign(name: keyof typeof SIGN): Mrkdwn {
  return new Mrkdwn(SIGN[name]);
}

export function header(text: string): KnownBlock {
  return { type: 'header', text: plain(text, LIMITS.headerText) };
}

export function divider(): KnownBlock {
  return { type: 'divider' };
}

/** Longer text is cut between entities, never inside one. */
export function section(text: Mrkdwn, accessory?: Button): KnownBlock {
  return { type: 'section', text: textOf(text, LIMITS.sectionText), ...given({ accessory }) };
}

/** The signs of an alert where Slack does not take the block. */
const ALERT_SIGNS = { warning: 'wrong', error: 'hurt' } as const;

/** A warning in a modal; text that is too long for the block is a section with a sign. */
export function alert(level: keyof typeof ALERT_SIGNS, text: Mrkdwn): KnownBlock {
  if (text.text.length > LIMITS.alertText)
    return section(mrkdwn`${sign(ALERT_SIGNS[level])} ${text}`);
  return { type: 'alert', level, text: textOf(text, LIMITS.alertText) };
}

/** The same blocks for a Slack that does not take alerts. */
export function withoutAlerts(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.map((block) => {
    if (block.type !== 'alert') return block;
    const level = block.level === 'error' ? 'error' : 'warning';
    return section(mrkdwn`${sign(ALERT_SIGNS[level])} ${new Mrkdwn(block.text.text)}`);
  });
}

/** The action of every menu; the chosen option is its value. */
const MENU_ACTION = 'menu';

/** Prefix of the id of a section with a menu, before its value. */
const MENU_BLOCK = 'menu:';

/** Whether it is a menu, and the value of its block; the menu of an answer has none. */
export function menuValueOf(element: object): { value: string | undefined } | undefined {
  const { action_id: action, block_id: block = '' } = element as Partial<Record<string, string>>;
  if (action !== MENU_ACTION) return undefined;
  if (messageIdOf(block) !== undefined) return { value: undefined };
  return block.startsWith(MENU_BLOCK) ? { value: block.slice(MENU_BLOCK.length) } : undefined;
}

/** The id of the clicked message, which the ids of its blocks begin with; undefined when it has none. */
export function messageIdOf(blockId: string | undefined): string | undefined {
  return /^([\da-f-]{36}):\d+$/.exec(blockId ?? '')?.[1];
}

/**
 * A section with a menu of up to five items for one value of at most 250 characters: the options of a menu have room
 * for 150, so the value is in the id of the block. The menu is left out when the value is too long.
 */
export function menuSection(text: Mrkdwn, value: string, items: readonly MenuItem[]): KnownBlock {
  const id = `${MENU_BLOCK}${value}`;
  if (id.length > LIMITS.blockId || items.length === 0) return section(text);
  const accessory = menuOf(items);
  return { type: 'section', block_id: id, text: textOf(text, LIMITS.sectionText), accessory };
}

/** A choice in a ⋯ menu: a click on this action. */
export interface MenuItem {
  readonly text: string;
  readonly action: string;
}

/** Without a value of its own it is the menu of an answer: the id of its block is the answer's. */
export function menuOf(items: readonly MenuItem[]): Overflow {
  const options = items.map(({ text, action }) => ({
    text: plain(text, LIMITS.optionText),
    value: action,
  }));
  return { type: 'overflow', action_id: MENU_ACTION, options };
}

/** A row of buttons with a menu at its end; `value` as in `menuSection`. */
export function menuActions(
  value: string,
  buttons: readonly Button[],
  items: readonly MenuItem[],
): KnownBlock {
  const elements = [...buttons, menuOf(items)];
  return { type: 'actions', block_id: `${MENU_BLOCK}${value}`, elements };
}

export function context(...texts: readonly Mrkdwn[]): KnownBlock {
  return {
    type: 'context',
    elements: texts.slice(0, LIMITS.contextElements).map((text) => textOf(text, LIMITS.fieldText)),
  };
}

interface ButtonOptions {
  action: string;
  text: string;
  /** An opaque id; the effect of a click is read from the store, never from here. */
  value?: string;
  style?: 'primary' | 'danger';
  /** For screen readers, when the text alone is too short. At most 75 characters. */
  label?: string;
  /** Asked before the click counts. */
  confirm?: Confirm;
}

export function button({ action, text, value, style, label, confirm }: ButtonOptions): Button {
  const words = (one: string) => plain(one, LIMITS.buttonText);
  return {
    type: 'button',
    action_id: action,
    text: words(text),
    ...given({
      value,
      style,
      accessibility_label: label === undefined ? undefined : words(label).text,
      confirm: confirm && confirmDialog(confirm),
    }),
  };
}

/** A ⋯ menu of one item, asked about before it counts; a choice is a click on `action`. */
export function overflow({
  action,
  text,
  value,
  confirm,
}: Required<Pick<ButtonOptions, 'action' | 'text' | 'value' | 'confirm'>>): Overflow {
  return {
    type: 'overflow',
    action_id: action,
    options: [{ text: plain(text, LIMITS.optionText), value }],
    confirm: confirmDialog(confirm),
  };
}

/** The action of all buttons that only open a page: a click is acknowledged, nothing else. */
export const LINK_ACTION = 'link';

/** A button that opens a page; undefined for an address that is not http(s), or too long for Slack. */
export function linkButton(text: string, url: string): Button | undefined {
  const isPage = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isPage || url.length > LIMITS.buttonUrl) return undefined;
  return { ...button({ action: LINK_ACTION, text }), url };
}

/** A page that messages link to: the label of the button, and an address with `{placeholders}`. */
export interface Link {
  readonly name: string;
  readonly template: string;
}

/** Values of a link's placeholders; times in milliseconds since the epoch. */
interface LinkValues {
  org?: string | undefined;
  gvc?: string | undefined;
  workload?: string | undefined;
  location?: string | undefined;
  version?: number | undefined;
  start?: number | undefined;
  end?: number | undefined;
}

/**
 * A button for each link whose placeholders all have a value. Values are percent-encoded, so that they stay within
 * their part of the address. The buttons have distinct ids in a row.
 */
export function linkButtons(links: readonly Link[], values: LinkValues): Button[] {
  const { version, start, end, ...names } = values;
  const texts = {
    ...names,
    version: version?.toString(),
    start: rfc3339(start),
    end: rfc3339(end),
  };
  const encoded = new Map(Object.entries(texts).map(([word, text = '']) => [word, encode(text)]));
  return links
    .flatMap(({ name, template }) => {
      const words = [...template.matchAll(PLACEHOLDER)].map(([, word = '']) => encoded.get(word));
      if (words.some((word = '') => word === '')) return [];
      const url = template.replace(PLACEHOLDER, (_, word: string) => encoded.get(word) ?? '');
      return linkButton(name, url) ?? [];
    })
    .map((one, index) => ({ ...one, action_id: `${LINK_ACTION}#${index + 1}` }));
}

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Empty, as no value, for a path segment such as "..", which encoding leaves unchanged. */
function encode(text: string): string {
  const tidied = tidy(text);
  return /^\.+$/.test(tidied) ? '' : encodeURIComponent(tidied);
}

/** "2026-11-22T10:00:00Z". Undefined for an invalid time. */
function rfc3339(ms = NaN): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, -5)}Z`;
}

/** A row of buttons and selects. Slack refuses a row with the same action twice: the second gets a number. */
export function actions(...elements: readonly ActionsBlockElement[]): KnownBlock {
  return { type: 'actions', elements: numbered(elements.slice(0, LIMITS.actionsElements)) };
}

function numbered(elements: readonly ActionsBlockElement[]): ActionsBlockElement[] {
  const seen = new Map<string, number>();
  return elements.map((element) => {
    const id = element.action_id;
    if (id === undefined) return element;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? element : { ...element, action_id: `${id}#${count}` };
  });
}

export interface Column {
  title: string;
  align?: 'left' | 'right';
  /** False for short names, which would be broken at their hyphens. */
  wraps?: boolean;
}

/** Widths that a cell is cut to, in characters: the widest with which the whole table fits. */
const CELL_WIDTHS = [200, 120, 80, 60, 40, 30, 24, 16, 12, 8, 4, 2, 1];

/** A table with a header row. Rows over Slack's 100 are not shown: page before. One table per message. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly (string | Rich)[])[],
): TableBlock {
  const shown = [columns.map(({ title }) => title), ...rows.slice(0, LIMITS.tableRows - 1)].map(
    (row) => row.map((cell) => (cell instanceof Rich ? cell : tidy(cell).trim() || EMPTY)),
  );
  const fits = (width: number): boolean =>
    shown.flat().reduce((sum, cell) => sum + Math.min(cell.length, width), 0) <=
    LIMITS.tableCharacters;
  const width = CELL_WIDTHS.find(fits) ?? 1;
  return {
    type: 'table',
    column_settings: columns.map((column) => ({
      align: column.align ?? 'left',
      // Numbers are aligned right and not wrapped: a number in two lines reads as two.
      is_wrapped: column.wraps ?? column.align !== 'right',
    })),
    rows: shown.map((row) => row.map((cell) => cellOf(cell, width))),
  };
}

/** A cell of rich text is never cut: it is for short content such as a moment in the reader's zone. */
function cellOf(cell: string | Rich, width: number): TableBlock['rows'][number][number] {
  if (!(cell instanceof Rich)) return { type: 'raw_text', text: clip(cell, width) };
  const line = { type: 'rich_text_section' as const, elements: [...cell.elements] };
  return { type: 'rich_text', elements: [line] };
}

/** Rows in aligned columns, for a window: Slack takes no table there. Every row has as many cells as the first. */
export function alignedRows(rows: readonly (readonly string[])[]): KnownBlock {
  const all = rows.map((row) => row.map((cell) => tidy(cell).replace(/\s+/g, ' ').trim() || EMPTY));
  const widths = (all[0] ?? []).map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  const text = all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
  const elements = [{ type: 'text' as const, text: clip(text, LIMITS.sectionText) }];
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements }] };
}

/** Top-level text, for notifications and screen readers: signs are characters, which need no code. */
export function topText(text: Mrkdwn): string {
  const shown = text.text.replace(/(?<!`):[a-z_]+:/g, (sign) => CHARACTERS[sign] ?? sign);
  return cut(new Mrkdwn(shown), LIMITS.messageText);
}

export const CHARACTERS: Readonly<Record<string, string>> = {
  [SIGN.hurt]: '🔴',
  [SIGN.wrong]: '🟠',
  [SIGN.unknown]: '⚪',
  [SIGN.good]: '✅',
  [SIGN.underWay]: '⏳',
  [SIGN.off]: '⏸',
  [SIGN.over]: '➖',
};

/** A list of short lines as one section: as many whole ones as fit, at most `max`; the rest is counted. */
export function lines(items: readonly Mrkdwn[], max = 20): KnownBlock {
  const room = LIMITS.sectionText - REST_ROOM;
  const all = items.map((item) => cut(item, room));
  const [shown = []] = pack(all, (line) => [line.length + 1, 1], [room + 1, max]);
  return section(new Mrkdwn([...shown, ...restLine(shown.length, all.length)].join('\n')));
}

/** Room for the line that counts the rest, in characters. */
const REST_ROOM = 40;
/** `verbatim`: Slack makes no links or mentions of text that only looks like one. */
function textOf(text: Mrkdwn, max: number): MrkdwnElement {
  return { type: 'mrkdwn', text: cut(text, max), verbatim: true };
}

function cut({ text }: Mrkdwn, max: number): string {
  return cutText(text.trim() === '' ? EMPTY : text, max);
}

interface Confirm {
  title: string;
  question: string;
  yes: string;
  no: string;
}

function confirmDialog({ title, question, yes, no }: Confirm): ConfirmationDialog {
  return {
    title: plain(title, LIMITS.confirmTitle),
    text: plain(question, LIMITS.confirmText),
    confirm: plain(yes, LIMITS.confirmButton),
    deny: plain(no, LIMITS.confirmButton),
  };
}
