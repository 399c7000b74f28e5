import { describe, expect, it } from 'vitest';
import { advance } from '../../../../src/rollouts/engine/advance.ts';
import { effectiveState } from '../../../../src/rollouts/engine/classify.ts';
import type { Settled } from '../../../../src/rollouts/engine/list-memory.ts';
import { cardKey, outcomeKey } from '../../../../src/rollouts/messages/audience.ts';
import * as fc from '../../../support/fast-check.ts';
import { anyCrowd, anyScenario } from './any-gvc.ts';
import { line, newsLines, PLACE, run, sightings, stored, toldIn } from './gvc-scenario.ts';

const RUNS = { numRuns: 200 };
const anyLife = fc.oneof(anyScenario, anyCrowd);
const OUT_OF_PLAY = new Set(['suspended', 'idle', 'gone']);

describe('whatever the polls of a GVC say', { timeout: 120_000 }, () => {
  it('a restart between any two of them changes nothing', () => {
    fc.assert(
      fc.property(anyLife, (story) => {
        expect(toldIn(run(story, { between: stored }))).toEqual(toldIn(run(story)));
      }),
      RUNS,
    );
  });

  it('what was seen before need not be read again', () => {
    fc.assert(
      fc.property(anyLife, (story) => {
        const settled: Settled = new Map();
        const steps = run(story);

        expect(run(story, { settled })).toEqual(steps);
      }),
      RUNS,
    );
  });

  it('what two polls have said a third says in silence', () => {
    fc.assert(
      fc.property(anyLife, (story) => {
        for (const { after, listing, unidentified, now } of run(story)) {
          const list = sightings(listing, unidentified);
          const again = advance(advance(after, list, now).state, list, now);

          expect([...again.rolloutNotices.map(line), ...again.notices.flatMap(newsLines)]).toEqual(
            [],
          );
          expect(advance(again.state, list, now).state).toEqual(again.state);
        }
      }),
      RUNS,
    );
  });

  it('a poll changes neither the state nor the list that it was given', () => {
    fc.assert(
      fc.property(anyLife, (story) => {
        for (const { after, listing, now } of run(story)) {
          const given = JSON.stringify(after);
          advance(after, sightings(listing), now + 60_000);

          expect(JSON.stringify(after)).toBe(given);
        }
      }),
      RUNS,
    );
  });

  it('an outcome comes again under its key only with more locations', () => {
    fc.assert(
      fc.property(anyScenario, (story) => {
        const said = new Map<string, string[]>();
        for (const notice of run(story).flatMap(({ rolloutNotices }) => rolloutNotices)) {
          if (notice.outcome === undefined) continue;
          const { kind, n, locations } = notice.outcome;
          const key = outcomeKey(PLACE, notice, kind, n);
          const before = said.get(key) ?? [];

          expect(locations).toEqual(expect.arrayContaining(before));
          expect(locations.length).toBeGreaterThan(before.length);
          said.set(key, locations);
        }
      }),
      RUNS,
    );
  });

  it('a card is opened before anything is said in its thread, and each rollout has its own', () => {
    fc.assert(
      fc.property(anyScenario, (story) => {
        const open = new Set<string>();
        for (const { rolloutNotices, before } of run(story)) {
          const cards = rolloutNotices.filter(
            ({ outcome, opens }) => outcome === undefined && opens,
          );
          const fresh = cards.filter(
            ({ workload, version }) => before.rollouts[workload]?.version !== version,
          );
          expect(fresh.filter((notice) => open.has(cardKey(PLACE, notice)))).toEqual([]);

          for (const notice of cards) open.add(cardKey(PLACE, notice));
          const replies = rolloutNotices.filter(
            ({ outcome, opens }) => outcome !== undefined && opens,
          );
          expect(replies.filter((notice) => !open.has(cardKey(PLACE, notice)))).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  it('ready and recovered mean that every location in play is ready at the newest version', () => {
    fc.assert(
      fc.property(anyScenario, (story) => {
        for (const { rolloutNotices, after } of run(story)) {
          for (const { workload, version, outcome, rows } of rolloutNotices) {
            if (outcome?.kind !== 'ready' && outcome?.kind !== 'recovered') continue;
            const records = Object.entries(after.records)
              .filter(([key, record]) => key.startsWith(`${workload}/`) && !record.cron)
              .map(([, record]) => record);
            const inPlay = records.filter((record) => !OUT_OF_PLAY.has(effectiveState(record)));

            expect(inPlay.every((record) => record.state === 'ready')).toBe(true);
            // Of one that never stated a version nobody knows which one it serves.
            expect(inPlay.every((record) => [version, 0].includes(record.version))).toBe(true);
            expect(records.some((record) => record.wasReady && record.version === version)).toBe(
              true,
            );
            expect(rows.length).toBeGreaterThan(0);
            expect(outcome.locations.length).toBeGreaterThan(0);
          }
        }
      }),
      RUNS,
    );
  });

  it('the first poll tells nothing', () => {
    fc.assert(
      fc.property(anyLife, (story) => {
        expect(run(story)[0]).toMatchObject({ rolloutNotices: [], notices: [] });
      }),
      RUNS,
    );
  });

  it('a record that is listed is not gone, and a cron record is told of by nobody', () => {
    fc.assert(
      fc.property(anyScenario, (story) => {
        for (const { listing, after, rolloutNotices } of run(story)) {
          const listed = Object.keys(listing).filter((key) => typeof listing[key] !== 'string');
          const seen = listed.map((key) => after.records[key]).filter((one) => one?.missing === 0);
          expect(seen.filter((record) => record?.state === 'gone')).toEqual([]);

          for (const { workload, version, rows } of rolloutNotices) {
            // The last edit of a card that another one follows shows what was before.
            if (version !== after.rollouts[workload]?.version) continue;
            const records = rows.map(({ location }) => after.records[`${workload}/${location}`]);
            expect(records.filter((record) => record?.cron)).toEqual([]);
          }
        }
      }),
      RUNS,
    );
  });

  it('every key has the fixed grammar', () => {
    const grammar =
      /^acme\/shop\/(cart|web)\/[1-9]\d*\/(card|ready|failed|stale|unhealthy|recovered|suspended|resumed|diverged|lagging|crashloop|blocked|gone|flapping)(\/([2-9]|[1-9]\d+))?$/;
    fc.assert(
      fc.property(anyScenario, (story) => {
        for (const notice of run(story).flatMap(({ rolloutNotices }) => rolloutNotices)) {
          expect(cardKey(PLACE, notice)).toMatch(grammar);
          if (notice.outcome === undefined) continue;
          const { kind, n } = notice.outcome;
          expect(outcomeKey(PLACE, notice, kind, n)).toMatch(grammar);
        }
      }),
      RUNS,
    );
  });
});
