import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';

/** More than a pipe and the buffer of the log hold. */
const FLOOD = `
  import { createLogOutput } from './src/lib/log-output.ts';
  const output = createLogOutput();
  const line = (msg) => JSON.stringify({ msg }) + '\\n';
  for (let at = 0; at < 3_000; at += 1) output.write(line('x'.repeat(1_000)));
  setTimeout(() => process.stderr.write('still running'), 100);
`;

let folder: string | undefined;
let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

/** A process whose standard output is a pipe that is read by the test alone. */
function start(script: string) {
  folder = mkdtempSync(join(tmpdir(), 'purser-log-'));
  const path = join(folder, 'log');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, 'w');
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  child = spawn(process.execPath, args, { stdio: ['pipe', writer, 'pipe'] });
  closeSync(writer);
  const { stdin, stderr } = child;
  if (stdin === null || stderr === null) throw new Error('the process has no standard streams');
  return { stdin, stderr, ended: once(child, 'exit'), reader };
}

it('goes on and ends in time while a log collector does not read', async () => {
  const { stderr, ended, reader } = start(
    `${FLOOD} setTimeout(() => output.flush(200).then(() => process.exit(0)), 200);`,
  );

  expect(String(await once(stderr, 'data'))).toBe('still running');
  expect(await ended).toEqual([0, null]);
  closeSync(reader);
});

it('drops lines that do not fit, and logs their number before the next line', async () => {
  const { stdin, stderr, ended, reader } = start(
    `${FLOOD} process.stdin.once('data', async () => {
      await output.flush(5_000);
      output.write(line('after'));
      await output.flush(5_000);
      process.exit(0);
    });`,
  );
  await once(stderr, 'data');

  const read = text(new Socket({ fd: reader, readable: true, writable: false }));
  stdin.write('go');
  expect(await ended).toEqual([0, null]);

  const lines = (await read).trim().split('\n');
  const [dropped, after] = lines.slice(-2).map((one) => JSON.parse(one) as object);
  expect(dropped).toMatchObject({ level: 'warn', dropped: 3_000 - (lines.length - 2) });
  expect(after).toEqual({ msg: 'after' });
});
