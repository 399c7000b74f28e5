import { percentWords } from '../../support/percent.ts';
import { describe, expect, test } from 'vitest';
import * as fc from '../../support/fast-check.ts';
import { describeDay } from '../../../src/reporting/range.ts';
import { readAnswer, reportLines } from './answer-read.ts';
import {
  controlsOf,
  startMoneyBot,
  startPlatformAt,
  type Message,
  type MoneyBot,
  type Platform,
} from './bot.ts';
import { csvProblems, headProblems, stepProblems, tableProblems, type Case } from './compare.ts';
import { readBooks, type Entry } from './ledger.ts';
import { plainQuestion, questions, type Question } from './questions.ts';
import { datedMonths, lastUnits, namedRanges } from './spans.ts';

/** The bot and the platform at one moment, and problems with the answers to questions. */
async function startAt(moment: string, pricingTags?: 4 | 5 | 6) {
  const platform = await startPlatformAt(moment, pricingTags && { pricingTags });
  const bot = await startMoneyBot(platform);
  const now = Date.now();
  return {
    bot,
    now,
    /** @param isWhole every page is turned to, and the file is read */
    ask: async (question: Question, isWhole = false): Promise<string[]> => {
      const problems = await problemsOf(bot, platform, { question, now, isWhole });
      return problems.map((problem) => `${question.line}: ${problem}`);
    },
  };
}

/** Moments at which ranges are easily wrong by one, and how many tags the catalogue prices on then. */
const MOMENTS = [
  ['Thu 2026-10-15T12:34:56.789Z', 5],
  ['Sun 2026-11-01T00:00:00.000Z', 6],
  ['Mon 2027-03-01T00:00:01.000Z', 4],
  ['Tue 2028-02-29T23:59:59.999Z', 5],
  ['Thu 2026-12-31T23:00:00.000Z', 6],
] as const;
const EACH = 40;
/** Pages that are turned at most. */
const TURNS = 6;

describe('the bot’s answers agree with the platform’s own books', () => {
  test.each(MOMENTS)(
    `at %s, with a catalogue of %i tags, ${fc.runsOf(EACH)} questions`,
    { timeout: 60_000 },
    async (moment, pricingTags) => {
      const { ask, now } = await startAt(moment.slice(4), pricingTags);
      let asked = 0;
      const property = fc.asyncProperty(questions(now), async (question) => {
        asked += 1;
        expect(await ask(question, asked % 4 === 0)).toEqual([]);
      });
      await fc.assert(property, { numRuns: EACH, endOnFailure: true });
    },
  );
});

/** Moments at which the month or the year before lacks the elapsed part, or nothing has, or June is over. */
const ENDS = [
  'Tue 2028-02-29T23:59:59.999Z',
  'Wed 2027-03-31T15:20:00.000Z',
  'Mon 2027-03-29T00:30:00.000Z',
  'Wed 2026-07-01T00:59:00.000Z',
];

describe('every range of the calendar is compared with the one before', () => {
  test.each(ENDS)('at %s', { timeout: 60_000 }, async (moment) => {
    const { ask, now } = await startAt(moment.slice(4));
    const ranges = [
      ...namedRanges(now),
      datedMonths(-3, 2, now),
      // They have begun, and some of them may be over.
      datedMonths(-2, 3, now),
      datedMonths(0, 2, now),
      // The days with which these are compared are no longer kept.
      datedMonths(-12, 13, now),
      lastUnits('month', 3, now),
      // Only in July are these a whole month.
      lastUnits('day', 30, now),
    ];
    for (const range of ranges) {
      for (const command of ['/charges', '/usage'] as const) {
        expect(await ask(plainQuestion(command, range))).toEqual([]);
      }
    }
  });
});

test('a month adds up by hand: September, and its change since August', async () => {
  const { bot } = await startAt('2026-10-15T12:34:56.789Z');
  const totalOf = async (words: string) => {
    const [, total = ''] = reportLines(readAnswer(await bot.ask(words)).head);
    const { sum = '', change = '' } =
      /^\*\$(?<sum>[\d,.]+)\*(?:, (?<change>.+) vs \w+)?$/.exec(total)?.groups ?? {};
    return { sum: Number(sum.replaceAll(',', '')), change };
  };

  const [august, september] = [
    await totalOf('/charges 2026-08'),
    await totalOf('/charges 2026-09'),
  ];

  const percent = ((september.sum - august.sum) / august.sum) * 100;
  expect(august.sum).toBeGreaterThan(0);
  expect(september.change).toBe(percentWords(percent));
});

interface Asked extends Omit<Case, 'books'> {
  readonly isWhole: boolean;
}

async function problemsOf(bot: MoneyBot, platform: Platform, asked: Asked): Promise<string[]> {
  const { question, now, isWhole } = asked;
  const answer = await bot.ask(question.line);
  const shown = readAnswer(answer);
  const books = await readBooks(platform, question, now);
  if ('keptSince' in books) {
    const sentence = `only since ${describeDay(Date.parse(books.keptSince))}`;
    return shown.head.join(' ').includes(sentence) ? [] : [`not reported: ${sentence}`];
  }
  if (books.entries.length === 0) {
    return shown.head[1]?.startsWith('No ') === true ? [] : ['there is nothing to be found'];
  }
  const one: Case = { question, books, now };
  const reported = new Set<Entry>();
  const problems = [
    ...headProblems(shown, one),
    ...stepProblems(shown, one),
    ...tableProblems(shown, one, reported),
  ];
  if (!isWhole) return problems;
  // Turning a page takes away the buttons of the one before.
  await bot.press(answer, 'CSV');
  problems.push(...csvProblems((await bot.file()).text, one));
  let page: Message = answer;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const isLast = !controlsOf(page).some(({ text }) => text?.text === 'Next');
    const { length: all } = books.entries;
    if (isLast)
      return reported.size === all ? problems : [...problems, `${reported.size} of ${all} lines`];
    page = await bot.press(page, 'Next');
    problems.push(...tableProblems(readAnswer(page), one, reported));
  }
  return problems;
}
