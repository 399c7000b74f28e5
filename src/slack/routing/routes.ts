import type { ActionsBlockElement, Button, KnownBlock } from '@slack/types';
import type { Refusal } from '../../lib/errors.ts';
import type { Word } from '../../lib/words.ts';
import type { MenuItem } from '../kit/blocks.ts';

/** A person by Slack's ids; names identify no one. */
export interface Person {
  userId: string;
  teamId: string;
}

/** The question of an answer: kept for a day, so that its controls and pages mean something. */
export interface Asked {
  readonly route: string;
  readonly question: unknown;
  /** From 1 on. */
  readonly page: number;
}

/** Its top-level text is made from its blocks (`messageText`). Below it is one row of at most five controls. */
export interface Answer {
  blocks: KnownBlock[];
  asked?: Asked | undefined;
  /** Of the question; more than one: buttons turn them. */
  pages?: number | undefined;
  /** Selects and buttons that need `asked`: absent when it could not be kept. Not shared, as all controls. */
  controls?: readonly ActionsBlockElement[];
  /** Buttons that stand for themselves. */
  buttons?: readonly Button[];
  /** In a ⋯ menu at the end of the row, with `controls`. */
  menu?: readonly MenuItem[];
  /**
   * Explanations of figures, as mrkdwn of the kit, a line each. One is shown below the blocks; several are one line
   * with a button that opens them.
   */
  notes?: readonly string[];
  /** Longer content: a button, such as "All 34 workloads", opens it in a window. Not shared. */
  rest?: Rest;
  /** Adds a button that posts it to the channel; a question of at most 300 characters is asked first. */
  shareable?: boolean | { question: string };
  /**
   * The right that is needed to see this answer, as a word of the app; it is checked again before the answer is shared.
   * An answer with a question and without a right is never shared.
   */
  needs?: string;
}

/** A window has a title of at most 24 characters, and at most 100 blocks. */
export interface Rest {
  button: string;
  title: string;
  blocks: KnownBlock[];
}

export interface CommandHelp {
  /** With its slash. */
  command: string;
  /** One sentence. */
  summary: string;
  /** Slack shows it while the command is typed: the `usage_hint` of the manifest. */
  hint?: string;
  usages: readonly {
    text: string;
    does: string;
    /** Everyday words of people who want this: help finds it by them. */
    wish?: string;
    /** Of the commands that it stands for, the one to show. */
    example?: string;
  }[];
  /** Remarks on its words or on the whole answer: a sentence each, without its end. */
  notes?: readonly string[];
  /** Whole commands, ready to be typed. */
  examples: readonly string[];
}

export interface CommandContext {
  person: Person;
  channelId: string;
}

export interface Opening {
  form: FormRoute;
  value: string;
}

export type Parsed<Command> = Opening | { readonly command: Command };

export interface CommandRoute<Command = unknown> {
  help: CommandHelp;
  /** Of the command that knows all others: its answer to `help`, with the words after it. */
  helpOn?: (words: readonly Word[], context: CommandContext) => Promise<Answer>;
  /**
   * Parses without calls to other services: a form has to open within three seconds of the command.
   * @throws UsageError
   */
  parse(words: readonly Word[]): Parsed<Command>;
  /**
   * Checks the rights for the command; that the person may use the bot was checked before.
   * @throws Refusal or UsageError as the answer to the person
   */
  run(command: Command, context: CommandContext): Promise<Answer>;
}

export function commandRoute<Command>(route: CommandRoute<Command>): CommandRoute {
  return route;
}

export interface ActionContext {
  person: Person;
  channelId: string | undefined;
  /** Of the answer that was clicked: what it answers is kept under it. */
  answerId?: string | undefined;
  /** Of a button, or of the chosen option of a select: an opaque id of the interaction store. */
  value: string | undefined;
}

/** The content of a modal without fields. The title has at most 24 characters. */
export interface ModalContent {
  title: string;
  blocks: KnownBlock[];
  /** The last row. With the action of the modal's route a button loads the modal again, by its value. */
  buttons?: Button[];
}

/**
 * A button that opens a modal at once, which is filled in when `load` has its content. The same action in the modal
 * loads it again, for example another page.
 */
export interface ModalRoute {
  actionId: string;
  title: string;
  /** @throws Refusal, which the modal then shows */
  load(context: ActionContext): Promise<ModalContent>;
}

/** Asks a kept question again, for another of its pages. */
export interface QuestionRoute<Question = unknown> {
  /** Unique: "billing.list". */
  readonly name: string;
  /** The right is checked again. @throws Refusal, also for a question of another version */
  ask(context: ActionContext, question: Question, page: number): Promise<Answer>;
}

/** A button or a select with a private answer. */
export interface ActionRoute {
  actionId: string;
  /** The answer takes the place of the clicked message; else it is a message of its own. */
  inPlace?: true;
  run(context: ActionContext): Promise<Answer | undefined>;
}

/** A modal with fields. The title and the submit label have at most 24 characters. */
export interface FormContent {
  title: string;
  /** Absent: read-only, with Close alone. */
  submit?: string;
  blocks: KnownBlock[];
  /** The form's subject: an id of the store or a few words, at most 2,000 characters; no secret. */
  state: string;
}

/** The submission, by block id: text, an option's value, the values of several, or nothing. */
export type FormValues = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface FormSubmission {
  person: Person;
  values: FormValues;
  state: string;
}

/** A choice in a field of an open form that other fields depend on. */
export interface FormChange extends FormSubmission {
  fieldId: string;
}

/**
 * Errors by block id keep the form open; otherwise it closes, and the result of `answer` is shown. `refusal`: the error
 * is a refusal because of the person.
 */
export type FormVerdict =
  | { errors: Record<string, string>; refusal?: Refusal }
  | { answer: () => Promise<Answer | undefined> };

export interface FormRoute {
  actionId: string;
  callbackId: string;
  title: string;
  /** The answer takes the place of the message whose button opened the form. */
  inPlace?: true;
  /** Sending it also closes the form below it, whose button opened it. */
  clears?: true;
  /**
   * Shows the form, at once from memory and again as more is read; fields that keep their block and action ids keep
   * their values.
   * @throws Refusal, which the modal then shows
   */
  fill(context: ActionContext, show: (form: FormContent) => Promise<void>): Promise<void>;
  /** Checks the submission; quick, because Slack waits for it. Anything slow belongs into `answer`. */
  submit(submission: FormSubmission): FormVerdict | Promise<FormVerdict>;
  /** Ids of fields that others depend on, unique among all forms; the fields have `refills: true`. */
  fields?: readonly string[];
  /** The form after such a change; undefined: unchanged. A field with the same id keeps its value. */
  refill?(change: FormChange): Promise<FormContent | undefined>;
}

/** A secret that is shown once, to one person; its blocks are the only ones that are not scrubbed. */
export interface Revelation {
  title: string;
  blocks: KnownBlock[];
  shown(): Promise<void>;
  /** Called when Slack has not shown it, or this is unknown. */
  lost(): Promise<void>;
}

export interface RevealRoute {
  actionId: string;
  title: string;
  /** Called once the modal is open. @throws Refusal, which the modal then shows */
  take(context: ActionContext): Promise<Revelation>;
}

/** A part of the home tab. `Who` is the app's type of a person's rights. */
export interface HomePart<Who = unknown> {
  /** Its heading, at most 150 characters. */
  title: string;
  rank: number;
  /**
   * The blocks below the heading, at most 15; checks the person's rights itself. No blocks: the part is left out.
   * @throws Refusal, which is then shown there
   * @param who the person's current rights, read once for all parts; rejects when they cannot be read
   */
  fill(person: Person, who: () => Promise<Who>): Promise<KnownBlock[]>;
  /** Why a person may not see the part, as a sentence; for parts that are filled in before `who` is known. */
  refusal?(who: Who): string | undefined;
  /** A person without the right sees nothing in its place; else the sentence. */
  hidden?: true;
  /** Changes when the part may look different to a person; cheap, from the store alone. */
  fingerprint?: () => Promise<string>;
}

export interface Attempt {
  userId: string;
  /** The command, or the id of the button, the menu or the form. */
  what: string;
  value?: string | undefined;
}

export interface WhyContext extends CommandContext {
  /** The first message of the thread that it was asked in. */
  readonly threadTs: string | undefined;
}

export interface Joined {
  readonly userId: string;
  readonly channelId: string;
  /** The same in each retry of the event. */
  readonly eventTs: string;
}

/** A feature's routes in Slack. `Who` is the app's type of a person's rights. */
export interface SlackRoutes<Who = unknown> {
  commands?: readonly CommandRoute[];
  actions?: readonly ActionRoute[];
  questions?: readonly QuestionRoute[];
  modals?: readonly ModalRoute[];
  forms?: readonly FormRoute[];
  reveals?: readonly RevealRoute[];
  home?: readonly HomePart<Who>[];
  /** A person has opened the home tab, which is drawn. */
  opened?: ((person: Person) => Promise<void>) | undefined;
  /** The answer to "why" after a mention; undefined where it is about nothing that the feature knows. */
  why?: ((context: WhyContext) => Promise<Answer | undefined>) | undefined;
  /** Someone, perhaps the bot itself, joined a channel that the bot is in. */
  joined?: ((event: Joined) => Promise<void>) | undefined;
  /** Called for every refusal because of the person, in whatever feature. */
  refused?: (attempt: Attempt, why: string) => Promise<void>;
  /** The answers to refusals that offer a next step, by their `why`; undefined: the sentence alone. */
  refusals?: Readonly<Record<string, (refusal: Refusal) => Answer | undefined>>;
}
