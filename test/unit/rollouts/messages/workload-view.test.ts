import { describe, expect, it } from 'vitest';
import { cardContent } from '../../../../src/rollouts/messages/workload-view.ts';
import { gvcScenario, PLACE } from '../engine/gvc-scenario.ts';
import type { Listing } from '../engine/gvc-scenario.ts';
import {
  broken,
  container,
  down,
  idle,
  MINUTE,
  NOON,
  pending,
  ready,
  rolling,
  stale,
  suspended,
  version,
} from '../platform-json.ts';
import type { Json } from '../platform-json.ts';
import { broke, card, cardOfCart, outcome, read } from './scenario.ts';

describe('a card', () => {
  it('on its way: one row per location, replicas of both versions, a bar', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11), rome: suspended(11) });
    const half = version(12, {
      ready: false,
      containers: { main: container({ resources: { replicas: 2, replicasReady: 1 } }) },
    });
    gvc.poll({ lima: rolling(12, { versions: [half, version(11)] }), oslo: pending(12) });

    expect(read(card(gvc))).toEqual([
      ':hourglass_flowing_sand: *shop/cart* v12 deploying · 0 of 2 locations ready',
      '▰▰▰▱▱▱▱▱▱▱▱▱  1 of 4 replicas ready',
      'Location | State | v12 ready | Other version',
      'lima | deploying | 1/2 | v11: 2/2',
      'oslo | pending | 0/2 | v11: 2/2',
      'rome | suspended | 0/0 | –',
      `org acme · first seen <!date^${(NOON + 10_000) / 1000}^{date_short_pretty} {time_secs}, {ago}|2026-10-05 12:00 UTC>`,
      'Details | Mute 1 h | Mute 8 h | Unwatch',
    ]);
  });

  it('and its outcomes have names as a whole in their text', () => {
    const place = { ...PLACE, gvc: 'g'.repeat(253) };
    const workload = 'w'.repeat(253);
    const gvc = gvcScenario({ [`${workload}/lima`]: ready(11) });
    gvc.poll({ [`${workload}/lima`]: broken(12, 'oh no') });

    for (const { text } of [card(gvc, place), outcome(gvc, place)]) {
      expect(text).toContain(`${place.gvc}/${workload} v12 failed`);
    }
  });

  it('shows what a location runs that the version has not reached', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11), rome: undefined });
    gvc.poll({ lima: rolling(12) });

    expect(read(card(gvc)).slice(3, 6)).toEqual([
      'lima | deploying | 0/2 | v11: 2/2',
      'oslo | waiting | – | v11: 2/2',
      'rome | unknown | – | –',
    ]);
    expect(read(card(gvc))).toContain(
      `The change has not reached *oslo* yet (newest version since <!date^${(NOON + 10_000) / 1000}^{time}|2026-10-05 12:00 UTC>)`,
    );
  });

  it('of a version that failed says why, and what still serves', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11), rome: ready(11) });
    const sick = version(12, { ready: false, message: 'oh no', containers: { main: down() } });
    const alone = broken(12, '', { versions: [sick] });
    const beside = broken(12, '', { versions: [sick, version(11)] });
    gvc.poll({ lima: alone, oslo: beside, rome: beside });

    expect(read(card(gvc)).slice(-4, -2)).toEqual([
      '*lima*: `oh no` – nothing serves there',
      '*oslo, rome*: `oh no` – v11 still serves 2/2',
    ]);
  });

  it('of a workload that fell sick says how much of it still serves', () => {
    const gvc = gvcScenario({ lima: ready(12) });
    const one = container({ resources: { replicas: 2, replicasReady: 1 } });
    gvc.poll({
      lima: broken(12, '', {
        versions: [version(12, { ready: false, message: 'oh no', containers: { main: one } })],
      }),
    });

    expect(read(card(gvc))).toContain('*lima*: `oh no` – v12 still serves 1/2');
    expect(read(card(gvc)).at(-2)).toBe('org acme · already there when first seen');
  });

  it('counts no replicas where it does not know them', () => {
    const gvc = gvcScenario({ lima: ready(12), oslo: ready(12), rome: ready(12) });
    gvc.poll({ lima: stale(12, { versions: [version(12), version(11)] }) });

    expect(read(card(gvc)).slice(0, 6)).toEqual([
      ':grey_question: *shop/cart* v12 stale · 2 of 3 locations ready',
      '▰▰▰▰▰▰▰▰▰▰▰▰  4 of 4 replicas ready, lima not counted',
      'Location | State | v12 ready | Other version',
      'lima | stale | – | –',
      'oslo | ready | 2/2 | –',
      'rome | ready | 2/2 | –',
    ]);

    gvc.poll({ oslo: stale(12), rome: stale(12) });
    expect(read(card(gvc))[1]).toBe('Location | State | v12 ready | Other version');
  });

  it('says which version a location reports that diverged, if that is known', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11), rome: ready(11) });
    const versions = [version(13), version(12)];
    const ahead = ready(12, { lastProcessedVersion: 13 });
    gvc.poll({ lima: { ...ahead, versions }, oslo: ahead, rome: ready(12) });

    const said = read(card(gvc));
    expect(said[0]).toContain('diverged · 1 of 3 locations ready');
    expect(said[1]).toBe('▰▰▰▰▰▰▰▰▰▰▰▰  2 of 2 replicas ready, lima, oslo not counted');
    expect(said).toContain('lima | diverged | – | v13: 2/2');
    expect(said).toContain('*lima*: it reports v13, v12 is expected');
    expect(said).toContain('*oslo*: it reports a newer version, v12 is expected');
  });

  it.each<[string, Listing, string]>([
    [
      'ready',
      { lima: ready(12) },
      ':white_check_mark: *shop/cart* v12 ready · in place after 1 min',
    ],
    ['scaled to zero', { lima: idle(12) }, ':zzz: *shop/cart* v12 idle · in place, scaled to zero'],
    [
      'suspended',
      { lima: suspended(12) },
      ':double_vertical_bar: *shop/cart* v12 in place, suspended',
    ],
    [
      'overtaken by a newer one',
      { lima: rolling(13) },
      ':fast_forward: *shop/cart* v12 superseded by v13',
    ],
  ])('that has ended is short: %s', (_how, last, head) => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(12) });
    gvc.poll(last, { after: MINUTE });

    const foot = expect.stringMatching(/^org acme · first seen [^,]+$/);
    expect(read(card(gvc)).slice(0, 2)).toEqual([head, foot]);
  });

  it('that gave way to a version before says that it was rolled back', () => {
    const { rollout } = cardOfCart();
    const over = { rollout: { ...rollout, ending: 'superseded' as const }, rows: [] };

    expect(cardContent(PLACE, cardOfCart({ ...over, supersededBy: 11 })).text).toBe(
      'shop/cart v12 superseded by v11, rolled back',
    );
  });

  it('that was ready when it was first seen does not say how long that took', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: ready(12) });

    expect(card(gvc).text).toBe('shop/cart v12 ready · in place');
    expect(outcome(gvc).text).toBe('shop/cart v12 ready in lima');
  });

  it('of a workload that is not listed any more says so', () => {
    const gvc = gvcScenario({ 'web/lima': ready(1), lima: ready(11) });
    gvc.poll({ lima: rolling(12) });
    gvc.poll({ lima: 'absent' });
    gvc.poll();

    expect(read(card(gvc))[0]).toBe(':heavy_minus_sign: *shop/cart* v12 gone · no longer listed');
  });

  it('that was ready and is in trouble again opens up again', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: ready(12), oslo: ready(12) });
    gvc.poll({ lima: broken(12, 'oh no') });

    expect(read(card(gvc))[0]).toBe(':warning: *shop/cart* v12 unhealthy · 1 of 2 locations ready');
    expect(read(card(gvc))).toContain('lima | unhealthy | 0/2 | –');
  });

  it('that was in place without serving and starts is on its way again', () => {
    const gvc = gvcScenario({ lima: idle(11) });
    gvc.poll({ lima: idle(12) });
    gvc.poll({ lima: rolling(12) });

    expect(card(gvc).text).toBe('shop/cart v12 deploying · 0 of 1 location ready');
  });

  it('of a rollout that was not seen to begin does not say how long it took', () => {
    const gvc = gvcScenario({ lima: rolling(12), oslo: ready(12) });
    gvc.poll({ lima: ready(12) }, { after: MINUTE });

    expect(card(gvc).text).toBe('shop/cart v12 ready · in place');
    expect(outcome(gvc).text).toBe('shop/cart v12 ready in both locations');
  });
});

describe('causes in plain words, with the platform’s own beside them', () => {
  const crashed = (over: Json): Json =>
    broken(12, '', { versions: [version(12, { ready: false, containers: { main: down(over) } })] });
  const restarts = (count: number, exitCode: number, reason: string): Json => ({
    count,
    exitCode,
    reason,
    lastRestartTime: new Date(NOON).toISOString(),
  });

  it('an image', () => {
    const message = 'Back-off pulling image "registry/cart:v12": ErrImagePull: not found';

    expect(broke(crashed({ message }))).toBe(
      `*lima*: the image cannot be pulled (\`${message}\`) – nothing serves there`,
    );
  });

  it('memory', () => {
    expect(broke(crashed({ restarts: restarts(3, 137, 'OOMKilled') }))).toBe(
      '*lima*: out of memory (`container main: 3 restarts (OOMKilled, exit code 137, memory limit 512 MiB)`) – nothing serves there',
    );
  });

  it('a secret', () => {
    const message = 'The secret cart-credentials no longer exists. Workload updates are paused.';
    const versions = [version(12, { ready: false, message, containers: undefined }), version(11)];

    expect(broke(broken(12, '', { lastProcessedVersion: 11, versions }))).toBe(
      `*lima*: a secret is missing (\`${message}\`) – v11 still serves 2/2`,
    );
  });

  it('a probe', () => {
    expect(broke(crashed({ message: 'Readiness probe failed: statuscode: 503' }))).toContain(
      'the readiness check fails (`Readiness probe failed: statuscode: 503`)',
    );
  });

  it.each(['Completed', 'Error'])('a crash loop that ends with %s', (reason) => {
    expect(broke(crashed({ restarts: restarts(1, 0, reason) }))).toContain(
      `a container keeps stopping (\`container main: 1 restart (${reason}, exit code 0, memory limit 512 MiB)\`)`,
    );
  });

  it('a message that nobody foresaw is quoted as it is', () => {
    expect(broke(broken(12, 'the moon is full'))).toBe(
      '*lima*: `the moon is full` – nothing serves there',
    );
  });

  it('no message at all', () => {
    const gvc = gvcScenario({ lima: ready(12) });
    gvc.poll({ lima: broken(12) });
    gvc.poll();

    expect(outcome(gvc).text).toBe(
      'shop/cart v12 unhealthy in lima: not ready, and no reason is reported – nothing serves there',
    );
  });

  it('stale is no failure: it says what is not known, and nothing of what serves', () => {
    expect(broke(stale(12))).toBe(
      '*lima*: no report for more than 45 minutes; what runs there is not known',
    );
  });
});
