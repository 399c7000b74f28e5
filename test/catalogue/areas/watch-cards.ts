import { workload, type Json } from '../../stories/watch/records.ts';
import type { Area, Entry } from '../entry.ts';
import { LINKS, scene, storyFrom } from './watch-scenes.ts';

const WELL = 'A rollout that goes well is a card and one ready';
const WAVES = 'v12 failed in lima while v11 served; then oslo and paris serve nothing';
const CARD = 'post cart/12/card';

const cart = workload('cart').in('lima', 'oslo', 'paris');
const MANY = Array.from({ length: 9 }, (_, index) => `edge-${index + 1}`);
const many = workload('cart').in(...MANY);
const full = cart.v(11).ready(2);
const rolling = cart.v(12).deploying(0, 2).old(11, 2);

/** A version with these containers, ready in its location. */
function running(version: number, containers: Json): ReturnType<typeof cart.v> {
  const entry = { workload: version, gvc: 1, ready: true, created: '2026-11-02T12:00:00Z' };
  return workload('cart')
    .in('lima')
    .status({
      ready: true,
      deploying: false,
      expectedDeploymentVersion: version,
      lastProcessedVersion: version,
      desiredScale: 2,
      versions: [{ ...entry, containers }],
    });
}

function container(image: string, memory = 512): Json {
  const resources = { replicas: 2, replicasReady: 2, cpu: 250, memory };
  return { image: `registry.example.com/acme/${image}`, ready: true, resources };
}

/** A version that is ready when it is first seen, and its changes. */
function change(id: string, title: string, before: Json, after: Json): Entry {
  return scene(
    `rollout-change-${id}`,
    storyFrom(title, [running(11, before)], [0, running(12, after)]),
    'post cart/12/ready',
  );
}

export const rolloutCards: Area = {
  id: 'rollout-cards',
  title: 'The card of a rollout: one message, edited as it goes on',
  entries: [
    scene('rollout-card', WELL, CARD),
    scene('rollout-card-links', WELL, CARD, { links: LINKS }),
    scene('rollout-card-ready', WELL, CARD, { at: 4 }),
    scene('rollout-card-first', 'A new workload fails: it has never served', 'post pay/1/card'),
    scene(
      'rollout-card-reached',
      'The version reaches lima first and oslo five minutes later: one card, one ready',
      CARD,
      { at: 2 },
    ),
    scene(
      'rollout-card-pending',
      'v11 is dead in oslo and paris, and v12 has not reached them',
      CARD,
    ),
    scene('rollout-card-failed', WAVES, CARD, { at: 2 }),
    scene('rollout-card-failed-hurt', WAVES, CARD, { at: 5, links: LINKS }),
    scene(
      'rollout-card-hurt',
      'One of nine replicas comes and goes for half an hour of a rollout',
      CARD,
    ),
    scene(
      'rollout-card-unhealthy',
      'Ready is posted once, also when the version is not ready for two minutes later',
      CARD,
      { at: 20 },
    ),
    scene('rollout-card-stale', 'paris does not report; v12 is ready everywhere else', CARD, {
      at: 12,
    }),
    scene('rollout-card-suspended-in-part', 'A suspended location holds no rollout back', CARD, {
      at: 4,
    }),
    scene(
      'rollout-card-left',
      'A location that left the list unready holds the rollout back for ten minutes',
      CARD,
      { at: 5 },
    ),
    scene('rollout-card-superseded', 'v13 replaces v12 on its way', CARD, { at: 4 }),
    scene(
      'rollout-card-recreated',
      'Made anew under the same name, at version 1: that is no rollback',
      CARD,
      { at: 4 },
    ),
    ...others(),
    change(
      'none',
      'A version with the same image',
      { main: container('cart:v11') },
      { main: container('cart:v11') },
    ),
    change(
      'containers',
      'One container gets more memory, one is new, one is removed',
      { main: container('cart:v11'), log: container('log:v1') },
      { main: container('cart:v11', 1024), proxy: container('proxy:v3') },
    ),
    change(
      'many',
      'Five containers are new',
      { main: container('cart:v11') },
      Object.fromEntries(
        ['main', 'a', 'b', 'c', 'd', 'e'].map((name) => [name, container(`${name}:v12`)]),
      ),
    ),
  ],
};

function others(): Entry[] {
  const of = (id: string, story: ReturnType<typeof storyFrom>, minute: number): Entry =>
    scene(`rollout-card-${id}`, story, CARD, { at: minute });
  return [
    of(
      'failed-differently',
      storyFrom(
        'v12 fails in two locations, for different reasons',
        [full],
        [0, rolling],
        [
          2,
          workload('cart').in('lima').v(12).down(0, 2).crash('exec format error').old(11, 2),
          workload('cart').in('oslo').v(12).down(1, 2).restarts(3, 1).old(11, 1),
        ],
      ),
      2,
    ),
    of(
      'unknown',
      storyFrom(
        'The locations stop stating anything on the way',
        [full],
        [0, rolling],
        [2, cart.v(12).status({ expectedDeploymentVersion: 12 })],
      ),
      2,
    ),
    of(
      'suspended',
      storyFrom('v12 is suspended on its way', [full], [0, rolling], [2, cart.v(12).suspended()]),
      2,
    ),
    of(
      'idle',
      storyFrom('v12 is scaled to zero on its way', [full], [0, rolling], [2, cart.v(12).zero()]),
      2,
    ),
    of(
      'diverged',
      storyFrom(
        'A location acts on v13, while v12 is expected',
        [full],
        [0, rolling],
        [2, workload('cart').in('lima').v(12).ready(2).processed(13)],
      ),
      12,
    ),
    of(
      'earlier',
      storyFrom(
        'v12 is rolled back to v11 on its way',
        [full],
        [0, rolling],
        [2, cart.v(11).ready(2)],
      ),
      2,
    ),
    of(
      'many',
      storyFrom(
        'More locations than the table has rows for',
        [many.v(11).ready(2)],
        [0, many.v(12).deploying(0, 2).old(11, 2)],
      ),
      0,
    ),
  ];
}
