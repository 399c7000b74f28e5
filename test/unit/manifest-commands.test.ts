import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as fc from '../support/fast-check.ts';
import { parse } from 'yaml';
import { allCommands, featureCreators } from '../../scripts/docs/routes.ts';
import { TASK_GROUPS } from '../../src/features/help/find.ts';
import { KEYWORDS } from '../../src/reporting/query-words.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { splitWords } from '../../src/lib/text.ts';
import { linesOf } from '../support/usage-lines.ts';
import { helpAnswer } from '../../src/slack/replies/help-view.ts';
import type { CommandRoute } from '../../src/slack/routing/routes.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

interface SlashCommand {
  command: string;
  usage_hint: string;
}

const manifest = parse(read('manifest.yml')) as { features: { slash_commands: SlashCommand[] } };
const slashCommands = manifest.features.slash_commands;

const byName = await featureCreators();
const routes = await allCommands();

/** What a route fails with when it is given these words and nothing else. */
async function failureOf(route: CommandRoute | undefined, text: string): Promise<unknown> {
  const split = splitWords(text);
  if ('problem' in split || route === undefined) throw new Error('cannot be run');
  try {
    const parsed = route.parse(split.words);
    if ('form' in parsed) return undefined;
    await route.run(parsed.command, { person: { userId: 'U1', teamId: 'T1' }, channelId: 'C1' });
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('the commands of manifest.yml', () => {
  it('are those of the features, each once', () => {
    const registered = routes.map(({ help }) => help.command);

    expect(registered.toSorted()).toEqual(slashCommands.map(({ command }) => command).toSorted());
  });

  it('belong to features that the composition root knows', () => {
    const composition = read('src/app.ts');

    for (const name of byName.keys()) expect(composition).toContain(`${name}(`);
  });

  it.each(routes.map(({ help }) => help))('$command explains itself in its own words', (help) => {
    const shown = JSON.stringify(helpAnswer(help));

    expect(help.usages.length).toBeGreaterThan(0);
    expect(help.examples.length).toBeGreaterThan(0);
    for (const { text } of help.usages) {
      expect(text.startsWith(help.command)).toBe(true);
      expect(shown).toContain(JSON.stringify(text).slice(1, -1));
    }
  });

  it('have the hints of their features', () => {
    const hints = routes.map(({ help: { command, hint } }) => ({ command, usage_hint: hint }));

    expect(slashCommands).toEqual(
      expect.arrayContaining(hints.map((hint) => expect.objectContaining(hint))),
    );
  });
});

describe('the hints of /charges and /usage', () => {
  it.each(['/charges', '/usage'])('%s shows every part of a query, as its help does', (command) => {
    const hint = slashCommands.find((slash) => slash.command === command)?.usage_hint;
    const usage = routes.find(({ help }) => help.command === command)?.help.usages[0]?.text;

    for (const keyword of KEYWORDS) {
      expect(hint).toContain(`[${keyword} `);
      expect(usage).toContain(`[${keyword} `);
    }
  });
});

const shown = routes.flatMap(({ help: { command, hint = '', usages, examples } }) => [
  ...linesOf(hint).map((line) => `${command} ${line}`.trim()),
  ...usages.flatMap(({ text }) => linesOf(text)),
  ...examples,
]);
const tasks = TASK_GROUPS.flatMap((group) => group.tasks.map(({ command }) => command));
// The router answers help itself.
const lines = [...new Set([...shown, ...tasks])].filter((line) => !line.includes(' help'));

describe('every line that a hint, help or an example shows', () => {
  it.each(lines)('%s can be typed', async (line) => {
    const [command, ...words] = line.split(' ');
    const route = routes.find(({ help }) => help.command === command);

    expect(slashCommands.map((slash) => slash.command)).toContain(command);
    // Reading comes first; without dependencies whatever follows it fails in its own way.
    expect(await failureOf(route, words.join(' '))).not.toBeInstanceOf(UsageError);
  });
});

describe('a suggestion', () => {
  /** Two neighbouring letters swapped, or one left out. */
  const mistyped = fc
    .tuple(fc.constantFrom(...lines), fc.nat(), fc.boolean())
    .map(([line, place, isSwap]) => {
      const start = line.indexOf(' ') + 1;
      const at = start + (place % Math.max(1, line.length - start - 1));
      const [one = '', two = ''] = [line[at], line[at + 1]];
      return line.slice(0, at) + (isSwap ? two + one : one) + line.slice(at + 2);
    })
    .filter((line) => line.includes(' '));

  const failureAt = (line: string): unknown => {
    const [command, ...words] = line.split(' ');
    const split = splitWords(words.join(' '));
    const route = routes.find(({ help }) => help.command === command);
    try {
      if ('words' in split) route?.parse(split.words);
      return undefined;
    } catch (error) {
      return error;
    }
  };

  it('can be typed', () => {
    fc.assert(
      fc.property(mistyped, (line) => {
        const error = failureAt(line);
        if (!(error instanceof UsageError)) return;
        for (const meant of [error.suggestion, error.other]) {
          // Lines of /deployments are held back by the router where they cannot be typed.
          if (meant === undefined || meant.startsWith('/deployments')) continue;
          expect([meant, failureAt(meant)]).toEqual([meant, undefined]);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
