import { describe, expect, it } from 'vitest';
import { parseDeployments } from '../../../../src/features/deployments/parse.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { splitWords } from '../../../../src/lib/words.ts';
import * as fc from '../../../support/fast-check.ts';

function parse(line: string) {
  const split = splitWords(line);
  if ('problem' in split) throw new UsageError(split.problem);
  return parseDeployments(split.words);
}

/** Undefined where the line is read. */
function mistakeIn(line: string): UsageError | undefined {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  return undefined;
}

function unreadable(line: string): UsageError {
  const error = mistakeIn(line);
  if (error === undefined) throw new Error(`"${line}" was read`);
  return error;
}

describe('unreadable words are answered with the next step', () => {
  it.each([
    ['shop org acme org beta', 'is there twice: keep one', undefined],
    [
      'watch shop only failed, raedy in <#C0OPS|ops>',
      'is not an outcome',
      '/deployments watch shop only failed, ready in <#C0OPS|ops>',
    ],
    [
      'watch shop notfy <!subteam^S0|@x>',
      'I don’t know',
      '/deployments watch shop notify <!subteam^S0|@x>',
    ],
    ['watch shop quite', 'I don’t know', '/deployments watch shop quiet'],
    ['watches shop in <#C0OPS|ops>', 'is too much here.', '/deployments watches in <#C0OPS|ops>'],
    ['mtue 8h', 'I don’t know', '/deployments mute 8h'],
    [
      'mute shop 90 days org beta in <#C0OPS|ops>',
      '30 days at most',
      '/deployments mute 30d shop org beta in <#C0OPS|ops>',
    ],
    ['mute off shop 8h', 'takes no time', '/deployments mute off shop'],
    ['mute -5m', 'is not a time', undefined],
    ['mute 45s', 'is not a time', undefined],
    ['mute 31d', '30 days at most', '/deployments mute 30d'],
    ['mute 99999999999999999999d', '30 days at most', '/deployments mute 30d'],
    ['mute abc prod', '`DURATION` is missing after `mute`', '/deployments mute 8h abc/prod'],
    ['mute shop prod 8h', 'I don’t know `prod`', '/deployments mute 8h shop/prod'],
    ['mute off shop prod', 'I don’t know `prod`', '/deployments mute off shop/prod'],
    ['shop cart org acme', 'I don’t know', '/deployments shop/cart org acme'],
    ['jobs data/etl in <#C0OPS|>', 'is too much here.', '/deployments jobs data/etl'],
    ['shop//cart', 'divided by slashes', '/deployments shop/cart'],
    ['../../etc/passwd', 'divided by slashes', undefined],
    ['--help', 'divided by slashes', undefined],
    ['.git', 'divided by slashes', undefined],
    ['<@U0ADA|ada>', 'divided by slashes', undefined],
    ['"shop', 'quotation mark', undefined],
  ])('%s', (line, words, suggestion) => {
    const error = unreadable(line);
    expect(error.message).toContain(words);
    expect(error.suggestion).toBe(suggestion);
  });

  it('in a sentence that leaves room for the suggestion, which is about the same subcommand', () => {
    for (const line of ['mute shop', 'watch shop quite', 'watches shop', 'jobs', 'unwatch a/b/c']) {
      const { message, usage } = unreadable(line);

      expect(message.length).toBeLessThanOrEqual(110);
      expect(usage).toBe(`/deployments ${line.split(' ')[0]}`);
    }
  });

  it('a name that is too long for an address', () => {
    expect(parse('x'.repeat(128))).toMatchObject({ kind: 'status' });
    expect(unreadable('x'.repeat(129)).message).toContain('dots, dashes and underscores');
  });

  it('never repeats a pasted novel', () => {
    const novel = 'x'.repeat(4_000);
    for (const line of [`shop ${novel}`, `${novel}!`, `watch shop only ${novel}`]) {
      expect(unreadable(line).message.length).toBeLessThan(300);
    }
  });
});

describe('a suggestion', () => {
  const verbs = fc.constantFrom(
    'watch',
    'wach',
    'mute',
    'mute 8',
    'jobs',
    'unwatch',
    'watches',
    '',
  );
  const words = fc.subarray(
    ['shop//cart', 'a/b/c', 'shop', 'crat', 'org acme', 'in <#C0OPS|ops>', 'only raedy', 'quite'],
    { maxLength: 4 },
  );

  it('keeps the channel and the org that were typed', () => {
    fc.assert(
      fc.property(verbs, words, (verb, rest) => {
        const line = [verb, ...rest].join(' ').trim();
        const suggestion = mistakeIn(line)?.suggestion;
        if (suggestion === undefined) return;

        expect(suggestion).toMatch(/^\/deployments/);
        for (const part of ['org acme', 'in <#C0OPS|ops>']) {
          // "watches" is for a channel, and jobs and a state are not: there the part is the mistake.
          const isWrong = part === 'org acme' ? verb === 'watches' : ['', 'jobs'].includes(verb);
          if (isWrong) continue;
          expect(suggestion.includes(part)).toBe(rest.includes(part));
        }
      }),
    );
  });
});
