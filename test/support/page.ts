import type { Browser, Locator } from 'playwright-core';
import { until } from './until.ts';

/** In milliseconds. */
const DEADLINE_MS = 60_000;
const PRIVATE = '[data-kind="ephemeral"]';
/** The bot's first words when an answer takes long. */
export const PROGRESS = 'Still working on it …';
/** The text of a modal before the bot knows more. */
export const READING = 'Reading …';
/** The message on a busy machine, where the bot is late for Slack's three seconds: a person tries again. */
export const LATE_WINDOW = 'Slack did not open the window in time';
/** A caller that is refused every time stops trying. */
export const MOST_TRIES = 5;

/** A person who looks at one place of the workspace in a browser. */
export type Visitor = Awaited<ReturnType<typeof visit>>;

/** Opens the page as a person. `place` comes after `#` in its address. */
export async function visit(
  browser: Browser,
  slackUrl: string,
  { user, place }: { user: string; place: string },
) {
  const page = await browser.newPage({ viewport: { width: 1500, height: 950 } });
  page.setDefaultTimeout(DEADLINE_MS);
  await page.goto(`${slackUrl}/?user=${user}#${place}`);
  const composer = page.getByTestId('composer');
  await composer.waitFor();
  const modal = page.getByTestId('modal');

  const tsOf = (messages: Locator): Promise<string[]> =>
    messages.evaluateAll((all) => all.map((one) => one.getAttribute('data-ts') ?? ''));

  /** Types a line and sends it; below a window that is still closing no one can. */
  async function type(text: string): Promise<void> {
    await modal.waitFor({ state: 'detached' });
    await composer.fill(text);
    // The list of suggestions would take the Enter.
    await composer.press('Escape');
    await composer.press('Enter');
  }

  /** The private message that answers the act, and is not a message in between. */
  async function newAnswer(act: () => Promise<unknown>): Promise<Locator> {
    const all = page.locator(PRIVATE);
    const before = await tsOf(all);
    await act();
    const answers = all.filter({ hasNotText: PROGRESS });
    const ts = await until('a new private message', async () =>
      (await tsOf(answers)).find((one) => !before.includes(one)),
    );
    return page.locator(`[data-ts="${ts}"]`);
  }

  return {
    page,
    type,
    newAnswer,
    /** Types a command; gives the private message that answers it. */
    ask: (text: string) => newAnswer(() => type(text)),
    /** Messages that are not private answers, with these words: of the channel, or direct ones. */
    message: (text: string) => page.locator(`[data-ts]:not(${PRIVATE})`).filter({ hasText: text }),
    modal,
  };
}

/** Presses a button of a message by its text; a screen reader hears the row of one in a table, too: "Details: shop/cart". */
export async function press(message: Locator, text: string): Promise<void> {
  const whole = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  await message
    .getByRole('button', { name: new RegExp(`^${whole}(?:: |$)`) })
    .last()
    .click();
}

/** Unfolds where the stories of the panel happen. */
export async function openPlace(panel: Locator): Promise<void> {
  const place = panel.locator('details.where');
  if ((await place.getAttribute('open')) === null) await place.locator('summary').click();
}

/** Chooses from the menu of a message. */
export async function choose(message: Locator, name: string): Promise<void> {
  await message.getByRole('button', { name: 'More actions' }).click();
  await message.getByRole('menuitem', { name, exact: true }).click();
}

/** Chooses a grouping of an answer: "By GVC". */
export async function groupBy(message: Locator, name: string): Promise<void> {
  await message.getByRole('combobox').click();
  await message.page().getByRole('option', { name, exact: true }).click();
}

/** The cells of a message's table, row by row; the first row is its head. */
export async function rowsOf(message: Locator): Promise<string[][]> {
  const rows = await message
    .getByRole('row')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? '')),
    );
  return rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()));
}

/** The rows of a message's table below its head, by the titles of the columns. */
export async function recordsOf(message: Locator): Promise<Record<string, string>[]> {
  const [titles = [], ...rows] = await rowsOf(message);
  return rows.map((row) =>
    Object.fromEntries(titles.map((title, index) => [title, row[index] ?? ''])),
  );
}

/** The file of a message, as its link gives it. */
export async function bytesOf(message: Locator, name: string): Promise<Buffer> {
  const page = message.page();
  const href = await message
    .getByRole('link')
    .filter({ hasText: name })
    .last()
    .getAttribute('href');
  const answer = await page.request.get(new URL(href ?? '', page.url()).href);
  return answer.body();
}
