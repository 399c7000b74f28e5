import { randomUUID } from 'node:crypto';
import type { Feature } from '../../../src/services.ts';
import { createInvoicesFeature } from '../../../src/features/invoices/feature.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import type { Word } from '../../../src/lib/text.ts';
import {
  errorBoundary,
  helpAnswer,
  layOut,
  stacked,
  withoutControls,
} from '../../../src/slack/replies/reply.ts';
import { button, context } from '../../../src/slack/kit/blocks.ts';
import { mentionUser, mrkdwn } from '../../../src/slack/kit/text.ts';
import type {
  ActionContext,
  Answer,
  FormContent,
  FormRoute,
} from '../../../src/slack/routing/routes.ts';
import { createReportsHere, rememberInteractions, servicesOf } from '../../support/reports.ts';
import { hostilePlatform, keptSince, NOW } from './hostile-platform.ts';
import { textAt } from './hostile-pool.ts';
import type { Pool } from './hostile-pool.ts';
import { messageProblems, viewProblems } from './slack-invariants.ts';
import { typeWords } from '../../support/command.ts';

const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };

const guard = {
  explain: () => undefined,
  stopping: new AbortController().signal,
  logger: createLogger({ level: 'silent', secrets: [] }),
};

/** Plays a part of the bot on a hostile platform; says what is wrong with all that it showed. */
type Scene = (pool: Pool) => Promise<string[]>;

/** Every view of the money features, by what somebody does. */
export const SCENES: Readonly<Record<string, Scene>> = {
  '/charges': async (pool) => shown(pool, '/charges', asking(pool)),
  '/charges with a step, and its next page': async (pool) => {
    const stage = stageOf(pool);
    const answer = await stage.type('/charges', words('last month step day by', ...few(pool)));
    return [...problemsOf(answer), ...problemsOf(await stage.press(answer, 'charges.next'))];
  },
  'pricing tiers': async (pool) => {
    const stage = stageOf(pool);
    const answer = await stage.type('/charges', words('2026-09 by', ...few(pool)));
    const detail = await stage.press(answer, 'charges.detail');
    return [...problemsOf(detail), ...problemsOf(await stage.press(detail, 'charges.next'))];
  },
  'files of /charges': async (pool) => {
    const stage = stageOf(pool);
    const answer = await stage.type('/charges', words('last month step day by', ...few(pool)));
    const files = ['charges.csv', 'charges.chart'].map((id) => stage.press(answer, id));
    return (await Promise.all(files)).flatMap(problemsOf);
  },
  '/charges items': async (pool) => shown(pool, '/charges', words('items')),
  '/charges tags': async (pool) => shown(pool, '/charges', words('tags', textAt(pool, 0))),
  '/usage': async (pool) => shown(pool, '/usage', asking(pool)),
  '/usage tags': async (pool) => shown(pool, '/usage', words('tags', textAt(pool, 1))),
  'Customize of /charges': async (pool) => formProblems(pool, '/charges'),
  'Customize of /usage': async (pool) => formProblems(pool, '/usage'),
  'what is not kept any more': async (pool) => {
    const stage = stageOf(pool, keptSince(pool));
    const typed = await Promise.all([
      stage.type('/charges', asking(pool)),
      stage.type('/usage', asking(pool)),
    ]);
    return typed.flatMap(problemsOf);
  },
  'nothing at all': async (pool) => {
    const empty = { ...pool, size: 0 };
    const typed = ['/charges', '/usage', '/invoices'] as const;
    const all = typed.map((command) =>
      shown(empty, command, command === '/invoices' ? [] : asking(pool)),
    );
    return (await Promise.all(all)).flat();
  },
  'what cannot be read': async (pool) => {
    const typed = (['/charges', '/usage', '/invoices'] as const).map((command) =>
      shown(
        pool,
        command,
        pool.texts.map((text) => ({ text, quoted: false })),
      ),
    );
    return (await Promise.all(typed)).flat();
  },
  '/invoices': async (pool) => {
    const stage = stageOf(pool);
    const answer = await stage.type('/invoices', []);
    return [...problemsOf(answer), ...problemsOf(await stage.press(answer, 'invoices.next'))];
  },
  '/invoices show': async (pool) => {
    const stage = stageOf(pool);
    const answer = await stage.type('/invoices', words('show', textAt(pool, 2)));
    const clicked = ['invoices.next', 'invoices.csv'].map((action) => stage.press(answer, action));
    return [answer, ...(await Promise.all(clicked))].flatMap((one) => problemsOf(one));
  },
  '/invoices pending': async (pool) => [
    ...(await shown(pool, '/invoices', words('pending'))),
    ...(await shown(pool, '/invoices', words('pending surcharges'))),
  ],
  '/invoices pay and pdf': async (pool) => [
    ...(await shown(pool, '/invoices', words('pay', textAt(pool, 2)))),
    ...(await shown(pool, '/invoices', words('pdf', textAt(pool, 2)))),
  ],
  '/invoices deliveries': async (pool) => [
    ...(await shown(pool, '/invoices', words('deliveries'))),
    ...(await shown(pool, '/invoices', words('deliveries', textAt(pool, 2)))),
  ],
};

/** Plain words, and foreign ones in quotes. */
function words(plain: string, ...foreign: readonly string[]): Word[] {
  return [
    ...plain.split(' ').map((text) => ({ text, quoted: false })),
    ...foreign.map((text, at) => ({
      text: `${text.replaceAll(',', '') || 'x'}${at < foreign.length - 1 ? ',' : ''}`,
      quoted: true,
    })),
  ];
}

function few({ texts, luck }: Pool): readonly string[] {
  return texts.slice(0, 1 + (luck % 4));
}

/** Hostile in each of its parts. */
function asking(pool: Pool): Word[] {
  const filter = { text: `gvc=${textAt(pool, 1)}`, quoted: true };
  return [
    ...words(pool.luck % 2 === 0 ? 'last month by' : 'by', ...few(pool)),
    ...(pool.luck % 3 === 0 ? words('of', textAt(pool, 2)) : []),
    ...(pool.luck % 5 === 0 ? [{ text: 'where', quoted: false }, filter] : []),
    ...(pool.luck % 7 === 0 ? words('org', textAt(pool, 0)) : []),
  ];
}

type Command = '/charges' | '/usage' | '/invoices';

/** The three features on one platform, with a Slack that only remembers. */
function stageOf(pool: Pool, platform = hostilePlatform(pool)) {
  const { interactions } = rememberInteractions();
  const services = {
    billing: () => platform.billing,
    usage: () => platform.usage,
    orgs: { known: ['acme', textAt(pool, 1)], fallback: undefined },
    config: { currency: 'USD' },
    access: {
      requireRole: () => Promise.resolve(),
      roleRefusal: () => Promise.resolve(undefined),
      requireOrgAccess: () => Promise.resolve(),
    },
    interactions,
    sendFile: ({ filename }: { filename: string }) =>
      filename.includes('..')
        ? Promise.reject(new Refusal(filename))
        : Promise.resolve('https://files.slack.com/files/F1/file'),
    clock: { now: () => NOW },
  };
  const { charges, usage } = createReportsHere(services);
  const features = {
    '/charges': charges,
    '/usage': usage,
    '/invoices': createInvoicesFeature(servicesOf(services)),
  } satisfies Record<Command, Feature>;
  const all: readonly Feature[] = Object.values(features);
  return {
    features,
    async type(command: Command, typed: readonly Word[]): Promise<Answer | undefined> {
      const { commands = [] }: Feature = features[command];
      const [route] = commands;
      if (route === undefined) throw new Error(`there is no ${command}`);
      const context = { person: ADA, channelId: 'C0BILLING' };
      const asked = { userId: ADA.userId, what: command };
      return (await errorBoundary(guard, asked, () => typeWords(route, typed, context), route.help))
        .answer;
    },
    /** Undefined when there is no such button. */
    async press(answer: Answer | undefined, action: string): Promise<Answer | undefined> {
      const value = valueOf(answer, action);
      const route = all
        .flatMap(({ actions = [] }) => actions)
        .find(({ actionId }) => actionId === action);
      if (value === undefined || route === undefined) return undefined;
      const context = { person: ADA, channelId: 'C0BILLING', value };
      const asked = { userId: ADA.userId, what: action, value };
      return (await errorBoundary(guard, asked, () => route.run(context))).answer;
    },
  };
}

function valueOf(answer: Answer | undefined, action: string): string | undefined {
  const elements = [...(answer?.controls ?? []), answer?.buttons ?? []].flat();
  const found = elements.find(({ action_id: id }) => id === action);
  return found && 'value' in found && typeof found.value === 'string' ? found.value : undefined;
}

async function shown(pool: Pool, command: Command, typed: readonly Word[]): Promise<string[]> {
  return problemsOf(await stageOf(pool).type(command, typed));
}

/** As Slack gets it: with its controls, and once more as it is shared. */
function problemsOf(answer: Answer | undefined): string[] {
  if (answer === undefined) return [];
  const share = button({
    action: 'answer.share',
    text: 'Share with the channel',
    value: randomUUID(),
  });
  const laidOut = layOut({ ...answer, buttons: [...(answer.buttons ?? []), share] }, randomUUID());
  const byline = context(mrkdwn`Shared by ${mentionUser('U0ADA')}`);
  const shared = stacked(withoutControls(answer.blocks), [byline]);
  const isCut = JSON.stringify(laidOut).includes('for which there is no room here');
  const problems = [laidOut, shared].flatMap((blocks) => messageProblems(answer.text, blocks));
  return [...new Set(problems), ...(isCut ? ['more than there is room for'] : [])];
}

async function formProblems(pool: Pool, command: '/charges' | '/usage'): Promise<string[]> {
  const stage = stageOf(pool);
  const answer = await stage.type(
    command,
    asking({ ...pool, luck: pool.luck - (pool.luck % 7) + 1 }),
  );
  const value = valueOf(answer, `${command.slice(1)}.customize`);
  const [form] = stage.features[command].forms;
  if (value === undefined || form === undefined) return problemsOf(answer);
  const views: FormContent[] = [];
  const show = async (view: FormContent) => void views.push(view);
  await open(form, { person: ADA, channelId: 'C0BILLING', value }, show);
  return views.flatMap(({ title, submit, blocks, state }) =>
    viewProblems({
      callback_id: form.callbackId,
      private_metadata: JSON.stringify({ state }),
      title: { type: 'plain_text', text: title },
      submit: { type: 'plain_text', text: submit },
      blocks,
    } as { blocks: typeof blocks }),
  );
}

type Show = (view: FormContent) => Promise<void>;

function open(form: FormRoute, click: ActionContext, show: Show): Promise<void> {
  return form.fill(click, show);
}

/** What is the same whatever anybody writes. */
export function helpProblems(): string[] {
  const commands = Object.values(stageOf({ texts: [''], amounts: [], size: 0, luck: 1 }).features);
  return commands
    .flatMap((feature: Feature) => feature.commands ?? [])
    .flatMap(({ help }) => problemsOf(helpAnswer(help)));
}
