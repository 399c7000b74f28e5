import { Refusal, UsageError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { closedValue } from '../../lib/metrics.ts';
import { endWork } from '../../lib/work-log.ts';
import { record, REFUSALS } from '../../metrics.ts';
import { actions, menuOf, button, context, section } from '../kit/blocks.ts';
import { thatFit } from '../kit/fit.ts';
import { turnButtons } from '../kit/pages.ts';
import { hasButtons, withoutButtons } from '../kit/tables.ts';
import { isNativeBlock } from '../native-blocks.ts';
import { guestWords, type Guests } from '../audience.ts';
import { given, LIMITS, mrkdwn, Mrkdwn } from '../kit/text.ts';
import type {
  Answer,
  Attempt,
  CommandHelp,
  ModalContent,
  Person,
  SlackRoutes,
} from '../routing/routes.ts';
import { unreadableAnswer } from './help-view.ts';
import type { ActionsBlockElement, Button, KnownBlock } from '@slack/types';

export interface ErrorHandling {
  /** A sentence for an error of the platform; undefined for any other error. */
  explain: (error: unknown) => string | undefined;
  /** Aborted when the process is asked to stop. */
  stopping: AbortSignal;
  logger: Logger;
  refused?: SlackRoutes['refused'];
  refusals?: SlackRoutes['refusals'];
}

export interface Outcome {
  answer: Answer | undefined;
  /** The sentence is a refusal: the person's earlier answer stays. */
  refused?: true;
}

/** Turns every error into one private sentence, so that every request is answered. Never rejects. */
export async function errorBoundary(
  handling: ErrorHandling,
  attempt: Attempt,
  run: () => Promise<Answer | undefined>,
  help?: CommandHelp,
): Promise<Outcome> {
  try {
    return { answer: await run() };
  } catch (error) {
    endWork(error instanceof Refusal || error instanceof UsageError ? 'refused' : 'failed');
    noteRefusal(handling, attempt, error);
    if (error instanceof UsageError && help !== undefined) {
      return { answer: unreadableAnswer(help, error), refused: true };
    }
    const { why = '' } = error instanceof Refusal ? error : {};
    const sentence = sentenceFor(handling, error, help?.command);
    const answer = handling.refusals?.[why]?.(error as Refusal) ?? warningAnswer(sentence);
    return { answer, refused: true };
  }
}

/** As `errorBoundary`, for a person who may use the bot: `authorize` throws a refusal for all others. */
export function forAdmitted(
  services: ErrorHandling & { readonly authorize: (person: Person) => Promise<void> },
  person: Person,
  attempt: Attempt,
  run: () => Promise<Answer | undefined>,
): Promise<Outcome> {
  return errorBoundary(services, attempt, async () => {
    await services.authorize(person);
    return run();
  });
}

/** Logs and reports a refusal because of the person; ignores any other error. Never throws. */
export function noteRefusal(
  { logger, refused }: Pick<ErrorHandling, 'logger' | 'refused'>,
  attempt: Attempt,
  error: unknown,
): void {
  if (!(error instanceof Refusal) || error.why === undefined) return;
  const { why } = error;
  record.refusals.inc({ why: closedValue(REFUSALS, why) });
  logger.info({ user: attempt.userId, what: attempt.what, why }, 'A person was refused');
  // Not awaited: the refusal holds whether it could be recorded or not.
  refused?.(attempt, why).catch((failure: unknown) => {
    logger.warn({ err: failure, user: attempt.userId }, 'A refusal was not written down');
  });
}

const RESTARTING = 'Purser is being restarted just now: please try again in a minute.';

/** The sentence for an error, unescaped; the error is logged unless it is a plain refusal. */
export function sentenceFor(handling: ErrorHandling, error: unknown, command?: string): string {
  const isPlain = error instanceof Refusal || error instanceof UsageError;
  if (isPlain && error.cause === undefined) return withSuggestion(error);
  const { logger, explain, stopping } = handling;
  let sentence = 'Something went wrong inside Purser and was logged: please try again.';
  const explained = isPlain ? undefined : explain(error);
  if (isPlain) {
    logger.warn({ err: error.cause, command }, 'Someone was refused by a failure');
    sentence = error.message;
  } else if (explained !== undefined) {
    logger.warn({ err: error, command }, 'The platform did not answer a command');
    sentence = explained;
  } else {
    logger.error({ err: error, command }, 'A command failed');
  }
  return stopping.aborted ? RESTARTING : sentence;
}

/** A sentence with a warning sign as an answer; it is escaped here. */
export function warningAnswer(text: string): Answer {
  const line = mrkdwn`:warning: ${text}`;
  return { blocks: [section(line)] };
}

function withSuggestion(error: Refusal | UsageError): string {
  const suggestion = error instanceof UsageError ? error.suggestion : undefined;
  return suggestion === undefined
    ? error.message
    : `${error.message} Did you mean "${suggestion}"?`;
}

export const SHARE_ACTION = 'answer.share';
export const NOTES_ACTION = 'answer.notes';
export const REST_ACTION = 'answer.rest';

export const PAGE_ACTION = 'answer.page';

/** In place of the controls when the answer could not be kept. */
const NO_BUTTONS = 'The buttons are missing just now: run the command again in a minute';

/**
 * The blocks of an answer as they are sent, with its controls below. Pure.
 * @param id identifies the message
 * @param how `kept`: a click can bring it back, so it has the controls that need that; `note`: shown between the answer
 * and its controls
 */
export function answerBlocks(
  answer: Answer,
  id: string,
  { kept, note }: { kept: boolean; note?: Answer | undefined },
): KnownBlock[] {
  const { blocks, notes = [], rest, buttons = [], controls = [], menu = [] } = answer;
  const between = note?.blocks ?? [];
  if (!kept) {
    // Without a store there is nothing to open it from.
    const all = [...blocks, ...(rest?.blocks ?? [])];
    const isLess = controls.length + menu.length > 0 || (answer.pages ?? 1) > 1;
    const missing = isLess ? [context(mrkdwn`${NO_BUTTONS}`)] : [];
    return layOut(all, id, [...noteLines(notes), ...missing, ...between, ...rowOf(buttons)]);
  }
  const row = [
    ...controls,
    ...pageButtons(answer),
    ...(rest ? [button({ action: REST_ACTION, text: rest.button, value: id })] : []),
    ...buttons,
    ...shareButton(answer, id),
  ];
  const more = menu.length === 0 ? [] : [menuOf(menu)];
  return layOut(blocks, id, [...noteBlocks(notes, id), ...between, ...rowOf([...row, ...more])]);
}

function pageButtons({ asked, pages = 1 }: Answer): Button[] {
  if (asked === undefined) return [];
  return turnButtons(PAGE_ACTION, { page: asked.page, pages }, String);
}

/** Small print, in one block. */
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
        text: 'Details',
        value: id,
        label: `Details: ${notes.length} notes`,
      }),
    ),
  ];
}

export function notesWindow({ notes = [] }: Answer): ModalContent {
  return { title: 'Notes', blocks: notes.map((text) => section(new Mrkdwn(text))) };
}

/** @throws Refusal without a rest */
export function restWindow({ rest }: Answer): ModalContent {
  if (rest === undefined) throw new Refusal(TOO_OLD);
  return { title: rest.title, blocks: rest.blocks };
}

/** Whether a click may bring an answer back. */
export function isClickable(answer: Answer): boolean {
  const { notes = [], rest, asked, buttons = [] } = answer;
  const opens = rest !== undefined || notes.length > 1 || asked !== undefined;
  return opens || isShareable(answer) || buttons.length > 0 || answer.blocks.some(isUsed);
}

/** An answer that asks before it is shared needs a right that can be checked; without one it stays private. */
export function isShareable({ shareable = false, needs }: Answer): boolean {
  return shareable === true || (shareable !== false && needs !== undefined);
}

function shareButton(answer: Answer, id: string): Button[] {
  const { shareable = false } = answer;
  if (shareable === false || !isShareable(answer)) return [];
  const confirm =
    shareable === true
      ? undefined
      : { ...shareable, title: 'Share with the channel?', yes: 'Share', no: 'Cancel' };
  return [button({ action: SHARE_ACTION, text: 'Share', value: id, ...given({ confirm }) })];
}

/** The value of a button that shares: the answer, and the guests that were confirmed. */
export interface Shared {
  readonly id: string | undefined;
  readonly guests: string | undefined;
}

export function readShared(value: string | undefined): Shared {
  const [id, guests] = value?.split(' ') ?? [];
  return { id, guests };
}

/** Asked where guests read; undefined: no guests do. */
export function shareQuestion(id: string, guests: Guests): Answer | undefined {
  const words = guestWords(guests, 'this channel');
  if (words === undefined) return undefined;
  const line = mrkdwn`:warning: *Not shared yet*: ${words}.`;
  return {
    blocks: [section(line)],
    buttons: [
      button({ action: SHARE_ACTION, text: 'Share with guests, too', value: `${id} ${guests}` }),
    ],
  };
}

export const TOO_OLD = 'This answer is too old to open the rest: run the command again.';

/**
 * The blocks of a message: the answer's own, then those below it. Beyond Slack's limits the answer is cut; what is
 * below never is.
 * @param id identifies the message; it comes back with a click, because Slack does not send the content of a private
 * message
 */
export function layOut(
  blocks: readonly KnownBlock[],
  id: string,
  below: readonly KnownBlock[] = [],
): KnownBlock[] {
  return stacked(blocks, below).map((block, index) =>
    isUsed(block) ? { ...block, block_id: `${id}:${index}` } : block,
  );
}

/** The blocks of a read-only modal, with its buttons below. Slack takes 100 blocks. */
export function modalBlocks({
  blocks,
  buttons = [],
}: Pick<ModalContent, 'blocks' | 'buttons'>): KnownBlock[] {
  return [...blocks, ...rowOf(buttons)];
}

export function withoutControls(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.filter(({ type }) => type !== 'actions').map(withoutAccessory);
}

function withoutAccessory(block: KnownBlock): KnownBlock {
  if (block.type === 'data_table') return withoutButtons(block);
  if (block.type !== 'section' || block.accessory?.type === 'image') return block;
  const { accessory: _, ...rest } = block;
  return rest;
}

/** Blocks with others below them: the blocks are cut to Slack's limits, the others are kept whole. */
export function stacked(blocks: readonly KnownBlock[], below: readonly KnownBlock[]): KnownBlock[] {
  const room = LIMITS.messageBlocks - below.length;
  const whole = thatFit(blocks, textLength, LIMITS.messageCharacters - textLength(below));
  if (whole.length === blocks.length && blocks.length <= room) return [...blocks, ...below];
  const shown = whole.slice(0, Math.max(0, room - 1));
  return [...shown, context(mrkdwn`… and more, for which there is no room here`), ...below];
}

/** Readable characters of a block, however deep; data tables and charts have limits of their own. */
function textLength(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if ('type' in value && isNativeBlock(value as KnownBlock)) return 0;
  return Object.entries(value).reduce<number>(
    (sum, [key, member]) =>
      sum + (key === 'text' && typeof member === 'string' ? member.length : textLength(member)),
    0,
  );
}

/** Whether it has something to click. */
function isUsed(block: KnownBlock): boolean {
  if (block.type === 'section') return block.accessory !== undefined;
  return block.type === 'actions' || (block.type === 'data_table' && hasButtons(block));
}

function rowOf(elements: readonly ActionsBlockElement[]): KnownBlock[] {
  return elements.length === 0 ? [] : [actions(...elements)];
}
