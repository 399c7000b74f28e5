import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as fc from '../support/fast-check.ts';
import { parse } from 'yaml';
import { allCommands, featureCreators } from '../../scripts/docs/routes.ts';
import { KEYWORDS } from '../../src/reporting/query-words.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { splitWords } from '../../src/lib/words.ts';
import { linesOf } from '../support/usage-lines.ts';
import { overview } from '../../src/features/help/find.ts';
import { commandIn, writtenIn } from '../../src/slack/routing/mentions.ts';
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

/** The error of a route that is given these words and nothing else. */
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
// The router answers help itself.
const lines = [...new Set(shown)].filter((line) => !line.includes(' help'));

describe('every line that a hint, help or an example shows', () => {
  it.each(lines)('%s can be typed', async (line) => {
    const [command, ...words] = line.split(' ');
    const route = routes.find(({ help }) => help.command === command);

    expect(slashCommands.map((slash) => slash.command)).toContain(command);
    // Reading comes first; without dependencies whatever follows it fails in its own way.
    expect(await failureOf(route, words.join(' '))).not.toBeInstanceOf(UsageError);
  });
});

/** These quote earlier wording, and paths of the platform. */
const NOT_FOR_TYPING = ['style.md', 'specification.md'];
const PAGES = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md') && !NOT_FOR_TYPING.includes(name))
    .map((name) => `docs/${name}`),
];

/** Commands between marks of code; one that is only named, such as `/workload probe`, begins a usage. */
const quoted = PAGES.flatMap((page) =>
  [...read(page).matchAll(/`(\/[^`]+)`/g)].map(([, line = '']) => line.replaceAll('\\|', '|')),
).filter((line) => {
  const help = routes.find(({ help: { command } }) => command === line.split(' ')[0])?.help;
  const isName = help?.usages.some(({ text }) => `${text} `.startsWith(`${line} `));
  return help !== undefined && isName === false;
});

describe('every command in the documents', () => {
  it.each([...new Set(quoted)])('%s can be typed', async (line) => {
    for (const one of linesOf(line.replace(/#[a-z]+/, '#CHANNEL'))) {
      const [command, ...words] = one.split(' ');
      const route = routes.find(({ help }) => help.command === command);
      const failure = await failureOf(route, words.join(' '));
      expect(failure).not.toBeInstanceOf(UsageError);
    }
  });
});

/** Each kind of thing that can be asked for, as it is typed. */
const ASKED = [
  ...['/charges', '/usage'].flatMap((query) => [
    query,
    `${query} tags gvc`,
    `${query} watch daily`,
    `${query} watches`,
    `${query} unwatch 3`,
  ]),
  '/charges items',
  '/invoices',
  ...['list', 'pending', 'show 3', 'pdf 3', 'pay 3', 'deliveries'].map((of) => `/invoices ${of}`),
  '/alert',
  '/alert set 500',
  '/alert off',
  '/alert delete',
  ...['account', 'orgs', 'orgs create', 'users', 'users add', 'users roles', 'users remove'].map(
    (of) => `/billing ${of}`,
  ),
  ...['tokens', 'tokens create', 'tokens delete', 'recipients', 'recipients add'].map(
    (of) => `/billing ${of}`,
  ),
  ...[
    'recipients enable',
    'recipients disable',
    'recipients delete',
    'quotas',
    'quotas request',
  ].map((of) => `/billing ${of}`),
  '/deployments',
  ...['shop', 'watch shop', 'unwatch', 'watches', 'mute 8h', 'mute off', 'jobs shop/cart'].map(
    (of) => `/deployments ${of}`,
  ),
  ...['addresses shop/cart', 'env', 'tags', 'check', 'plan replicas=3', 'probe shop/cart'].map(
    (of) => `/workload ${of}`,
  ),
  '/changes',
  '/changes show k3m9x2ab',
  '/purser help',
  '/purser whoami',
  '/purser doctor',
];

/** As Slack reports a text to Purser in each place. */
const PLACES: readonly [place: string, (text: string) => Parameters<typeof writtenIn>[0]][] = [
  ['a channel', (text) => ({ type: 'app_mention', channel: 'C1', text: `<@U0BOT> ${text}` })],
  [
    'a thread',
    (text) => ({ type: 'app_mention', channel: 'C1', thread_ts: '1.2', text: `<@U0BOT> ${text}` }),
  ],
  ['a direct message', (text) => ({ type: 'message', channel: 'D1', channel_type: 'im', text })],
];

describe('everything that can be asked for', () => {
  it.each(ASKED)('%s is in the help of its command, which All commands names', (line) => {
    const help = routes.find(({ help: { command } }) => command === line.split(' ')[0])?.help;
    if (help === undefined) throw new Error('has no command');
    const all = overview(
      routes.map((route) => route.help),
      { tasks: [] },
      undefined,
    );

    expect([...help.usages.flatMap(({ text }) => linesOf(text)), ...help.examples]).toContain(line);
    expect(JSON.stringify(all.rest)).toContain(`\`${help.command} help\``);
  });

  it.each(PLACES)('is asked for in %s with and without the slash', (_, eventOf) => {
    for (const line of [...ASKED, ...shown]) {
      for (const text of [line, line.slice(1)]) {
        const written = writtenIn({ user: 'U1', ...eventOf(text) }, 'T1');
        const { command, words, unknown } = commandIn(written?.text ?? '', routes);

        expect([unknown, `${command.help.command} ${words}`.trim()]).toEqual([undefined, line]);
      }
    }
  });
});

describe('a hint', () => {
  it.each(routes.map(({ help: { command, hint = '' } }) => [command, hint]))(
    'of %s has placeholders in capitals, and brackets around optional parts: %s',
    (_, hint) => {
      for (const line of hint.split(' | ')) {
        const bare = line.replaceAll(/[[\]]/g, '');
        expect(line.split('[').length).toBe(line.split(']').length);
        expect(bare).not.toContain('|');
        for (const word of bare.split(' '))
          expect(word).toMatch(/^(?:[a-z]+|\d+h|#?[A-Z]+(?:[/=][A-Z]+)*|[a-z]+=[A-Z]+)$/i);
      }
    },
  );
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
          if (meant === undefined) continue;
          expect([meant, failureAt(meant)]).toEqual([meant, undefined]);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
