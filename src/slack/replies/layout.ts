import type { ActionsBlockElement, Button, KnownBlock } from '@slack/types';
import { Refusal } from '../../lib/errors.ts';
import { actions, button, context, section } from '../kit/blocks.ts';
import { LIMITS, Mrkdwn, mrkdwn } from '../kit/text.ts';
import type { Answer, ModalContent, ShareQuestion } from '../routing/routes.ts';

export const SHARE_ACTION = 'answer.share';
/** Opens the notes of an answer in a window. */
export const NOTES_ACTION = 'answer.notes';
/** Opens the rest of an answer in a window. */
export const REST_ACTION = 'answer.rest';

/**
 * The blocks of an answer as they are sent, with its controls and buttons below. Pure.
 * @param id names the message
 * @param how `kept`: it can be brought back by a click, so it has the button that shares it;
 *   `note`: stands between the answer and its buttons
 */
export function answerBlocks(
  answer: Answer,
  id: string,
  { kept, note }: { kept: boolean; note?: Answer | undefined },
): KnownBlock[] {
  const { blocks, notes = [], rest, buttons = [] } = answer;
  if (!kept) {
    // Without a store there is nothing to open it from.
    const all = { ...answer, blocks: [...blocks, ...(rest?.blocks ?? [])] };
    return layOut(all, id, [...noteLines(notes), ...(note?.blocks ?? [])]);
  }
  const own = [
    ...(rest ? [button({ action: REST_ACTION, text: rest.button, value: id })] : []),
    ...buttons,
    ...shareButton(answer, id),
  ];
  return layOut({ ...answer, buttons: own }, id, [
    ...noteBlocks(notes, id),
    ...(note?.blocks ?? []),
  ]);
}

/** Small print, all of it in one block. */
export function noteLines(notes: readonly string[]): KnownBlock[] {
  return notes.length === 0 ? [] : [context(new Mrkdwn(notes.join('\n')))];
}

/** One note as it is; several as their number, with a button that opens them. */
function noteBlocks(notes: readonly string[], id: string): KnownBlock[] {
  if (notes.length < 2) return noteLines(notes);
  return [
    section(
      mrkdwn`ℹ ${notes.length} notes`,
      button({
        action: NOTES_ACTION,
        text: 'Read',
        value: id,
        label: `Read ${notes.length} notes`,
      }),
    ),
  ];
}

/** The window with the notes of an answer. Pure. */
export function notesWindow({ notes = [] }: Answer): ModalContent {
  return { title: 'Notes', blocks: notes.map((text) => section(new Mrkdwn(text))) };
}

/** The window with the rest of an answer. Pure. @throws Refusal when there is none */
export function restWindow({ rest }: Answer): ModalContent {
  if (rest === undefined) throw new Refusal(TOO_OLD);
  return { title: rest.title, blocks: rest.blocks };
}

/** Whether a click may bring an answer back. */
export function isClickable(answer: Answer): boolean {
  const { notes = [], rest } = answer;
  const opens = rest !== undefined || notes.length > 1;
  return opens || isShareable(answer) || layOut(answer, '').some(isUsed);
}

/** An answer that asks before it is shared needs a right that can be checked; without one it stays private. */
export function isShareable({ shareable = false, needs }: Answer): boolean {
  return shareable === true || (shareable !== false && needs !== undefined);
}

function shareButton(answer: Answer, id: string): Button[] {
  const { shareable = false } = answer;
  if (shareable === false || !isShareable(answer)) return [];
  const made = button({
    action: SHARE_ACTION,
    text: 'Share with the channel',
    value: id,
    ...(shareable === true ? {} : { confirm: confirmation(shareable) }),
  });
  return [made];
}

function confirmation({
  question,
}: ShareQuestion): Parameters<typeof button>[0]['confirm'] & object {
  return { title: 'Share with the channel?', question, yes: 'Share', no: 'Cancel' };
}

export const TOO_OLD = 'This answer is too old to open the rest: run the command again.';

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
