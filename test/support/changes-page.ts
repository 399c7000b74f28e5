import type { Locator } from 'playwright-core';
import type { Entries } from './modal.ts';
import { LATE_WINDOW, MOST_TRIES, press, READING, type Visitor } from './page.ts';
import { until } from './until.ts';
import type { SeenMessage } from './world.ts';

/** Types a command that opens a modal; gives it once it is filled in. */
export async function openForm(visitor: Visitor, command: string): Promise<Locator> {
  return filledIn(visitor, () => visitor.type(command));
}

/** Presses a button that opens a modal; gives it once it is filled in. */
export async function openBy(visitor: Visitor, message: Locator, name: string): Promise<Locator> {
  return filledIn(visitor, () => press(message, name));
}

/** On a busy machine Slack's three seconds may be over: the bot asks to do it again, and a person does. */
async function filledIn(visitor: Visitor, act: () => Promise<void>, tries = 1): Promise<Locator> {
  const { modal, page } = visitor;
  const late = page.getByText(LATE_WINDOW);
  const reported = await late.count();
  await act();
  const isOpen = await until('a modal, or that it is late', async () => {
    if (await modal.isVisible()) return 'open';
    return (await late.count()) > reported && 'late';
  });
  if (isOpen === 'late' && tries < MOST_TRIES) return filledIn(visitor, act, tries + 1);
  await modal.getByText(READING).waitFor({ state: 'detached' });
  return modal;
}

/** Fills fields in by their labels, whatever kind they are of. */
export async function fill(modal: Locator, entries: Entries): Promise<void> {
  for (const [label, entry] of Object.entries(entries)) {
    const field = fieldOf(modal, label);
    const control = field.locator('input, textarea').first();
    await control.waitFor();
    const kind = await control.evaluate(
      (element) => element.getAttribute('role') ?? element.getAttribute('type') ?? 'text',
    );
    if (kind === 'checkbox') await tick(field, entry);
    else if (kind === 'combobox') await choose(control, entry);
    else await control.fill(String(entry));
  }
}

/** Ticks exactly these boxes; `true` and `false` are about a single one. */
async function tick(field: Locator, entry: Entries[string]): Promise<void> {
  for (const box of await field.locator('label.choice').all()) {
    const words = await box.locator('span').first().innerText();
    const name = words.split('\n')[0] ?? '';
    const wanted = typeof entry === 'boolean' ? entry : [entry].flat().includes(name);
    await box.locator('input').setChecked(wanted);
  }
}

async function choose(box: Locator, entry: Entries[string]): Promise<void> {
  await box.click();
  for (const words of [entry].flat()) {
    const list = box.locator('xpath=following-sibling::ul');
    await list
      .getByRole('option')
      .filter({ hasText: beginningWith(String(words)) })
      .first()
      .click();
  }
  await box.press('Tab');
}

/** The value of a field: a text, the labels of the chosen or ticked options joined by `, `. */
export async function valueOf(modal: Locator, label: string): Promise<string> {
  const field = fieldOf(modal, label);
  const control = field.locator('input, textarea').first();
  const type = await control.getAttribute('type');
  if (type !== 'checkbox') return control.inputValue();
  const ticked = await field.locator('label.choice:has(input:checked) span').allInnerTexts();
  return ticked.map((words) => words.split('\n')[0]).join(', ');
}

/** The values of all fields, by their labels. */
export async function valuesOf(modal: Locator): Promise<Record<string, string>> {
  const labels = await modal.locator('form:not([hidden]) .block-input > .label').allInnerTexts();
  const values = labels.map(named).map(async (label) => [label, await valueOf(modal, label)]);
  return Object.fromEntries(await Promise.all(values)) as Record<string, string>;
}

/** Sends the form; gives the errors by label once it is answered, `{}` when it is gone. */
export async function submit(modal: Locator): Promise<Record<string, string>> {
  const button = modal.locator('form:not([hidden]) button[type="submit"]');
  await button.click();
  return until('an answer to the form', async () => {
    if ((await button.count()) === 0) return {};
    const errors = await errorsOf(modal);
    return Object.keys(errors).length > 0 && errors;
  });
}

/** The errors under the fields, by their labels. */
async function errorsOf(modal: Locator): Promise<Record<string, string>> {
  const fields = await modal.locator('.block-input.invalid').all();
  const errors = await Promise.all(
    fields.map(async (field) => [
      named(await field.locator('.label').first().innerText()),
      await field.getByRole('alert').innerText(),
    ]),
  );
  return Object.fromEntries(errors) as Record<string, string>;
}

/** A message of the workspace where this person sees it. */
export function shown({ page }: Visitor, { ts }: SeenMessage): Locator {
  return page.locator(`[data-ts="${ts}"]`);
}

/** Goes to a channel by its name; closes a modal that is still open, since it would be in the way. */
export async function enter({ page, modal }: Visitor, channel: string): Promise<void> {
  if ((await modal.count()) > 0) {
    await page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
  }
  const channels = page.locator('nav section', { hasText: 'Channels' });
  const entry = channels.getByRole('button', { name: beginningWith(channel) });
  await entry.click();
  await page.locator('nav [aria-current="page"]', { hasText: channel }).waitFor();
}

/** Goes to the app's messages to this person; gives the last one with these words. */
export async function direct(visitor: Visitor, words: string): Promise<Locator> {
  const { page } = visitor;
  await appEntry(visitor).click();
  await page.getByRole('tab', { name: 'Messages' }).click();
  const message = visitor.message(words).last();
  await message.waitFor();
  return message;
}

function appEntry({ page }: Visitor): Locator {
  return page.locator('nav section', { hasText: 'Apps' }).getByRole('button').first();
}

function fieldOf(modal: Locator, label: string): Locator {
  const words = new RegExp(`^${escaped(label)}(\\s*\\(optional\\))?$`);
  const title = modal.page().locator('.label', { hasText: words });
  return modal.locator('form:not([hidden]) .block-input').filter({ has: title });
}

/** A label without the text that Slack adds to it. */
function named(words: string): string {
  return words.replace(/ \(optional\)$/, '');
}

function beginningWith(words: string): RegExp {
  return new RegExp(`^${escaped(words)}`);
}

function escaped(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
