import type { Button, KnownBlock } from '@slack/types';
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
  /** Buttons below a private answer; they are not shared with it. */
  buttons?: Button[];
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
  /** It is registered, and its feature comes later. */
  later?: true;
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

/** What a modal shows that is only read. The title has at most 24 characters. */
export interface ModalContent {
  title: string;
  blocks: KnownBlock[];
}

/** A button that opens a modal: at once, with what is known, and filled in when the rest has come. */
export interface ModalRoute {
  actionId: string;
  title: string;
  /** @throws Refusal for a no to the person, which the modal then shows */
  load(context: ActionContext): Promise<ModalContent>;
}

/** A button: what it answers is shown privately. */
export interface ActionRoute {
  actionId: string;
  run(context: ActionContext): Promise<Answer | undefined>;
}
