import { describe, expect, it } from 'vitest';
import type {
  GvcRow,
  LocationNotice,
  LocationRow,
} from '../../../../src/rollouts/engine/notices.ts';
import {
  gvcCardContent,
  gvcGoneContent,
  gvcReadyContent,
  locationContent,
  locationReplyContent,
} from '../../../../src/rollouts/messages/gvc-view.ts';
import { jobContent } from '../../../../src/rollouts/messages/workload-view.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { MINUTE, NOON } from '../platform-json.ts';
import { gvcNews, jobFailed, limaFailed, locationRow, read, reply, SEVEN } from './scenario.ts';

const WHEN = `<!date^${NOON / 1000}^{date_short_pretty} {time_secs}`;

function lima(rows: LocationRow[], over: Partial<LocationNotice> = {}): string[] {
  return read(locationContent(PLACE, limaFailed(over), rows));
}

describe('the message about a location', () => {
  it('says how many, which, why and since when', () => {
    const rows = limaFailed().rows.with(1, locationRow('auth', { cause: 'OOMKilled' }));
    const { text } = locationContent(PLACE, limaFailed(), rows);

    expect(text).toBe('shop in lima: 7 workloads failed: api, auth, cart, mail, pay and 2 more');
    expect(lima(rows)).toEqual([
      ':x: *shop* in *lima*: 7 workloads failed',
      '*api, cart, mail, pay, search and 1 more*: failed, `no such image`',
      '*auth*: failed, out of memory (`OOMKilled`)',
      `org acme · since ${WHEN}, {ago}|2026-10-05 12:00 UTC>`,
    ]);
  });

  it('names other kinds of trouble, and what is out of it by now', () => {
    const rows = [
      locationRow('api', { state: 'ready', cause: '' }),
      locationRow('auth', { state: 'stale', cause: '' }),
      locationRow('cart', { state: 'deploying' }),
      locationRow('mail'),
    ];

    expect(lima(rows).slice(0, -1)).toEqual([
      ':x: *shop* in *lima*: 2 of 4 workloads still failed or stale, 2 no longer',
      '*auth*: stale, no report for more than 45 minutes; what runs there is not known',
      '*mail*: failed, `no such image`',
      '*api*: ready again',
      '*cart*: now deploying',
    ]);
  });

  it('names those that are still in trouble, in one line', () => {
    const rows = limaFailed().rows.with(0, locationRow('api', { state: 'ready', cause: '' }));

    expect(locationContent(PLACE, limaFailed(), rows).text).toBe(
      'shop in lima: 6 of 7 workloads still failed, 1 no longer: auth, cart, mail, pay, search and 1 more',
    );
    expect(lima(rows.slice(0, 1))[0]).toBe(
      ':x: *shop* in *lima*: 1 workload failed, none of them now',
    );
  });

  it.each<[string, LocationRow['serves'][], string]>([
    ['other locations do', ['elsewhere', 'elsewhere'], ' – the other locations still serve'],
    ['nothing does', ['nowhere', 'nowhere'], ' – nothing serves'],
    [
      'some do',
      ['elsewhere', 'nowhere', 'elsewhere', undefined],
      ' – other locations still serve 2 of them, nothing serves auth',
    ],
    ['it is not known', [undefined, undefined], ''],
  ])('says what still serves: %s', (_what, all, said) => {
    const rows = all.map((serves, index) =>
      locationRow(SEVEN[index] as string, serves === undefined ? {} : { serves }),
    );
    const [head = ''] = lima(rows);

    expect(head).toBe(`:x: *shop* in *lima*: ${rows.length} workloads failed${said}`);
    expect(locationContent(PLACE, limaFailed(), rows).text.endsWith(said)).toBe(true);
    expect(lima(rows, { closedAt: NOON + MINUTE })[0]).not.toContain('serve');
  });

  it('is short when it is over', () => {
    expect(lima(limaFailed().rows, { closedAt: NOON + 12 * MINUTE })).toEqual([
      ':white_check_mark: *shop* in *lima*: 7 workloads failed; over after 12 min',
      `org acme · began ${WHEN}|2026-10-05 12:00 UTC>`,
    ]);
  });
});

describe('a reply below it', () => {
  const recovered = { location: 'lima', state: 'recovered', n: 1 } as const;
  const rows = [locationRow('zoo')];

  it.each([
    ['later', reply(), 'shop in lima: 1 more workload failed: zoo'],
    [
      'elsewhere',
      reply({ what: 'elsewhere', location: 'oslo', workloads: ['api', 'zoo'] }),
      'shop in oslo, as in lima before: 2 workloads failed: api, zoo',
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
      ':x: *shop* in lima: 1 more workload failed: zoo',
      '*zoo*: failed, `no such image`',
    ]);
  });
});

describe('a GVC that rolls all its workloads', () => {
  it('has a row per workload', () => {
    expect(read(gvcCardContent(PLACE, gvcNews(), true))).toEqual([
      ':hourglass_flowing_sand: *shop* GVC v7 deploying · 1 of 2 workloads ready',
      '▰▰▰▰▰▰▰▰▰▱▱▱  3 of 4 replicas ready',
      'Workload | State | Ready',
      'cart v12 | deploying | 1/2',
      'web v12 | ready | 2/2',
      expect.stringMatching(/^org acme · first seen .*\{ago\}/),
      'Details | Mute 1 h | Mute 8 h | Unwatch',
    ]);
  });

  it('counts no replicas of a workload where it does not know them', () => {
    const [cart, web] = gvcNews().rows as [GvcRow, GvcRow];
    const said = read(
      gvcCardContent(PLACE, gvcNews({ rows: [cart, { ...web, state: 'stale' }] }), true),
    );

    expect(said.slice(1, 5)).toEqual([
      '▰▰▰▰▰▰▱▱▱▱▱▱  1 of 2 replicas ready, web not counted',
      'Workload | State | Ready',
      'cart v12 | deploying | 1/2',
      'web v12 | stale | –',
    ]);
  });

  it.each([
    ['ready', gvcNews({ ending: 'ready', readyAt: NOON + MINUTE }), 'ready · in place after 1 min'],
    ['superseded', gvcNews({ ending: 'superseded', supersededBy: 8 }), 'superseded by v8'],
    ['gone', gvcNews({ ending: 'gone' }), 'gone · no longer listed'],
  ])('is short at its end: %s', (_how, news, said) => {
    const [head = '', foot, ...rest] = read(gvcCardContent(PLACE, news, true));

    expect(head).toContain(`*shop* GVC v7 ${said}`);
    expect(foot).toMatch(/^org acme · first seen [^,]+$/);
    expect(rest).toHaveLength(news.ending === 'ready' ? 1 : 0);
  });

  it('is ready once, and says after how long', () => {
    const rows = gvcNews().rows.map((row) => ({ ...row, state: 'ready' as const }));
    const news = gvcNews({ rows, readyAt: NOON + MINUTE, tellsReady: true });

    expect(gvcReadyContent(PLACE, news).text).toBe('shop GVC v7 ready in 2 workloads after 1 min');
  });

  it('is gone', () => {
    expect(gvcGoneContent(PLACE, { version: 7 }, ['cart', 'web']).text).toBe(
      'shop GVC v7 gone: 2 workloads no longer listed: cart, web',
    );
  });
});

describe('an execution of a job', () => {
  it('says what failed, where, why and when', () => {
    const at = (ms: number) => `<!date^${ms / 1000}^{date_short_pretty} {time_secs}|`;
    const content = jobContent(PLACE, jobFailed());

    expect(content.text).toBe('shop/report run 28 failed in lima: `the disk is full`');
    expect(read(content)).toEqual([
      ':x: *shop/report* run 28 failed in lima',
      '`the disk is full`',
      `org acme · job \`report-28\` · started ${at(NOON)}2026-10-05 12:00 UTC> · ended ${at(NOON + MINUTE)}2026-10-05 12:01 UTC> · all of it: \`/deployments jobs shop/report/lima org acme\``,
    ]);
  });

  it('has a line for each of its reasons, of which five are shown', () => {
    const reasonsOf = (message: string) =>
      read(jobContent(PLACE, jobFailed({ message }))).slice(1, -1);

    expect(reasonsOf('exit code 1; ; OOMKilled ;')).toEqual([
      '`exit code 1`',
      'out of memory (`OOMKilled`)',
    ]);
    expect(reasonsOf('a;b;c;d;e;f;g')).toEqual(['`a`', '`b`', '`c`', '`d`', '`e`', '… and 2 more']);
    expect(reasonsOf(' ; ')).toEqual(['no reason is reported']);
  });

  it('without a message or times says so, or nothing', () => {
    const job = jobFailed({ message: ' ', startTime: undefined, completionTime: undefined });

    expect(read(jobContent(PLACE, job)).slice(1)).toEqual([
      'no reason is reported',
      'org acme · job `report-28` · all of it: `/deployments jobs shop/report/lima org acme`',
    ]);
  });

  it.each(['report', 'report-', 'nightly-28'])(
    'with a name of its own has all of it: %s',
    (name) => {
      expect(jobContent(PLACE, jobFailed({ execution: name })).text).toContain(
        `job ${name} failed`,
      );
    },
  );
});
