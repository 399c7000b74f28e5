import type { KnownBlock } from '@slack/types';
import type { Word } from '../lib/words.ts';

/** Who did something, as Slack states it; names are never identity. */
export interface Person {
  userId: string;
  teamId: string;
}

/** An answer to one person. */
export interface Answer {
  text: string;
  blocks: KnownBlock[];
  /** With a button that posts it to the channel. */
  shareable?: boolean;
}

/** One way of writing a command, and what it does. */
interface Usage {
  text: string;
  does: string;
}

export interface CommandHelp {
  /** With its slash. */
  command: string;
  /** One sentence. */
  summary: string;
  usages: readonly Usage[];
  /** Whole commands, ready to be typed. */
  examples: readonly string[];
}

export interface CommandContext {
  person: Person;
  channelId: string;
  words: readonly Word[];
}

export interface CommandRoute {
  help: CommandHelp;
  /** @throws Refusal or Unreadable for a no to the person */
  run(context: CommandContext): Promise<Answer>;
}

interface ActionContext {
  person: Person;
  channelId: string | undefined;
  /** An opaque id; what it stands for is in the store. */
  value: string | undefined;
}

/** A button: what it answers is shown privately. */
export interface ActionRoute {
  actionId: string;
  run(context: ActionContext): Promise<Answer | undefined>;
}
