import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/rollouts/messages/publish.ts';
import {
  broken,
  container,
  down,
  MINUTE,
  NOON,
  ready,
  rolling,
  version,
  type Json,
} from '../platform-json.ts';
import { gvcScenario, PLACE, type GvcScenario } from './gvc-scenario.ts';

const old = container({ resources: { replicas: 9, replicasReady: 9 } });
const OLD = version(11, { containers: { main: old } });

/** The new version with so many of nine replicas, beside the old one. */
function coming(readyNow: number): Json {
  const resources = { replicas: 9, replicasReady: readyNow };
  const main = down({ resources });
  return rolling(12, {
    desiredScale: 9,
    versions: [version(12, { ready: false, containers: { main } }), OLD],
  });
}

/** What a channel hears of the last poll as its own message, by its first block. */
function heard(gvc: GvcScenario, now: number): string[] {
  const watches = [{ ...PLACE, channel: 'C1', quiet: false, configured: false }];
  const notices = { rolloutNotices: gvc.told(), notices: [] };
  return messagesOf(PLACE, notices, { watches, mutes: [], now })
    .filter(({ broadcast }) => broadcast === true)
    .map(({ text }) => text);
}

describe('a rollout that does not move', () => {
  it('in any location for ten minutes is told in the channel', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: coming(0), oslo: coming(0) });
    gvc.poll({}, { after: 9 * MINUTE });
    expect(heard(gvc, NOON)).toEqual([]);
    gvc.poll({}, { after: MINUTE });
    expect(heard(gvc, NOON + 10 * MINUTE)).toEqual([
      'Stuck for 10 min · shop/cart v12 · 0 of 18 replicas · v11 serves: not ready in lima, oslo',
    ]);
  });

  it('is not told as long as replicas come, and then ten minutes after the last one', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: coming(0), oslo: coming(0) });
    for (const replicas of [1, 2, 3]) {
      gvc.poll({ oslo: coming(replicas) }, { after: 4 * MINUTE });
      expect(heard(gvc, NOON)).toEqual([]);
    }
    gvc.poll({}, { after: 9 * MINUTE });
    expect(heard(gvc, NOON)).toEqual([]);
    gvc.poll({}, { after: MINUTE });
    expect(heard(gvc, NOON)).toHaveLength(1);
  });

  it('is told once, whatever moves afterwards, until it is ready', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: coming(0) });
    gvc.poll({}, { after: 10 * MINUTE });
    expect(heard(gvc, NOON)).toHaveLength(1);
    gvc.poll({ lima: coming(4) });
    gvc.poll({}, { after: 30 * MINUTE });
    expect(heard(gvc, NOON)).toEqual([]);
  });

  it('while nothing serves is an outage', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    const alone = rolling(12, {
      versions: [version(12, { ready: false, containers: { main: down() } })],
    });
    gvc.poll({ lima: alone });
    gvc.poll({}, { after: 10 * MINUTE });
    const [text = ''] = heard(gvc, NOON + 10 * MINUTE);
    expect(text).toMatch(
      /^OUTAGE · Stuck for 10 min · shop\/cart v12 · 0 of 2 replicas · nothing serves/,
    );
  });

  it('is told with its trouble instead, where there is any', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: coming(0), oslo: broken(12, 'no such image') });
    gvc.poll({}, { after: 20 * MINUTE });
    expect(heard(gvc, NOON)).toEqual([]);
  });
});
