import { describe, expect, it } from 'vitest';
import { advance } from '../../../../src/rollouts/engine/advance.ts';
import { effectiveState } from '../../../../src/rollouts/engine/classify.ts';
import { stepRollout } from '../../../../src/rollouts/engine/outcomes.ts';
import { rowsOf } from '../../../../src/rollouts/engine/rollout.ts';
import { cardKey, outcomeKey } from '../../../../src/rollouts/messages/audience.ts';
import * as fc from '../../../support/fast-check.ts';
import { MINUTE } from '../platform-json.ts';
import { anyLife } from './any-gvc.ts';
import { line, newsLines, PLACE, recordsOf, run, sightings } from './gvc-scenario.ts';
import type { Step } from './gvc-scenario.ts';

const RUNS = { numRuns: 200 };
const MORE_RUNS = { numRuns: 300 };
const lives = fc.oneof(anyLife(1, 25), anyLife(2, 15), anyLife(7, 12));
const OUT_OF_PLAY = new Set(['suspended', 'idle', 'gone']);

/** A poll for each of its workloads that is stepped: what has become a cron workload is not. */
function byWorkload({ after, now }: Step) {
  return Object.entries(after.rollouts)
    .map(([workload, rollout]) => ({ after: rollout, records: recordsOf(after, workload), now }))
    .filter(({ after: { version }, records }) => rowsOf(records, version).length > 0);
}

/** What was told, and what is remembered in the end. */
function outcomeOf(steps: readonly Step[]) {
  const told = steps.map(({ rolloutNotices, notices, active }) => [
    ...rolloutNotices,
    ...notices,
    active,
  ]);
  return { told, state: steps.at(-1)?.after };
}

describe('whatever the polls of a GVC say', { timeout: 300_000 }, () => {
  it.each([{ restarts: true }, { lazy: true }])(
    'nothing is told otherwise when it restarts or reads only what may matter: %o',
    (how) => {
      fc.assert(
        fc.property(lives, (life) => {
          expect(outcomeOf(run(life, how))).toEqual(outcomeOf(run(life)));
        }),
        RUNS,
      );
    },
  );

  it('what two polls have said a third says in silence', () => {
    fc.assert(
      fc.property(lives, (story) => {
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
      fc.property(lives, (story) => {
        for (const { after, listing, now } of run(story)) {
          const given = JSON.stringify(after);
          advance(after, sightings(listing), now + MINUTE);

          expect(JSON.stringify(after)).toBe(given);
        }
      }),
      RUNS,
    );
  });

  it('an outcome comes again under its key only with more to say', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const said = new Map<string, { locations: string[]; size: number }>();
        for (const notice of run(life).flatMap(({ rolloutNotices }) => rolloutNotices)) {
          if (notice.outcome === undefined) continue;
          const { kind, n, locations, covers = [], settled } = notice.outcome;
          const key = outcomeKey(PLACE, notice, kind, n);
          const before = said.get(key) ?? { locations: [], size: 0 };
          const size = locations.length + covers.length + (settled === undefined ? 0 : 1);

          expect(locations).toEqual(expect.arrayContaining(before.locations));
          expect(size).toBeGreaterThan(before.size);
          said.set(key, { locations, size });
        }
      }),
      MORE_RUNS,
    );
  });

  it('a workload with the same records before it wakes changes nothing and tells nothing', () => {
    fc.assert(
      fc.property(lives, fc.double({ min: 0, max: 1, noNaN: true }), (life, part) => {
        for (const { after, now, records } of run(life).flatMap(byWorkload)) {
          const until = Math.min(after.wakeAt ?? Infinity, now + 200 * MINUTE);
          const at = Math.min(until - 1, now + Math.floor(part * (until - now)));
          // Copies of the records, so that the step is really taken.
          const options = { previous: structuredClone(records), now: at, adopting: false };
          const again = stepRollout(after, records, options);

          expect(again?.outcomes).toEqual([]);
          expect(again?.rollout).toEqual(after);
          const left = stepRollout(after, records, { ...options, previous: records });
          expect(left?.rollout).toBe(after);
          expect(left?.rows).toEqual(again?.rows);
        }
      }),
      MORE_RUNS,
    );
  });

  it('the next moment at which a workload wakes is to come', () => {
    fc.assert(
      fc.property(lives, (life) => {
        // A list that is suddenly empty is not looked at.
        const steps = run(life).filter(({ after }) => after.meta?.emptySince === null);
        const late = steps.filter(({ after, now }) =>
          Object.values(after.rollouts).some(({ wakeAt }) => (wakeAt ?? Infinity) <= now),
        );

        expect(late).toEqual([]);
      }),
      MORE_RUNS,
    );
  });

  it('a card is opened before anything is said in its thread, and each rollout has its own', () => {
    fc.assert(
      fc.property(lives, (story) => {
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
      fc.property(lives, (story) => {
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
      fc.property(lives, (story) => {
        expect(run(story)[0]).toMatchObject({ rolloutNotices: [], notices: [] });
      }),
      RUNS,
    );
  });

  it('a record that is listed is not gone, and a cron record is told of by nobody', () => {
    fc.assert(
      fc.property(lives, (story) => {
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
      /^acme\/shop\/[a-g]\/[1-9]\d*\/(card|ready|failed|stale|unhealthy|recovered|suspended|resumed|diverged|lagging|crashloop|blocked|gone|flapping)(\/([2-9]|[1-9]\d+))?$/;
    fc.assert(
      fc.property(lives, (story) => {
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
