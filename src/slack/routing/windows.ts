import type { ViewOutput } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { Refusal } from '../../lib/errors.ts';
import { scrubStrings } from '../../lib/secret.ts';
import { truncate } from '../../lib/text.ts';
import { settledWithin } from '../../lib/time.ts';
import type { Audiences } from '../audience.ts';
import { context } from '../kit/blocks.ts';
import { focused } from '../kit/inputs.ts';
import { LIMITS, mrkdwn, tidy } from '../kit/text.ts';
import { type Answers, PROGRESS, type Recipient } from '../replies/answers.ts';
import {
  errorBoundary,
  type ErrorHandling,
  forAdmitted,
  modalBlocks,
  noteRefusal,
  sentenceFor,
  warningAnswer,
} from '../replies/reply.ts';
import type { Kept } from '../replies/shelf.ts';
import { attemptOf, type Click, formValues, type Listeners, personOf } from './clicks.ts';
import type { Home } from './home.ts';
import {
  changeModal,
  createUpdateQueue,
  type ModalFrame,
  type ModalServices,
  noted,
  openModal,
  type OpenView,
  showSecret,
  type ShowUpdate,
  withoutNote,
} from './modals.ts';
import type {
  Answer,
  Attempt,
  FormContent,
  FormRoute,
  FormSubmission,
  FormVerdict,
  ModalRoute,
  Person,
  RevealRoute,
} from './routes.ts';

export interface RoutingServices extends ErrorHandling, ModalServices {
  app: Listeners;
  answers: Answers;
  kept: Kept;
  /** Absent: no home tab. */
  home?: Home;
  authorize: (person: Person) => Promise<void>;
  /** Whether a person has a right that an answer needs; undefined needs none. @throws Refusal */
  requireRight: (person: Person, needs: string | undefined) => Promise<void>;
  audience: Audiences;
  /** Answers a person who is over the limit of commands and clicks; true: they may go on. */
  mayGoOn: (recipient: Recipient) => Promise<boolean>;
}

/** Connects a button with the modal that it opens, and the buttons in the modal with the content that they load. */
export function routeModal(services: RoutingServices, modal: ModalRoute): void {
  const inOrder = createUpdateQueue();
  services.app.click(modal.actionId, (click, view) => {
    const load = async (): Promise<ModalFrame> => {
      const content = await modal.load(click.context);
      return { title: content.title, blocks: modalBlocks(content) };
    };
    if (view?.type !== 'modal') {
      return openFor(services, click, modal, async (show) => show(await load()));
    }
    const options = { attempt: attemptOf(click), unseen: notTaken(click) };
    return inOrder(view.id, (show) => renew(services, click, { ...options, view, show }, load));
  });
}

/** After this time a person sees a progress message. Milliseconds. */
const PROGRESS_MS = 1_500;
const PROGRESSING: Answer = { blocks: [context(mrkdwn`${PROGRESS}`)] };

interface Renewal {
  readonly view: ViewOutput;
  readonly show: ShowUpdate;
  readonly attempt: Attempt;
  /** When Slack does not show the result: without a message the person would take the window as it is. */
  readonly unseen: Answer;
}

/**
 * Shows the content that a click in a modal leads to; undefined: the former one. After an error the former content,
 * with the sentence.
 */
async function renew(
  services: RoutingServices,
  { context: { person }, recipient }: Click,
  { view, show, attempt, unseen }: Renewal,
  load: () => Promise<ModalFrame | undefined>,
): Promise<void> {
  // Slack sends the blocks of a view in the form in which it accepts them.
  const blocks = view.blocks as KnownBlock[];
  const unnoted = withoutNote(blocks);
  let isNoted = unnoted.length < blocks.length;
  const change = (frame: ModalFrame): Promise<void> =>
    show(async () => void (await changeModal(services, { id: view.id }, frame)));
  const note = (answer: Answer): Promise<boolean> => {
    isNoted = true;
    return isShown(services, () => change(unchanged(view, noted(answer, blocks))));
  };
  const timer = setTimeout(() => void note(PROGRESSING), PROGRESS_MS);
  const { answer: no } = await forAdmitted(services, person, attempt, async () => {
    const frame = await load();
    // Before it is shown: the last update stays.
    clearTimeout(timer);
    if (frame !== undefined || isNoted) await change(frame ?? unchanged(view, unnoted));
    return undefined;
  }).finally(() => clearTimeout(timer));
  if (no !== undefined && !(await note(no))) await services.answers.say(recipient, unseen);
}

function unchanged(view: ViewOutput, blocks: KnownBlock[]): ModalFrame {
  return {
    title: view.title.text,
    blocks,
    callbackId: view.callback_id || undefined,
    metadata: view.private_metadata || undefined,
    submit: view.submit?.text,
  };
}

/**
 * Opens a modal for a click, or for a command, and lets `fill` fill it in. An error is shown in it, above the content
 * so far. When Slack does not show that, or did not open the modal, the person gets a private answer: a window must not
 * stay at "Reading …".
 * @param metadata for the window of a refusal, whose button opens a form on top: where that one answers
 */
export async function openFor(
  services: RoutingServices,
  click: Click,
  { title, metadata }: { readonly title: string; readonly metadata?: () => Promise<string> },
  fill: (
    show: (frame: ModalFrame) => Promise<void>,
    view: Promise<OpenView | undefined>,
  ) => Promise<void>,
): Promise<void> {
  const { view, show } = openModal(services, click, title);
  let latest: ModalFrame = { title, blocks: [] };
  let isTaken = true;
  const { person } = click.context;
  const { answer: no } = await forAdmitted(services, person, attemptOf(click), async () => {
    await fill(async (frame) => {
      isTaken = false;
      await show(frame);
      isTaken = true;
      latest = frame;
    }, view);
    return undefined;
  });
  const beside = (answer: Answer) => services.answers.say(click.recipient, answer);
  if ((await view) === undefined) {
    const again = `please ${againBy(click)} again.`;
    return beside(warningAnswer(`Slack did not open the window in time: ${again}`));
  }
  if (no === undefined) return;
  const kept = no.buttons === undefined ? undefined : await metadata?.();
  const refused = { metadata: kept, ...latest, blocks: noted(no, latest.blocks) };
  if (await isShown(services, () => show(refused))) return;
  await beside(isTaken ? no : notTaken(click));
}

/** False when Slack did not take it, which is logged. */
async function isShown(
  { logger }: Pick<RoutingServices, 'logger'>,
  show: () => Promise<void>,
): Promise<boolean> {
  try {
    await show();
    return true;
  } catch (error) {
    logger.error({ err: error }, 'Slack did not take the content of a window');
    return false;
  }
}

function notTaken(click: Click): Answer {
  return warningAnswer(
    `Slack did not fill the window: please close it and ${againBy(click)} again.`,
  );
}

function againBy({ recipient }: Click): string {
  return recipient.clicked === undefined ? 'run the command' : 'click';
}

/** Connects a button with the secret that it shows: the secret is read only when the modal is open. */
export function routeReveal(services: RoutingServices, reveal: RevealRoute): void {
  const running = new Set<string>();
  services.app.click(reveal.actionId, async (click) => {
    const { person, value } = click.context;
    const secret = JSON.stringify([person.userId, value]);
    // A second modal would replace the first, whose secret could not be seen again.
    if (running.has(secret)) return services.answers.say(click.recipient, RUNNING);
    running.add(secret);
    try {
      await openFor(services, click, reveal, async (_, view) => {
        const open = await view;
        if (open !== undefined) await revealIn(services, open, click, reveal);
      });
    } finally {
      running.delete(secret);
    }
  });
}

/** @throws Refusal when Slack did not confirm it: in the window it replaces a secret that is there all the same */
async function revealIn(
  services: RoutingServices,
  view: OpenView,
  { context: asked }: Click,
  reveal: RevealRoute,
): Promise<void> {
  const taken = await reveal.take(asked);
  const { title, blocks } = taken;
  const isSeen = await showSecret(services, view, { title, blocks });
  try {
    await (isSeen ? taken.shown() : taken.lost());
  } catch (error) {
    // The check of secrets in transit finds it later.
    services.logger.error({ err: error }, 'What became of a secret was not written down');
  }
  if (!isSeen) throw new Refusal(NOT_CONFIRMED);
}

const NOT_CONFIRMED =
  'Slack did not confirm that this was shown, so it counts as lost: see your messages from Purser for what to do.';

const RUNNING = warningAnswer('This is being shown already: see the open window.');

/** Slack waits three seconds for the answer to a form, less the time to receive and read it. Milliseconds. */
const SUBMIT_MS = 1_700;
/** A response_url is valid for as long, and not kept for longer. Milliseconds. */
const RESPONSE_URL_MS = 30 * 60_000;
const TOO_SLOW = 'This took too long, so nothing was done: please submit again.';
const UNCLEAR = 'This cannot be submitted as it is: please check it.';
const MAX_ERROR = 500;

/** Connects a form: the button that opens it, the fields that change it, and its submission. */
export function routeForm(services: RoutingServices, form: FormRoute): void {
  services.app.click(form.actionId, (click) => openForm(services, form, click));
  routeFormChanges(services, form);
  services.app.form(form.callbackId, async ({ ack, body, view }) => {
    const person = personOf(body);
    const { state, reply } = readMetadata(view.private_metadata);
    const submission = { person, values: formValues(view.state.values), state };
    const verdict = await submit(services, form, submission);
    const errors = 'errors' in verdict ? errorsByField(verdict.errors, view) : undefined;
    if (errors !== undefined) {
      const { scrub } = services;
      return ack({
        response_action: 'errors',
        errors: scrubStrings(errors, scrub.bare ?? scrub),
      });
    }
    await (form.clears === true ? ack({ response_action: 'clear' }) : ack());
    const recipient = await openedFrom(services, person, reply);
    if ('answer' in verdict) {
      const run = () => errorBoundary(services, attemptIn(form, submission), verdict.answer);
      await services.answers.reply(recipient, run, form.inPlace);
    } else {
      // A form without a field has no place for an error.
      const said = Object.values(verdict.errors).join(' ');
      await services.answers.say(recipient, warningAnswer(said || UNCLEAR));
    }
    if (recipient.home === true) await services.home?.refresh(person);
  });
}

export async function openForm(
  services: RoutingServices,
  form: FormRoute,
  click: Click,
): Promise<void> {
  const { context: asked, recipient, within } = click;
  // The response_url is a credential for the message: it stays in the store. A form on another one answers at the
  // place where the lower one was opened.
  const keeping =
    within === undefined
      ? services.kept.forms.put(recipient.userId, recipient, { forMs: RESPONSE_URL_MS })
      : Promise.resolve(readMetadata(within).reply);
  const metadata = async () => metadataOf('', await keeping);
  await openFor(services, click, { title: form.title, metadata }, (show) =>
    form.fill(asked, async (content) =>
      show(frameOf(form, { ...content, blocks: focused(content.blocks) }, await keeping)),
    ),
  );
}

/**
 * The feature's verdict on a submission, within `SUBMIT_MS`; never rejects. A later verdict is dropped with its
 * `answer`: the person has already been shown that nothing was done.
 */
async function submit(
  services: RoutingServices,
  form: FormRoute,
  submission: FormSubmission,
): Promise<FormVerdict> {
  let late = false;
  const run = async (): Promise<FormVerdict> => {
    try {
      await services.authorize(submission.person);
      if (late) return { errors: {} };
      const verdict = await form.submit(submission);
      if ('errors' in verdict) noteRefusal(services, attemptIn(form, submission), verdict.refusal);
      return verdict;
    } catch (error) {
      noteRefusal(services, attemptIn(form, submission), error);
      return { errors: { '': sentenceFor(services, error) } };
    }
  };
  const verdict = run();
  if (await settledWithin(verdict, SUBMIT_MS)) return verdict;
  late = true;
  services.logger.warn({ form: form.callbackId }, 'A form was not judged in time');
  return { errors: { '': TOO_SLOW } };
}

function attemptIn(
  { callbackId }: FormRoute,
  { person, state }: Pick<FormSubmission, 'person' | 'state'>,
): Attempt {
  return { userId: person.userId, what: callbackId, value: state };
}

/**
 * Errors under the fields that the view has: Slack shows none of them if one belongs to no field, so that one goes to
 * the first. Undefined without any field.
 */
function errorsByField(
  errors: Readonly<Record<string, string>>,
  view: ViewOutput,
): Record<string, string> | undefined {
  const fields = view.blocks.filter(({ type }) => type === 'input').map((block) => block.block_id);
  const [first] = fields;
  if (first === undefined) return undefined;
  const found = new Map<string, string>();
  for (const [id, text] of Object.entries(errors)) {
    const field = fields.includes(id) ? id : first;
    found.set(field, [found.get(field), tidy(text)].filter(Boolean).join(' '));
  }
  if (found.size === 0) found.set(first, UNCLEAR);
  return Object.fromEntries(
    [...found].map(([id, text]) => [id, truncate(text || UNCLEAR, MAX_ERROR)]),
  );
}

/** Where the form was opened, if still known: the answer goes there. */
async function openedFrom(
  { kept, logger }: RoutingServices,
  { userId }: Person,
  reply: string | undefined,
): Promise<Recipient> {
  try {
    const known = reply === undefined ? undefined : await kept.forms.get(userId, reply);
    if (known !== undefined) return known as Recipient;
  } catch (error) {
    logger.warn({ err: error }, 'The place of an answer cannot be read');
  }
  return { userId };
}

/** A form's private metadata: its state, and the id of the place of its answer in the store. */
const Metadata = z.object({
  state: z.string().catch(''),
  reply: z.string().optional().catch(undefined),
});

/** @throws when its state is too long */
function frameOf(
  form: FormRoute,
  { state, ...content }: FormContent,
  reply: string | undefined,
): ModalFrame {
  const metadata = metadataOf(state, reply);
  if (metadata.length > LIMITS.privateMetadata) throw new Error('The state of a form is too long');
  return { ...content, callbackId: form.callbackId, metadata };
}

function metadataOf(state: string, reply: string | undefined): string {
  return JSON.stringify({ state, reply });
}

/** Never throws: unreadable metadata is empty. */
function readMetadata(text: string): z.infer<typeof Metadata> {
  try {
    return Metadata.parse(JSON.parse(text));
  } catch {
    return { state: '' };
  }
}

/** Shows the form after a choice in a field that others depend on, or unchanged with the refusal. */
function routeFormChanges(services: RoutingServices, form: FormRoute): void {
  const inOrder = createUpdateQueue();
  for (const fieldId of form.fields ?? []) {
    services.app.field(fieldId, form.callbackId, async (click, view) => {
      if (view === undefined) return;
      const { person } = click.context;
      const { state, reply } = readMetadata(view.private_metadata);
      const attempt = attemptIn(form, { person, state });
      const change = { person, fieldId, values: formValues(view.state.values), state };
      await inOrder(view.id, (show) =>
        renew(services, click, { view, show, attempt, unseen: NOT_FOLLOWED }, async () => {
          const content = await form.refill?.(change);
          return content && frameOf(form, content, reply);
        }),
      );
    });
  }
}

const NOT_FOLLOWED = warningAnswer(
  'Slack did not show what follows from your choice: please close the window and start again.',
);
