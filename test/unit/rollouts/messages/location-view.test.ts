import { describe, expect, it } from 'vitest';
import type { LocationNotice, LocationRow } from '../../../../src/rollouts/engine/notices.ts';
import {
  locationContent,
  locationReplyContent,
} from '../../../../src/rollouts/messages/location-view.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { MINUTE, NOON } from '../platform-json.ts';
import { limaFailed, locationRow, read, reply, SEVEN, WHERE } from './scenario.ts';

const WHEN = `<!date^${NOON / 1000}^{date_short_pretty} {time_secs}`;

function lima(rows: LocationRow[], over: Partial<LocationNotice> = {}): string[] {
  return read(locationContent(PLACE, limaFailed(over), rows, WHERE));
}

describe('the message about a location', () => {
  it('says how many, which, why and since when', () => {
    const rows = limaFailed()
      .rows.map((row): LocationRow => ({ ...row, serves: 'enough' }))
      .with(1, locationRow('auth', { cause: 'OOMKilled', serves: 'enough' }));
    const { text } = locationContent(PLACE, limaFailed(), rows, WHERE);

    expect(text).toBe(
      'Location in trouble, users are served · shop in lima · 7 workloads failed (api, auth, cart, mail, pay and 2 more)',
    );
    expect(lima(rows)).toEqual([
      ':large_orange_circle: *Location in trouble, users are served* · *shop in lima* · 7 workloads failed',
      '*api, cart, mail, pay, search and 1 more*: `no such image`',
      '→ look in its logs',
      '*auth*: out of memory (`OOMKilled`)',
      '→ raise its memory limit',
      `org acme · since ${WHEN}, {ago}|2026-10-05 12:00 UTC>`,
    ]);
  });

  it('names other kinds of trouble, and what is out of it by now', () => {
    const rows = [
      locationRow('api', { state: 'ready', cause: '' }),
      locationRow('auth', { state: 'stale', cause: '', serves: 'enough' }),
      locationRow('mail', { serves: 'enough' }),
    ];

    expect(lima(rows).slice(0, -1)).toEqual([
      ':large_orange_circle: *Location in trouble, users are served* · *shop in lima* · 2 of 3 workloads still failed or stale, 1 no longer',
      '*auth*: stale, no report for more than 45 minutes; what runs there is not known',
      '→ nothing to do; the next report is told here',
      '*mail*: `no such image`',
      '→ look in its logs',
      '*api*: ready again',
    ]);
    const better = [locationRow('cart', { state: 'deploying' }), locationRow('mail')];
    expect(lima(better).at(-2)).toBe('*cart*: now deploying');
  });

  it('names those that are still in trouble, in one line', () => {
    const rows = limaFailed()
      .rows.map((row): LocationRow => ({ ...row, serves: 'nothing' }))
      .with(0, locationRow('api', { state: 'ready', cause: '' }));

    expect(locationContent(PLACE, limaFailed(), rows, WHERE).text).toBe(
      'OUTAGE · shop in lima · 6 of 7 workloads still failed (auth, cart, mail, pay, search and 1 more), 1 no longer · nothing serves them',
    );
    expect(lima(rows.slice(0, 1))[0]).toBe(
      ':white_check_mark: *Ready again* · *shop in lima* · 1 workload no longer failed; others there, not watched here, still are',
    );
  });

  it.each<[string, LocationRow['serves'][], string, string]>([
    [
      'other locations do',
      ['enough', 'enough'],
      ':large_orange_circle: *Location in trouble, users are served*',
      '',
    ],
    ['nothing does', ['nothing', 'nothing'], ':red_circle: *OUTAGE*', ' · nothing serves them'],
    [
      'too few do',
      ['little', 'nothing'],
      ':red_circle: *OUTAGE*',
      ' · nothing serves auth · too few replicas serve api',
    ],
    [
      'some do',
      ['enough', 'nothing', 'enough', undefined],
      ':red_circle: *OUTAGE*',
      ' · nothing serves auth · users of 2 of them are served',
    ],
  ])('says what still serves: %s', (_what, all, lead, said) => {
    const rows = all.map((serves, index) =>
      locationRow(SEVEN[index] as string, serves === undefined ? {} : { serves }),
    );
    const [head = ''] = lima(rows);

    expect(head).toBe(`${lead} · *shop in lima* · ${rows.length} workloads failed${said}`);
    const { text } = locationContent(PLACE, limaFailed(), rows, WHERE);
    expect(text.replace(/ \(api, .*?\)/, '')).toMatch(new RegExp(`workloads failed${said}$`));
    expect(lima(rows, { closedAt: NOON + MINUTE })[0]).not.toContain('serve');
  });

  it('says nothing of what serves where it is not known', () => {
    const rows = [locationRow('api'), locationRow('auth')];

    expect(lima(rows)[0]).toBe(
      ':large_orange_circle: *Location in trouble, how much serves is not known* · *shop in lima* · 2 workloads failed',
    );
  });

  it('is no outage where nothing was reported: the sign says that it is not known', () => {
    const rows = [locationRow('api', { state: 'stale', cause: '', serves: 'nothing' })];
    const stale = { location: 'lima', state: 'stale', n: 1 } as const;

    expect(lima(rows, { ref: stale })[0]).toBe(
      ':white_circle: *Location stopped reporting, how much serves is not known* · *shop in lima* · 1 workload stale · nothing serves them',
    );
  });

  it('is short when it is over', () => {
    const foot = `org acme · began ${WHEN}|2026-10-05 12:00 UTC>`;
    const stale = { location: 'lima', state: 'stale', n: 1 } as const;

    expect(lima(limaFailed().rows, { ref: stale, closedAt: NOON + 12 * MINUTE })).toEqual([
      ':white_check_mark: *Reports again* · *shop* · lima stopped reporting for 12 min (7 workloads)',
      foot,
    ]);
    expect(lima(limaFailed().rows, { closedAt: NOON + 12 * MINUTE })).toEqual([
      ':white_check_mark: *Recovered* · *shop in lima* · 7 workloads were failed for 12 min',
      foot,
    ]);
  });
});

describe('a reply below it', () => {
  const recovered = { location: 'lima', state: 'recovered', n: 1 } as const;
  const rows = ['api', 'zoo'].map((name) => locationRow(name, { serves: 'enough' }));

  it.each([
    [
      'later',
      reply(),
      'Location in trouble, users are served · shop in lima: 1 more workload failed (zoo)',
    ],
    [
      'elsewhere',
      reply({ what: 'elsewhere', location: 'oslo', workloads: ['api', 'zoo'] }),
      'Location in trouble, users are served · shop in oslo, too: 2 workloads failed (api, zoo)',
    ],
    [
      'back',
      reply({ what: 'back', ref: recovered, workloads: SEVEN }),
      'shop in lima: 7 workloads recovered: api, auth, cart, mail, pay and 2 more',
    ],
  ])('%s', (_what, own, text) => {
    expect(locationReplyContent(PLACE, limaFailed({ rows }), own).text).toBe(text);
  });

  const times = (count: number, state: LocationRow['state']) =>
    Array<LocationRow['state']>(count).fill(state);
  it.each([
    [times(1, 'ready'), 'the workload is ready again'],
    [times(7, 'ready'), 'all 7 workloads are ready again'],
    [[...times(6, 'ready'), 'idle'], '6 workloads are ready again, web is idle'],
    [
      ['idle', 'ready', 'gone', 'idle'],
      '1 workload is ready again, api, mail are idle, cart is gone',
    ],
    [times(4, 'suspended'), '4 workloads are suspended'],
  ] as [LocationRow['state'][], string][])('says how all are at its end: %s', (states, now) => {
    const own = reply({ what: 'back', ref: recovered, closes: true, workloads: [] });
    const all = states.map((state, index) => locationRow(SEVEN[index] as string, { state }));
    const news = limaFailed({ rows: all, closedAt: NOON + 12 * MINUTE });

    expect(locationReplyContent(PLACE, news, own).text).toBe(
      `shop in lima recovered after 12 min: ${now}`,
    );
  });

  it('says why where it tells of more trouble', () => {
    expect(read(locationReplyContent(PLACE, limaFailed({ rows }), reply()))).toEqual([
      ':large_orange_circle: *Location in trouble, users are served* · *shop* in lima: 1 more workload failed (zoo)',
      '*zoo*: `no such image`',
      '→ look in its logs',
    ]);
  });

  it('is an outage where nothing serves what it tells of', () => {
    const lost = limaFailed({ rows: [locationRow('zoo', { serves: 'nothing' })] });

    expect(read(locationReplyContent(PLACE, lost, reply()))[0]).toBe(
      ':red_circle: *OUTAGE* · *shop* in lima: 1 more workload failed (zoo) · nothing serves them',
    );
  });
});
