import type { ActionsBlockElement, Button, KnownBlock } from '@slack/types';
import type { Refusal } from '../lib/refusal.ts';
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
  /**
   * Rows of selects and buttons below a private answer; they are not shared with it. One action may
   * stand in a row several times, with different values.
   */
  controls?: ActionsBlockElement[][];
  /** The last row below a private answer; not shared with it either. */
  buttons?: Button[];
  /** With a button that posts it to the channel; with a question, that is asked first. */
  shareable?: boolean | ShareQuestion;
  /**
   * The right that it takes to see this answer, as a word of the app; kept with it and asked for
   * again before it is shared. An answer with a question and without a right is never shared.
   */
  needs?: string;
}

/** What is asked before an answer is shown to a whole channel. At most 300 characters. */
export interface ShareQuestion {
  question: string;
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
  /** What its words stand for, or what holds for all of them: a sentence each, without its end. */
  notes?: readonly string[];
  /** Whole commands, ready to be typed. */
  examples: readonly string[];
}

export interface CommandContext {
  person: Person;
  channelId: string;
  words: readonly Word[];
}

/** A form that a command opens. */
export interface Opening {
  form: FormRoute;
  /** As the value of a button that opens it. */
  value: string;
}

export interface CommandRoute {
  help: CommandHelp;
  /**
   * The form that these words open, undefined when they open none: then `run` answers. Reads the words
   * and nothing else, because a form has to open within three seconds. @throws Unreadable
   */
  opens?(words: readonly Word[]): Opening | undefined;
  /** @throws Refusal or Unreadable for a no to the person */
  run(context: CommandContext): Promise<Answer>;
}

export interface ActionContext {
  person: Person;
  channelId: string | undefined;
  /** Of a button, or of the chosen option of a select: an opaque id; what it stands for is in the store. */
  value: string | undefined;
}

/** What a modal shows that is only read. The title has at most 24 characters. */
export interface ModalContent {
  title: string;
  blocks: KnownBlock[];
  /** The last row. With the action of the modal's route they load it anew, in its place, each by its value. */
  buttons?: Button[];
}

/**
 * A button that opens a modal: at once, with what is known, and filled in when the rest has come. The
 * same action in the modal loads it anew: so pages are turned.
 */
export interface ModalRoute {
  actionId: string;
  title: string;
  /** @throws Refusal for a no to the person, which the modal then shows */
  load(context: ActionContext): Promise<ModalContent>;
}

/** A button or a select: what it answers is shown privately. */
export interface ActionRoute {
  actionId: string;
  /** The answer takes the place of the message that was clicked on; else it is a message of its own. */
  inPlace?: true;
  run(context: ActionContext): Promise<Answer | undefined>;
}

/** A modal with fields. The title and the submit label have at most 24 characters. */
export interface FormContent {
  title: string;
  submit: string;
  blocks: KnownBlock[];
  /** What the form is about: an id of the store or a few words, at most 2,000 characters; no secret. */
  state: string;
}

/** What was filled in, by block id: text, an option's value, the values of several, or nothing. */
export type FormValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Somebody chose something in a field of an open form that other fields depend on. */
export interface FormChange {
  person: Person;
  /** The field. */
  fieldId: string;
  values: FormValues;
  state: string;
}

export interface FormSubmission {
  person: Person;
  values: FormValues;
  /** As the form had it. */
  state: string;
}

/**
 * Errors by block id keep the form open; else it closes, and what `answer` gives is shown. `refusal`:
 * what an error says to a person who is refused for who they are.
 */
export type FormVerdict =
  | { errors: Record<string, string>; refusal?: Refusal }
  | { answer: () => Promise<Answer | undefined> };

/** A button that opens a form, and what becomes of it. */
export interface FormRoute {
  /** Of the buttons that open it. */
  actionId: string;
  callbackId: string;
  title: string;
  /** The answer takes the place of the message whose button opened the form. */
  inPlace?: true;
  /**
   * Shows the form, at once with what is known and again when more is; fields that keep their block
   * and action ids keep what was filled in. @throws Refusal for a no to the person, which the modal shows
   */
  fill(context: ActionContext, show: (form: FormContent) => Promise<void>): Promise<void>;
  /** Reads what was filled in; quick, because Slack waits for it. What is slow belongs into `answer`. */
  submit(submission: FormSubmission): FormVerdict | Promise<FormVerdict>;
  /** Fields that others depend on, by their ids, which no other form has; they are made with `tells: true`. */
  fields?: readonly string[];
  /** Gives the form as it is after such a change; undefined: as it was. A field keeps what was filled in as long as it keeps its id. */
  refill?(change: FormChange): Promise<FormContent | undefined>;
}

/** What is shown once, to one person; its blocks are the only ones that no scrub goes over. */
export interface Revelation {
  title: string;
  blocks: KnownBlock[];
  /** Called when Slack took it. */
  shown(): Promise<void>;
  /** Called when it did not, or nobody knows. */
  lost(): Promise<void>;
}

/** A button that shows a secret in a modal. */
export interface RevealRoute {
  actionId: string;
  title: string;
  /** Called once the modal is open. @throws Refusal for a no to the person, which the modal shows */
  take(context: ActionContext): Promise<Revelation>;
}

/** A part of the home tab. `Who` is what the app knows of a person. */
export interface HomePart<Who = unknown> {
  /** Its heading, at most 150 characters. */
  title: string;
  /** Parts stand in the order of their ranks. */
  rank: number;
  /**
   * What stands below the heading, at most 15 blocks; asks for the person's rights itself. Nothing: the
   * part is left out. @throws Refusal for a no to the person, which then stands there
   * @param who what is known of the person now, read once for all parts of a drawing; rejects when nobody says
   */
  fill(person: Person, who: () => Promise<Who>): Promise<KnownBlock[]>;
  /** Why the part is not for somebody, as a sentence, where it is filled in before anybody says who they are. */
  refusal?(who: Who): string | undefined;
}
