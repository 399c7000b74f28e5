import { expect, it } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import type { Outage } from '../../../src/monitors/outage.ts';
import { outageMessages } from '../../../src/monitors/outage-view.ts';

const [OPS, BILLING, TEAM] = ['C0OPS', 'C0BILLING', 'C0TEAM'];
const CHANNELS = { ops: OPS, billing: BILLING } as unknown as Config['channels'];
const NOW = Date.UTC(2026, 9, 16, 12);
const OUTAGE: Outage = {
  number: 1,
  cause: { name: 'platform', kind: 'platform' } as unknown as Outage['cause'],
  since: NOW - 7_200_000,
  was: {
    digest: { what: 'the digest' },
    'report/3': { what: 'saved question 3', channel: TEAM },
  },
  back: [],
  changed: [],
  channels: [BILLING, TEAM],
};

const inTeam = (back: string[]) =>
  outageMessages({ outage: { ...OUTAGE, back }, isOver: false }, CHANNELS, NOW).find(
    ({ channel }) => channel === TEAM,
  );

it('the channel of a saved question is shown which question waits', () => {
  expect(inTeam([])?.text).toContain('Not answered: saved question 3, since ');
  expect(inTeam(['digest'])?.text).toContain('Not answered: saved question 3, since ');
});

it('and, by an edit alone, that it was answered while others still wait', () => {
  expect(inTeam(['report/3'])).toMatchObject({
    text: expect.stringContaining('Answered again: saved question 3'),
    editOnly: true,
  });
});
