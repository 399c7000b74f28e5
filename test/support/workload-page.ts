import type { Locator } from 'playwright-core';

/** A file as a person picks it. */
interface Picked {
  readonly name: string;
  readonly text: string;
}

/** Puts a file into the one field of a modal that takes files; it is uploaded when this resolves. */
export async function pick(modal: Locator, { name, text }: Picked): Promise<void> {
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
  await modal.locator('input[type="file"]').setInputFiles(file);
  await modal.getByRole('button', { name: `Remove ${name}` }).waitFor();
}

const HEADING = /^\W*(Errors|Warnings|Notes)\b/;

/** The findings of a check, below the headings of its answer. */
export async function findingsOf(answer: Locator): Promise<Record<string, string[]>> {
  const findings: Record<string, string[]> = {};
  let heading = '';
  for (const line of await linesOf(answer)) {
    heading = HEADING.exec(line)?.[1] ?? heading;
    if (line.startsWith('• ')) (findings[heading] ??= []).push(line.slice(2));
  }
  return findings;
}

/** The texts that can be copied from a message, each once. */
export async function copyable(message: Locator): Promise<string[]> {
  const texts = await message.locator('code').allInnerTexts();
  return [...new Set(texts.map((text) => text.trim()))];
}

/** A message as it is read, line by line. */
export async function linesOf(message: Locator): Promise<string[]> {
  const text = await message.innerText();
  return text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
}
