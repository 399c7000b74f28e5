import type { Button, KnownBlock, RawTextElement, TableBlock } from '@slack/types';
import { stripControl, truncate } from '../../lib/text.ts';
import { Mrkdwn, mrkdwn } from './escape.ts';
import { LIMITS } from './limits.ts';

/** A section; longer text is cut between entities, never inside one. */
export function section(text: Mrkdwn, accessory?: Button): KnownBlock {
  return {
    type: 'section',
    text: { type: 'mrkdwn', text: cut(text, LIMITS.sectionText) },
    ...(accessory ? { accessory } : {}),
  };
}

export function header(text: string): KnownBlock {
  return { type: 'header', text: plain(text, LIMITS.headerText) };
}

export function context(...texts: readonly Mrkdwn[]): KnownBlock {
  return {
    type: 'context',
    elements: texts
      .slice(0, LIMITS.contextElements)
      .map((text) => ({ type: 'mrkdwn' as const, text: cut(text, LIMITS.fieldText) })),
  };
}

export function divider(): KnownBlock {
  return { type: 'divider' };
}

export interface ButtonOptions {
  action: string;
  text: string;
  /** An opaque id; what a click does is read from the store, never from here. */
  value?: string;
  style?: 'primary' | 'danger';
}

export function button(options: ButtonOptions): Button {
  return {
    type: 'button',
    action_id: options.action,
    text: plain(options.text, LIMITS.buttonText),
    ...(options.value === undefined ? {} : { value: options.value }),
    ...(options.style === undefined ? {} : { style: options.style }),
  };
}

export function actions(...buttons: readonly Button[]): KnownBlock {
  return { type: 'actions', elements: buttons.slice(0, LIMITS.actionsElements) };
}

export interface Column {
  title: string;
  align?: 'left' | 'right';
}

/** A table with a header row. Rows over Slack's 100 are not shown: page before. One table per message. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): TableBlock {
  const shown = rows.slice(0, LIMITS.tableRows - 1);
  const budget = Math.floor(
    LIMITS.messageCharacters / 2 / Math.max(1, (shown.length + 1) * columns.length),
  );
  const cell = (text: string): RawTextElement => ({
    type: 'raw_text',
    // A cell must not be empty.
    text: truncate(stripControl(text), Math.min(200, Math.max(24, budget))) || '–',
  });
  return {
    type: 'table',
    column_settings: columns.map((column) => ({
      align: column.align ?? 'left',
      is_wrapped: true,
    })),
    rows: [columns.map((column) => cell(column.title)), ...shown.map((row) => row.map(cell))],
  };
}

/** Top-level text: what notifications and screen readers read. */
export function topText(text: Mrkdwn): string {
  return cut(text, LIMITS.messageText);
}

/** A list of short lines as one section, with the rest counted. */
export function lines(items: readonly Mrkdwn[], max = 20): KnownBlock {
  const shown = items.slice(0, max);
  const rest = items.length - shown.length;
  const text = shown.map((item) => item.text).join('\n');
  return section(new Mrkdwn(rest > 0 ? `${text}\n… and ${rest} more` : text || mrkdwn`–`.text));
}

function plain(text: string, max: number): { type: 'plain_text'; text: string; emoji: boolean } {
  return { type: 'plain_text', text: truncate(stripControl(text), max) || '–', emoji: true };
}

function cut(text: Mrkdwn, max: number): string {
  if (text.text.length <= max) return text.text || ' ';
  const room = text.text.slice(0, max - 1);
  return `${room.replace(/[&<][^;>]*$/, '').replace(/[\uD800-\uDBFF]$/, '')}…`;
}
