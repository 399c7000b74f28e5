import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { OUTCOMES } from '../src/config/watches.ts';
import { play, type PlayLine } from '../src/rollouts/play.ts';

// `npm run -s play -- FILE`: the messages that a channel would have been shown (docs/operating.md).

const Line = z.union([
  z.strictObject({
    at: z.iso.datetime({ offset: true }),
    org: z.string().min(1),
    gvc: z.string().min(1),
    items: z.array(z.unknown()),
  }),
  z.strictObject({
    at: z.iso.datetime({ offset: true }),
    org: z.string().min(1),
    gvc: z.string().min(1),
    status: z.number().int(),
  }),
  z.strictObject({ at: z.iso.datetime({ offset: true }), do: z.literal('restart') }),
  z.strictObject({
    at: z.iso.datetime({ offset: true }),
    do: z.literal('mute'),
    for: z.string().regex(/^[1-9]\d*[mhd]$/),
  }),
]);

const USAGE = 'Usage: npm run -s play -- FILE [--quiet] [--only ready,failed,...]';

class Refused extends Error {}

interface Options {
  file: string;
  quiet: boolean;
  only?: string[];
}

/** @throws Refused */
function optionsOf(): Options {
  const { values, positionals } = argumentsGiven();
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Refused(USAGE);
  const only = values.only?.split(',').map((word) => word.trim());
  const unknown = only?.find((word) => !(OUTCOMES as readonly string[]).includes(word));
  if (unknown !== undefined) {
    throw new Refused(`"${unknown}" is no outcome: ${OUTCOMES.join(', ')}.`);
  }
  return { file, quiet: values.quiet === true, ...(only === undefined ? {} : { only }) };
}

function argumentsGiven() {
  try {
    return parseArgs({
      options: { quiet: { type: 'boolean' }, only: { type: 'string' } },
      allowPositionals: true,
    });
  } catch {
    throw new Refused(USAGE);
  }
}

/** @throws Refused */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Refused(`${file} cannot be read.`);
  }
}

/** The lines up to the first one that cannot be read, and its number. */
function linesOf(text: string): { lines: PlayLine[]; bad?: number } {
  const lines: PlayLine[] = [];
  let before = -Infinity;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = parsed(line);
    const at = read === undefined ? NaN : Date.parse(read.at);
    if (read === undefined || !(at >= before)) return { lines, bad: index + 1 };
    before = at;
    lines.push(read);
  }
  return { lines };
}

function parsed(line: string): PlayLine | undefined {
  try {
    return Line.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** @throws Refused after the output, when a line cannot be read */
function main(): void {
  const { file, ...options } = optionsOf();
  const { lines, bad } = linesOf(textOf(file));
  for (const message of play(lines, options)) process.stdout.write(`${JSON.stringify(message)}\n`);
  if (bad !== undefined) throw new Refused(`Line ${bad} cannot be read.`);
}

try {
  main();
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
