import type { ViewOutput } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import type { Logger } from '../../lib/logger.ts';
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
  type OpenView,
  readClick,
  recipientOf,
  type ShowModal,
  type ShowUpdate,
} from './modals.ts';
import type { Audiences } from '../audience.ts';
import type { Answer, ModalRoute, Person, RevealRoute, Revelation } from './routes.ts';

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
  const load = async ({ context }: Click): Promise<ModalFrame> => {
    const content = await modal.load(context);
    return { title: content.title, blocks: modalBlocks(content) };
  };
  services.app.action(actionPattern(modal.actionId), async ({ ack, body }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const click = readClick(body);
    const { view } = body;
    if (view?.type === 'modal') {
      await inOrder(view.id, (show) => reload(services, click, view, { show, load }));
      return;
    }
    await openFor(services, click, modal, async (show) => {
      await show(await load(click));
    });
  });
}

/** After this time a person sees a progress message. Milliseconds. */
const PROGRESS_MS = 1_500;
const PROGRESSING: Answer = { blocks: [context(mrkdwn`${PROGRESS}`)] };

/** Shows the content that a button in a modal loads; after an error the former content, with the sentence. */
async function reload(
  services: RoutingServices,
  click: Click,
  view: ViewOutput,
  { show, load }: { show: ShowUpdate; load: (click: Click) => Promise<ModalFrame> },
): Promise<void> {
  const unchanged = (note: Answer): ModalFrame => ({
    title: view.title.text,
    // Slack sends the blocks of a view in the form in which it accepts them.
    blocks: noted(note, view.blocks as KnownBlock[]),
  });
  const change = (frame: ModalFrame): Promise<void> =>
    show(() => services.modals.change({ id: view.id }, frame));
  const timer = setTimeout(
    () => void isShown(services, () => change(unchanged(PROGRESSING))),
    PROGRESS_MS,
  );
  const { answer: no } = await errorBoundary(services, attemptOf(click), async () => {
    await services.authorize(click.context.person);
    const frame = await load(click);
    // Before it is shown: the last update stays.
    clearTimeout(timer);
    await change(frame);
    return undefined;
  }).finally(() => clearTimeout(timer));
  if (no === undefined || (await isShown(services, () => change(unchanged(no))))) return;
  await replyBeside(services, click, notTaken(click));
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
  fill: (show: ShowModal) => Promise<void>,
): Promise<void> {
  let unseen: Answer | undefined;
  const opened = await services.modals.open(click, title, async (show) => {
    let latest: ModalFrame = { title, blocks: [] };
    let isStuck = false;
    const { answer: no } = await errorBoundary(services, attemptOf(click), async () => {
      await services.authorize(click.context.person);
      await fill(async (frame) => {
        isStuck = true;
        await show(frame);
        isStuck = false;
        latest = frame;
      });
      return undefined;
    });
    if (no === undefined) return;
    const kept = no.buttons === undefined ? undefined : await metadata?.();
    const refused = {
      ...(kept !== undefined && { metadata: kept }),
      ...latest,
      blocks: noted(no, latest.blocks),
    };
    if (!(await isShown(services, () => show(refused)))) unseen = isStuck ? notTaken(click) : no;
  });
  if (!opened) return replyNotOpened(services, click);
  if (unseen !== undefined) await replyBeside(services, click, unseen);
}

/** False when Slack did not take it, which is logged. */
export async function isShown(
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

function replyNotOpened(services: Pick<RoutingServices, 'answers'>, click: Click): Promise<void> {
  const again = againBy(click);
  const answer = warningAnswer(`Slack did not open the window in time: please ${again} again.`);
  return replyBeside(services, click, answer);
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
  services.app.action(actionPattern(reveal.actionId), async ({ ack, body }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const click = readClick(body);
    const { person, value } = click.context;
    const secret = JSON.stringify([person.userId, value]);
    // A second modal would replace the first, whose secret could not be seen again.
    if (running.has(secret)) return replyBeside(services, click, RUNNING);
    running.add(secret);
    try {
      await revealSecret(services, reveal, click);
    } finally {
      running.delete(secret);
    }
  });
}

async function revealSecret(
  services: RoutingServices,
  reveal: RevealRoute,
  click: Click,
): Promise<void> {
  const view = await services.modals.begin(click, reveal.title);
  if (view === undefined) return replyNotOpened(services, click);
  let taken: Revelation | undefined;
  const { answer: no } = await errorBoundary(services, attemptOf(click), async () => {
    await services.authorize(click.context.person);
    taken = await reveal.take(click.context);
    return undefined;
  });
  if (taken !== undefined) return showSecret(services, taken, view, click);
  if (no !== undefined) await showOrReply(services, view, reveal.title, no, click);
}

/** Shows an answer in the window; when Slack does not take it, it is a private answer. */
async function showOrReply(
  services: RoutingServices,
  view: OpenView,
  title: string,
  answer: Answer,
  click: Click,
): Promise<void> {
  const { blocks } = answer;
  if (await isShown(services, () => services.modals.change(view, { title, blocks }))) return;
  await replyBeside(services, click, answer);
}

async function showSecret(
  services: RoutingServices,
  taken: Revelation,
  view: OpenView,
  click: Click,
): Promise<void> {
  const { title, blocks } = taken;
  if (await services.modals.showSecret(view, { title, blocks })) {
    return record(() => taken.shown(), services.logger);
  }
  await record(() => taken.lost(), services.logger);
  // Without the hash: it replaces any content of the window.
  await showOrReply(services, { id: view.id }, title, NOT_CONFIRMED, click);
}

/** A result that is not recorded here is found later by the check of secrets in transit. */
async function record(write: () => Promise<void>, logger: Logger): Promise<void> {
  try {
    await write();
  } catch (error) {
    logger.error({ err: error }, 'What became of a secret was not written down');
  }
}

const NOT_CONFIRMED = warningAnswer(
  'Slack did not confirm that this was shown, so it counts as lost: see your messages from Purser for what to do.',
);

const RUNNING = warningAnswer('This is being shown already: see the open window.');
