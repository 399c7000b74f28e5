import { randomUUID } from 'node:crypto';
import type { Feature } from '../../../src/services.ts';
import { createInvoicesFeature } from '../../../src/features/invoices/feature.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import type { Word } from '../../../src/lib/words.ts';
import { context } from '../../../src/slack/kit/blocks.ts';
import { mentionUser, mrkdwn } from '../../../src/slack/kit/text.ts';
import {
  answerBlocks,
  errorBoundary,
  PAGE_ACTION,
  stacked,
  withoutControls,
} from '../../../src/slack/replies/reply.ts';
import { helpAnswer } from '../../../src/slack/replies/help-view.ts';
import type { Answer, FormContent } from '../../../src/slack/routing/routes.ts';
import { controlsOf } from '../../support/answer.ts';
import { typeWords } from '../../support/command.ts';
import { messageText } from '../../../src/slack/kit/message-text.ts';
import { keptHere } from '../../support/kept.ts';
import { createReportsHere, servicesOf } from '../../support/reports.ts';
import { hostilePlatform, NOW } from './hostile-platform.ts';
import { textAt, type Pool } from './hostile-pool.ts';
import { messageProblems, viewProblems } from './slack-invariants.ts';

const COMMANDS = ['/charges', '/usage', '/invoices'] as const;
type Command = (typeof COMMANDS)[number];

/** A typed line, and the controls used afterwards; those in one text are used one after the other. */
type Play = readonly [command: Command, typed: readonly Word[], ...presses: string[]];

/** Every view of the money features, by the acts of a person. */
const PLAYS: Readonly<Record<string, (pool: Pool) => readonly Play[]>> = {
  '/charges': (pool) => [['/charges', asking(pool)]],
  '/charges with a step, and its second page': (pool) => [
    ['/charges', words('last month step day by', ...few(pool)), PAGE_ACTION],
  ],
  'pricing tiers': (pool) => [
    ['/charges', words('2026-09 by', ...few(pool)), `charges.tiers ${PAGE_ACTION}`],
  ],
  'files of /charges': (pool) => [
    ['/charges', words('last month step day by', ...few(pool)), 'charges.csv'],
  ],
  '/charges items': () => [['/charges', words('items')]],
  '/charges tags': (pool) => [['/charges', words('tags', textAt(pool, 0))]],
  '/usage': (pool) => [['/usage', asking(pool)]],
  '/usage tags': (pool) => [['/usage', words('tags', textAt(pool, 1))]],
  'unreadable lines': ({ texts }) =>
    COMMANDS.map((command) => [command, texts.map((text) => ({ text, quoted: false }))]),
  '/invoices': () => [['/invoices', [], PAGE_ACTION]],
  '/invoices show': (pool) => [
    ['/invoices', words('show', textAt(pool, 2)), PAGE_ACTION, 'invoices.csv'],
  ],
  '/invoices pending': () =>
    ['pending', 'pending surcharges'].map((line) => ['/invoices', words(line)]),
  '/invoices pay and pdf': (pool) =>
    ['pay', 'pdf'].map((line) => ['/invoices', words(line, textAt(pool, 2))]),
  '/invoices deliveries': (pool) => [
    ['/invoices', words('deliveries')],
    ['/invoices', words('deliveries', textAt(pool, 2))],
  ],
};

/** Plays a part of the bot on a hostile platform; returns the problems of all its messages. */
export const SCENES: Readonly<Record<string, (pool: Pool) => Promise<string[]>>> = {
  ...Object.fromEntries(
    Object.entries(PLAYS).map(([name, plays]) => [
      name,
      (pool: Pool) => playAll(pool, plays(pool)),
    ]),
  ),
  'Customize of /charges': (pool) => formProblems(pool, '/charges'),
  'Customize of /usage': (pool) => formProblems(pool, '/usage'),
  'a span that is no longer kept': (pool) =>
    playAll(
      pool,
      (['/charges', '/usage'] as const).map((command) => [command, asking(pool)]),
      hostilePlatform(pool, true),
    ),
  'nothing at all': (pool) =>
    playAll(
      { ...pool, size: 0 },
      COMMANDS.map((command) => [command, command === '/invoices' ? [] : asking(pool)]),
    ),
};

async function playAll(
  pool: Pool,
  plays: readonly Play[],
  platform = hostilePlatform(pool),
): Promise<string[]> {
  const problems: string[] = [];
  for (const [command, typed, ...presses] of plays) {
    const stage = stageOf(pool, platform);
    const first = await stage.type(command, typed);
    problems.push(...problemsOf(first));
    for (const actions of presses) {
      let answer: Answer | undefined = first;
      for (const action of actions.split(' ')) {
        answer = await stage.press(answer, action);
        problems.push(...problemsOf(answer));
      }
    }
  }
  return problems;
}

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

const ADA = { person: { userId: 'U0ADA', teamId: 'T0ACME' }, channelId: 'C0BILLING' };
const guard = {
  explain: () => undefined,
  stopping: new AbortController().signal,
  logger: createLogger({ level: 'silent', secrets: [] }),
};

/** The three features on one platform, with a Slack that only remembers. */
function stageOf(pool: Pool, platform = hostilePlatform(pool)) {
  const kept = keptHere();
  const services = servicesOf({
    billing: () => platform.billing,
    usage: () => platform.usage,
    orgs: { known: ['acme', textAt(pool, 1)], fallback: undefined },
    config: { currency: 'USD' },
    access: {
      requireRole: () => Promise.resolve(),
      roleRefusal: () => Promise.resolve(undefined),
      readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
      requireOrgAccess: () => Promise.resolve(),
    },
    sendFile: ({ filename }: { filename: string }) =>
      filename.includes('..')
        ? Promise.reject(new Refusal(filename))
        : Promise.resolve('https://files.slack.com/files/F1/file'),
    kept,
    clock: { now: () => NOW },
  });
  const { charges, usage } = createReportsHere(services);
  const invoices: Feature = createInvoicesFeature(services);
  const features = { '/charges': charges, '/usage': usage, '/invoices': invoices };
  const run = async (what: string, make: () => Promise<Answer | undefined>, help?: Help) =>
    (await errorBoundary(guard, { userId: ADA.person.userId, what }, make, help)).answer;
  return {
    features,
    async type(command: Command, typed: readonly Word[]): Promise<Answer | undefined> {
      const [route] = features[command].commands ?? [];
      if (route === undefined) throw new Error(`there is no ${command}`);
      return run(command, () => typeWords(route, typed, ADA), route.help);
    },
    /** Of a control, or the second page; undefined without it. */
    async press(answer: Answer | undefined, action: string): Promise<Answer | undefined> {
      if (answer === undefined) return undefined;
      const all = Object.values<Feature>(features);
      if (action === PAGE_ACTION) {
        const { asked, pages = 1 } = answer;
        const question = all
          .flatMap(({ questions = [] }) => questions)
          .find(({ name }) => name === asked?.route);
        if (question === undefined || pages < 2) return undefined;
        return run(action, () => question.ask({ ...ADA, value: '2' }, json(asked?.question), 2));
      }
      const control = controlsOf(answer).find(({ action_id: id }) => id === action);
      const route = all
        .flatMap(({ actions = [] }) => actions)
        .find(({ actionId }) => actionId === action);
      if (control === undefined || route === undefined) return undefined;
      const answerId = await kept.answers.put(ADA.person.userId, answer);
      return run(action, () => route.run({ ...ADA, value: control.value, answerId }));
    },
    kept,
  };
}

/** As it is after a day in the store. */
function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

type Help = Parameters<typeof errorBoundary>[3];

/** As Slack gets it: with its controls, without them, and once more as it is shared. */
function problemsOf(answer: Answer | undefined): string[] {
  if (answer === undefined) return [];
  const laidOut = answerBlocks(answer, randomUUID(), { kept: true });
  const unkept = answerBlocks(answer, randomUUID(), { kept: false });
  const byline = context(mrkdwn`Shared by ${mentionUser('U0ADA')}`);
  const shared = stacked(withoutControls(answer.blocks), [byline]);
  const isCut = JSON.stringify(laidOut).includes('for which there is no room here');
  const text = messageText(answer.blocks);
  const problems = [laidOut, unkept, shared].flatMap((blocks) => messageProblems(text, blocks));
  return [...new Set(problems), ...(isCut ? ['more than there is room for'] : [])];
}

async function formProblems(pool: Pool, command: '/charges' | '/usage'): Promise<string[]> {
  const stage = stageOf(pool);
  // Of no org, and without a filter more often than not.
  const typed = asking({ ...pool, luck: pool.luck - (pool.luck % 7) + 1 });
  const answer = await stage.type(command, typed);
  const [form] = stage.features[command].forms;
  if (answer?.asked === undefined || form === undefined) return problemsOf(answer);
  const views: FormContent[] = [];
  const answerId = await stage.kept.answers.put(ADA.person.userId, answer);
  await form.fill(
    Object.assign({ value: undefined, answerId }, ADA),
    async (view) => void views.push(view),
  );
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

/** Problems with the help, which does not depend on the platform. */
export function helpProblems(): string[] {
  const { features } = stageOf({ texts: [''], amounts: [], size: 0, luck: 1 });
  return Object.values<Feature>(features)
    .flatMap(({ commands = [] }) => commands)
    .flatMap(({ help }) => problemsOf(helpAnswer(help)));
}
