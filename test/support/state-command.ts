import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

/** Starts `npm run -s state -- …`. */
export function startStateCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(process.execPath, [inject('state'), ...words], { env });
  const code = new Promise((resolve) => void child.once('close', resolve));
  return { child, code };
}

/** The same to its end. @param input its standard input */
export async function stateCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
) {
  const { child, code } = startStateCommand(words, environment);
  child.stdin.on('error', () => undefined).end(input);
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, said, complained };
}
