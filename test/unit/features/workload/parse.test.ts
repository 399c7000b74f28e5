import { describe, expect, it } from 'vitest';
import { parseWorkload } from '../../../../src/features/workload/parse.ts';
import { Refusal, Unreadable } from '../../../../src/lib/refusal.ts';
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
    ['replicas=4 scalingPolicy=parallel', { policy: 'Parallel' }],
    ['replicas=4 policy=ordered-ready', { policy: 'OrderedReady' }],
  ])('plan %s', (text, options) => {
    expect(parse(`plan ${text}`)).toMatchObject({ kind: 'plan', options });
  });
});

describe('/workload says in one sentence what it cannot read', () => {
  it.each([
    ['adresses shop/cart', '"adresses" is no word of /workload', '/workload addresses'],
    ['shop/cart', '"shop/cart" is no word of /workload', '/workload addresses shop/cart'],
    ['"check"', '"check" is no word of /workload', '/workload check'],
    ['addresses', 'Name the workload', '/workload addresses GVC/WORKLOAD'],
    ['probe shop', 'is about one workload', '/workload probe shop/WORKLOAD'],
    ['probe shop/cart/aws', 'is about one workload', '/workload probe shop/cart'],
    ['addresses a b/c d', 'is about one workload', '/workload addresses a/WORKLOAD'],
    ['addresses shop/cart or acme', '"or" cannot be read here', 'org'],
    ['addresses shop/cart replica=0', 'no number of replicas: it takes 1 to 1,000', 'replicas=3'],
    ['addresses shop/cart replicas=1001', 'it takes 1 to 1,000', 'replicas=3'],
    ['addresses shop/cart port=65536', '"65536" is no port: it takes 1 to 65,535', 'port=8080'],
    ['addresses shop/cart pot=80', '"pot" is no word here', 'port='],
    ['addresses shop/cart port=80 port=81', '"port" is there twice', undefined],
    ['addresses shop/cart org', 'After "org" comes a value', undefined],
    ['addresses shop/cart port=', 'After "port=" comes a value', undefined],
    ['check it', 'Nothing follows "check"', '/workload check'],
    ['plan', 'A plan needs a number of replicas', '/workload plan replicas=4'],
    ['plan 4', '"4" cannot be read here', '/workload plan replicas=4'],
    ['plan replicas=4 quickly', '"quickly" cannot be read here', undefined],
    ['plan replicas=-4', '"-4" is no number of replicas', 'replicas=4'],
    ['plan replicas=4 maxSruge=1', '"maxSruge" is no word here', 'maxSurge='],
    ['plan replicas=4 maxSurge=12.5%', 'whole percent', 'maxSurge=50%'],
    ['plan replicas=4 maxSurge=9999', '0 to 1,000', 'maxSurge=50%'],
    ['plan replicas=4 minReady=soon', '"soon" is no value of minReady', 'minReady=30'],
    ['plan replicas=4 minReady=25h', 'it takes seconds, 0 to 86,400', 'minReady=30'],
    ['plan replicas=4 minReady=86401', '0 to 86,400', 'minReady=30'],
    ['plan replicas=4 policy=paralel', '"paralel" is no scaling policy', 'policy=Parallel'],
  ])('%s', (text, sentence, suggestion) => {
    const error = failure(text);

    expect(error).toBeInstanceOf(Unreadable);
    expect(error).toMatchObject({ message: expect.stringContaining(sentence), suggestion });
  });

  it('the hint as it stands there, with its placeholder', () => {
    expect(failure('plan replicas=N')).toBeInstanceOf(Refusal);
    expect(failure('plan replicas=N')).toMatchObject({
      message: 'Put a number in the place of N, for example /workload plan replicas=4.',
    });
  });
});
