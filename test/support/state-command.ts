import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** `npm run -s state -- …`. @param input its standard input */
export async function stateCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/state.ts', ...words], {
    env: { PATH: process.env['PATH'], ...environment },
  });
  child.stdin.on('error', () => undefined).end(input);
  const code = new Promise((resolve) => void child.once('close', resolve));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, said, complained };
}
