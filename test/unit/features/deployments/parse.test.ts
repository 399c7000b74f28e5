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

/** The sentence that a person is refused with; undefined when no one is. Any other error goes on. */
function refusalOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof UsageError || error instanceof Refusal) return error.message;
    throw error;
  }
}

const status = { kind: 'status', org: undefined };
const MINUTE = 60_000;
const ETL = { gvc: 'data', workload: 'etl' };
const where = { org: undefined, channel: undefined };
const mute = (forMs: number) => ({ kind: 'mute', ...where, forMs });
const watchDefaults = {
  org: undefined,
  channel: undefined,
  only: undefined,
  quiet: false,
  notify: undefined,
};

describe('/deployments is read', () => {
  it.each([
    ['', { kind: 'overview', org: undefined }],
    ['org acme', { kind: 'overview', org: 'acme' }],
    ['shop', { kind: 'status', target: { gvc: 'shop' }, org: undefined }],
    ['shop/cart', { kind: 'status', target: { gvc: 'shop', workload: 'cart' }, org: undefined }],
    [
      'shop/cart/aws-us-west-2 org acme',
      {
        kind: 'status',
        target: { gvc: 'shop', workload: 'cart', location: 'aws-us-west-2' },
        org: 'acme',
      },
    ],
    ['Shop/my_cart.v2', { ...status, target: { gvc: 'Shop', workload: 'my_cart.v2' } }],
    ['ORG acme shop', { kind: 'status', target: { gvc: 'shop' }, org: 'acme' }],
    ['watch shop', { kind: 'watch', target: { gvc: 'shop' }, ...watchDefaults }],
    [
      'Watch quiet only FAILED,stale in &lt;#C0OPS|ops&gt; shop/cart'.replace(/&lt;|&gt;/g, (e) =>
        e === '&lt;' ? '<' : '>',
      ),
      {
        kind: 'watch',
        target: { gvc: 'shop', workload: 'cart' },
        org: undefined,
        channel: 'C0OPS',
        only: ['failed', 'stale'],
        quiet: true,
        notify: undefined,
      },
    ],
    [
      'watch shop notify <!subteam^S0ONCALL|@oncall> quiet',
      { ...watch('shop'), quiet: true, notify: '<!subteam^S0ONCALL>' },
    ],
    ['watch shop notify <@U0ADA|ada>', { ...watch('shop'), notify: '<@U0ADA>' }],
    ['watch shop notify <!here>', { ...watch('shop'), notify: '<!here>' }],
    ['watch shop only stuck', { ...watch('shop'), only: ['stuck'] }],
    ['watch shop in <#C0FINANCE|>', { ...watch('shop'), channel: 'C0FINANCE' }],
    ['watch shop in C0FINANCE', { ...watch('shop'), channel: 'C0FINANCE' }],
    ['watch shop only ready, failed', { ...watch('shop'), only: ['ready', 'failed'] }],
    ['watch shop only ready,ready', { ...watch('shop'), only: ['ready'] }],
    ['unwatch', { kind: 'unwatch', target: undefined, org: undefined, channel: undefined }],
    [
      'unwatch shop',
      { kind: 'unwatch', target: { gvc: 'shop' }, org: undefined, channel: undefined },
    ],
    ['watches in <#C0OPS|ops>', { kind: 'watches', channel: 'C0OPS' }],
    ['mute', { kind: 'mutes', channel: undefined }],
    ['mute in <#C0OPS|ops>', { kind: 'mutes', channel: 'C0OPS' }],
    ['mute shop 8 hours', { ...mute(480 * MINUTE), target: { gvc: 'shop' } }],
    ['mute 1w', { ...mute(10_080 * MINUTE), target: undefined }],
    ['mute 30m', { ...mute(30 * MINUTE), target: undefined }],
    ['MUTE shop/cart 8H', { ...mute(480 * MINUTE), target: { gvc: 'shop', workload: 'cart' } }],
    ['mute 2d org beta', { ...mute(2_880 * MINUTE), target: undefined, org: 'beta' }],
    ['mute 1m 3scale', { ...mute(MINUTE), target: { gvc: '3scale' } }],
    ['mute 3scale 30d', { ...mute(43_200 * MINUTE), target: { gvc: '3scale' } }],
    ['mute 8h 8h/', { ...mute(480 * MINUTE), target: { gvc: '8h' } }],
    ['mute off', { ...where, kind: 'unmute', target: undefined }],
    ['mute off 3scale', { ...where, kind: 'unmute', target: { gvc: '3scale' } }],
    ['mute shop off', { ...where, kind: 'unmute', target: { gvc: 'shop' } }],
    ['jobs data/etl', { kind: 'jobs', target: ETL, org: undefined }],
    [
      'jobs data/etl/oslo org acme',
      { kind: 'jobs', target: { ...ETL, location: 'oslo' }, org: 'acme' },
    ],
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
        expect(parse(text)).toEqual({ ...watch('shop'), only: ['failed'] });
      }),
    );
  });
});

function watch(gvc: string) {
  return { kind: 'watch', target: { gvc }, ...watchDefaults };
}

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
        expect(refusalOf(() => parse(line)) ?? 'Read.').toMatch(/[.!?]$/);
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
