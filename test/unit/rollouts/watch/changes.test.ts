import { expect, it } from 'vitest';
import { changeLines } from '../../../../src/rollouts/render/changes.ts';
import type { ContainerSpec } from '../../../../src/rollouts/watch/facts.ts';
import { withSpec } from '../../../../src/rollouts/watch/rollout.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { Workload } from '../../../../src/rollouts/watch/workload.ts';

type Specs = readonly ContainerSpec[];
const main = (image: string, cpu = 250, memory = 512): ContainerSpec => [
  'main',
  image,
  cpu,
  memory,
];
const digest = (letter: string): string => `cart:v1@sha256:${letter.repeat(64)}`;

function lines(
  before: Specs | undefined,
  after: Specs,
  replicas: readonly number[] = [2, 2],
): string[] {
  const [was = 0, is = 0] = replicas;
  return changeLines({
    spec: { version: 12, containers: after, replicas: is },
    specBefore: before && { version: 11, containers: before, replicas: was },
  }).map(({ text }) => text);
}

it.each<[string, Specs | undefined, Specs, string[]]>([
  ['a tag', [main('acme/cart:v11')], [main('acme/cart:v12')], ['Image v11 → v12']],
  ['another image', [main('acme/cart:v11')], [main('acme/shop:v1')], ['Image cart:v11 → shop:v1']],
  ['a digest', [main(digest('a'))], [main(digest('b'))], ['Image v1 (digest aaaaaaaa → bbbbbbbb)']],
  [
    'a registry with a port',
    [main('r:5000/cart')],
    [main('r:5000/cart:v2')],
    ['Image latest → v2'],
  ],
  [
    'amounts',
    [main('cart:v1')],
    [main('cart:v1', 500, 1024)],
    ['Cpu 250 → 500m, memory 512 → 1024 MiB'],
  ],
  [
    'containers',
    [main('cart:v1'), ['log', 'log:v1', null, null]],
    [main('cart:v2'), ['proxy', 'proxy:v3', null, null]],
    ['`main`: image v1 → v2', '`proxy`: new, image proxy:v3', '`log`: removed'],
  ],
  [
    'nothing',
    [main('cart:v1')],
    [main('cart:v1')],
    ['Same image as v11: configuration or automatic resources'],
  ],
  ['a first version', undefined, [main('cart:v1')], ['Image cart:v1']],
])('a version changes %s', (_, before, after, changes) => {
  expect(lines(before, after)).toEqual(changes);
});

it('changes of replicas are a line, and four lines are the most', () => {
  expect(lines([main('cart:v1')], [main('cart:v1')], [2, 3])).toEqual(['Replicas 2 → 3']);
  const many = ['a', 'b', 'c', 'd'].map((name): ContainerSpec => [name, `${name}:v1`, null, null]);
  const all = lines([main('cart:v1')], [main('cart:v2'), ...many]);
  expect(all).toHaveLength(4);
  expect(all.at(-1)).toBe('… and 2 more changes');
});

it('replicas are not compared while a location is unknown or suspended: its share is missing', () => {
  const replicasWith = (state: string) => {
    const locations = { oslo: { state: 'ready', wanted: 4 }, paris: { state, wanted: 2 } };
    const workload = { version: 12, gvc: 1, ends: {}, numbers: {}, locations } as never as Workload;
    return withSpec(workload, [main('cart:v1')]).spec?.replicas;
  };
  expect(replicasWith('ready')).toBe(6);
  expect(replicasWith('stale')).toBeUndefined();
  expect(replicasWith('suspended')).toBeUndefined();

  const spec = { version: 12, containers: [main('cart:v1')], replicas: undefined };
  expect(changeLines({ spec, specBefore: { ...spec, version: 11, replicas: 6 } })).toEqual([
    mrkdwn`Same image as v11: configuration or automatic resources`,
  ]);
});

it('a rollback to the version that was ready last changes nothing', () => {
  const spec = { version: 11, containers: [main('cart:v1')], replicas: 2 };
  expect(changeLines({ spec, specBefore: spec })).toEqual([]);
});

it('nothing is known without the containers of this version', () => {
  expect(changeLines({ spec: undefined, specBefore: undefined })).toEqual([]);
});
