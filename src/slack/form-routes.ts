import type { ViewOutput } from '@slack/bolt';
import { settledWithin } from '../lib/patience.ts';
import { scrubStrings } from '../lib/scrub.ts';
import type { Scrub } from '../lib/scrub.ts';
import { truncate } from '../lib/text.ts';
import { askerOf, personOf, readClick } from './click.ts';
import type { Click, Origin } from './click.ts';
import { routeFormChanges } from './form-changes.ts';
import { frameOf, readMetadata } from './form-frame.ts';
import { guarded, noteRefusal, sentence, sentenceFor } from './guard.ts';
import type { Asked } from './guard.ts';
import type { Home } from './home.ts';
import type { Keep } from './keep.ts';
import { tidy } from './kit/index.ts';
import { actionPattern } from './layout.ts';
import { openFor } from './modal-routes.ts';
import type { ModalDeps } from './modal-routes.ts';
import type { FormRoute, FormSubmission, FormVerdict, Person } from './routes.ts';
import { formValues } from './values.ts';

export interface FormDeps extends ModalDeps {
  keep: Keep;
  /** What leaves the process has no secret in it. */
  scrub: Scrub;
  /** Absent: there is no home tab. */
  home?: Pick<Home, 'refresh'>;
}

/** Slack waits three seconds for the answer to a form; a part of them is gone before it is read. Milliseconds. */
const SUBMIT_MS = 1_700;
/** An address that Slack handed out lives as long, and is not kept for longer. Milliseconds. */
const RESPONSE_URL_MS = 30 * 60_000;
const TOO_SLOW = 'Purser was not quick enough for Slack, so nothing was done: please submit again.';
const UNCLEAR = 'This cannot be submitted as it is: please check it.';
const MAX_ERROR = 500;

/** Connects a form: the button that opens it, the fields that change it, and what was filled in. */
export function routeForm(deps: FormDeps, form: FormRoute): void {
  deps.app.action(actionPattern(form.actionId), async ({ ack, body }) => {
    await ack();
    if (body.type === 'block_actions') await openForm(deps, form, readClick(body));
  });
  routeFormChanges(deps, form);
  deps.app.view(form.callbackId, async ({ ack, body, view }) => {
    if (body.type !== 'view_submission') return ack();
    const person = personOf(body);
    const { state, reply } = readMetadata(view.private_metadata);
    const values = formValues(view.state.values);
    const verdict = await judged(deps, form, { person, values, state });
    const errors = 'errors' in verdict ? placed(verdict.errors, view) : undefined;
    if (errors !== undefined) {
      return ack({ response_action: 'errors', errors: scrubStrings(errors, deps.scrub) });
    }
    await ack();
    const answer = 'answer' in verdict ? verdict.answer : undefined;
    // A form without a field has no place for an error.
    const said = 'errors' in verdict ? Object.values(verdict.errors).join(' ') : '';
    const origin = await originBehind(deps, person, reply);
    await deps.answers.reply(askerOf(person, origin, form.inPlace === true), () =>
      answer === undefined
        ? Promise.resolve({ answer: sentence(said || UNCLEAR), refused: true })
        : guarded(deps, askedIn(form, { person, values, state }), answer),
    );
    if (origin.home === true) await deps.home?.refresh(person);
  });
}

/** Opens a form for a click, or for a command as if it were one. */
export async function openForm(deps: FormDeps, form: FormRoute, click: Click): Promise<void> {
  const { context, origin } = click;
  // The address that the answer goes to is as good as a key to the message: it stays in the store.
  const keeping = deps.keep.put(context.person.userId, origin, RESPONSE_URL_MS);
  await openFor(deps, click, form.title, (show) =>
    form.fill(context, async (content) => show(frameOf(form, content, await keeping))),
  );
}

/**
 * What the feature says about what was filled in; never late and never thrown. A verdict that comes
 * later is dropped with its `answer`, so nothing is done that the person was told is not.
 */
async function judged(
  deps: FormDeps,
  form: FormRoute,
  submission: FormSubmission,
): Promise<FormVerdict> {
  let late = false;
  const judge = async (): Promise<FormVerdict> => {
    try {
      await deps.admit(submission.person);
      if (late) return { errors: {} };
      const verdict = await form.submit(submission);
      if ('errors' in verdict) noteRefusal(deps, askedIn(form, submission), verdict.refusal);
      return verdict;
    } catch (error) {
      noteRefusal(deps, askedIn(form, submission), error);
      return { errors: { '': sentenceFor(deps, error) } };
    }
  };
  const verdict = judge();
  if (await settledWithin(verdict, SUBMIT_MS)) return verdict;
  late = true;
  deps.logger.warn({ form: form.callbackId }, 'A form was not judged in time');
  return { errors: { '': TOO_SLOW } };
}

/** What somebody wants by filling in a form. */
function askedIn({ callbackId }: FormRoute, { person, state }: FormSubmission): Asked {
  return { userId: person.userId, what: callbackId, value: state };
}

/**
 * Errors under the fields that the view has: Slack shows none of them if one belongs to no field, so
 * that one goes to the first. Undefined when there is no field at all.
 */
function placed(
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

/** Where the form was opened, as long as it is known: its answer goes there. */
async function originBehind(
  deps: FormDeps,
  person: Person,
  reply: string | undefined,
): Promise<Origin> {
  try {
    const kept = reply === undefined ? undefined : await deps.keep.get(person.userId, reply);
    if (kept !== undefined) return kept as Origin;
  } catch (error) {
    deps.logger.warn({ err: error }, 'The place of an answer cannot be read');
  }
  return { replaceable: false };
}
