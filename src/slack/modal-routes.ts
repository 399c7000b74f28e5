import type { App } from '@slack/bolt';
import type { Answers } from './answers.ts';
import { askerOf, readClick } from './click.ts';
import type { Click } from './click.ts';
import { guarded, sentence } from './guard.ts';
import type { GuardDeps } from './guard.ts';
import { actionPattern } from './layout.ts';
import type { Modals, ShowModal } from './modals.ts';
import type { ModalContent, ModalRoute, Person } from './routes.ts';

export interface ModalDeps extends GuardDeps {
  app: App;
  answers: Answers;
  modals: Modals;
  /** Who may use the bot at all. @throws Refusal */
  admit: (person: Person) => Promise<void>;
}

/** Connects a button with the modal that it opens. */
export function routeModal(deps: ModalDeps, modal: ModalRoute): void {
  deps.app.action(actionPattern(modal.actionId), async ({ ack, body }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const click = readClick(body);
    await openFor(deps, click, modal.title, async (show) => {
      let content: ModalContent | undefined;
      const { answer: no } = await guarded(deps, undefined, async () => {
        await deps.admit(click.context.person);
        content = await modal.load(click.context);
        return undefined;
      });
      await show(content ?? { title: modal.title, blocks: no?.blocks ?? [] });
    });
  });
}

/** Opens a modal for a click, or for a command, and says so when Slack did not. */
export async function openFor(
  deps: ModalDeps,
  click: Click,
  title: string,
  fill: (show: ShowModal) => Promise<void>,
): Promise<void> {
  if (!(await deps.modals.open(click.triggerId, title, fill))) await sayNotOpened(deps, click);
}

export function sayNotOpened(
  { answers }: Pick<ModalDeps, 'answers'>,
  { origin, context }: Click,
): Promise<void> {
  const again = origin.clicked === undefined ? 'run the command' : 'click';
  const answer = sentence(`Slack did not open the window in time: please ${again} again.`);
  return answers.reply(askerOf(context.person, origin, false), () =>
    Promise.resolve({ answer, refused: true }),
  );
}
