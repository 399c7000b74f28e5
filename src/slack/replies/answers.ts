import { randomUUID } from 'node:crypto';
import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../lib/logger.ts';
import { Refusal } from '../../lib/errors.ts';
import { scrubStrings, type Scrub } from '../../lib/secret.ts';
import { measureCall, statusResult } from '../calls.ts';
import { UNAVAILABLE } from '../../store/redis.ts';
import { openDirect } from '../directory.ts';
import { isContentRefused } from '../sender.ts';
import type { NativeBlocks } from '../native-blocks.ts';
import { context, section } from '../kit/blocks.ts';
import { answerText } from '../kit/message-text.ts';
import { mentionUser, mrkdwn } from '../kit/text.ts';
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
import type { Kept, Shelf } from './shelf.ts';

/** The body of a response_url; private unless `in_channel`. */
interface Response {
  text: string;
  blocks?: KnownBlock[];
  response_type?: 'ephemeral' | 'in_channel';
  replace_original?: boolean;
}

const TIMEOUT_MS = 10_000;

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

interface Sending {
  slack: WebClient;
  native: NativeBlocks;
  logger: Logger;
}

/** `refused`: Slack does not take this content; `failed`: it may take it another time, or has taken it unseen. */
type Sent = 'taken' | 'refused' | 'failed';

/** Posts to a response_url; what Slack did not take is logged without the address. */
async function postResponse(
  address: string,
  response: Response,
  { slack, logger }: Sending,
): Promise<Sent> {
  if (!isSlackAddress(address, slack.slackApiUrl)) {
    logger.warn({}, 'A response_url that is not Slack’s was not used');
    return 'failed';
  }
  const send = async () => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ response_type: 'ephemeral', replace_original: false, ...response }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Read in any case: an unread body keeps its connection.
    return { answer, text: (await answer.text()).slice(0, 200) };
  };
  try {
    const resultOf = (sent: { answer: globalThis.Response }) => statusResult(sent.answer);
    const { answer, text } = await measureCall('response_url', send, resultOf);
    if (answer.ok) return 'taken';
    logger.error({ status: answer.status, answer: text }, 'Slack did not take an answer');
    return answer.status === 400 ? 'refused' : 'failed';
  } catch (error) {
    logger.error({ err: error }, 'An answer did not reach Slack');
    return 'failed';
  }
}

/** Posts to a person's messages with the bot; a failure is logged. */
async function sendDirectly(
  { slack, native, logger }: Sending,
  userId: string,
  { text, blocks: whole }: Required<Pick<Response, 'text' | 'blocks'>>,
): Promise<void> {
  const error = await native.send(
    'message',
    whole,
    async (blocks) => {
      try {
        await slack.chat.postMessage({
          text,
          ...(blocks && { blocks: [...blocks] }),
          channel: await openDirect(slack, userId),
          unfurl_links: false,
          unfurl_media: false,
        });
        return undefined;
      } catch (failure) {
        return failure;
      }
    },
    isContentRefused,
  );
  if (error !== undefined) logger.error({ err: error }, 'A direct message was not sent');
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

export interface Recipient {
  userId: string;
  /** For a message to the bot: its answer goes there. */
  place?: Place | undefined;
  /** Undefined when it has expired. */
  responseUrl: string | undefined;
  /** For a click: the message with the button stays as it is, unless the answer is `inPlace`. */
  clicked?: Clicked | undefined;
  inPlace?: boolean;
}

/** Why an answer that was shown earlier may not be shared now; undefined: allowed. */
type Permit = (kept: Answer) => Promise<Answer | undefined>;

export interface Answers {
  /**
   * Runs something slow and shows the person its answer, with a progress message when it takes long; as a direct
   * message when Slack does not take it at the response_url.
   */
  reply(recipient: Recipient, run: () => Promise<Outcome>): Promise<void>;
  /**
   * Posts an answer to the channel, once, with the name of the person who shared it. After a refusal by `permit` it
   * stays private.
   */
  share(recipient: Recipient, id: string | undefined, permit: Permit): Promise<void>;
  /**
   * An answer that was shown to this person, for a window with its remaining parts.
   * @throws Refusal when it is too old, and when the store does not answer
   */
  shown(userId: string, id: string | undefined): Promise<Answer>;
}

interface AnswerServices extends Sending {
  kept: Kept;
  scrub: Scrub;
}

export function createAnswers(services: AnswerServices): Answers {
  const store = services.kept.answers;
  const showProgress = createShowProgress(store, services);
  const show = createShow(store, services);
  const claim = createClaim(store, services);
  return {
    async reply(recipient, run) {
      let showing: Promise<Progress> | undefined;
      const timer = setTimeout(() => {
        showing = showProgress(recipient);
      }, PROGRESS_MS);
      const { answer, refused } = await run().finally(() => clearTimeout(timer));
      const progress = await showing;
      const earlier = progress?.replaced;
      if (earlier !== undefined && (refused === true || answer === undefined)) {
        // The buttons are gone: restore the person's answer, with the new sentence.
        return show(recipient, earlier, { replaces: true, ...(answer ? { note: answer } : {}) });
      }
      if (answer === undefined) return;
      // Without a click, the message that is replaced is the progress message.
      const replaces = recipient.clicked ? recipient.inPlace && refused !== true : progress?.posted;
      await show(recipient, answer, { replaces: replaces === true });
    },
    async share(recipient, id, permit) {
      const refuse = (refusal: Answer): Promise<void> =>
        show(recipient, refusal, { replaces: false });
      const claimed = await claim(recipient, id, permit);
      if ('refusal' in claimed) return refuse(claimed.refusal);
      const { blocks, notes = [] } = claimed.answer;
      const byline = context(mrkdwn`Shared by ${mentionUser(recipient.userId)}`);
      const open = stacked(withoutControls(blocks), [...noteLines(notes), byline]);
      const text = answerText(open);
      const thread = recipient.clicked?.thread;
      const posted =
        thread === undefined
          ? await respond(recipient, { text, blocks: open, response_type: 'in_channel' }, services)
          : await postAt(
              { ...thread, isDirect: true },
              recipient,
              { text, blocks: open },
              services,
            );
      if (posted !== 'taken') return refuse(NOT_CONFIRMED);
      // The button was in a question about guests: the answer itself is above.
      const isAsked = (recipient.clicked?.messageId ?? id) !== id;
      const shared = isAsked ? SHARED : { ...claimed.answer, shareable: false };
      await show(recipient, shared, { replaces: true, known: true });
    },
    async shown(userId, id) {
      let answer: Answer | undefined;
      try {
        answer = id === undefined ? undefined : await store.get(userId, id);
      } catch (error) {
        throw new Refusal(UNAVAILABLE, error);
      }
      if (answer === undefined) throw new Refusal(TOO_OLD);
      return answer;
    },
  };
}

const TOO_LATE = warningAnswer(
  'This answer was shared already or is too old: run the command again.',
);
const SHARED_LINE = mrkdwn`:white_check_mark: *Shared* with the channel.`;
const SHARED: Answer = { blocks: [section(SHARED_LINE)] };
const NOT_CONFIRMED = warningAnswer(
  'Slack did not confirm the message: if it is not in the channel, run the command again and share that answer.',
);

type Claim = { answer: Answer } | { refusal: Answer };

function createClaim(store: Shelf<Answer>, { logger }: Sending) {
  return async ({ userId }: Recipient, id: string | undefined, permit: Permit): Promise<Claim> => {
    try {
      const kept = id === undefined ? undefined : await store.get(userId, id);
      if (id === undefined || kept === undefined || !isShareable(kept))
        return { refusal: TOO_LATE };
      const refusal = await permit(kept);
      if (refusal !== undefined) return { refusal };
      return (await store.claim(userId, id)) ? { answer: kept } : { refusal: TOO_LATE };
    } catch (error) {
      logger.error({ err: error }, 'An answer was not shared');
      return { refusal: warningAnswer(UNAVAILABLE) };
    }
  };
}

/** With plain blocks where Slack refuses native ones, and with the text alone where it refuses those. */
async function respond(
  recipient: Recipient,
  { blocks: whole, ...response }: Response,
  sending: Sending,
): Promise<Sent> {
  const { responseUrl, place } = recipient;
  if (place !== undefined)
    return postAt(place, recipient, { ...response, ...(whole && { blocks: whole }) }, sending);
  if (responseUrl === undefined) return 'failed';
  // Otherwise Slack takes an edit of an ordinary message as a private one.
  const lasting = response.replace_original === true && recipient.clicked?.lasting === true;
  const audience = lasting ? ({ response_type: 'in_channel' } as const) : {};
  const body = { ...audience, ...response };
  return sending.native.send(
    body.response_type === 'in_channel' ? 'message' : 'private',
    whole,
    (blocks) =>
      postResponse(responseUrl, { ...body, ...(blocks && { blocks: [...blocks] }) }, sending),
    (sent) => sent === 'refused',
  );
}

/** By the Web API: privately in a channel, as a message in a direct one. */
async function postAt(
  { channel, threadTs, isDirect }: Place,
  { userId: user }: Recipient,
  { text, blocks: whole }: Pick<Response, 'text' | 'blocks'>,
  { slack, native, logger }: Sending,
): Promise<Sent> {
  const post = async (blocks: readonly KnownBlock[] | undefined): Promise<Sent> => {
    const content = { channel, text, ...(blocks && { blocks: [...blocks] }) };
    const args = { ...content, ...(threadTs !== undefined && { thread_ts: threadTs }) };
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
  const surface = isDirect ? 'message' : 'private';
  return native.send(surface, whole, post, (sent) => sent === 'refused');
}

interface Progress {
  posted: boolean;
  replaced?: Answer;
}

function createShowProgress(store: Shelf<Answer>, sending: Sending) {
  const found = async (userId: string, id: string): Promise<Answer | undefined> => {
    try {
      return await store.get(userId, id);
    } catch (error) {
      sending.logger.warn({ err: error }, 'An answer that was shown cannot be read');
      return undefined;
    }
  };
  return async (recipient: Recipient): Promise<Progress> => {
    const id = recipient.inPlace === true ? recipient.clicked?.messageId : undefined;
    const replaced = id === undefined ? undefined : await found(recipient.userId, id);
    if (replaced === undefined) {
      const sent = await respond(recipient, { text: PROGRESS }, sending);
      // A message to the bot has no address by which its answer could be replaced.
      return { posted: sent === 'taken' && recipient.place === undefined };
    }
    const blocks = stacked(withoutControls(replaced.blocks), [context(mrkdwn`${PROGRESS}`)]);
    // Also when Slack did not confirm it: the buttons may be gone.
    await respond(recipient, { text: PROGRESS, blocks, replace_original: true }, sending);
    return { posted: false, replaced };
  };
}

interface ReplyOptions {
  replaces: boolean;
  note?: Answer;
  /** The person has it already, so nothing is lost when Slack does not take it. */
  known?: true;
}

function createShow(store: Shelf<Answer>, services: AnswerServices) {
  return async (recipient: Recipient, raw: Answer, options: ReplyOptions): Promise<void> => {
    // The question is not shown, and has to stay as it is.
    const { asked, ...shown } = raw;
    const { note, ...clean } = scrubStrings({ ...shown, note: options.note }, services.scrub);
    const answer = { ...clean, asked };
    const id = randomUUID();
    const kept =
      isClickable(answer) && (await store.put(recipient.userId, answer, { id })) !== undefined;
    const blocks = answerBlocks(answer, id, { kept, note });
    const text = answerText(blocks);
    const place = options.replaces ? { replace_original: true } : {};
    const sent = await respond(recipient, { text, blocks, ...place }, services);
    if (sent === 'taken') return;
    // A plain answer is better than none.
    if (sent === 'failed' && (await respond(recipient, { text, ...place }, services)) === 'taken') {
      return;
    }
    if (options.known !== true)
      await sendDirectly(services, recipient.userId, {
        text,
        // Only the person reads it, so there is no channel to share it with.
        blocks: answerBlocks({ ...answer, shareable: false }, id, { kept, note }),
      });
  };
}
