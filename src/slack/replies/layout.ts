import type { ActionsBlockElement, KnownBlock } from '@slack/types';
import { actions, context } from '../kit/blocks.ts';
import { LIMITS, mrkdwn } from '../kit/text.ts';
import type { Answer, ModalContent } from '../routing/routes.ts';

/** Blocks of a private answer, and the rows below them. */
type Shown = Pick<Answer, 'blocks' | 'controls' | 'buttons'>;

/**
 * The blocks of a message: the answer's own, then its controls and buttons. Where Slack takes no
 * more, the answer is cut; buttons never are.
 * @param id names the message; it comes back with a click, because Slack does not send the content of a
 *   private message
 * @param notes blocks between the answer and its buttons
 */
export function layOut(shown: Shown, id: string, notes: readonly KnownBlock[] = []): KnownBlock[] {
  const rows = [...(shown.controls ?? []), shown.buttons ?? []].flatMap(rowsOf);
  return stacked(shown.blocks, [...notes, ...rows]).map((block, index) =>
    isUsed(block) ? { ...block, block_id: `${id}:${index}` } : block,
  );
}

/** The blocks of a modal that is only read, with its buttons below. Slack takes 100 blocks. */
export function modalBlocks({ blocks, buttons = [] }: ModalContent): KnownBlock[] {
  return [...blocks, ...rowsOf(buttons)];
}

/** The id of the message that a click was on; undefined when it was not laid out here. */
export function messageIdOf(blockId: string | undefined): string | undefined {
  return /^([\da-f-]{36}):\d+$/.exec(blockId ?? '')?.[1];
}

/** An action with a number is the same action a second time in a row. */
export function actionPattern(actionId: string): RegExp {
  return new RegExp(`^${actionId.replace(/[^\w]/g, '\\$&')}(?:#\\d+)?$`);
}

/** An answer with nothing to click. */
export function withoutControls(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.filter(({ type }) => type !== 'actions').map(withoutAccessory);
}

function withoutAccessory(block: KnownBlock): KnownBlock {
  if (block.type !== 'section' || block.accessory?.type === 'image') return block;
  const { accessory: _, ...rest } = block;
  return rest;
}

/** Blocks with others below them: the blocks are cut to what Slack takes, the others are kept whole. */
export function stacked(blocks: readonly KnownBlock[], below: readonly KnownBlock[]): KnownBlock[] {
  const room = LIMITS.messageBlocks - below.length;
  const whole = wholeOnes(blocks, LIMITS.messageCharacters - textLength(below));
  if (whole === blocks.length && blocks.length <= room) return [...blocks, ...below];
  const shown = blocks.slice(0, Math.max(0, Math.min(whole, room - 1)));
  return [...shown, context(mrkdwn`… and more, for which there is no room here`), ...below];
}

/** How many of the first blocks have at most so many characters together. */
function wholeOnes(blocks: readonly KnownBlock[], characters: number): number {
  let used = 0;
  const over = blocks.findIndex((block) => {
    used += textLength(block);
    return used > characters;
  });
  return over === -1 ? blocks.length : over;
}

/** All that can be read in a block, however deep. */
function textLength(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce<number>(
    (sum, [key, member]) =>
      sum + (key === 'text' && typeof member === 'string' ? member.length : textLength(member)),
    0,
  );
}

/** Whether there is something to click. */
export function isUsed(block: KnownBlock): boolean {
  return block.type === 'actions' || (block.type === 'section' && block.accessory !== undefined);
}

/** Slack takes 25 elements in a row, and refuses a message with the same action twice in one. */
function rowsOf(elements: readonly ActionsBlockElement[]): KnownBlock[] {
  const rows: KnownBlock[] = [];
  for (let from = 0; from < elements.length; from += LIMITS.actionsElements) {
    rows.push(actions(...numbered(elements.slice(from, from + LIMITS.actionsElements))));
  }
  return rows;
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
