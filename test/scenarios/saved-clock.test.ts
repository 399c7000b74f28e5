import { expect, it, onTestFinished } from 'vitest';
import { openHours } from '../support/hour-by-hour.ts';
import { savedTalk } from '../support/saved-talk.ts';

/** A Friday in London, and the Sunday after it the clocks of Europe go back, at 01:00 UTC. */
async function open() {
  const hours = await openHours('2026-10-23T07:40:00Z', `test-saved-clock-${process.pid}`);
  onTestFinished(() => hours.close());
  await hours.restart({ BILLING_POLL_SECONDS: '600', DIGEST: 'off' });
  return { talk: savedTalk(hours), ada: hours.house.user('U0ADA') };
}

it('an answer comes at nine in the zone of the person who asked for it, before and after the clocks go back', async () => {
  const { ada, talk } = await open();
  const number = await talk.schedule('/charges watch yesterday by workload daily at 09:00');
  expect(await talk.reported(number)).toEqual([]);

  await talk.reach('2026-10-26T10:00:00Z');

  const days = ['2026-10-23', '2026-10-24', '2026-10-25', '2026-10-26'];
  expect(await talk.reported(number)).toEqual(days);
  const all = await talk.postsOf(number);
  // 08:00 UTC is 09:00 in London up to the 24th, 09:00 UTC from the 25th on.
  const times = all.map(({ ts }) => new Date(Number(ts) * 1_000).toISOString().slice(11, 13));
  expect(times).toEqual(['08', '08', '09', '09']);
  const [asked, last] = [await ada.ask('/charges yesterday by workload'), all.at(-1)];
  expect(last?.text).toContain(/\$[\d,.]+\d/.exec(asked.text)?.[0]);
  expect(JSON.stringify(last?.blocks)).toContain('daily at 09:00 Europe/London');
  // All rows, five on a page.
  const table = last?.blocks.find(({ type }) => type === 'data_table');
  expect(table).toMatchObject({ page_size: 5 });
  const rows = table?.['rows'] as unknown[] | undefined;
  expect(rows?.length).toBeGreaterThan(20);
});

it('an answer that is put on a later time of the same day comes then, too, as another message', async () => {
  const { ada, talk } = await open();
  const number = await talk.schedule('/charges watch yesterday daily at 09:00');
  await talk.reach('2026-10-23T08:40:00Z');
  const [first] = await talk.postsOf(number);
  if (first === undefined) throw new Error('nothing was posted');

  const form = await ada.openBy(first, 'Change');
  const changed = await ada.answer(() => ada.submit(form, { At: '11:00' }));
  expect(changed.text).toContain('daily at 11:00 Europe/London');
  await talk.reach('2026-10-23T11:40:00Z');

  expect(await talk.reported(number)).toEqual(['2026-10-23', '2026-10-23/2']);
});
