import { describe, expect, it } from 'vitest';
import { parseWorkload } from '../../../../src/features/workload/parse.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { splitWords } from '../../../../src/lib/words.ts';

function parse(text: string) {
  const split = splitWords(text);
  if ('problem' in split) throw new Error(split.problem);
  return parseWorkload(split.words);
}

function failure(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    return error;
  }
}

const target = { gvc: 'shop', workload: 'cart' };
const percent = (value: number) => ({ value, percent: true });
const count = (value: number) => ({ value, percent: false });

describe('/workload is read', () => {
  it('without words as help', () => {
    expect(parse('')).toEqual({ kind: 'help' });
  });

  it.each([
    ['addresses shop/cart', { kind: 'addresses', target }],
    ['ADDRESSES shop/cart Replicas=3 PORT=8080 org acme', { replicas: 3, port: 8080, org: 'acme' }],
    ['addresses org=acme port = 80 shop/cart replicas= 3', { target, port: 80, org: 'acme' }],
    ['probe shop/cart org acme', { kind: 'probe', target, org: 'acme' }],
    ['probe shop/cart/', { kind: 'probe', target, org: undefined }],
    ['env', { kind: 'env', word: undefined }],
    ['env token', { kind: 'env', word: 'token' }],
    ['tags rate limit', { kind: 'tags', word: 'rate limit' }],
    ['tags "external auth"', { kind: 'tags', word: 'external auth' }],
    ['Check', { kind: 'check' }],
  ])('%s', (text, command) => {
    expect(parse(text)).toMatchObject(command);
  });

  it.each([
    ['replicas=4', { replicas: 4 }],
    ['minReady=30 replicas=4 maxSurge=50%', { maxSurge: percent(50), minReadySeconds: 30 }],
    ['replicas = 4 maxSurge = 50 %', { replicas: 4, maxSurge: percent(50) }],
    ['replicas=4 maxSurge=50 percent', { maxSurge: percent(50) }],
    ['replicas=4 maxUnavailable=25％', { maxUnavailable: percent(25) }],
    ['REPLICAS=4 max-surge=2 max_unavailable=1', { maxSurge: count(2), maxUnavailable: count(1) }],
    ['--replicas=4 —maxSurge=2', { replicas: 4, maxSurge: count(2) }],
    ['–replicas=4 –max–surge=2', { replicas: 4, maxSurge: count(2) }],
    ['replicas=4 maxSurgeReplicas=1 maxUnavailableReplicas=2', { maxUnavailable: count(2) }],
    ['replicas=4 minReadySeconds=45s', { minReadySeconds: 45 }],
    ['replicas=4 minReady=2m', { minReadySeconds: 120 }],
    ['replicas=4 minReady=1.5', { minReadySeconds: 1.5 }],
    ['replicas=4 maxSurge=12.5%', { maxSurge: percent(12.5) }],
    ['replicas=4 scalingPolicy=parallel', { policy: 'Parallel' }],
    ['replicas=4 policy=ordered-ready', { policy: 'OrderedReady' }],
  ])('plan %s', (text, options) => {
    expect(parse(`plan ${text}`)).toMatchObject({ kind: 'plan', options });
  });
});

describe('/workload names its mistake in one sentence', () => {
  it.each([
    ['adresses shop/cart', 'I don’t know `adresses`.', '/workload addresses shop/cart'],
    ['shop/cart', 'I don’t know `shop/cart`.', '/workload addresses shop/cart'],
    ['tag "rate limit"', 'I don’t know `tag`.', '/workload tags "rate limit"'],
    ['"check"', '`check` works without quotes.', '/workload check'],
    ['addresses', '`GVC/WORKLOAD` is missing after `addresses`.', undefined],
    ['probe shop', '`shop` is a GVC: write shop/WORKLOAD.', undefined],
    [
      'probe shop/cart/aws',
      'is about a workload in all its locations',
      '/workload probe shop/cart',
    ],
    ['addresses a b/c d', 'write a/WORKLOAD.', undefined],
    ['probe shop/cart replicas=3', 'I don’t know `replicas`.', undefined],
    ['addresses shop/cart or acme', 'I don’t know `or`.', '/workload addresses shop/cart org acme'],
    ['addresses shop/cart acme', '`acme` is too much here.', '/workload addresses shop/cart'],
    ['addresses shop/cart replica=0', 'write 1 to 1,000.', undefined],
    ['addresses shop/cart replicas=1001', '`1001` is not a number of replicas', undefined],
    ['addresses shop/cart port=65536', '`65536` is not a port: write 1 to 65,535.', undefined],
    ['addresses shop/cart pot=80', 'I don’t know `pot`.', '/workload addresses shop/cart port=80'],
    ['addresses shop/cart port=80 port=81', '`port` is there twice: keep one.', undefined],
    ['addresses shop/cart org', '`NAME` is missing after `org`.', undefined],
    ['addresses shop/cart port=', '`N` is missing after `port=`.', undefined],
    ['check it', '`it` is too much here.', '/workload check'],
    ['plan', '`replicas=N` is missing after `plan`.', undefined],
    ['plan 4', '`replicas=N` is missing after `plan`.', '/workload plan replicas=4'],
    ['plan replicas=4 quickly', '`quickly` is too much here.', '/workload plan replicas=4'],
    ['plan replicas=-4', '`-4` is not a number of replicas', undefined],
    [
      'plan replicas=4 maxSruge=1',
      'I don’t know `maxSruge`.',
      '/workload plan replicas=4 maxSurge=1',
    ],
    ['plan replicas=4 maxSurge=1.5', '`1.5` cannot be read', undefined],
    ['plan replicas=4 maxSurge=9999', 'write replicas or percent up to 1,000.', undefined],
    ['plan replicas=4 minReady=soon', '`soon` cannot be read', undefined],
    ['plan replicas=4 minReady=25h', 'write seconds up to 86,400', undefined],
    ['plan replicas=4 minReady=86401', 'write seconds up to 86,400.', undefined],
    [
      'plan replicas=4 policy=paralel',
      '`paralel` is not a scaling policy',
      '/workload plan replicas=4 policy=Parallel',
    ],
  ])('%s', (text, sentence, suggestion) => {
    const error = failure(text);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ message: expect.stringContaining(sentence), suggestion });
  });

  it.each([
    ['addresses shop/cart org', 'org acme'],
    ['addresses shop/cart orgg', 'org acme'],
    ['addresses shop/cart port=', 'port=8080'],
    ['addresses shop/cart replicas=some', 'replicas=4'],
    ['plan replicas=4 maxUnavailable=lots', 'maxUnavailable=50%'],
    ['plan replicas=4 policy=random', 'policy=Parallel'],
  ])('%s: with an example that has it', (text, wanted) => {
    expect(failure(text)).toMatchObject({ wanted });
  });

  it('the hint typed literally, with its placeholder', () => {
    expect(failure('plan replicas=N')).toMatchObject({
      message: 'Write a number for N.',
      suggestion: undefined,
      usage: '/workload plan',
    });
  });

  it.each([
    ['addresses shop/cart pot=80', '/workload addresses'],
    ['PROBE shop', '/workload probe'],
    ['check it', '/workload check'],
    ['plan 4', '/workload plan'],
    ['pla replicas=4', undefined],
  ])('%s: with the usage of the subcommand', (text, usage) => {
    expect(failure(text)).toMatchObject({ usage });
  });
});
