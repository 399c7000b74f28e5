import { randomUUID } from 'node:crypto';
import type { Button, KnownBlock } from '@slack/types';
import type { Logger } from '../lib/logger.ts';
import { scrubStrings } from '../lib/scrub.ts';
import type { Scrub } from '../lib/scrub.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import { createAnswerStore } from './answer-store.ts';
import type { AnswerStore } from './answer-store.ts';
import type { SendDirectly } from './direct.ts';
import { sentence } from './guard.ts';
import { button, context, mentionUser, mrkdwn } from './kit/index.ts';
import { isUsed, layOut, stacked, withoutControls } from './layout.ts';
import { UNAVAILABLE } from './once.ts';
import { postResponse } from './response-url.ts';
import type { Response } from './response-url.ts';
import type { Answer, ShareQuestion } from './routes.ts';

export const SHARE_ACTION = 'answer.share';

/** A person sees that something happens after this time, in milliseconds. */
const PROGRESS_MS = 1_500;
export const PROGRESS = 'Still working on it …';

/** The message that was clicked on. */
export interface Clicked {
  /** As it was laid out; undefined for a message that was not. */
  messageId: string | undefined;
  /** It is an ordinary message, not a private answer. */
  lasting: boolean;
}

/** Who is answered, and where. */
export interface Asker {
  userId: string;
  /** Undefined when it is not known any more. */
  responseUrl: string | undefined;
  /** Asked by a click: the message with the button stays as it is, unless the answer is `inPlace`. */
  clicked?: Clicked;
  /** The answer takes the place of the clicked message. */
  inPlace?: boolean;
}

/** How a request ended: with an answer, with nothing to say, or with a sentence that says why not. */
export interface Outcome {
  answer: Answer | undefined;
  /** Takes nothing away from what the person had. */
  refused?: true;
}

/** Says why an answer that was shown earlier may not be shown to others now; undefined when it may. */
type Permit = (kept: Answer) => Promise<Answer | undefined>;

export interface Answers {
  /**
   * Runs something slow and gives the person its answer, with a word in between when it takes long;
   * as a direct message where Slack takes nothing at the response_url.
   */
  reply(asker: Asker, run: () => Promise<Outcome>): Promise<void>;
  /**
   * Posts an answer to the channel, once, and says who shared it. What `permit` refuses stays
   * where it is.
   */
  share(asker: Asker, id: string | undefined, permit: Permit): Promise<void>;
}

export interface AnswersDeps {
  redis: RedisConnection;
  keys: Keys;
  apiUrl: string;
  /** What leaves the process has no secret in it. */
  scrub: Scrub;
  direct: SendDirectly;
  logger: Logger;
}

export function createAnswers(deps: AnswersDeps): Answers {
  const store = createAnswerStore(deps);
  const sayProgress = progressTeller(store, deps);
  const show = shower(store, deps);
  const claim = claimer(store, deps);
  return {
    async reply(asker, run) {
      let saying: Promise<Progress> | undefined;
      const timer = setTimeout(() => {
        saying = sayProgress(asker);
      }, PROGRESS_MS);
      const { answer, refused } = await run().finally(() => clearTimeout(timer));
      const progress = await saying;
      const earlier = progress?.replaced;
      if (earlier !== undefined && (refused === true || answer === undefined)) {
        // The buttons are gone: what the person had comes back, with what is to be said.
        return show(asker, earlier, { replaces: true, ...(answer ? { note: answer } : {}) });
      }
      if (answer === undefined) return;
      // Without a click, the original is the word in between.
      const replaces = asker.clicked ? asker.inPlace && refused !== true : progress?.posted;
      await show(asker, answer, { replaces: replaces === true });
    },
    async share(asker, id, permit) {
      const say = (no: Answer): Promise<void> => show(asker, no, { replaces: false });
      const kept = await claim(asker, id, permit);
      if ('no' in kept) return say(kept.no);
      const { text, blocks } = kept.answer;
      const byline = context(mrkdwn`Shared by ${mentionUser(asker.userId)}`);
      const open = stacked(withoutControls(blocks), [byline]);
      const posted = await respond(
        asker,
        { text, blocks: open, response_type: 'in_channel' },
        deps,
      );
      if (!posted) return say(NOT_CONFIRMED);
      await show(asker, { ...kept.answer, shareable: false }, { replaces: true, known: true });
    },
  };
}

const TOO_LATE = sentence('This answer was shared already or is too old: run the command again.');
const NOT_CONFIRMED = sentence(
  'Slack did not confirm the message: if it is not in the channel, run the command again and share that answer.',
);

/** The answer that is to be shared, or the sentence why there is none. */
type Claim = { answer: Answer } | { no: Answer };

function claimer(store: AnswerStore, { logger }: AnswersDeps) {
  return async ({ userId }: Asker, id: string | undefined, permit: Permit): Promise<Claim> => {
    try {
      const kept = id === undefined ? undefined : await store.find(userId, id);
      if (id === undefined || kept === undefined || !isShareable(kept)) return { no: TOO_LATE };
      const no = await permit(kept);
      if (no !== undefined) return { no };
      return (await store.claim(userId, id)) ? { answer: kept } : { no: TOO_LATE };
    } catch (error) {
      logger.error({ err: error }, 'An answer was not shared');
      return { no: sentence(UNAVAILABLE) };
    }
  };
}

type Sending = Pick<AnswersDeps, 'apiUrl' | 'logger'>;

function respond(asker: Asker, response: Response, deps: Sending): Promise<boolean> {
  if (asker.responseUrl === undefined) return Promise.resolve(false);
  // Slack takes an edit of an ordinary message as a private one otherwise.
  const lasting = response.replace_original === true && asker.clicked?.lasting === true;
  const audience = lasting ? ({ response_type: 'in_channel' } as const) : {};
  return postResponse(asker.responseUrl, { ...audience, ...response }, deps);
}

/** What the word in between did. */
interface Progress {
  /** It stands as a message of its own. */
  posted: boolean;
  /** The answer in whose place it stands. */
  replaced?: Answer;
}

function progressTeller(store: AnswerStore, deps: Sending) {
  const found = async (userId: string, id: string): Promise<Answer | undefined> => {
    try {
      return await store.find(userId, id);
    } catch (error) {
      deps.logger.warn({ err: error }, 'An answer that was shown cannot be read');
      return undefined;
    }
  };
  return async (asker: Asker): Promise<Progress> => {
    const id = asker.inPlace === true ? asker.clicked?.messageId : undefined;
    const replaced = id === undefined ? undefined : await found(asker.userId, id);
    if (replaced === undefined) return { posted: await respond(asker, { text: PROGRESS }, deps) };
    const blocks = stacked(withoutControls(replaced.blocks), [context(mrkdwn`${PROGRESS}`)]);
    // Also when Slack did not confirm it: the buttons may be gone.
    await respond(asker, { text: PROGRESS, blocks, replace_original: true }, deps);
    return { posted: false, replaced };
  };
}

/** How an answer is shown: in the place of another, with a word that is not a part of it. */
interface Manner {
  replaces: boolean;
  note?: Answer;
  /** The person has it already: where Slack does not take it, nothing is lost. */
  known?: true;
}

function shower(store: AnswerStore, deps: AnswersDeps) {
  return async (asker: Asker, raw: Answer, manner: Manner): Promise<void> => {
    const { note, ...answer } = scrubStrings({ ...raw, note: manner.note }, deps.scrub);
    const id = randomUUID();
    const kept = isClickable(answer) && (await store.put(asker.userId, id, answer));
    const text = note === undefined ? answer.text : `${note.text}\n${answer.text}`;
    const blocks = answerBlocks(answer, id, { kept, note });
    const place = manner.replaces ? { replace_original: true } : {};
    if (await respond(asker, { text, blocks, ...place }, deps)) return;
    // Rather a plain answer than none.
    if (await respond(asker, { text, ...place }, deps)) return;
    if (manner.known !== true)
      await deps.direct(asker.userId, {
        text,
        blocks: answerBlocks(answer, id, { kept: false, note }),
      });
  };
}

/**
 * The blocks of an answer as they are sent, with its controls and buttons below. Pure.
 * @param id names the message
 * @param how `kept`: it can be brought back by a click, so it has the button that shares it;
 *   `note`: what is said between the answer and its buttons
 */
export function answerBlocks(
  answer: Answer,
  id: string,
  { kept, note }: { kept: boolean; note?: Answer | undefined },
): KnownBlock[] {
  const share = kept ? shareButton(answer, id) : [];
  return layOut({ ...answer, buttons: [...(answer.buttons ?? []), ...share] }, id, note?.blocks);
}

/** Whether a click may bring an answer back. */
function isClickable(answer: Answer): boolean {
  return isShareable(answer) || layOut(answer, '').some(isUsed);
}

/** What is asked about is not for everybody: without a right that can be checked it stays private. */
function isShareable({ shareable = false, needs }: Answer): boolean {
  return shareable === true || (shareable !== false && needs !== undefined);
}

function shareButton(answer: Answer, id: string): Button[] {
  const { shareable = false } = answer;
  if (shareable === false || !isShareable(answer)) return [];
  const made = button({
    action: SHARE_ACTION,
    text: 'Share with the channel',
    value: id,
    ...(shareable === true ? {} : { confirm: asking(shareable) }),
  });
  return [made];
}

function asking({ question }: ShareQuestion): Parameters<typeof button>[0]['confirm'] & object {
  return { title: 'Share with the channel?', question, yes: 'Share', no: 'Cancel' };
}
