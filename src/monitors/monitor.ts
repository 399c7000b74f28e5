import type { z } from 'zod';
import type { Message } from '../notify/message.ts';
import { PlatformError } from '../platform/errors.ts';

/**
 * Watches one thing and says what has changed (ADR 28): it reads facts, compares them with its memory, and returns the
 * new memory and the messages. A fact that could not be read is itself a fact.
 */
export interface Monitor<Facts, Memory> {
  /** The shape of the stored memory. */
  readonly memory: z.ZodType<Memory>;
  /**
   * @param before the memory of the last run; undefined on the first run and if it cannot be read
   * @returns undefined: nothing is due
   * @throws PlatformError, CannotSee: nothing is posted or remembered, and the failure is counted
   */
  readonly read: (before: Memory | undefined) => Promise<Facts | undefined>;
  /** Pure. */
  readonly compare: (before: Memory | undefined, facts: Facts) => Found<Memory>;
}

/** The result of a run: the next one compares with `memory`. */
export interface Found<Memory> {
  readonly memory: Memory;
  readonly messages: readonly Message[];
  /** The monitored thing is gone: fields to delete together with the messages, the memory among them. */
  readonly remove?: readonly string[];
  /** A part could not be read; the rest is reported. Counts as a failure. */
  readonly unread?: Unread | undefined;
}

/** Why something could not be read. */
export type Unread = PlatformError | CannotSee;

/** The rights of a person, or the readers of a channel, cannot be read. The message is a sentence for the channel. */
export class CannotSee extends Error {
  override readonly name = 'CannotSee';
  readonly of: 'rights' | 'readers';

  constructor(sentence: string, of: CannotSee['of'] = 'rights') {
    super(sentence);
    this.of = of;
  }
}

/** A fact that was read, or why it could not be. */
export type Fact<T> = { readonly value: T } | { readonly unread: PlatformError };

/** @throws all that is no PlatformError */
export async function factOf<T>(reading: Promise<T>): Promise<Fact<T>> {
  try {
    return { value: await reading };
  } catch (error) {
    if (error instanceof PlatformError) return { unread: error };
    throw error;
  }
}

/** Undefined where it could not be read. */
export function known<T>(fact: Fact<T>): T | undefined {
  return 'value' in fact ? fact.value : undefined;
}
