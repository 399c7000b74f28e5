import type { Logger } from '../lib/logger.ts';
import { askedBy, readClick } from './click.ts';
import type { Click } from './click.ts';
import { guarded, sentence } from './guard.ts';
import { actionPattern } from './layout.ts';
import { isShown, sayBeside, sayNotOpened } from './modal-routes.ts';
import type { ModalDeps } from './modal-routes.ts';
import type { OpenView } from './modals.ts';
import type { Answer, Revelation, RevealRoute } from './routes.ts';

/** Connects a button with the secret that it shows: once the modal is open, and never before. */
export function routeReveal(deps: ModalDeps, reveal: RevealRoute): void {
  const running = new Set<string>();
  deps.app.action(actionPattern(reveal.actionId), async ({ ack, body }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const click = readClick(body);
    const { person, value } = click.context;
    const secret = JSON.stringify([person.userId, value]);
    // A second modal would take the place of the first, and what it shows could not be seen again.
    if (running.has(secret)) return sayBeside(deps, click, RUNNING);
    running.add(secret);
    try {
      await revealIn(deps, reveal, click);
    } finally {
      running.delete(secret);
    }
  });
}

async function revealIn(deps: ModalDeps, reveal: RevealRoute, click: Click): Promise<void> {
  const view = await deps.modals.begin(click.triggerId, reveal.title);
  if (view === undefined) return sayNotOpened(deps, click);
  let taken: Revelation | undefined;
  const { answer: no } = await guarded(deps, askedBy(click), async () => {
    await deps.admit(click.context.person);
    taken = await reveal.take(click.context);
    return undefined;
  });
  if (taken !== undefined) return show(deps, taken, view, click);
  if (no !== undefined) await sayIn(deps, view, reveal.title, no, click);
}

/** Says something in the window; where Slack does not take it, beside what was clicked on. */
async function sayIn(
  deps: ModalDeps,
  view: OpenView,
  title: string,
  answer: Answer,
  click: Click,
): Promise<void> {
  const { blocks } = answer;
  if (await isShown(deps, () => deps.modals.change(view, { title, blocks }))) return;
  await sayBeside(deps, click, answer);
}

async function show(
  deps: ModalDeps,
  taken: Revelation,
  view: OpenView,
  click: Click,
): Promise<void> {
  const { title, blocks } = taken;
  if (await deps.modals.disclose(view, { title, blocks })) {
    return told(() => taken.shown(), deps.logger);
  }
  await told(() => taken.lost(), deps.logger);
  // By id alone: whatever it shows, this takes its place.
  await sayIn(deps, { id: view.id }, title, NOT_CONFIRMED, click);
}

/** What is not written down is found later by whoever looks after secrets on their way. */
async function told(tell: () => Promise<void>, logger: Logger): Promise<void> {
  try {
    await tell();
  } catch (error) {
    logger.error({ err: error }, 'What became of a secret was not written down');
  }
}

const NOT_CONFIRMED = sentence(
  'Slack did not confirm that this was shown, so it counts as lost: your messages with Purser say what to do next.',
);

const RUNNING = sentence('This is being shown already: look at the window that is open.');
