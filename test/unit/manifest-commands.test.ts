import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allCommands, featureCreators } from '../../scripts/docs/routes.ts';
import { TASK_GROUPS } from '../../src/features/help/find.ts';
import { KEYWORDS } from '../../src/reporting/query-words.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { splitWords } from '../../src/lib/text.ts';
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

/** Each way of writing a command that a usage hint shows, without what may be left out; help is no word of a feature. */
function waysOf({ usage_hint: hint }: SlashCommand): string[] {
  return hint
    .split(' | ')
    .map((way) =>
      way
        .replaceAll(/ ?\[[^\]]*(?:\[[^\]]*\][^\]]*)*\]/g, '')
        .replace(/^\[|\]$/g, '')
        // Names of tags are a closed list, and this is no tag.
        .replace(/\bTAG\b/, 'gvc')
        .replace('=N', '=3')
        .trim(),
    )
    .filter((way) => way !== 'help');
}

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

  it.each(slashCommands.flatMap((slash) => waysOf(slash).map((way) => [slash.command, way])))(
    '%s: its hint "%s" can be typed',
    async (command, way = '') => {
      const route = routes.find(({ help }) => help.command === command);

      // Reading comes first; without dependencies whatever follows it fails in its own way.
      expect(await failureOf(route, way)).not.toBeInstanceOf(UsageError);
    },
  );
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

describe('what help tells people to type', () => {
  const told = [
    ...TASK_GROUPS.flatMap(({ tasks }) => tasks.map(({ command }) => command)),
    ...routes.flatMap(({ help }) => help.examples),
  ];

  // The router answers help itself.
  it.each([...new Set(told)].filter((text) => !text.includes(' help')))(
    '%s can be typed',
    async (text) => {
      const [command, ...words] = text.split(' ');
      const route = routes.find(({ help }) => help.command === command);

      expect(slashCommands.map((slash) => slash.command)).toContain(command);
      expect(await failureOf(route, words.join(' '))).not.toBeInstanceOf(UsageError);
    },
  );
});
