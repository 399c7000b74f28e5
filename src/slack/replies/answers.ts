import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../lib/logger.ts';
import { Refusal } from '../../lib/errors.ts';
import { scrubStrings, type Scrub } from '../../lib/secret.ts';
import { measureCall, SHORT_LIMIT_S, statusResult } from '../calls.ts';
import { UNAVAILABLE } from '../../store/redis.ts';
import { openDirect } from '../directory.ts';
import { isContentRefused } from '../sender.ts';
import type { NativeBlocks } from '../native-blocks.ts';
import { context, section } from '../kit/blocks.ts';
import { answerText } from '../kit/message-text.ts';
import { given, mentionUser, mrkdwn } from '../kit/text.ts';
import type { Answer } from '../routing/routes.ts';
import {
  answerBlocks,
  isClickable,
  isShareable,
  noteLines,
  stacked,
  TOO_OLD,
  warningAnswer,
  withoutControls,
  type Outcome,
} from './reply.ts';
import type { Kept } from './shelf.ts';

/** As for the Web API: Slack may be slow, and a second answer would come beside the first. Milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * An address from Slack is used only over https on Slack's own hosts, or on the origin that the Web API is configured
 * for (design section 7).
 */
export function isSlackAddress(address: string, apiUrl: string): boolean {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return false;
  }
  if (url.origin === new URL(apiUrl).origin) return true;
  return url.protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(url.hostname);
}

interface AnswerServices {
  slack: WebClient;
  native: NativeBlocks;
  logger: Logger;
  kept: Kept;
  scrub: Scrub;
}

/** `refused`: Slack does not take this content; `failed`: it may take it another time, or has taken it unseen. */
type Sent = 'taken' | 'refused' | 'failed';

/** Posts to a response_url; what Slack did not take is logged without the address. */
async function postResponse(
  { slack, logger }: AnswerServices,
  address: string,
  body: object,
): Promise<Sent> {
  if (!isSlackAddress(address, slack.slackApiUrl)) {
    logger.warn({}, 'A response_url that is not Slack’s was not used');
    return 'failed';
  }
  try {
    let sent = await postOnce(address, body);
    const waitS = sent.status === 429 ? sent.retryAfterS : Infinity;
    if (waitS <= SHORT_LIMIT_S) {
      await sleep(waitS * 1_000);
      sent = await postOnce(address, body);
    }
    if (sent.isTaken) return 'taken';
    const { status, text } = sent;
    logger.error({ status, answer: text }, 'Slack did not take an answer');
    return status === 400 || status === 200 ? 'refused' : 'failed';
  } catch (error) {
    logger.error({ err: error }, 'An answer did not reach Slack');
    return 'failed';
  }
}

/** @throws when Slack does not answer in time */
async function postOnce(address: string, body: object) {
  const send = async () => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Read in any case: an unread body keeps its connection.
    return { answer, text: (await answer.text()).slice(0, 200) };
  };
  const { answer, text } = await measureCall('response_url', send, (sent) =>
    statusResult(sent.answer),
  );
  const { ok, status, headers } = answer;
  const retryAfterS = Number(headers.get('retry-after') ?? Infinity);
  return { status, text, retryAfterS, isTaken: ok && !/"ok":\s*false/.test(text) };
}

/** After this time a person sees a progress message. Milliseconds. */
const PROGRESS_MS = 1_500;
export const PROGRESS = 'Still working on it …';

export interface Clicked {
  /** Undefined for a message that was not laid out here. */
  messageId: string | undefined;
  /** It is an ordinary message, not a private answer. */
  lasting: boolean;
  /** The thread that it is in: an answer is shared there. */
  thread?: Pick<Place, 'channel' | 'threadTs'> | undefined;
}

/** Where a message was written to the bot, which has no response_url. */
export interface Place {
  channel: string;
  threadTs: string | undefined;
  /** Only the person and the bot read it. */
  isDirect: boolean;
}

/** Where a person acted, and is answered; forms keep it. */
export interface Recipient {
  userId: string;
  /** For a message to the bot: its answer goes there. */
  place?: Place | undefined;
  /** Absent when it has expired. */
  responseUrl?: string | undefined;
  /** For a click: the message with the button stays as it is, unless it is `replaceable` by the answer. */
  clicked?: Clicked | undefined;
  /** Only the person who clicked sees the message. */
  replaceable?: boolean;
  /** On the home tab, which has to be refreshed after it. */
  home?: boolean;
}

/** Why an answer that was shown earlier may not be shared now; undefined: allowed. */
type Permit = (kept: Answer) => Promise<Answer | undefined>;

export type Answers = ReturnType<typeof createAnswers>;

export function createAnswers(services: AnswerServices) {
  return {
    /**
     * Runs something slow and shows the person its answer, with a progress message when it takes long; as a direct
     * message when Slack does not take it at the response_url.
     * @param inPlace the answer takes the place of the clicked message, where that may be replaced
     */
    reply: (recipient: Recipient, run: () => Promise<Outcome>, inPlace?: boolean): Promise<void> =>
      reply(services, recipient, run, inPlace),
    /** Shows the person a sentence, beside the clicked message or the command. */
    say: (recipient: Recipient, answer: Answer): Promise<void> =>
      show(services, recipient, answer, { replaces: false }),
    /**
     * Posts an answer to the channel, once, with the name of the person who shared it. After a refusal by `permit` it
     * stays private.
     */
    share: (recipient: Recipient, id: string | undefined, permit: Permit): Promise<void> =>
      share(services, recipient, id, permit),
    /**
     * An answer that was shown to this person, for a window with its remaining parts.
     * @throws Refusal when it is too old, and when the store does not answer
     */
    async shown(userId: string, id = ''): Promise<Answer> {
      const answer = await services.kept.answers.get(userId, id).catch((error: unknown) => {
        throw new Refusal(UNAVAILABLE, error);
      });
      if (answer === undefined) throw new Refusal(TOO_OLD);
      return answer;
    },
  };
}

async function reply(
  services: AnswerServices,
  recipient: Recipient,
  run: () => Promise<Outcome>,
  isInPlace = false,
): Promise<void> {
  const inPlace = isInPlace && recipient.replaceable === true;
  let showing: Promise<Progress> | undefined;
  const timer = setTimeout(() => {
    showing = showProgress(services, recipient, inPlace);
  }, PROGRESS_MS);
  const { answer, refused = false } = await run().finally(() => clearTimeout(timer));
  const { posted = false, replaced } = (await showing) ?? {};
  if (replaced !== undefined && (refused || answer === undefined)) {
    // The buttons are gone: restore the person's answer, with the new sentence.
    return show(services, recipient, replaced, { replaces: true, note: answer });
  }
  if (answer === undefined) return;
  // Without a click, the message that is replaced is the progress message.
  const replaces = recipient.clicked ? inPlace && !refused : posted;
  await show(services, recipient, answer, { replaces });
}

interface Progress {
  readonly posted: boolean;
  /** The answer whose buttons the progress took. */
  readonly replaced?: Answer;
}

async function showProgress(
  services: AnswerServices,
  recipient: Recipient,
  inPlace: boolean,
): Promise<Progress> {
  const id = inPlace ? recipient.clicked?.messageId : undefined;
  const reading = id === undefined ? undefined : services.kept.answers.get(recipient.userId, id);
  const replaced = await reading?.catch((error: unknown) => {
    services.logger.warn({ err: error }, 'An answer that was shown cannot be read');
    return undefined;
  });
  if (replaced === undefined) {
    const sent = await send(services, recipient, { text: PROGRESS });
    // A message to the bot has no address by which its answer could be replaced.
    return { posted: sent === 'taken' && recipient.place === undefined };
  }
  const blocks = stacked(withoutControls(replaced.blocks), [context(mrkdwn`${PROGRESS}`)]);
  // Also when Slack did not confirm it: the buttons may be gone.
  await send(services, recipient, { text: PROGRESS, blocks, replaces: true });
  return { posted: false, replaced };
}

const TOO_LATE = warningAnswer(
  'This answer was shared already or is too old: run the command again.',
);
const SHARED_LINE = mrkdwn`:white_check_mark: *Shared* with the channel.`;
const SHARED: Answer = { blocks: [section(SHARED_LINE)] };
const NOT_CONFIRMED = warningAnswer(
  'Slack did not confirm the message: if it is not in the channel, run the command again and share that answer.',
);

async function share(
  services: AnswerServices,
  recipient: Recipient,
  id: string | undefined,
  permit: Permit,
): Promise<void> {
  const refuse = (refusal: Answer): Promise<void> =>
    show(services, recipient, refusal, { replaces: false });
  const claimed = await claim(services, recipient, id, permit);
  if ('refusal' in claimed) return refuse(claimed.refusal);
  const { blocks: whole, notes = [] } = claimed.answer;
  const byline = context(mrkdwn`Shared by ${mentionUser(recipient.userId)}`);
  const blocks = stacked(withoutControls(whole), [...noteLines(notes), byline]);
  const message = { text: answerText(blocks), blocks };
  const thread = recipient.clicked?.thread;
  const posted =
    thread === undefined
      ? await send(services, recipient, { ...message, toChannel: true })
      : await post(services, { ...thread, isDirect: true }, recipient.userId, message);
  if (posted !== 'taken') return refuse(NOT_CONFIRMED);
  // The button was in a question about guests: the answer itself is above.
  const isAsked = (recipient.clicked?.messageId ?? id) !== id;
  const shared = isAsked ? SHARED : { ...claimed.answer, shareable: false };
  await show(services, recipient, shared, { replaces: true, known: true });
}

async function claim(
  { kept: { answers }, logger }: AnswerServices,
  { userId }: Recipient,
  id: string | undefined,
  permit: Permit,
): Promise<{ answer: Answer } | { refusal: Answer }> {
  try {
    const kept = id === undefined ? undefined : await answers.get(userId, id);
    if (id === undefined || kept === undefined || !isShareable(kept)) return { refusal: TOO_LATE };
    const refusal = await permit(kept);
    if (refusal !== undefined) return { refusal };
    return (await answers.claim(userId, id)) ? { answer: kept } : { refusal: TOO_LATE };
  } catch (error) {
    logger.error({ err: error }, 'An answer was not shared');
    return { refusal: warningAnswer(UNAVAILABLE) };
  }
}

interface Message {
  readonly text: string;
  readonly blocks?: KnownBlock[] | undefined;
  /** It takes the place of the clicked message, or of the progress. */
  readonly replaces?: boolean;
  readonly toChannel?: boolean;
}

/** With plain blocks where Slack refuses native ones, and with the text alone where it refuses those. */
async function send(
  services: AnswerServices,
  recipient: Recipient,
  message: Message,
): Promise<Sent> {
  const { responseUrl, place, clicked, userId } = recipient;
  const { text, blocks: whole, replaces = false, toChannel = false } = message;
  if (place !== undefined) return post(services, place, userId, message);
  if (responseUrl === undefined) return 'failed';
  // Without it Slack takes an edit of an ordinary message as a private one.
  const isPublic = toChannel || (replaces && clicked?.lasting === true);
  const response_type = isPublic ? 'in_channel' : 'ephemeral';
  return services.native.send(
    isPublic ? 'message' : 'private',
    whole,
    (blocks) =>
      postResponse(services, responseUrl, {
        text,
        blocks,
        response_type,
        replace_original: replaces,
      }),
    isRefused,
  );
}

const isRefused = (sent: Sent): boolean => sent === 'refused';

/** By the Web API: privately in a channel, as a message in a direct one. */
async function post(
  { slack, native, logger }: AnswerServices,
  { channel, threadTs, isDirect }: Place,
  user: string,
  { text, blocks: whole }: Message,
): Promise<Sent> {
  const attempt = async (blocks: readonly KnownBlock[] | undefined): Promise<Sent> => {
    const more = given({ blocks: blocks && [...blocks], thread_ts: threadTs });
    const args = { channel, text, ...more };
    try {
      await (isDirect
        ? slack.chat.postMessage({ ...args, unfurl_links: false, unfurl_media: false })
        : slack.chat.postEphemeral({ ...args, user }));
      return 'taken';
    } catch (error) {
      logger.error({ err: error }, 'Slack did not take an answer');
      return isContentRefused(error) ? 'refused' : 'failed';
    }
  };
  return native.send(isDirect ? 'message' : 'private', whole, attempt, isRefused);
}

/**
 * @param how `note`: shown between the answer and its controls; `known`: the person has the answer already, so nothing
 * is lost when Slack does not take it
 */
async function show(
  services: AnswerServices,
  recipient: Recipient,
  raw: Answer,
  how: { replaces: boolean; note?: Answer | undefined; known?: boolean },
): Promise<void> {
  const { userId } = recipient;
  const { replaces, known = false } = how;
  // The question is not shown, and has to stay as it is.
  const { asked, ...visible } = raw;
  const { note, ...clean } = scrubStrings({ ...visible, note: how.note }, services.scrub);
  const answer = { ...clean, asked };
  const id = randomUUID();
  const kept =
    isClickable(answer) && (await services.kept.answers.put(userId, answer, { id })) !== undefined;
  const blocks = answerBlocks(answer, id, { kept, note });
  const text = answerText(blocks);
  const sent = await send(services, recipient, { text, blocks, replaces });
  if (sent === 'taken' || known) return;
  try {
    const channel = await openDirect(services.slack, userId);
    // Only the person reads it, so there is no channel to share it with.
    const unshared = answerBlocks({ ...answer, shareable: false }, id, { kept, note });
    const direct = { channel, threadTs: undefined, isDirect: true };
    await post(services, direct, userId, { text, blocks: unshared });
  } catch (error) {
    services.logger.error({ err: error }, 'A direct message was not sent');
  }
}
