import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { settledWithin } from '../../lib/time.ts';
import { scrubStrings } from '../../lib/secret.ts';
import { truncate } from '../../lib/text.ts';
import { focused } from '../kit/inputs.ts';
import { LIMITS, tidy } from '../kit/text.ts';
import {
  actionPattern,
  errorBoundary,
  noteRefusal,
  sentenceFor,
  warningAnswer,
} from '../replies/reply.ts';
import type {
  Attempt,
  FormContent,
  FormRoute,
  FormSubmission,
  FormVerdict,
  Person,
} from './routes.ts';
import { openFor, renew, type RoutingServices } from './modal-routes.ts';
import {
  createUpdateQueue,
  formValues,
  onClick,
  personOf,
  recipientOf,
  type Click,
  type ModalFrame,
  type Origin,
} from './modals.ts';

/** Slack waits three seconds for the answer to a form, less the time to receive and read it. Milliseconds. */
const SUBMIT_MS = 1_700;
/** A response_url is valid for as long, and not kept for longer. Milliseconds. */
const RESPONSE_URL_MS = 30 * 60_000;
const TOO_SLOW = 'This took too long, so nothing was done: please submit again.';
const UNCLEAR = 'This cannot be submitted as it is: please check it.';
const MAX_ERROR = 500;

/** Connects a form: the button that opens it, the fields that change it, and its submission. */
export function routeForm(services: RoutingServices, form: FormRoute): void {
  onClick(services, actionPattern(form.actionId), (click) => openForm(services, form, click));
  routeFormChanges(services, form);
  services.app.view(form.callbackId, async ({ ack, body, view }) => {
    if (body.type !== 'view_submission') return ack();
    const person = personOf(body);
    const { state, reply } = readMetadata(view.private_metadata);
    const values = formValues(view.state.values);
    const verdict = await submit(services, form, { person, values, state });
    const errors = 'errors' in verdict ? errorsByField(verdict.errors, view) : undefined;
    if (errors !== undefined) {
      return ack({ response_action: 'errors', errors: scrubStrings(errors, services.scrub) });
    }
    await (form.clears === true ? ack({ response_action: 'clear' }) : ack());
    const answer = 'answer' in verdict ? verdict.answer : undefined;
    // A form without a field has no place for an error.
    const message = 'errors' in verdict ? Object.values(verdict.errors).join(' ') : '';
    const origin = await originOf(services, person, reply);
    await services.answers.reply(recipientOf(person, origin, form.inPlace === true), () =>
      answer === undefined
        ? Promise.resolve({ answer: warningAnswer(message || UNCLEAR), refused: true })
        : errorBoundary(services, attemptIn(form, { person, values, state }), answer),
    );
    if (origin.home === true) await services.home?.refresh(person);
  });
}

export async function openForm(
  services: RoutingServices,
  form: FormRoute,
  click: Click,
): Promise<void> {
  const { context, origin, within } = click;
  // The response_url is a credential for the message: it stays in the store. A form on another one answers at the
  // place where the lower one was opened.
  const keeping =
    within === undefined
      ? services.kept.forms.put(context.person.userId, origin, { forMs: RESPONSE_URL_MS })
      : Promise.resolve(readMetadata(within).reply);
  const metadata = async () => metadataOf('', await keeping);
  await openFor(services, click, { title: form.title, metadata }, (show) =>
    form.fill(context, async (content) =>
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

function attemptIn({ callbackId }: FormRoute, { person, state }: FormSubmission): Attempt {
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
async function originOf(
  services: RoutingServices,
  person: Person,
  reply: string | undefined,
): Promise<Origin> {
  try {
    const kept =
      reply === undefined ? undefined : await services.kept.forms.get(person.userId, reply);
    if (kept !== undefined) return kept as Origin;
  } catch (error) {
    services.logger.warn({ err: error }, 'The place of an answer cannot be read');
  }
  return { replaceable: false };
}

/** A form's private metadata: its state, and the id of its origin in the store. */
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
    const place = { action_id: actionPattern(fieldId), callback_id: form.callbackId };
    onClick(services, place, async (click, { view }) => {
      if (view === undefined) return;
      const { person } = click.context;
      const { state, reply } = readMetadata(view.private_metadata);
      const attempt = { userId: person.userId, what: form.callbackId, value: state };
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
