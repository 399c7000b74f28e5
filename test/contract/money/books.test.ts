import * as fc from '../../support/fast-check.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';

import type { PageMessage } from '../../../src/sandbox/slack/page-protocol.ts';
import { createSandboxPlatform } from '../../../src/sandbox/platform/server.ts';
import { readAnswer } from './answer-read.ts';
import { controlsOf, startMoneyBot } from './bot.ts';
import type { MoneyBot, Platform } from './bot.ts';
import { headProblems, stepProblems, tableProblems } from './compare.ts';
import type { Case } from './compare.ts';
import { csvProblems } from './csv-read.ts';
import { readBooks } from './ledger.ts';
import type { Entry } from './ledger.ts';
import { questions } from './questions.ts';
import type { Question } from './questions.ts';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
  vi.useRealTimers();
});

/** The bot and the platform at one moment, which lasts: Slack's signatures are of that time, too. */
async function startAt(
  moment: string,
): Promise<{ bot: MoneyBot; platform: Platform; now: number }> {
  const now = Date.parse(moment);
  vi.useFakeTimers({ toFake: ['Date'], now });
  const platform = createSandboxPlatform();
  await platform.listen();
  opened.push(platform);
  const bot = await startMoneyBot(platform);
  opened.push(bot);
  return { bot, platform, now };
}

/** Moments at which ranges are easily wrong by one. */
const MOMENTS = [
  'Thu 2026-10-15T12:34:56.789Z',
  'Sun 2026-11-01T00:00:00.000Z',
  'Mon 2027-03-01T00:00:01.000Z',
  'Tue 2028-02-29T23:59:59.999Z',
  'Thu 2026-12-31T23:00:00.000Z',
];
const EACH = 40;
/** Pages that are turned at most. */
const TURNS = 6;

describe('what the bot answers is what the platform’s own books say', () => {
  test.each(MOMENTS)(`at %s, ${fc.runsOf(EACH)} questions`, { timeout: 60_000 }, async (moment) => {
    const { bot, platform, now } = await startAt(moment.slice(4));
    let asked = 0;
    const property = fc.asyncProperty(questions(now), async (question) => {
      asked += 1;
      const problems = await ask(bot, { platform, question, now, isWhole: asked % 4 === 0 });
      expect({ typed: question.line, problems }).toEqual({ typed: question.line, problems: [] });
    });
    await fc.assert(property, { numRuns: EACH, endOnFailure: true });
  });
});

interface Asked {
  readonly platform: Platform;
  readonly question: Question;
  readonly now: number;
  /** Every page is turned to, and the file is read. */
  readonly isWhole: boolean;
}

/** Types a question, and says what is wrong with the answer. */
async function ask(bot: MoneyBot, { platform, question, now, isWhole }: Asked): Promise<string[]> {
  const answer = await bot.ask(question.line);
  const shown = readAnswer(answer);
  const books = await readBooks(platform, question, now);
  if ('keptSince' in books) {
    const sentence = `only since ${books.keptSince}`;
    return shown.head.join(' ').includes(sentence) ? [] : [`not said: ${sentence}`];
  }
  if (books.isEmpty) {
    return shown.head[1]?.startsWith('No ') === true ? [] : ['there is nothing to be found'];
  }
  const one: Case = { question, books, now };
  const told = new Set<Entry>();
  const problems = [
    ...headProblems(shown, one),
    ...stepProblems(shown, one),
    ...tableProblems(shown, one, told),
  ];
  if (!isWhole) return problems;
  return [
    ...problems,
    // Turning a page takes away the buttons of the one before.
    ...(await fileProblems(bot, answer, one)),
    ...(await pageProblems(bot, answer, one, told)),
  ];
}

async function pageProblems(
  bot: MoneyBot,
  answer: PageMessage,
  one: Case,
  told: Set<Entry>,
): Promise<string[]> {
  const problems: string[] = [];
  let page = answer;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const isLast = !controlsOf(page).some(({ text }) => text?.text === 'Next');
    const { length: all } = one.books.entries;
    if (isLast) return told.size === all ? problems : [...problems, `${told.size} of ${all} lines`];
    page = await bot.press(page, 'Next');
    problems.push(...tableProblems(readAnswer(page), one, told));
  }
  return problems;
}

async function fileProblems(bot: MoneyBot, answer: PageMessage, one: Case): Promise<string[]> {
  await bot.press(answer, 'CSV');
  const { text } = await bot.file();
  return csvProblems(text, one);
}
