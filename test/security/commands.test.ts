import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROGRESS } from '../support/page.ts';
import { openAttackedBot, type AttackedBot, type Said } from './bot.ts';
import { countOf, dice, each, report } from './count.ts';
import { strangePaths } from './paths.ts';
import { problemsOf } from './said.ts';
import { WEAPONS } from './weapons.ts';

const STARTING = 120_000;
const AT_ONCE = 12;
/** The stand-in platform remembers the queries of so many texts. */
const BATCH = 400;
/** Members with the rights: others get the same sentence for every text. */
const PEOPLE = ['U0ADA', 'U0BEN', 'U0CLEO', 'U0DANA'] as const;
const NAMES = ['acme', 'globex', 'shop', 'shop/cart', 'acme/shop/cart', 'cart', 'cpu', 'egress'];
const random = dice();

/** Every command that the documents show, with its words. */
const EXAMPLES = [
  ...readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8').matchAll(
    /`(\/[a-z]+)( [^`]*)?`/g,
  ),
].map(([, command = '', words = '']) => ({ command, words: words.trim().split(/\s+/) }));
const COMMANDS = [...new Set(EXAMPLES.map(({ command }) => command))];
const WORDS = [...new Set(EXAMPLES.flatMap(({ words }) => words))];

let bot: AttackedBot;

beforeAll(async () => {
  bot = await openAttackedBot();
}, STARTING);
afterAll(() => bot.close());

function anyText(): string {
  const points = Array.from({ length: 1 + random.below(12) }, () =>
    random.below(random.one([0x7f, 0x2ff, 0x10ffff])),
  );
  return String.fromCodePoint(...points);
}

function mutated(word: string): string {
  const at = random.below(word.length + 1);
  const [start, end] = [word.slice(0, at), word.slice(at)];
  return random.one([
    word,
    word.toUpperCase(),
    `${start}${random.one(WEAPONS)}${end}`,
    `${start}${end.slice(1)}`,
    `${start}${start}${end}`,
    `"${word}`,
    `"${word} ${random.one(WEAPONS)}"`,
    `${word}=${random.one(WEAPONS)}`,
    `${word},${random.one(WORDS)}`,
    word.repeat(1 + random.below(30)),
    random.one(WORDS),
    random.one(NAMES),
    random.one(WEAPONS),
    anyText(),
  ]);
}

function anyCommand(): { command: string; text: string } {
  const example = random.one(EXAMPLES);
  const command = random.chance(0.8) ? example.command : random.one(COMMANDS);
  if (random.chance(0.01)) return { command, text: random.one(WEAPONS).repeat(3_000) };
  const words = example.words.flatMap((word) => {
    if (random.chance(0.5)) return [word];
    return random.one([[mutated(word)], [], [word, mutated(word)], [mutated(word), word]]);
  });
  return {
    command,
    text: words.join(random.chance(0.95) ? ' ' : random.one(['  ', '\t', '\n', ''])),
  };
}

/** Answers but for the line of progress, and windows. */
const finals = (said: readonly Said[]): readonly Said[] =>
  said.filter(
    ({ method, args }) => method === 'views.open' || (method === '' && args['text'] !== PROGRESS),
  );

it('any text after any command gets one answer or one window, which Slack takes and which explains any mistake', async () => {
  const problems: string[] = [];
  const texts = Array.from({ length: countOf('commands') }, (_, number) => ({
    ...anyCommand(),
    request: `command${number}`,
  }));
  const reported = (request: string, text: string, problem: string): void =>
    void problems.push(`${problem} (${request}: ${JSON.stringify(text.slice(0, 200))})`);

  const type = async ({ command, text, request }: (typeof texts)[number]): Promise<void> => {
    const answer = await bot.form({
      command,
      // Slack sends these as entities.
      text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      team_id: 'T0ACME',
      user_id: random.one(PEOPLE),
      channel_id: 'C0BILLING',
      response_url: bot.responseUrl(request),
      trigger_id: `trigger-${request}`,
    });
    if (answer.status !== 200) return reported(request, text, `HTTP ${answer.status}`);
    await bot.answered(request, (said) => finals(said).length > 0);
  };
  for (let from = 0; from < texts.length; from += BATCH) {
    await each(texts.slice(from, from + BATCH), AT_ONCE, type);
    problems.push(...strangePaths(await bot.harness.platformRequests()));
  }
  const all = await bot.settled();

  for (const { command, text, request } of texts) {
    const said = bot.answersTo(request);
    const { length } = finals(said);
    if (length !== 1) reported(request, `${command} ${text}`, `${length} answers`);
    for (const problem of said.flatMap(problemsOf))
      reported(request, `${command} ${text}`, problem);
  }
  report('fuzzed commands', { texts: texts.length, said: all.length });
  expect(COMMANDS.length).toBeGreaterThanOrEqual(9);
  expect(problems.slice(0, 20)).toEqual([]);
});
