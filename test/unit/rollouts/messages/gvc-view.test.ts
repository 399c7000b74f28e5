import { describe, expect, it } from 'vitest';
import type { GvcRow } from '../../../../src/rollouts/engine/notices.ts';
import {
  gvcCardContent,
  gvcGoneContent,
  gvcReadyContent,
} from '../../../../src/rollouts/messages/gvc-view.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { MINUTE, NOON } from '../platform-json.ts';
import { gvcNews, menuOf, read, WHERE } from './scenario.ts';

const WHEN = `<!date^${NOON / 1000}^{date_short_pretty} {time_secs}`;

describe('a GVC that rolls all its workloads', () => {
  it('has a row per workload', () => {
    expect(read(gvcCardContent(PLACE, gvcNews(), true, WHERE))).toEqual([
      '*shop* GVC v7',
      ':hourglass_flowing_sand: deploying · 1 of 2 workloads ready',
      `▰▰▰▰▰▰▰▰▰▱▱▱  3 of 4 replicas under GVC v7 ready · since ${WHEN}, {ago}|2026-10-05 12:00 UTC> · org acme`,
      'Workload | State | Ready',
      'cart v12 | deploying | 1/2',
      'web v12 | ready | 2/2',
    ]);
  });

  it('has the worst six rows of many, and counts the others', () => {
    const [, web] = gvcNews().rows as [GvcRow, GvcRow];
    const rows = Array.from({ length: 34 }, (_, index): GvcRow => {
      const state = index === 33 ? 'failed' : index < 18 ? 'ready' : 'waiting';
      return { ...web, workload: `web-${index}`, state };
    });
    const said = read(gvcCardContent(PLACE, gvcNews({ rows }), true, WHERE)).slice(3);

    expect(said.slice(0, 3)).toEqual([
      'Workload | State | Ready',
      'web-33 v12 | failed | 2/2',
      'web-18 v12 | waiting | 2/2',
    ]);
    expect(said.slice(7)).toEqual(['28 more: 10 waiting, 18 ready']);
  });

  it('has a menu about what the channel watches', () => {
    const menu = (rows: GvcRow[], whole: boolean) =>
      menuOf(gvcCardContent(PLACE, gvcNews({ rows }), whole, WHERE));
    const { rows } = gvcNews();
    const all = [
      'Details deployments.details',
      'Mute 1 h deployments.mute.1h',
      'Mute 8 h deployments.mute.8h',
      'Unwatch deployments.unwatch.ask',
    ];

    expect(menu([...rows], true)).toEqual({ id: 'menu:acme/shop', items: all });
    expect(menu(rows.slice(0, 1), false)).toEqual({ id: 'menu:acme/shop/cart', items: all });
    expect(menu([...rows], false)).toEqual({ id: 'menu:acme/shop', items: all.slice(0, 3) });
  });

  it('is an outage only of what fails and serves too little', () => {
    const [cart, web] = gvcNews().rows as [GvcRow, GvcRow];
    const stateOf = (...rows: GvcRow[]) => {
      const content = gvcCardContent(PLACE, gvcNews({ rows }), true, WHERE);
      return [content.text, read(content)[1]];
    };

    expect(stateOf({ ...cart, state: 'failed', hurt: true }, web)).toEqual([
      'shop GVC v7 failed · OUTAGE of cart · 1 of 2 workloads ready',
      ':red_circle: failed · OUTAGE of cart · 1 of 2 workloads ready',
    ]);
    expect(stateOf({ ...cart, state: 'failed' }, web)[1]).toBe(
      ':large_orange_circle: failed · 1 of 2 workloads ready',
    );
    expect(stateOf({ ...cart, hurt: true }, web)[1]).toBe(
      ':hourglass_flowing_sand: deploying · 1 of 2 workloads ready',
    );
  });

  it('counts no replicas of a workload where it does not know them', () => {
    const [cart, web] = gvcNews().rows as [GvcRow, GvcRow];
    const said = read(
      gvcCardContent(PLACE, gvcNews({ rows: [cart, { ...web, state: 'stale' }] }), true, WHERE),
    );

    expect(said.slice(1)).toEqual([
      ':white_circle: stale · 0 of 2 workloads ready',
      `▰▰▰▰▰▰▱▱▱▱▱▱  1 of 2 replicas under GVC v7 ready, web not counted · since ${WHEN}, {ago}|2026-10-05 12:00 UTC> · org acme`,
      'Workload | State | Ready',
      'cart v12 | deploying | 1/2',
      'web v12 | stale | –',
    ]);
  });

  it.each([
    [
      'ready',
      gvcNews({ ending: 'ready', readyAt: NOON + MINUTE }),
      ':white_check_mark: ready · live in 1 min',
    ],
    [
      'superseded',
      gvcNews({ ending: 'superseded', supersededBy: 8 }),
      ':heavy_minus_sign: superseded by v8',
    ],
    ['gone', gvcNews({ ending: 'gone' }), ':heavy_minus_sign: gone · no longer listed'],
  ])('is two lines at its end: %s', (_how, news, said) => {
    const content = gvcCardContent(PLACE, news, true, WHERE);
    const began = `<!date^${NOON / 1000}^{date_short_pretty} {time}|2026-10-05 12:00 UTC>`;

    expect(read(content)).toEqual(['*shop* GVC v7', `${said} · org acme · ${began}`]);
    expect(menuOf(content) === undefined).toBe(news.ending !== 'ready');
  });

  it('is ready once, and says after how long', () => {
    const rows = gvcNews().rows.map((row) => ({ ...row, state: 'ready' as const }));
    const news = gvcNews({ rows, readyAt: NOON + MINUTE, tellsReady: true });

    expect(gvcReadyContent(PLACE, news, WHERE).text).toBe(
      'shop GVC v7 ready in 2 workloads · live in 1 min',
    );
  });

  it('is gone', () => {
    expect(gvcGoneContent(PLACE, { version: 7 }, ['cart', 'web']).text).toBe(
      'shop GVC v7 gone: 2 workloads no longer listed: cart, web',
    );
  });
});
