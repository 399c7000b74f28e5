import type { App, ViewOutput } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { PROGRESS } from './answers.ts';
import type { Answers } from './answers.ts';
import { askedBy, askerOf, readClick } from './click.ts';
import type { Click } from './click.ts';
import { noted } from './form-frame.ts';
import { guarded, sentence } from './guard.ts';
import type { GuardDeps } from './guard.ts';
import { context, mrkdwn } from './kit/index.ts';
import { actionPattern, modalBlocks } from './layout.ts';
import type { ModalFrame, Modals, ShowModal } from './modals.ts';
import type { Answer, ModalRoute, Person } from './routes.ts';
import { createTurns } from './turns.ts';
import type { ShowTurn } from './turns.ts';

export interface ModalDeps extends GuardDeps {
  app: App;
  answers: Answers;
  modals: Modals;
  /** Who may use the bot at all. @throws Refusal */
  admit: (person: Person) => Promise<void>;
}

/** Connects a button with the modal that it opens, and the buttons in the modal with what they load there. */
export function routeModal(deps: ModalDeps, modal: ModalRoute): void {
  const turnOf = createTurns();
  const load = async ({ context }: Click): Promise<ModalFrame> => {
    const content = await modal.load(context);
    return { title: content.title, blocks: modalBlocks(content) };
  };
  deps.app.action(actionPattern(modal.actionId), async ({ ack, body }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const click = readClick(body);
    const { view } = body;
    if (view?.type === 'modal') {
      await turnOf(view.id, (show) => loadAnew(deps, click, view, { show, load }));
      return;
    }
    await openFor(deps, click, modal.title, async (show) => {
      await show(await load(click));
    });
  });
}

/** Somebody who waits sees that something happens after this time, in milliseconds. */
const PROGRESS_MS = 1_500;
const PROGRESSING: Answer = { text: PROGRESS, blocks: [context(mrkdwn`${PROGRESS}`)] };

/** Shows what a button in a modal stands for in its place; or what was there, with the sentence why not. */
async function loadAnew(
  deps: ModalDeps,
  click: Click,
  view: ViewOutput,
  { show, load }: { show: ShowTurn; load: (click: Click) => Promise<ModalFrame> },
): Promise<void> {
  const asItWas = (said: Answer): ModalFrame => ({
    title: view.title.text,
    // Slack says what a view holds in the words that it takes.
    blocks: noted(said, view.blocks as KnownBlock[]),
  });
  const change = (frame: ModalFrame): Promise<void> =>
    show(() => deps.modals.change({ id: view.id }, frame));
  const timer = setTimeout(
    () => void isShown(deps, () => change(asItWas(PROGRESSING))),
    PROGRESS_MS,
  );
  const { answer: no } = await guarded(deps, askedBy(click), async () => {
    await deps.admit(click.context.person);
    const frame = await load(click);
    // Before it is shown: what is shown last stays.
    clearTimeout(timer);
    await change(frame);
    return undefined;
  }).finally(() => clearTimeout(timer));
  if (no === undefined || (await isShown(deps, () => change(asItWas(no))))) return;
  await sayBeside(deps, click, notTaken(click));
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
    const { answer: no } = await guarded(deps, askedBy(click), async () => {
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
