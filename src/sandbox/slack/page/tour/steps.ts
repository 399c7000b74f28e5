import type { PageMessage, PageView, StateValues } from '../../page-protocol.ts';
import { type Field, fieldsOf, stateValues } from '../input-state.ts';
import { objectOf, objectsOf, stringOf } from '../json.ts';
import type { Model, Place } from '../model.ts';
import type { Control } from '../panel/control.ts';
import type { Workspace } from '../workspace.ts';

/** The tools of a step; acting as another person gives another workspace. */
export type Stage = {
  readonly workspace: () => Workspace;
  readonly control: Control;
  readonly actAs: (user: string) => Promise<void>;
};

export type Step = {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  /** The command to type. */
  readonly command: string;
  readonly place: Place;
  /** Points at the newest message like this; absent: at all of the place. */
  readonly looksAt?: RegExp;
  /** The message may have been there before. */
  readonly old?: boolean;
  readonly acts: readonly ((stage: Stage) => Promise<void>)[];
};

const ADA = 'U0ADA';
const BEN = 'U0BEN';
const PATIENCE_MS = 60_000;
/** Long enough to see a form before it is sent. */
const GLANCE_MS = 1_200;

const channel = (id: string): Place => ({ type: 'channel', id });

export const STEPS: readonly Step[] = [
  {
    id: 'rollout',
    title: 'Break a rollout',
    says: 'A new version of shop/payments runs out of memory in one location. Watch its card: how bad it is, why, and what to do.',
    command: '/deployments shop/payments',
    place: channel('C0DEPLOYS'),
    looksAt: /shop\/payments/,
    acts: [
      async ({ control }) => {
        const place = { org: 'acme', gvc: 'shop', workload: 'payments' };
        await control.send('story', { ...place, name: 'oom', location: 'aws-us-west-2' });
      },
    ],
  },
  {
    id: 'charges',
    title: 'See what it costs',
    says: 'The answer is private until you share it. Look at the total, what changed, and the share of each org.',
    command: '/charges last 14 days step day',
    place: channel('C0BILLING'),
    looksAt: /^Charges by/,
    acts: [
      async (stage) => {
        await asAdmin(stage);
        await stage.workspace().send('C0BILLING', '/charges last 14 days step day');
      },
    ],
  },
  {
    id: 'approval',
    title: 'Ask for a change, approve it as Ben',
    says: 'Ada asks for a spend alert. You then act as Ben, who sees the change and its consequences, and approves. Your own request is for others to approve.',
    command: '/alert set 9000',
    place: channel('C0APPROVE'),
    looksAt: /spend alert/i,
    old: true,
    acts: [askForAlert, approve],
  },
  {
    id: 'digest',
    title: 'Read this morning’s digest',
    says: 'It comes every morning, unasked. Look at yesterday, the month so far and the projection.',
    command: '/charges yesterday',
    place: channel('C0BILLING'),
    looksAt: /^(?:\S+ )?Spend yesterday/,
    old: true,
    acts: [asAdmin],
  },
  {
    id: 'home',
    title: 'Open your Home',
    says: 'What needs attention, what waits for you, this month’s spend and what is watched, in one place.',
    command: '/purser help',
    place: { type: 'app', tab: 'home' },
    acts: [
      async (stage) => {
        await asAdmin(stage);
        stage.workspace().go({ type: 'app', tab: 'home' });
        await until(stage, ({ home }) => home ?? undefined);
      },
    ],
  },
];

/** Waits for a state of the workspace. @throws after a minute */
export function until<T>({ workspace }: Stage, find: (model: Model) => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const current = workspace();
    const look = (): void => {
      try {
        const found = find(current.model());
        if (found === undefined) return;
        resolve(found);
      } catch (error) {
        reject(error);
      }
      done();
    };
    const unsubscribe = current.subscribe(() => look());
    const timer = setTimeout(() => {
      done();
      reject(new Error('It is not here yet. Press Next, and come back later.'));
    }, PATIENCE_MS);
    const done = (): void => {
      unsubscribe();
      clearTimeout(timer);
    };
    look();
  });
}

const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Ada and Ben may see costs; for all others Ada takes over. */
async function asAdmin({ workspace, actAs }: Stage): Promise<void> {
  if (![ADA, BEN].includes(workspace().model().boot.user)) await actAs(ADA);
}

async function askForAlert(stage: Stage): Promise<void> {
  if (stage.workspace().model().boot.user !== ADA) await stage.actAs(ADA);
  stage.workspace().go(channel('C0APPROVE'));
  const before = await until(stage, ({ messages }) => messages['C0APPROVE']);
  if (reviewable(before) === undefined) {
    const { accounts } = await stage.control.state();
    const amount = (accounts[0]?.alert?.amount ?? 8_500) + 500;
    await stage.workspace().send('C0APPROVE', `/alert set ${amount}`);
    await sendOff(stage);
    await until(stage, ({ messages }) => reviewable(messages['C0APPROVE']));
  }
  await stage.actAs(BEN);
}

/** The newest request that waits, and its button. */
function reviewable(messages: readonly PageMessage[] = []) {
  const labelOf = ({ element }: Field) => stringOf(objectOf(element['text'])['text']);
  return messages.toReversed().flatMap(({ ts, blocks }) => {
    const button = fieldsOf(blocks).find((field) => labelOf(field) === 'Review');
    return button === undefined ? [] : [{ ts, button }];
  })[0];
}

async function approve(stage: Stage): Promise<void> {
  if (stage.workspace().model().boot.user !== BEN) await stage.actAs(BEN);
  stage.workspace().go(channel('C0APPROVE'));
  const { ts, button } = await until(stage, ({ messages }) => reviewable(messages['C0APPROVE']));
  await stage.workspace().act({
    container: { type: 'message', channel: 'C0APPROVE', ts },
    block_id: button.blockId,
    action_id: button.actionId,
    element: { type: 'button', value: stringOf(button.element['value']) },
  });
  await sendOff(stage);
}

/** Sends the form that has just been opened, with a reason where it asks for one. */
async function sendOff(stage: Stage): Promise<void> {
  const { id } = await until(stage, ({ stack }) => filledIn(stack.at(-1)));
  await pause(GLANCE_MS);
  const { blocks } = await until(stage, ({ stack }) => filledIn(stack.at(-1)));
  const reasons = objectsOf(blocks).filter(
    (block) => stringOf(objectOf(block['label'])['text']) === 'Reason',
  );
  const edits: StateValues = Object.fromEntries(
    reasons.map((block) => {
      const element = objectOf(block['element']);
      const state = { type: stringOf(element['type']), value: 'More traffic is expected' };
      return [stringOf(block['block_id']), { [stringOf(element['action_id'])]: state }];
    }),
  );
  await stage.workspace().submitView(id, stateValues(blocks, edits));
  await until(stage, ({ stack, errors }) => {
    if (Object.keys(errors[id] ?? {}).length > 0) throw new Error('The form was not taken.');
    return stack.length === 0 || undefined;
  });
}

/** A form once the bot has filled it in. */
function filledIn(view: PageView | undefined): PageView | undefined {
  if (view?.submit === undefined) return undefined;
  return JSON.stringify(view.blocks).includes('Reading …') ? undefined : view;
}
