import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_STATE, advance } from '../../../src/rollouts/advance.ts';
import type { GvcState } from '../../../src/rollouts/advance.ts';
import type { Telling } from '../../../src/rollouts/telling.ts';
import { cardKey, outcomeKey } from '../../../src/rollouts/view.ts';
import { anyStory } from './any-gvc.ts';
import type { AnyPoll } from './any-gvc.ts';
import { PLACE, line, listOf } from './gvc-story.ts';
import type { Listing } from './gvc-story.ts';
import { NOON } from './platform-json.ts';

interface Step {
  before: GvcState;
  after: GvcState;
  tellings: Telling[];
  listing: Listing;
  unidentified: number;
  now: number;
}

/** Runs a story; `between` is what happens to the state between two polls. */
function run(
  { first, polls }: { first: Listing; polls: readonly AnyPoll[] },
  between: (state: GvcState) => GvcState = (state) => state,
): Step[] {
  const steps: Step[] = [];
  let state = EMPTY_STATE;
  let listing: Listing = {};
  let now = NOON;
  for (const poll of [{ changes: first, after: 0, unidentified: 0 }, ...polls]) {
    const { unidentified } = poll;
    listing = { ...listing, ...poll.changes };
    now += poll.after;
    const step = advance(state, listOf(listing, unidentified), now);
    const before = state;
    steps.push({ before, after: step.state, tellings: step.tellings, listing, unidentified, now });
    state = between(step.state);
  }
  return steps;
}

/** What has been stored and read again. */
function stored(state: GvcState): GvcState {
  return JSON.parse(JSON.stringify(state)) as GvcState;
}

const RUNS = { numRuns: 300 };
const OUT_OF_PLAY = new Set(['suspended', 'idle', 'gone']);

describe('whatever the polls of a GVC say', () => {
  it('a restart between any two of them changes nothing', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const through = run(story).map(({ tellings }) => tellings);

        expect(run(story, stored).map(({ tellings }) => tellings)).toEqual(through);
      }),
      RUNS,
    );
  });

  it('what two polls have said a third says in silence', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        for (const { after, listing, unidentified, now } of run(story)) {
          const list = listOf(listing, unidentified);
          const again = advance(advance(after, list, now).state, list, now);

          expect(again.tellings.map(line)).toEqual([]);
          expect(advance(again.state, list, now).state).toEqual(again.state);
        }
      }),
      RUNS,
    );
  });

  it('a poll changes neither the state nor the list that it was given', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        for (const { after, listing, now } of run(story)) {
          const list = listOf(listing);
          const given = JSON.stringify({ after, list });
          advance(after, list, now);

          expect(JSON.stringify({ after, list })).toBe(given);
        }
      }),
      RUNS,
    );
  });

  it('an outcome comes again under its key only with more locations', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const said = new Map<string, string[]>();
        for (const telling of run(story).flatMap(({ tellings }) => tellings)) {
          if (telling.outcome === undefined) continue;
          const { kind, n, locations } = telling.outcome;
          const key = outcomeKey(PLACE, telling, kind, n);
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
      fc.property(anyStory, (story) => {
        const open = new Set<string>();
        for (const { tellings, before } of run(story)) {
          const cards = tellings.filter(({ outcome, opens }) => outcome === undefined && opens);
          const fresh = cards.filter(
            ({ workload, version }) => before.tracks[workload]?.version !== version,
          );
          expect(fresh.filter((telling) => open.has(cardKey(PLACE, telling)))).toEqual([]);

          for (const telling of cards) open.add(cardKey(PLACE, telling));
          const replies = tellings.filter(({ outcome }) => outcome !== undefined);
          expect(replies.filter((telling) => !open.has(cardKey(PLACE, telling)))).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  it('ready and recovered mean that every location in play is ready at the newest version', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        for (const { tellings, after } of run(story)) {
          for (const { workload, version, outcome, rows } of tellings) {
            if (outcome?.kind !== 'ready' && outcome?.kind !== 'recovered') continue;
            const records = Object.entries(after.records)
              .filter(([key, record]) => key.startsWith(`${workload}/`) && !record.cron)
              .map(([, record]) => record);
            const inPlay = records.filter((record) => !OUT_OF_PLAY.has(record.state));

            expect(inPlay.every((record) => record.state === 'ready')).toBe(true);
            expect(inPlay.every((record) => record.version === version)).toBe(true);
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
      fc.property(anyStory, (story) => {
        expect(run(story)[0]?.tellings).toEqual([]);
      }),
      RUNS,
    );
  });

  it('a record that is listed is not gone, and a cron record is told of by nobody', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        for (const { listing, after, tellings } of run(story)) {
          const listed = Object.keys(listing).filter((key) => typeof listing[key] !== 'string');
          const seen = listed.map((key) => after.records[key]).filter((one) => one?.missing === 0);
          expect(seen.filter((record) => record?.state === 'gone')).toEqual([]);

          for (const { workload, version, rows } of tellings) {
            // The last edit of a card that another one follows shows what was before.
            if (version !== after.tracks[workload]?.version) continue;
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
      /^acme\/shop\/(cart|web)\/[1-9]\d*\/(card|ready|failed|stale|unhealthy|recovered)(\/([2-9]|[1-9]\d+))?$/;
    fc.assert(
      fc.property(anyStory, (story) => {
        for (const telling of run(story).flatMap(({ tellings }) => tellings)) {
          expect(cardKey(PLACE, telling)).toMatch(grammar);
          if (telling.outcome === undefined) continue;
          const { kind, n } = telling.outcome;
          expect(outcomeKey(PLACE, telling, kind, n)).toMatch(grammar);
        }
      }),
      RUNS,
    );
  });
});
