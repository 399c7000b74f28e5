import type { ViewOutput } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { Refusal } from '../../lib/errors.ts';
import type { Scrub } from '../../lib/secret.ts';
import { context } from '../kit/blocks.ts';
import { mrkdwn } from '../kit/text.ts';
import { type Answers, PROGRESS } from '../replies/answers.ts';
import {
  actionPattern,
  errorBoundary,
  type ErrorHandling,
  modalBlocks,
  warningAnswer,
} from '../replies/reply.ts';
import type { Kept } from '../replies/shelf.ts';
import type { Home } from './home.ts';
import type { Listeners } from './listeners.ts';
import {
  attemptOf,
  type Click,
  createUpdateQueue,
  type ModalFrame,
  type Modals,
  noted,
  onClick,
  type OpenView,
  recipientOf,
  type ShowModal,
  type ShowUpdate,
  withoutNote,
} from './modals.ts';
import type { Audiences } from '../audience.ts';
import type { Answer, Attempt, ModalRoute, Person, RevealRoute, Revelation } from './routes.ts';

export interface RoutingServices extends ErrorHandling {
  app: Listeners;
  answers: Answers;
  modals: Modals;
  kept: Kept;
  /** Absent: no home tab. */
  home?: Home;
  scrub: Scrub;
  authorize: (person: Person) => Promise<void>;
  /** Whether a person has a right that an answer needs; undefined needs none. @throws Refusal */
  requireRight: (person: Person, needs: string | undefined) => Promise<void>;
  audience: Audiences;
}

/** Connects a button with the modal that it opens, and the buttons in the modal with the content that they load. */
export function routeModal(services: RoutingServices, modal: ModalRoute): void {
  const inOrder = createUpdateQueue();
  onClick(services, actionPattern(modal.actionId), (click, { view }) => {
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
export async function renew(
  services: RoutingServices,
  click: Click,
  { view, show, attempt, unseen }: Renewal,
  load: () => Promise<ModalFrame | undefined>,
): Promise<void> {
  // Slack sends the blocks of a view in the form in which it accepts them.
  const blocks = view.blocks as KnownBlock[];
  const unnoted = withoutNote(blocks);
  let isNoted = unnoted.length < blocks.length;
  const change = (frame: ModalFrame): Promise<void> =>
    show(() => services.modals.change({ id: view.id }, frame));
  const note = (answer: Answer): Promise<boolean> => {
    isNoted = true;
    return isShown(services, () => change(unchanged(view, noted(answer, blocks))));
  };
  const timer = setTimeout(() => void note(PROGRESSING), PROGRESS_MS);
  const { answer: no } = await errorBoundary(services, attempt, async () => {
    await services.authorize(click.context.person);
    const frame = await load();
    // Before it is shown: the last update stays.
    clearTimeout(timer);
    if (frame !== undefined || isNoted) await change(frame ?? unchanged(view, unnoted));
    return undefined;
  }).finally(() => clearTimeout(timer));
  if (no !== undefined && !(await note(no))) await replyBeside(services, click, unseen);
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
  fill: (show: ShowModal, view: Promise<OpenView | undefined>) => Promise<void>,
): Promise<void> {
  const { view, show } = services.modals.open(click, title);
  let latest: ModalFrame = { title, blocks: [] };
  let isTaken = true;
  const { answer: no } = await errorBoundary(services, attemptOf(click), async () => {
    await services.authorize(click.context.person);
    await fill(async (frame) => {
      isTaken = false;
      await show(frame);
      isTaken = true;
      latest = frame;
    }, view);
    return undefined;
  });
  if ((await view) === undefined) {
    const again = `please ${againBy(click)} again.`;
    const answer = warningAnswer(`Slack did not open the window in time: ${again}`);
    return replyBeside(services, click, answer);
  }
  if (no === undefined) return;
  const kept = no.buttons === undefined ? undefined : await metadata?.();
  const refused = { metadata: kept, ...latest, blocks: noted(no, latest.blocks) };
  if (await isShown(services, () => show(refused))) return;
  await replyBeside(services, click, isTaken ? no : notTaken(click));
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

/** Answers privately, beside the clicked message or the command, else as a direct message. */
function replyBeside(
  { answers }: Pick<RoutingServices, 'answers'>,
  { origin, context }: Click,
  answer: Answer,
): Promise<void> {
  return answers.reply(recipientOf(context.person, origin, false), () =>
    Promise.resolve({ answer, refused: true }),
  );
}

function notTaken(click: Click): Answer {
  return warningAnswer(
    `Slack did not fill the window: please close it and ${againBy(click)} again.`,
  );
}

function againBy({ origin }: Click): string {
  return origin.clicked === undefined ? 'run the command' : 'click';
}

/** Connects a button with the secret that it shows: the secret is read only when the modal is open. */
export function routeReveal(services: RoutingServices, reveal: RevealRoute): void {
  const running = new Set<string>();
  onClick(services, actionPattern(reveal.actionId), async (click) => {
    const { person, value } = click.context;
    const secret = JSON.stringify([person.userId, value]);
    // A second modal would replace the first, whose secret could not be seen again.
    if (running.has(secret)) return replyBeside(services, click, RUNNING);
    running.add(secret);
    try {
      await openFor(services, click, reveal, async (_, view) => {
        const open = await view;
        if (open !== undefined) await showSecret(services, open, await reveal.take(click.context));
      });
    } finally {
      running.delete(secret);
    }
  });
}

/** @throws Refusal when Slack did not confirm it: in the window it replaces a secret that is there all the same */
async function showSecret(
  { modals, logger }: RoutingServices,
  view: OpenView,
  taken: Revelation,
): Promise<void> {
  const { title, blocks } = taken;
  const isSeen = await modals.showSecret(view, { title, blocks });
  try {
    await (isSeen ? taken.shown() : taken.lost());
  } catch (error) {
    // The check of secrets in transit finds it later.
    logger.error({ err: error }, 'What became of a secret was not written down');
  }
  if (!isSeen) throw new Refusal(NOT_CONFIRMED);
}

const NOT_CONFIRMED =
  'Slack did not confirm that this was shown, so it counts as lost: see your messages from Purser for what to do.';

const RUNNING = warningAnswer('This is being shown already: see the open window.');
