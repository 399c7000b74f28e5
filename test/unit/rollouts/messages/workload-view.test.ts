import { describe, expect, it } from 'vitest';
import { cardContent } from '../../../../src/rollouts/messages/workload-view.ts';
import { gvcScenario, PLACE, type Listing } from '../engine/gvc-scenario.ts';
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
  type Json,
} from '../platform-json.ts';
import { broke, card, cardOfCart, menuOf, outcome, read, WHERE } from './scenario.ts';

/** Slack's date of the first poll after the scenario's beginning. */
const BEGAN = `<!date^${(NOON + 10_000) / 1000}^`;

describe('a card', () => {
  it('on its way: one row per location, replicas of both versions, a bar', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11), rome: suspended(11) });
    const half = version(12, {
      ready: false,
      containers: { main: container({ resources: { replicas: 2, replicasReady: 1 } }) },
    });
    gvc.poll({ lima: rolling(12, { versions: [half, version(11)] }), oslo: pending(12) });

    expect(read(card(gvc))).toEqual([
      '*shop/cart* v12',
      ':hourglass_flowing_sand: deploying · 0 of 2 locations ready',
      `▰▰▰▱▱▱▱▱▱▱▱▱  1 of 4 replicas of v12 ready · since ${BEGAN}{date_short_pretty} {time_secs}, {ago}|2026-10-05 12:00 UTC> · org acme`,
      'same image: configuration or automatic resources',
      'Location | State | v12 | Other',
      'lima | deploying | 1/2 | v11 2/2',
      'oslo | pending | 0/2 | v11 2/2',
      'rome | suspended | 0/0 | –',
    ]);
  });

  it('has a menu about its workload, which is no button below it', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(12) });

    expect(menuOf(card(gvc))).toEqual({
      id: 'menu:acme/shop/cart',
      items: [
        'Details deployments.details',
        'Mute 1 h deployments.mute.1h',
        'Mute 8 h deployments.mute.8h',
        'Unwatch deployments.unwatch.ask',
      ],
    });
    expect(card(gvc).blocks.map(({ type }) => type)).not.toContain('actions');
  });

  it('keeps its menu while it may go on, and has none once it is over', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(12) });
    gvc.poll({ lima: ready(12) });
    expect(menuOf(card(gvc))?.id).toBe('menu:acme/shop/cart');

    const over = gvcScenario({ lima: ready(11) });
    over.poll({ lima: rolling(12) });
    over.poll({ lima: rolling(13) });
    expect(menuOf(card(over))).toBeUndefined();
  });

  it('and its outcomes have names as a whole in their text', () => {
    const place = { ...PLACE, gvc: 'g'.repeat(253) };
    const workload = 'w'.repeat(253);
    const gvc = gvcScenario({ [`${workload}/lima`]: ready(11) });
    gvc.poll({ [`${workload}/lima`]: broken(12, 'oh no') });

    expect(card(gvc, place).text).toContain(`${place.gvc}/${workload} v12 OUTAGE, failed`);
    expect(outcome(gvc, place).text).toContain(`${place.gvc}/${workload} v12 failed`);
  });

  it('shows what a location runs that the version has not reached', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11), rome: undefined });
    gvc.poll({ lima: rolling(12) });

    // The rows say it: no sentence about those that wait.
    expect(read(card(gvc)).slice(4)).toEqual([
      'Location | State | v12 | Other',
      'lima | deploying | 0/2 | v11 2/2',
      'oslo | waiting | – | v11 2/2',
      'rome | unknown | – | –',
    ]);
  });

  it('of a version that failed says why, and what still serves', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11), rome: ready(11) });
    const sick = version(12, { ready: false, message: 'oh no', containers: { main: down() } });
    const alone = broken(12, '', { versions: [sick] });
    const beside = broken(12, '', { versions: [sick, version(11)] });
    gvc.poll({ lima: alone, oslo: beside, rome: beside });

    const said = read(card(gvc));
    expect(said[1]).toBe(':large_orange_circle: failed, users are served · 0 of 3 locations ready');
    expect(said.slice(-4)).toEqual([
      'lima | failed | 0/2 | –',
      'oslo | failed | 0/2 | v11 2/2',
      'rome | failed | 0/2 | v11 2/2',
      '*lima, oslo, rome*: `oh no`',
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

    // When it began is not known, so nothing is said of it.
    expect(read(card(gvc))).toEqual([
      '*shop/cart* v12',
      ':large_orange_circle: unhealthy, users are served · 0 of 1 location ready',
      '▰▰▰▰▰▰▱▱▱▱▱▱  1 of 2 replicas of v12 ready · org acme',
      '*lima*: `oh no`',
    ]);
  });

  it('counts no replicas where it does not know them', () => {
    const gvc = gvcScenario({ lima: ready(12), oslo: ready(12), rome: ready(12) });
    gvc.poll({ lima: stale(12, { versions: [version(12), version(11)] }) });

    expect(read(card(gvc)).slice(0, 7)).toEqual([
      '*shop/cart* v12',
      ':white_circle: stale · 2 of 3 locations ready',
      '▰▰▰▰▰▰▰▰▰▰▰▰  4 of 4 replicas of v12 ready, lima not counted · org acme',
      'Location | State | v12 | Other',
      'lima | stale | – | –',
      'oslo | ready | 2/2 | –',
      'rome | ready | 2/2 | –',
    ]);

    gvc.poll({ oslo: stale(12), rome: stale(12) });
    expect(read(card(gvc))[2]).toBe('org acme');
  });

  it('says which version a location reports that diverged, if that is known', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11), rome: ready(11) });
    const versions = [version(13), version(12)];
    const ahead = ready(12, { lastProcessedVersion: 13 });
    gvc.poll({ lima: { ...ahead, versions }, oslo: ahead, rome: ready(12) });

    const said = read(card(gvc));
    expect(said[1]).toBe(':large_orange_circle: diverged · 1 of 3 locations ready');
    expect(said[2]).toContain(
      '▰▰▰▰▰▰▰▰▰▰▰▰  2 of 2 replicas of v12 ready, lima, oslo not counted · since ',
    );
    expect(said).toContain('lima | diverged | – | v13 2/2');
    expect(said).toContain('*lima*: it reports v13, v12 is expected');
    expect(said).toContain('*oslo*: it reports a newer version, v12 is expected');
  });

  it.each<[string, Listing, string]>([
    ['ready', { lima: ready(12) }, ':white_check_mark: ready · live in 1 min'],
    ['scaled to zero', { lima: idle(12) }, ':double_vertical_bar: idle · in place, scaled to zero'],
    ['suspended', { lima: suspended(12) }, ':double_vertical_bar: in place, suspended'],
    ['overtaken by a newer one', { lima: rolling(13) }, ':heavy_minus_sign: superseded by v13'],
  ])('that has ended is its two lines: %s', (_how, last, state) => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(12) });
    gvc.poll(last, { after: MINUTE });

    const began = `${BEGAN}{date_short_pretty} {time}|2026-10-05 12:00 UTC>`;
    expect(read(card(gvc))).toEqual(['*shop/cart* v12', `${state} · org acme · ${began}`]);
  });

  it('that gave way to a version before says that it was rolled back', () => {
    const { rollout } = cardOfCart();
    const over = { rollout: { ...rollout, ending: 'superseded' as const }, rows: [] };

    expect(cardContent(PLACE, cardOfCart({ ...over, supersededBy: 11 }), WHERE).text).toBe(
      'shop/cart v12 superseded by v11, rolled back',
    );
  });

  it('that was ready when it was first seen does not say how long that took', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: ready(12) });

    expect(card(gvc).text).toBe('shop/cart v12 ready');
    expect(outcome(gvc).text).toBe('shop/cart v12 ready in lima');
  });

  it('of a workload that is not listed any more says so', () => {
    const gvc = gvcScenario({ 'web/lima': ready(1), lima: ready(11) });
    gvc.poll({ lima: rolling(12) });
    gvc.poll({ lima: 'absent' });
    gvc.poll();

    expect(read(card(gvc))[0]).toBe('*shop/cart* v12');
    expect(read(card(gvc))[1]).toMatch(/^:heavy_minus_sign: gone · no longer listed · org acme · /);
  });

  it('that was ready and is in trouble again opens up again', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: ready(12), oslo: ready(12) });
    gvc.poll({ lima: broken(12, 'oh no') });

    expect(read(card(gvc))[1]).toBe(
      ':large_orange_circle: unhealthy, users are served · 1 of 2 locations ready',
    );
    expect(read(card(gvc))).toContain('lima | unhealthy | 0/2 | –');
  });

  it('that was in place without serving and starts is on its way again', () => {
    const gvc = gvcScenario({ lima: idle(11) });
    gvc.poll({ lima: idle(12) });
    gvc.poll({ lima: rolling(12) });

    expect(card(gvc).text).toBe('shop/cart v12 deploying · 0 of 1 location ready · v11 serves');
  });

  it('of a rollout that was not seen to begin does not say how long it took', () => {
    const gvc = gvcScenario({ lima: rolling(12), oslo: ready(12) });
    gvc.poll({ lima: ready(12) }, { after: MINUTE });

    expect(card(gvc).text).toBe('shop/cart v12 ready');
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

    expect(broke(crashed({ message }))).toEqual([
      `the image cannot be pulled (\`${message}\`)`,
      '→ roll back to v11, or check the image’s name, its tag and the pull secret',
    ]);
  });

  it('memory', () => {
    expect(broke(crashed({ restarts: restarts(3, 137, 'OOMKilled') }))).toEqual([
      'out of memory: main, 3 restarts, limit 512 MiB',
      '→ roll back to v11, or raise memory above 512 MiB',
    ]);
  });

  it('a secret', () => {
    const message = 'The secret cart-credentials no longer exists. Workload updates are paused.';
    const versions = [version(12, { ready: false, message, containers: undefined }), version(11)];

    // The version before would lack it as well: nobody is told to go back.
    expect(broke(broken(12, '', { lastProcessedVersion: 11, versions }))).toEqual([
      `a secret is missing (\`${message}\`)`,
      '→ create or restore the secret; this heals by itself within some minutes of its return',
    ]);
  });

  it('a probe', () => {
    expect(broke(crashed({ message: 'Readiness probe failed: statuscode: 503' }))).toEqual([
      'the readiness check fails (`Readiness probe failed: statuscode: 503`)',
      '→ roll back to v11, or look in its logs for why it is not ready',
    ]);
  });

  it.each([
    ['Completed', 'main, 1 restart, Completed, exit code 0'],
    ['Error', 'main, 1 restart, exit code 0'],
  ])('a crash loop that ends with %s', (reason, said) => {
    expect(broke(crashed({ restarts: restarts(1, 0, reason) }))).toEqual([
      `a container keeps stopping: ${said}`,
      '→ roll back to v11, or look in its logs for why it stops',
    ]);
  });

  it('a message that nobody foresaw is quoted as it is', () => {
    expect(broke(broken(12, 'the moon is full'))).toEqual([
      '`the moon is full`',
      '→ roll back to v11, or look in its logs',
    ]);
  });

  it('no message at all', () => {
    const gvc = gvcScenario({ lima: ready(12) });
    gvc.poll({ lima: broken(12) });
    gvc.poll();

    expect(outcome(gvc).text).toBe(
      'OUTAGE · shop/cart v12 serves nothing in lima: not ready, and no reason is reported',
    );
  });

  it('stale is no failure: it says what is not known, and nothing of what serves', () => {
    expect(broke(stale(12))).toEqual([
      'no report for more than 45 minutes; what runs there is not known',
      '→ nothing to do; its next report is told here',
    ]);
  });
});
