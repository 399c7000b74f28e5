import type { App } from '@slack/bolt';
import type { Answers } from './answers.ts';
import { askerOf, readClick } from './click.ts';
import type { Click } from './click.ts';
import { noted } from './form-frame.ts';
import { guarded, sentence } from './guard.ts';
import type { GuardDeps } from './guard.ts';
import { actionPattern } from './layout.ts';
import type { ModalFrame, Modals, ShowModal } from './modals.ts';
import type { Answer, ModalRoute, Person } from './routes.ts';

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
      await show(await modal.load(click.context));
    });
  });
}

/**
 * Opens a modal for a click, or for a command, and lets `fill` fill it in. Why it is not filled in
 * stands in it, above what was filled in already; where Slack takes that there no more, or did not open
 * it, the person is told beside it: nobody is left before a window that is still reading.
 */
export async function openFor(
  deps: ModalDeps,
  click: Click,
  title: string,
  fill: (show: ShowModal) => Promise<void>,
): Promise<void> {
  let unseen: Answer | undefined;
  const opened = await deps.modals.open(click.triggerId, title, async (show) => {
    let latest: ModalFrame = { title, blocks: [] };
    let isStuck = false;
    const { answer: no } = await guarded(deps, undefined, async () => {
      await deps.admit(click.context.person);
      await fill(async (frame) => {
        isStuck = true;
        await show(frame);
        isStuck = false;
        latest = frame;
      });
      return undefined;
    });
    if (no === undefined) return;
    const said = { ...latest, blocks: noted(no, latest.blocks) };
    if (!(await isShown(deps, () => show(said)))) unseen = isStuck ? notTaken(click) : no;
  });
  if (!opened) return sayNotOpened(deps, click);
  if (unseen !== undefined) await sayBeside(deps, click, unseen);
}

/** Shows something in a window that is open; false when Slack did not take it, which is logged. */
export async function isShown(
  { logger }: Pick<ModalDeps, 'logger'>,
  show: () => Promise<void>,
): Promise<boolean> {
  try {
    await show();
    return true;
  } catch (error) {
    logger.error({ err: error }, 'Slack did not take what belongs into a window');
    return false;
  }
}

export function sayNotOpened(deps: Pick<ModalDeps, 'answers'>, click: Click): Promise<void> {
  const again = againBy(click);
  const answer = sentence(`Slack did not open the window in time: please ${again} again.`);
  return sayBeside(deps, click, answer);
}

/** Tells a person privately, beside what they clicked on or typed, else as a direct message. */
export function sayBeside(
  { answers }: Pick<ModalDeps, 'answers'>,
  { origin, context }: Click,
  answer: Answer,
): Promise<void> {
  return answers.reply(askerOf(context.person, origin, false), () =>
    Promise.resolve({ answer, refused: true }),
  );
}

function notTaken(click: Click): Answer {
  return sentence(
    `Slack did not take what belongs into the window: please close it and ${againBy(click)} again.`,
  );
}

function againBy({ origin }: Click): string {
  return origin.clicked === undefined ? 'run the command' : 'click';
}
