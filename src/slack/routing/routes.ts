import type { ActionsBlockElement, Button, KnownBlock } from '@slack/types';
import type { Refusal } from '../../lib/errors.ts';
import type { Word } from '../../lib/text.ts';

/** A person by Slack's ids; names do not identify anybody. */
export interface Person {
  userId: string;
  teamId: string;
}

/** An answer to one person. */
export interface Answer {
  text: string;
  blocks: KnownBlock[];
  /**
   * Rows of selects and buttons below a private answer; they are not shared with it. A row may have
   * the same action several times, with different values.
   */
  controls?: ActionsBlockElement[][];
  /** The last row below a private answer; not shared with it. */
  buttons?: Button[];
  /**
   * What explains figures that are right, as mrkdwn of the kit, a line each. One is shown below the
   * blocks; several are one line with a button that opens them.
   */
  notes?: readonly string[];
  /** What has no room in a short answer: a button opens it in a window. Not shared. */
  rest?: Rest;
  /** Adds a button that posts it to the channel; a question is asked first. */
  shareable?: boolean | ShareQuestion;
  /**
   * The right that is needed to see this answer, as a word of the app; it is checked again before the
   * answer is shared. An answer with a question and without a right is never shared.
   */
  needs?: string;
}

/** The rest of an answer, behind a button. */
export interface Rest {
  /** The label of the button, such as "All 34 workloads". */
  button: string;
  /** Of the window, at most 24 characters. */
  title: string;
  /** At most 100. */
  blocks: KnownBlock[];
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
  /** Remarks on its words or on all of it: a sentence each, without its end. */
  notes?: readonly string[];
  /** Whole commands, ready to be typed. */
  examples: readonly string[];
}

export interface CommandContext {
  person: Person;
  channelId: string;
}

/** A form that a command opens. */
export interface Opening {
  form: FormRoute;
  /** As the value of a button that opens it. */
  value: string;
}

/** A parsed command: a form that opens at once, or a command to run. */
export type Parsed<Command> = Opening | { readonly command: Command };

export interface CommandRoute<Command = unknown> {
  help: CommandHelp;
  /** Of the command that knows all others: what it answers to `help`, with the words after it. */
  helpOn?: (words: readonly Word[]) => Answer;
  /**
   * Reads the words and nothing else: a form has to open within three seconds of the command.
   * @throws UsageError
   */
  parse(words: readonly Word[]): Parsed<Command>;
  /** Answers; checks what rights the command takes. The person may use the bot: that was checked before. @throws Refusal or UsageError for a no to the person */
  run(command: Command, context: CommandContext): Promise<Answer>;
}

/** A route whose command has the type that its `parse` gives. */
export function commandRoute<Command>(route: CommandRoute<Command>): CommandRoute {
  return route;
}

export interface ActionContext {
  person: Person;
  channelId: string | undefined;
  /** Of a button, or of the chosen option of a select: an opaque id of the interaction store. */
  value: string | undefined;
}

/** The content of a modal without fields. The title has at most 24 characters. */
export interface ModalContent {
  title: string;
  blocks: KnownBlock[];
  /** The last row. With the action of the modal's route a button loads the modal anew, by its value. */
  buttons?: Button[];
}

/**
 * A button that opens a modal at once, which is filled in when `load` has its content. The same action
 * in the modal loads it anew, for example another page.
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
  /** Absent: there is nothing to send, and the window has Close alone. */
  submit?: string;
  blocks: KnownBlock[];
  /** What the form is about: an id of the store or a few words, at most 2,000 characters; no secret. */
  state: string;
}

/** What was filled in, by block id: text, an option's value, the values of several, or nothing. */
export type FormValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A choice in a field of an open form that other fields depend on. */
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
 * Errors by block id keep the form open; otherwise it closes, and the result of `answer` is shown.
 * `refusal`: set when an error refuses the person for who they are.
 */
export type FormVerdict =
  | { errors: Record<string, string>; refusal?: Refusal }
  | { answer: () => Promise<Answer | undefined> };

/** A button that opens a form, and what happens with the form. */
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
  /** Reads what was filled in; quick, because Slack waits for it. Anything slow belongs into `answer`. */
  submit(submission: FormSubmission): FormVerdict | Promise<FormVerdict>;
  /** Ids of fields that others depend on, unique among all forms; the fields have `tells: true`. */
  fields?: readonly string[];
  /** The form after such a change; undefined: unchanged. A field with the same id keeps what was filled in. */
  refill?(change: FormChange): Promise<FormContent | undefined>;
}

/** A secret that is shown once, to one person; its blocks are the only ones that are not scrubbed. */
export interface Revelation {
  title: string;
  blocks: KnownBlock[];
  /** Called when Slack has shown it. */
  shown(): Promise<void>;
  /** Called when Slack has not shown it, or it is not known. */
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
  /** Parts are shown in the order of their ranks. */
  rank: number;
  /**
   * The blocks below the heading, at most 15; checks the person's rights itself. No blocks: the part is
   * left out. @throws Refusal for a no to the person, which is then shown there
   * @param who what is known of the person now, read once for all parts; rejects when it cannot be read
   */
  fill(person: Person, who: () => Promise<Who>): Promise<KnownBlock[]>;
  /** Why a person may not see the part, as a sentence; for parts that are filled in before `who` is known. */
  refusal?(who: Who): string | undefined;
  /** Whoever may not see it is shown nothing in its place; else the sentence why. */
  hidden?: true;
}

/** What a person tried to do. */
export interface Attempt {
  userId: string;
  /** The command, or the id of the button, the menu or the form. */
  what: string;
  /** What the button or the form stands for. */
  value?: string | undefined;
}

/** What a feature adds to Slack. `Who` is what the app knows of a person. */
export interface SlackRoutes<Who = unknown> {
  commands?: readonly CommandRoute[];
  actions?: readonly ActionRoute[];
  modals?: readonly ModalRoute[];
  forms?: readonly FormRoute[];
  reveals?: readonly RevealRoute[];
  home?: readonly HomePart<Who>[];
  /** Called for every person who is refused for who they are, whatever feature they used. */
  refused?: (attempt: Attempt, why: string) => Promise<void>;
}
