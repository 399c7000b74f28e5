import type { HomeView, KnownBlock } from '@slack/types';
import { explainPlatformError } from '../../src/platform/errors.ts';
import type { Logger } from '../../src/lib/logger.ts';
import { Refusal } from '../../src/lib/errors.ts';
import {
  answerBlocks,
  errorBoundary,
  notesWindow,
  restWindow,
} from '../../src/slack/replies/reply.ts';
import { answerText, messageText } from '../../src/slack/kit/message-text.ts';
import { viewOf, type ModalFrame } from '../../src/slack/routing/modals.ts';
import type { Answer, CommandHelp, ModalContent } from '../../src/slack/routing/routes.ts';

/** The moment at which everything in the catalogue is seen: milliseconds since the epoch. */
export const NOW = Date.parse('2026-11-22T10:00:00Z');
const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Where a person meets something that Purser says. */
export type Kind = 'post' | 'reply' | 'broadcast' | 'direct' | 'answer' | 'modal' | 'home';

/** The payload for Slack. A modal and a home tab have no top-level text, all others have. */
export interface Sent {
  readonly title?: string;
  readonly submit?: string;
  readonly close?: string;
  readonly text?: string;
  readonly blocks: readonly KnownBlock[];
  /** Errors below the fields of a refused form, by block id. */
  readonly errors?: Readonly<Record<string, string>>;
  /** The windows that its own buttons open: notes, and the rest of an answer. */
  readonly opens?: readonly Pick<ModalContent, 'title' | 'blocks'>[];
}

/** One thing that Purser says, in one of its states. */
export interface Entry {
  /** Its name, and its anchor on the page: kebab-case, unique in the catalogue. */
  readonly id: string;
  readonly kind: Kind;
  /** The occasion, as a short sentence for a person who has never seen the code. */
  readonly when: string;
  readonly send: () => Sent | Promise<Sent>;
}

/** Entries under one heading of the page. */
export interface Area {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Without a text it is made from the blocks, as that of an answer is. */
type Content = Pick<Answer, 'blocks'> & { readonly text?: string };
type Make<T> = () => T | Promise<T>;

/** A message in a channel. */
export function post(id: string, when: string, make: Make<Content>): Entry {
  return message('post', id, when, make);
}

/** A reply in the thread of a message. */
export function reply(id: string, when: string, make: Make<Content>): Entry {
  return message('reply', id, when, make);
}

/** A reply in a thread that is shown in the channel, too. */
export function broadcast(id: string, when: string, make: Make<Content>): Entry {
  return message('broadcast', id, when, make);
}

/** A direct message. */
export function direct(id: string, when: string, make: Make<Content>): Entry {
  return message('direct', id, when, make);
}

function message(kind: Kind, id: string, when: string, make: Make<Content>): Entry {
  return {
    id,
    kind,
    when,
    send: async () => {
      const { blocks, text = messageText(blocks) } = await make();
      return { text, blocks };
    },
  };
}

/** A private answer with its controls and buttons, as `slack/answers` sends it. */
export function answer(id: string, when: string, make: Make<Answer>): Entry {
  return { id, kind: 'answer', when, send: async () => asSent(await make()) };
}

/**
 * The private answer to a refusal: the error passes through the same error boundary as in the bot.
 * `help`: of the command that was typed; absent for clicks.
 * @param attempt has to throw, or to give the sentence of the refusal
 */
export function refusal(
  id: string,
  when: string,
  attempt: () => unknown,
  help?: CommandHelp,
): Entry {
  return {
    id,
    kind: 'answer',
    when,
    send: async () => {
      const wanted = async (): Promise<undefined> => {
        const said = await attempt();
        if (typeof said === 'string') throw new Refusal(said);
        throw said instanceof Error ? said : new NotRefused(`${id} was not refused`);
      };
      const refused = await errorBoundary(BOUNDARY, { userId: 'U0ADA', what: id }, wanted, help);
      if (refused.answer === undefined) throw new NotRefused(`${id} was not refused`);
      return asSent(refused.answer);
    },
  };
}

type Form = Pick<ModalFrame, 'title' | 'blocks' | 'submit'> & Pick<Sent, 'errors'>;

/** A modal: a form when it has a submit label, with the errors of a submission below its fields. */
export function modal(id: string, when: string, make: Make<Form>): Entry {
  return {
    id,
    kind: 'modal',
    when,
    send: async () => {
      const { title, blocks, submit, errors } = await make();
      const view = viewOf({ title, blocks, ...(submit === undefined ? {} : { submit }) });
      return {
        title: view.title.text,
        ...(view.submit === undefined ? {} : { submit: view.submit.text }),
        ...(view.close === undefined ? {} : { close: view.close.text }),
        blocks: view.blocks as KnownBlock[],
        ...(errors === undefined ? {} : { errors }),
      };
    },
  };
}

/** The home tab. */
export function home(id: string, when: string, make: Make<HomeView>): Entry {
  return {
    id,
    kind: 'home',
    when,
    send: async () => ({ blocks: (await make()).blocks as KnownBlock[] }),
  };
}

function asSent(made: Answer): Sent {
  const { notes = [] } = made;
  const opens = [
    ...(notes.length > 1 ? [notesWindow(made)] : []),
    ...(made.rest === undefined ? [] : [restWindow(made)]),
  ];
  const blocks = answerBlocks(made, 'm', { kept: true });
  const text = answerText(blocks);
  return { text, blocks, ...(opens.length === 0 ? {} : { opens }) };
}

class NotRefused extends Error {}

/** The error boundary around every handler of the bot; the log is discarded. */
const BOUNDARY = {
  explain: explainPlatformError,
  stopping: new AbortController().signal,
  logger: { info: () => undefined, warn: () => undefined, error: fail } as unknown as Logger,
};

/** A defect is no refusal: it stops the catalogue. */
function fail({ err }: { err: unknown }): never {
  throw err;
}
