import type { BlockAction, ViewOutput } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { personOf } from './click.ts';
import { frameOf, noted, readMetadata, withoutNote } from './form-frame.ts';
import { guarded, sentence } from './guard.ts';
import { actionPattern } from './layout.ts';
import { isShown } from './modal-routes.ts';
import type { ModalDeps } from './modal-routes.ts';
import type { ModalFrame } from './modals.ts';
import type { Answer, FormChange, FormRoute, Person } from './routes.ts';
import { createTurns } from './turns.ts';
import type { ShowTurn } from './turns.ts';
import { formValues } from './values.ts';

/** Connects the fields of a form that others depend on. */
export function routeFormChanges(deps: ModalDeps, form: FormRoute): void {
  const turnOf = createTurns();
  for (const fieldId of form.fields ?? []) {
    const place = { action_id: actionPattern(fieldId), callback_id: form.callbackId };
    deps.app.action(place, async ({ ack, body }) => {
      await ack();
      if (body.type !== 'block_actions' || body.view === undefined) return;
      const { view } = body;
      await turnOf(view.id, (show) =>
        refill(deps, form, changeOf(body, view, fieldId), view, show),
      );
    });
  }
}

function changeOf(body: BlockAction, view: ViewOutput, fieldId: string): FormChange {
  const { state } = readMetadata(view.private_metadata);
  return { person: personOf(body), fieldId, values: formValues(view.state.values), state };
}

/** Shows the form after a change, or as it was with the sentence why not. */
async function refill(
  deps: ModalDeps,
  form: FormRoute,
  change: FormChange,
  view: ViewOutput,
  show: ShowTurn,
): Promise<void> {
  // Slack says what a view holds in the words that it takes.
  const blocks = view.blocks as KnownBlock[];
  const asked = { userId: change.person.userId, what: form.callbackId, value: change.state };
  const { answer: no } = await guarded(deps, asked, async () => {
    await deps.admit(change.person);
    const content = await form.refill?.(change);
    const rest = withoutNote(blocks);
    if (content !== undefined) {
      const { reply } = readMetadata(view.private_metadata);
      await show(() => deps.modals.change(view, frameOf(form, content, reply)));
    } else if (rest.length < blocks.length) {
      await show(() => deps.modals.change(view, asItWas(view, rest)));
    }
    return undefined;
  });
  if (no === undefined) return;
  const said = asItWas(view, noted(no, blocks));
  const told = await isShown(deps, () => show(() => deps.modals.change(view, said)));
  // A choice that its form does not follow has to be known, or something else is asked for.
  if (!told) await tellDirectly(deps, change.person, NOT_FOLLOWED);
}

const NOT_FOLLOWED = sentence(
  'Slack did not take what follows from your choice, so the window still shows what was there before: please close it and start again.',
);

function tellDirectly({ answers }: ModalDeps, person: Person, answer: Answer): Promise<void> {
  return answers.reply({ userId: person.userId, responseUrl: undefined }, () =>
    Promise.resolve({ answer, refused: true }),
  );
}

function asItWas(view: ViewOutput, blocks: KnownBlock[]): ModalFrame {
  return {
    title: view.title.text,
    blocks,
    callbackId: view.callback_id,
    metadata: view.private_metadata,
    ...(view.submit === null ? {} : { submit: view.submit.text }),
  };
}
