import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { verifyAudit, type Verdict } from './store/audit.ts';

const USAGE = `Usage: npm run state -- audit --verify FILE

Checks the chain of an exported audit ("Audit as a file" in /changes); "-" reads standard input.
The exit code is 0 when the chain has no break, 1 at a break, 2 when there is nothing to check.
`;

/** @returns the exit code */
async function run(words: readonly string[]): Promise<number> {
  const [what, option, file, ...more] = words;
  if (what !== 'audit' || option !== '--verify' || file === undefined || more.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const input = file === '-' ? process.stdin : createReadStream(file);
  // Readline hides errors of its input.
  const failed = new Promise<never>((_, reject) => void input.once('error', reject));
  const lines = createInterface({ input, crlfDelay: Infinity });
  try {
    const verdict = await Promise.race([verifyAudit(lines), failed]);
    process.stdout.write(`${sentencesOf(verdict).join('\n')}\n`);
    return exitCodeOf(verdict);
  } catch (error) {
    process.stderr.write(`${file} cannot be read: ${(error as Error).message}\n`);
    return 2;
  }
}

function exitCodeOf({ broken, chained }: Verdict): number {
  if (broken !== undefined) return 1;
  return chained === 0 ? 2 : 0;
}

function sentencesOf({ lines, chained, unchained, from, lastHash, broken }: Verdict): string[] {
  const sentences = [`${chained} of ${lines} lines are chained.`];
  if (unchained > 0) {
    sentences.push(`${unchained} before them have no hash: they are older than the chain.`);
  }
  if (from === 'middle') {
    sentences.push(
      'The file begins in the middle of the chain: its first line is the start of the check, and is itself not checked.',
    );
  }
  if (broken !== undefined) {
    const entry = broken.entry === '' ? '' : ` (entry ${broken.entry})`;
    sentences.push(`BROKEN at line ${broken.line}${entry}: ${broken.why}.`);
  } else if (chained > 0) sentences.push('No break was found.');
  if (lastHash !== undefined) {
    sentences.push(
      `The last hash${broken === undefined ? '' : ' before the break'} is ${lastHash}: compare it with the log.`,
    );
  }
  return sentences;
}

process.exitCode = await run(process.argv.slice(2));
