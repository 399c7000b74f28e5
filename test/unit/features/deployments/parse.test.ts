import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../../../src/config/watches.ts';
import { parseDeployments } from '../../../../src/features/deployments/parse.ts';
import { Refusal, UsageError } from '../../../../src/lib/errors.ts';
import { splitWords } from '../../../../src/lib/words.ts';
import { readTarget, resolveOrg } from '../../../../src/platform/deployments/target.ts';
import * as fc from '../../../support/fast-check.ts';

const SUBCOMMANDS = ['watch', 'unwatch', 'watches', 'mute', 'jobs'];

function parse(line: string) {
  const split = splitWords(line);
  if ('problem' in split) throw new UsageError(split.problem);
  return parseDeployments(split.words);
}

/** The refusal of an action; undefined where it is done. Any other error goes on. */
function refusalOf(action: () => unknown): UsageError | Refusal | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof UsageError || error instanceof Refusal) return error;
    throw error;
  }
}

function mistakeIn(line: string): UsageError | undefined {
  return refusalOf(() => parse(line)) as UsageError | undefined;
}

function unreadable(line: string): UsageError {
  const error = mistakeIn(line);
  if (error === undefined) throw new Error(`"${line}" was read`);
  return error;
}

const MINUTE = 60_000;

const place = (name?: string) => {
  const [gvc, workload, location] = name?.split('/') ?? [];
  return gvc === undefined ? undefined : { gvc, workload, location };
};
const status = (name: string, org?: string) => ({ kind: 'status', target: place(name), org });
const watch = (name: string, over: object = {}) => ({
  kind: 'watch',
  target: place(name),
  quiet: false,
  ...over,
});
const unwatch = (name?: string) => ({ kind: 'unwatch', target: place(name) });
const unmute = (name?: string) => ({ kind: 'unmute', target: place(name) });
const mute = (minutes: number, name?: string, over: object = {}) => ({
  kind: 'mute',
  forMs: minutes * MINUTE,
  target: place(name),
  ...over,
});

describe('/deployments is read', () => {
  it.each([
    ['', { kind: 'overview' }],
    ['org acme', { kind: 'overview', org: 'acme' }],
    ['shop', status('shop')],
    ['shop/cart', status('shop/cart')],
    ['shop/cart/aws-us-west-2 org acme', status('shop/cart/aws-us-west-2', 'acme')],
    ['Shop/my_cart.v2', status('Shop/my_cart.v2')],
    ['ORG acme shop', status('shop', 'acme')],
    ['watch shop', watch('shop')],
    [
      'Watch quiet only FAILED,stale in <#C0OPS|ops> shop/cart',
      watch('shop/cart', { channel: 'C0OPS', only: ['failed', 'stale'], quiet: true }),
    ],
    [
      'watch shop notify <!subteam^S0ONCALL|@oncall> quiet',
      watch('shop', { quiet: true, notify: '<!subteam^S0ONCALL>' }),
    ],
    ['watch shop notify <@U0ADA|ada>', watch('shop', { notify: '<@U0ADA>' })],
    ['watch shop notify <!here>', watch('shop', { notify: '<!here>' })],
    ['watch shop only stuck', watch('shop', { only: ['stuck'] })],
    ['watch shop in <#C0FINANCE|>', watch('shop', { channel: 'C0FINANCE' })],
    ['watch shop in C0FINANCE', watch('shop', { channel: 'C0FINANCE' })],
    ['watch shop only ready, failed', watch('shop', { only: ['ready', 'failed'] })],
    ['watch shop only ready,ready', watch('shop', { only: ['ready'] })],
    ['unwatch', unwatch()],
    ['unwatch shop', unwatch('shop')],
    ['watches in <#C0OPS|ops>', { kind: 'watches', channel: 'C0OPS' }],
    ['mute', { kind: 'mutes' }],
    ['mute in <#C0OPS|ops>', { kind: 'mutes', channel: 'C0OPS' }],
    ['mute shop 8 hours', mute(480, 'shop')],
    ['mute 1w', mute(10_080)],
    ['mute 30m', mute(30)],
    ['MUTE shop/cart 8H', mute(480, 'shop/cart')],
    ['mute 2d org beta', mute(2_880, undefined, { org: 'beta' })],
    ['mute 1m 3scale', mute(1, '3scale')],
    ['mute 3scale 30d', mute(43_200, '3scale')],
    ['mute 8h 8h/', mute(480, '8h')],
    ['mute off', unmute()],
    ['mute off 3scale', unmute('3scale')],
    ['mute shop off', unmute('shop')],
    ['unmute shop', unmute('shop')],
    ['jobs data/etl', { kind: 'jobs', target: place('data/etl') }],
    ['jobs data/etl/oslo org acme', { kind: 'jobs', target: place('data/etl/oslo'), org: 'acme' }],
  ])('%s', (line, command) => {
    expect(parse(line)).toEqual(command);
  });

  it.each([...SUBCOMMANDS, 'org', 'in', 'only', 'quiet', 'off', 'help'])(
    'a GVC named %s is written with a slash, or in quotes',
    (name) => {
      expect(parse(`${name}/`)).toMatchObject({ kind: 'status', target: { gvc: name } });
      expect(parse(`"${name}"`)).toMatchObject({ kind: 'status', target: { gvc: name } });
      expect(parse(`watch ${name}/`)).toMatchObject({ kind: 'watch', target: { gvc: name } });
      expect(parse(`mute 8h ${name}/`)).toMatchObject({ kind: 'mute', target: { gvc: name } });
    },
  );

  it('the same in whatever order its words come', () => {
    const parts = ['shop/cart', 'org acme', 'in <#C0OPS|ops>', 'only ready,failed', 'quiet'];
    const expected = parse(`watch ${parts.join(' ')}`);
    fc.assert(
      fc.property(fc.shuffledSubarray(parts, { minLength: parts.length }), (shuffled) => {
        expect(parse(`watch ${shuffled.join('  ')}`)).toEqual(expected);
      }),
    );
  });

  it('in whatever case the keywords are, with and without quotes around values', () => {
    const line = fc
      .tuple(fc.mixedCase(fc.constant('watch')), fc.mixedCase(fc.constant('only')), fc.boolean())
      .map(([verb, only, quoted]) => `${verb} ${quoted ? '"shop"' : 'shop'} ${only} Failed`);
    fc.assert(
      fc.property(line, (text) => {
        expect(parse(text)).toEqual(watch('shop', { only: ['failed'] }));
      }),
    );
  });
});

describe('noise', () => {
  const bits = fc.oneof(
    fc.constantFrom(...SUBCOMMANDS, ...OUTCOMES, 'org', 'in', 'only', 'quiet', '/', ',', '"', '“'),
    fc.constantFrom('off', '8h', '30', '0m', '9d'),
    fc.constantFrom('<#C0OPS|ops>', '<', '>', '&lt;', '\u202E', '\u0000', '__proto__', '\uD83D'),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  );
  const noise = fc
    .array(fc.tuple(bits, fc.constantFrom('', ' ', ',', '/')), { maxLength: 120 })
    .map((parts) => parts.flat().join(''));

  it('is read or refused in one sentence', () => {
    fc.assert(
      fc.property(noise, (line) => {
        expect(mistakeIn(line)?.message ?? 'Read.').toMatch(/[.!?]$/);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    'a/'.repeat(2_000),
    '"'.repeat(4_000),
    '<'.repeat(4_000),
    'in '.repeat(1_300),
    ','.repeat(4_000),
  ])('4 KB of one kind are refused, too (%#)', (line) => {
    expect(() => parse(`watch shop only ${line}`.slice(0, 4_090))).toThrow(UsageError);
  });

  it('gives names that fit in an address', () => {
    const nearly = fc.string({
      unit: fc.constantFrom('a', 'Z', '9', '-', '.', '_', '/', '%', '\\'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.oneof(nearly, noise), (text) => {
        let parts: string[] = [];
        refusalOf(
          () => (parts = Object.values(readTarget(text)).filter((one) => one !== undefined)),
        );

        for (const part of parts) expect(part).toMatch(/^\w[\w.-]*$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the org', () => {
  const two = { known: ['acme', 'beta'], fallback: undefined };

  it('is the named one, else the only or default one', () => {
    expect(resolveOrg('beta', two)).toBe('beta');
    expect(resolveOrg(undefined, { known: ['acme'], fallback: 'acme' })).toBe('acme');
  });

  it('has to be named when there are several and none is the default', () => {
    expect(() => resolveOrg(undefined, two)).toThrow(
      'There are several orgs: add "org NAME", one of acme, beta.',
    );
  });

  it.each(['gamma', '__proto__', 'constructor'])('has to be one with a key: %s is not', (name) => {
    expect(() => resolveOrg(name, two)).toThrow(Refusal);
    expect(() => resolveOrg(name, two)).toThrow('name one that it knows, acme, beta');
  });
});

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
    ['logs shop/cart org acme', 'I don’t know `logs`', '/deployments shop/cart org acme'],
    [
      'watch shop only ready failed stuck',
      'I don’t know `failed`',
      '/deployments watch shop only ready,failed,stuck',
    ],
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
