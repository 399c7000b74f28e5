import type { Inline, TextBlock } from '../../src/sandbox/slack/page/text/inline.ts';
import { parsePlainText } from '../../src/sandbox/slack/page/text/emoji.ts';
import { parseRichText } from '../../src/sandbox/slack/page/text/rich-text.ts';
import { parseMrkdwn } from '../../src/sandbox/slack/page/text/mrkdwn.ts';
import { CHANNELS, PEOPLE, USERGROUPS } from '../../src/sandbox/slack/seed.ts';
import { NOW, type Sent } from './entry.ts';

/** Dates are read in UTC. */
const READER = { nowSeconds: NOW / 1_000, timeZone: 'UTC' };

/** As people and places of the stand-in workspace are named. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...PEOPLE.map(({ id, realName }): [string, string] => [id, `@${realName}`]),
  ...CHANNELS.map(({ id, name }): [string, string] => [id, `#${name}`]),
  ...USERGROUPS.map(({ id, handle }): [string, string] => [id, `@${handle}`]),
]);

type Json = Readonly<Record<string, unknown>>;

/**
 * Screen-reader text, line by line. For a message it is the top-level text, which Slack uses instead of the
 * blocks; for a modal and a home tab the blocks from top to bottom.
 */
export function heardOf({ text, title, submit, close, blocks, errors = {} }: Sent): string {
  if (text !== undefined) return spoken(text);
  const buttons = [close, submit].filter((label) => label !== undefined).map(named);
  return [
    ...(title === undefined ? [] : [title]),
    ...blocks.flatMap((block) => blockLines(block, errors)),
    ...buttons,
  ]
    .filter((line) => line.trim() !== '')
    .join('\n');
}

/** Buttons and options of menus that open the rest of a message, by their actions. */
const OPENERS =
  /"(?:deployments\.details|changes\.review|changes\.details|answer\.rest|answer\.notes)"/;

/** How long something may be. */
export interface Most {
  readonly lines: number;
  readonly characters: number;
  /** A table is looked at, not read from its beginning to its end. */
  readonly withoutTable?: true;
}

/**
 * The problem with the length of a message or an answer (docs/style.md, "Length"); undefined when it is short
 * enough, or something in it opens the rest. Buttons do not count.
 */
export function tooLong({ blocks }: Sent, most: Most): string | undefined {
  const read = blocks
    .filter(({ type }) => type !== 'actions' && !(most.withoutTable && type === 'table'))
    .map((block) => {
      // A menu is not read as long as it is closed.
      const { accessory: _, ...text } = block as { accessory?: Json };
      return blockLines(text, {});
    });
  const lines = read
    .flat()
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.trim() !== '');
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  if (lines.length <= most.lines && characters <= most.characters) return undefined;
  if (OPENERS.test(JSON.stringify(blocks))) return undefined;
  return `${lines.length} lines and ${characters} characters, and nothing opens the rest`;
}

function blockLines(block: object, errors: Readonly<Record<string, string>>): string[] {
  const { type, ...members } = block as Json;
  switch (type) {
    case 'table':
      return tableLines(members['rows'] as readonly (readonly Json[])[]);
    case 'input': {
      const { element, label, hint } = members as Record<string, Json | undefined>;
      const error = errors[String(members['block_id'])];
      return [
        `${textOf(label)}: ${elementLine(element ?? {})}`,
        error === undefined ? textOf(hint) : `error: ${error}`,
      ];
    }
    case 'actions':
    case 'context':
      return (members['elements'] as readonly Json[]).map(elementLine);
    case 'divider':
      return [];
    case 'rich_text':
      return parseRichText(members['elements'], READER).map(textBlock);
    default: {
      const {
        text,
        accessory,
        fields = [],
      } = members as {
        text?: Json;
        accessory?: Json;
        fields?: readonly Json[];
      };
      return [textOf(text), ...fields.map(textOf), accessory ? elementLine(accessory) : ''];
    }
  }
}

/** Each cell after the head of its column. */
function tableLines([head = [], ...rows]: readonly (readonly Json[])[]): string[] {
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const said = cell['type'] === 'rich_text' ? blockLines(cell, {}).join(' ') : cell['text'];
        return `${String(head[column]?.['text'])}: ${String(said)}`;
      })
      .join('; '),
  );
}

function elementLine(element: Json): string {
  const { type, options, option_groups: groups, accessibility_label: label } = element;
  switch (type) {
    case 'mrkdwn':
    case 'plain_text':
      return textOf(element);
    case 'image':
      return `image: ${String(element['alt_text'])}`;
    case 'button':
      return named(typeof label === 'string' ? label : textOf(element['text'] as Json));
    default: {
      const all = [
        ...((options ?? []) as readonly Json[]),
        ...((groups ?? []) as readonly { options: readonly Json[] }[]).flatMap(
          (one) => one.options,
        ),
      ];
      const chosen = [
        element['initial_option'] ?? [],
        element['initial_options'] ?? [],
      ].flat() as Json[];
      const held = element['initial_value'] ?? element['initial_date'] ?? '';
      const values = chosen.length > 0 ? chosen.map(optionText).join(', ') : textIn(held);
      const offered = all.map(optionText).join(', ');
      return [
        String(type).replaceAll('_', ' '),
        ...(values === '' ? [] : [`holds ${values}`]),
        ...(offered === '' ? [] : [`offers ${offered}`]),
      ].join(', ');
    }
  }
}

/** Of an initial value, which is a text. */
function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const named = (text: string): string => `button: ${text}`;

function optionText({ text, description }: Json): string {
  const more = textOf(description as Json | undefined);
  return more === '' ? textOf(text as Json) : `${textOf(text as Json)} (${more})`;
}

function textOf(text: Json | undefined): string {
  if (text === undefined) return '';
  const words = String(text['text']);
  return text['type'] === 'mrkdwn' ? spoken(words) : inlineText(parsePlainText(words, true));
}

/** Mrkdwn without its marks. */
function spoken(text: string): string {
  return parseMrkdwn(text, { ...READER, verbatim: true })
    .map(textBlock)
    .join('\n');
}

function textBlock(block: TextBlock): string {
  switch (block.type) {
    case 'paragraph':
      return inlineText(block.children);
    case 'pre':
      return block.text;
    case 'quote':
      return block.blocks.map(textBlock).join('\n');
    case 'list':
      return block.items.map(inlineText).join('\n');
  }
}

function inlineText(nodes: readonly Inline[]): string {
  return nodes
    .map((node): string => {
      switch (node.type) {
        case 'text':
        case 'code':
          return node.text;
        case 'break':
          return '\n';
        case 'emoji':
          return `${node.name.replaceAll('_', ' ')} emoji`;
        case 'broadcast':
          return `@${node.range}`;
        case 'user':
        case 'usergroup':
        case 'channel':
          return NAMES.get(node.id) ?? node.label ?? node.id;
        case 'link':
        case 'bold':
        case 'italic':
        case 'strike':
        case 'underline':
          return inlineText(node.children);
      }
    })
    .join('');
}
