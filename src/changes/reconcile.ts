import { DAY_MS, settledWithin } from '../lib/time.ts';
import { PlatformError } from '../platform/errors.ts';
import { isDecidedLater } from './kinds/kinds.ts';
import type { Change, Sealed } from './change.ts';
import * as ends from './ends.ts';
import type { End, EndCode } from './ends.ts';
import {
  NOT_SAID,
  textIn,
  type Facts,
  type Reconciled,
  type Sent,
  type SentSecret,
} from './kinds/kind.ts';
import { planNow, type ChangeContext } from './context.ts';
import {
  isSilentTooLong,
  CHECK_AGAIN_MS,
  OPENING_MS,
  PATIENCE_MS,
  type ChangeEvent,
} from './states.ts';
import type { MoveOptions } from './store.ts';

/**
 * One step of a change, while its lock is `held`. After a crash at any point the next step leads to the same end (ADR
 * 13). @returns the change after it; undefined: nothing more to do for now
 */
export type Step = (change: Change, held: () => boolean) => Promise<Change | undefined>;

export type Reconciler = ReturnType<typeof createReconciler>;

export function createReconciler(context: ChangeContext) {
  const finish = createFinish(context);
  return {
    finish,
    /** Ends a change of which the current state shows no effect, and which may have been sent all the same. */
    doubt: (change: Change) => doubt(context, change, ends.NO_EFFECT),
    /** Finds out by reading what a call without a clear answer did (ADR 13). */
    reconcile: createReconcile(context, finish),
    /** Discards a secret that was not seen in time, and retries deleting its token (ADR 13). */
    cleanUp: createSecretCleanup(context),
  };
}

/** The change after reading (undefined: another process has moved it), or the call had no effect. */
type Reading = 'not done' | { readonly change: Change | undefined };

type Verdict = Reconciled | { readonly kind: 'silence' };

function createReconcile(
  context: ChangeContext,
  finish: ReturnType<typeof createFinish>,
): (change: Change) => Promise<Reading> {
  const { logger } = context;

  /** The move comes first, so that a process that still has the secret cannot store it after this. */
  async function deleted(change: Change, tokenIds: readonly string[]): Promise<Change | undefined> {
    const fenced = await wait(context, change, { silent: true });
    if (fenced === undefined) return undefined;
    try {
      await removeTokens(context, tokenIds);
    } catch (error) {
      logger.warn({ err: error, change: change.id }, 'a token without its secret is still there');
      return silence(context, fenced, ends.LEFT);
    }
    return finish.failed(fenced, ends.DELETED);
  }

  return async (change) => {
    const verdict = await verdictOn(context, change);
    switch (verdict.kind) {
      case 'done':
        return {
          change: await finish.taken(change, { note: change.suspect ? FOUND : RECONCILED }),
        };
      case 'secret lost': {
        const { what, tokenIds } = verdict;
        // The requester may have it, and use it.
        if (change.suspect) return { change: await doubt(context, change, ends.inUse(what)) };
        const isDeletable = tokenIds.length > 0;
        return {
          change: await (isDeletable
            ? deleted(change, tokenIds)
            : finish.succeededWithLostSecret(change, what)),
        };
      }
      case 'unclear':
        return {
          change: await (change.suspect
            ? doubt(context, change, ends.NOT_KNOWN)
            : unclear(context, change)),
        };
      case 'silence':
        return { change: await silence(context, change, ends.UNCLEAR) };
      case 'not done':
        return 'not done';
    }
  };
}

type Moved = Promise<Change | undefined>;

interface Waiting {
  readonly forMs?: number;
  readonly silent?: true;
  readonly why?: 'off';
}

export function wait(
  { changes, clock }: ChangeContext,
  change: Change,
  { forMs = CHECK_AGAIN_MS, ...why }: Waiting = {},
): Moved {
  const at = clock.now();
  return changes.move(change, { kind: 'wait', at, until: at + forMs, ...why });
}

function doubt({ changes, clock }: ChangeContext, change: Change, end: End): Moved {
  return changes.move(change, { kind: 'doubt', at: clock.now(), end });
}

/** The platform does not answer: waits until PATIENCE_MS is over. */
function silence(context: ChangeContext, change: Change, end: End): Moved {
  return isSilentTooLong(change, context.clock.now())
    ? doubt(context, change, end)
    : wait(context, change, { silent: true });
}

/** The current state proves nothing yet, and may do so later. */
function unclear(context: ChangeContext, change: Change): Moved {
  const isOver = context.clock.now() - (change.sentAt ?? 0) >= PATIENCE_MS;
  return isOver ? doubt(context, change, ends.UNCLEAR) : wait(context, change);
}

const FOUND = 'Redis lost what came after the approval, and what is there shows that it was done.';

async function verdictOn(context: ChangeContext, change: Change): Promise<Verdict> {
  try {
    return await effectOf(context, change);
  } catch (error) {
    const { logger } = context;
    logger.warn({ err: error, change: change.id }, 'whether a change was done is not known yet');
    return { kind: 'silence' };
  }
}

/** Whether the call of a change was done, by the current state. @throws PlatformError, Refusal */
async function effectOf(
  { kindOf, billing }: Pick<ChangeContext, 'kindOf' | 'billing'>,
  { order, marks: baseline = {} }: Change,
): Promise<Reconciled> {
  const kind = kindOf(order);
  return kind.settle(await kind.read(billing(), order), order, baseline);
}

/** Pauses between tries to delete a token, and when to stop trying. Milliseconds. */
const SHORTEST_MS = 10_000;
const LONGEST_MS = 10 * 60_000;
const TRY_FOR_MS = DAY_MS;

function createSecretCleanup(context: ChangeContext): Step {
  const { changes, clock, logger } = context;

  const clean = (change: Change, end: End) =>
    changes.move(change, { kind: 'clean', at: clock.now(), end });

  async function cleared(change: Change, secret: Sealed): Promise<Change | undefined> {
    if (secret.what === 'superuser key') return clean(change, ends.KEY_STAYS);
    try {
      await removeTokens(context, await tokensOf(context, change, secret.tokenId));
    } catch (error) {
      logger.warn({ err: error, change: change.id }, 'an unseen token is still there');
      const passed = clock.now() - secret.at;
      if (passed >= TRY_FOR_MS) return clean(change, ends.NOT_CLEANED);
      // As long again as it took so far: each pause doubles the time.
      const pause = Math.min(Math.max(passed, SHORTEST_MS), LONGEST_MS);
      return wait(context, change, { forMs: pause });
    }
    return clean(change, ends.CLEANED);
  }

  return async (change) => {
    const { secret } = change;
    if (secret === undefined) return undefined;
    if (secret.state === 'lapsed' || secret.state === 'lost') return cleared(change, secret);
    return changes.move(change, await lapseOf(context, change), { secret: 'drop' });
  };
}

/** The end of a secret that was not seen. After another run of Redis it may have been, so its token stays. */
export async function lapseOf(
  { clock, durability }: Pick<ChangeContext, 'clock' | 'durability'>,
  { secret }: Pick<Change, 'secret'>,
): Promise<Extract<ChangeEvent, { kind: 'lapse' }>> {
  const { run } = await durability.moment();
  return { kind: 'lapse', at: clock.now(), kept: run === secret?.run ? undefined : ends.KEPT };
}

/**
 * The tokens of a change, by the list if the platform's answer lacks the id of the new one.
 * @throws when the list does not show it
 */
async function tokensOf(
  context: ChangeContext,
  change: Change,
  tokenId: string | undefined,
): Promise<readonly string[]> {
  if (tokenId !== undefined) return [tokenId];
  const verdict = await effectOf(context, change);
  if (verdict.kind === 'secret lost') return verdict.tokenIds;
  if (verdict.kind === 'not done') return [];
  throw new Error('the list does not show which token was created');
}

/**
 * Deletes tokens whose secret was never seen. A token that is gone already is no error.
 * @throws PlatformError, Refusal
 */
async function removeTokens({ billing }: ChangeContext, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    try {
      await billing().removeToken(id);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/** False when the platform does not know the account: the token may still exist. */
function isGone(error: unknown): boolean {
  return (
    error instanceof PlatformError && error.reason === 'not-found' && error.credential === undefined
  );
}

/** How long a secret can be revealed (design section 5). Milliseconds. */
const SECRET_MS = 15 * 60_000;
/** How long reading back may delay the sealing of a secret that is only in memory. Milliseconds. */
const READ_WITHIN_MS = 3_000;
type Succeed = Extract<ChangeEvent, { kind: 'succeed' }>;

/** Ends a change that was sent. Undefined: another process has moved it on. */
function createFinish(context: ChangeContext) {
  const { clock, cipher, durability } = context;
  const end = createEnd(context);
  const { readBack, readUntilAsRequested, named } = createReadBack(context);

  /** The secret is stored in the write in which the change succeeds; one that cannot be stored is discarded. */
  async function endWithSecret(
    change: Change,
    event: Omit<Succeed, 'secret'>,
    { value, what, tokenId }: SentSecret,
  ): Promise<Change | undefined> {
    const sealed = cipher?.seal(change, value);
    const { run } = await durability.moment().catch(() => ({ run: undefined }));
    const kept = { what, tokenId, run };
    const secret: NonNullable<Succeed['secret']> =
      sealed === undefined
        ? { ...kept, state: 'lost', until: event.at }
        : { ...kept, state: 'sealed', until: event.at + SECRET_MS };
    // Kept longer than it can be revealed: the requester may open it at the last moment.
    const options: MoveOptions =
      sealed === undefined ? {} : { secret: { sealed, forMs: SECRET_MS + OPENING_MS } };
    const ended = await end(change, { ...event, secret }, options);
    if (ended === undefined && what === 'token') await discard(context, change, tokenId);
    return ended;
  }

  return {
    async taken(change: Change, sent: Sent): Promise<Change | undefined> {
      const { denied, facts = [], secret } = sent;
      if (denied !== undefined) {
        const denial = { code: 'denied', sentence: denied } as const;
        return end(change, { kind: 'fail', at: clock.now(), end: denial, now: facts });
      }
      const reading = secret ? readBack(change) : readUntilAsRequested(change);
      const naming = secret && named(change, secret);
      const isLate =
        secret && !(await settledWithin(Promise.all([reading, naming]), READ_WITHIN_MS));
      const read = isLate ? undefined : await reading;
      const event = successOf(change, sent, { at: clock.now(), read });
      if (secret === undefined) return end(change, event);
      return endWithSecret(change, event, isLate ? secret : ((await naming) ?? secret));
    },
    /** It was done, and its secret is lost; only a person can delete the key. */
    async succeededWithLostSecret(
      change: Change,
      what: SentSecret['what'],
    ): Promise<Change | undefined> {
      const now = await readBack(change);
      const at = clock.now();
      const done = { code: 'done', sentence: ANSWER_LOST } as const;
      const secret = { state: 'lost', what, until: at } as const;
      return end(change, { kind: 'succeed', at, end: done, now, secret });
    },
    failed: (change: Change, how: End) => end(change, { kind: 'fail', at: clock.now(), end: how }),
  };
}

function createEnd({ changes, clock }: ChangeContext) {
  /**
   * Writes down the known result of a call, even if the record was changed meanwhile, as long as it still waits for this
   * call. Undefined: another process has moved the change on.
   */
  async function end(
    change: Change,
    event: ChangeEvent,
    beside: MoveOptions = {},
  ): Promise<Change | undefined> {
    for (let current: Change | undefined = change; current !== undefined;) {
      const moved: Change | undefined = await changes.move(current, event, beside);
      if (moved !== undefined) return moved;
      current = await waitingFor(current, beside.secret !== undefined);
    }
    return undefined;
  }

  /**
   * The record that waits for the result of a call, when it is not as it was; also one of the time before the claim, to
   * which Redis went back. A secret is not stored where another process goes on: that may be deleting the token.
   */
  async function waitingFor(change: Change, hasSecret: boolean): Promise<Change | undefined> {
    const { id, version, sendings, decision, sentAt: at = clock.now(), marks } = change;
    const read = await changes.get(id);
    if (read?.state === 'approved' && read.decision?.at === decision?.at) {
      return changes.move(read, { kind: 'claim', at, baseline: marks ?? {} });
    }
    const isWaiting = read?.state === 'executing' && read.sendings === sendings;
    return isWaiting && read.version !== version && !hasSecret ? read : undefined;
  }

  return end;
}

/**
 * Deletes the token of a secret that could not be stored, and says so in the audit.
 * @param tokenId absent: the list has it
 */
async function discard(
  context: ChangeContext,
  change: Change,
  tokenId: string | undefined,
): Promise<void> {
  const { changes, clock, logger } = context;
  let end: End = ends.DELETED;
  try {
    const ids = await tokensOf(context, change, tokenId);
    if (ids.length === 0) throw new Error('which token was created is not known');
    await removeTokens(context, ids);
  } catch (error) {
    logger.error({ err: error, change: change.id }, 'A token without its secret is still there');
    end = ends.LEFT;
  }
  await changes.note(change, { kind: 'discard', at: clock.now(), end });
}

const RECONCILED = 'The platform did not confirm it, and what is there shows that it was done.';
const ANSWER_LOST = 'The platform’s answer was lost, and with it the key.';

/** How often, and with which pauses (milliseconds), a result that differs from the request is read again. */
const READS_AGAIN = 3;
const READ_AGAIN_MS = 1_500;

/** Reads the state after a call, as its proof (design section 5). */
function createReadBack(context: ChangeContext) {
  const { pause, logger } = context;

  async function readBack({ id, order }: Change): Promise<Facts | undefined> {
    try {
      return (await planNow(context, order)).now;
    } catch (error) {
      logger.warn({ err: error, change: id }, 'a change is done, and was not read back');
      return undefined;
    }
  }

  /** As `readBack`; a list may lag behind the call, so a difference is read again for some seconds. */
  async function readUntilAsRequested(change: Change): Promise<Facts | undefined> {
    for (let tries = 1; ; tries += 1) {
      const now = await readBack(change);
      const isSettled = now === undefined || isAsRequested(change, now);
      if (isSettled || tries > READS_AGAIN || pause === undefined) return now;
      await pause(READ_AGAIN_MS);
    }
  }

  /** The platform's answer may lack the id of the new token; if it is the only new one, the list has it. */
  async function named(change: Change, secret: SentSecret): Promise<SentSecret> {
    if (secret.what !== 'token') return secret;
    const [tokenId] = await tokensOf(context, change, secret.tokenId).catch(() => []);
    return { ...secret, tokenId };
  }

  return { readBack, readUntilAsRequested, named };
}

/** @param read the current facts; undefined: unreadable. `at` in ms since the epoch */
function successOf(
  change: Change,
  { note, facts = [], ended }: Sent,
  { at, read }: { at: number; read: Facts | undefined },
): Omit<Succeed, 'secret'> {
  const now = read || facts.length > 0 ? merged(read ?? [], facts) : undefined;
  const seen = seenBy(change, read);
  // That it was there already, or was done in part, is refuted by a list without it.
  const isGone = ended === 'partly' && read?.length === 0;
  const isRefuted = seen === 'otherwise' && (ended === 'nothing' || isGone);
  const sentence = [SENTENCES[seen], isRefuted ? [] : (note ?? [])].flat().join(' ');
  const end = { code: isRefuted ? seen : (ended ?? seen), sentence };
  return { kind: 'succeed', at, end, now };
}

const SENTENCES = {
  done: [],
  unread: 'What is there now could not be read.',
  otherwise: 'The platform took it, but something else is there now.',
};

function seenBy(
  change: Change,
  now: Facts | undefined,
): Extract<EndCode, 'done' | 'unread' | 'otherwise'> {
  if (now === undefined) return 'unread';
  return isAsRequested(change, now) ? 'done' : 'otherwise';
}

function isAsRequested({ order, plan: { after } }: Change, now: Facts): boolean {
  // The platform decides later, and the decision is visible only then.
  if (isDecidedLater(order)) return true;
  const isThere = (after.length === 0) === (now.length === 0);
  return isThere && after.every((fact) => !isDenied(fact, now));
}

/** Facts that are not shown, such as an invitee, prove nothing. */
function isDenied({ name, text }: Facts[number], now: Facts): boolean {
  const current = textIn(now, name) ?? NOT_SAID;
  return current !== NOT_SAID && current.toLowerCase() !== text.toLowerCase();
}

function merged(read: Facts, facts: Facts): Facts {
  const names = new Set(read.map(({ name }) => name));
  return [...read, ...facts.filter(({ name }) => !names.has(name))];
}
