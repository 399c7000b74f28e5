import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callPlatform } from '../support/changes-raw.ts';
import { openHours, type Hours } from '../support/hour-by-hour.ts';
import { keyOf, numberIn, savedTalk, type SavedTalk } from '../support/saved-talk.ts';
import { until } from '../support/until.ts';
import type { SeenMessage } from '../support/world.ts';

const THRESHOLDS = 'charges-thresholds';

let hours: Hours;
let talk: SavedTalk;
const ada = () => hours.house.user('U0ADA');
const cleo = () => hours.house.user('U0CLEO');

beforeAll(async () => {
  hours = await openHours('2026-10-23T07:40:00Z', `test-saved-${process.pid}`);
  talk = savedTalk(hours);
  await hours.restart({ BILLING_POLL_SECONDS: '600', DIGEST: 'off' });
});
afterAll(() => hours.close());

const reported = (number: string) => talk.reported(number);
const look = (kind: string) => talk.look(kind);
const schedule: SavedTalk['schedule'] = (line, who) => talk.schedule(line, who);
const postOf = async (number: string): Promise<SeenMessage> =>
  (await talk.postsOf(number))[0] as SeenMessage;

async function stopAll(): Promise<void> {
  for (let number = 1; number < 30; number += 1) await ada().ask(`/charges unwatch ${number}`);
}

/** The amount in an answer: "$123.45". */
const amountIn = ({ text }: { text: string }): string => /\$[\d,.]+\d/.exec(text)?.[0] ?? text;

/** On the platform, as if outside Purser. */
async function giveRole(email: string, role: string): Promise<void> {
  const { money } = hours.house;
  const world = { billingUrl: money['BILLING_URL'] ?? '', environment: () => money };
  await callPlatform(world, 'PUT', `/user/email/${email}`, { user: { email, roles: [role] } });
}

describe('a question on a schedule', () => {
  it('is listed, changed by its button, and stopped by a person with a role', async () => {
    await stopAll();
    const number = await schedule('/charges watch last month weekly');
    const listed = await cleo().ask('/charges watches');
    expect(JSON.stringify(listed.blocks)).toContain('every Monday at 09:00 Europe/London');

    const form = await cleo().openBy(listed, 'Change');
    expect(form.fields).toMatchObject({ 'How often': 'Weekly, on Monday', At: '09:00' });
    await cleo().submit(form, { At: '9 o’clock' });
    expect(await cleo().submit(form, { At: '9:61' })).toEqual({
      At: 'This is no time of day: write it from 00:00 to 23:59.',
    });
    const kept = await cleo().answer(() =>
      cleo().submit(form, { 'How often': 'Monthly, on the 1st' }),
    );
    expect(kept.text).toContain('on the 1st of each month at 09:00 Europe/London');
    expect(JSON.stringify(kept.blocks)).toContain('reports October 2026 (UTC)');
    const again = await cleo().openBy(kept, 'Change');
    const changed = await cleo().answer(() => cleo().submit(again, { At: '07:30' }));
    expect(changed.text).toContain('on the 1st of each month at 07:30 America/New_York');
    const dana = await hours.house.user('U0DANA').ask(`/charges unwatch ${number}`);
    expect(dana.text).toContain('You need the role billing_admin or billing_viewer');

    expect((await cleo().ask(`/charges unwatch ${number}`)).text).toContain('Stopped');
    const [stopped] = await until('the channel to read it', async () => {
      const all = await talk.postsOf(number);
      return all.length > 0 && all;
    });
    expect(stopped?.text).toContain('<@U0CLEO> stopped `/charges last month`');
    const logged = hours.house
      .lines()
      .split('\n')
      .filter((line) => line.includes('"report.stop"'));
    expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({
      audit: true,
      by: 'U0CLEO',
      number,
      channel: 'C0BILLING',
    });
    expect((await ada().ask('/charges watches')).text).toContain('No saved questions');
  });

  it('is listed to anyone who made it in every channel, and to others in its own alone', async () => {
    await stopAll();
    await schedule('/charges watch last month weekly in C0FINANCE');
    expect(JSON.stringify((await ada().ask('/charges watches')).blocks)).toContain(
      '"channel_id":"C0FINANCE"',
    );
    expect((await cleo().ask('/charges watches')).text).toContain('No saved questions');
  });

  it('is saved once, however often Schedule is clicked', async () => {
    await stopAll();
    const question = await ada().ask('/charges watch last month monthly');
    await Promise.all([ada().press(question, 'Schedule'), ada().press(question, 'Schedule')]);
    await until('it to be saved', async () =>
      JSON.stringify((await ada().ask('/charges watches')).blocks).includes('last month'),
    );
    expect((await ada().ask('/charges watches')).text).toContain('1 saved question');
  });

  it('is where no other person reads made without a question', async () => {
    await stopAll();
    const mistyped = await ada().ask('/charges yesterday daily', 'D0ADA');
    expect(mistyped.text).toContain('/charges watch yesterday daily');
    const saved = await ada().ask('/charges watch yesterday daily', 'D0ADA');
    expect(saved.text).toContain('Scheduled: `/charges yesterday` in your messages with Purser');
  });

  it.each([
    ['C0RANDOM', 'Purser is not in that channel'],
    ['C0FINANCE', 'You can only change watches in channels that you are a member of'],
  ])('is not made for %s by Cleo', async (channel, sentence) => {
    const answer = await cleo().ask(`/charges watch daily in <#${channel}|x>`);
    expect(answer.text).toContain(sentence);
  });

  it('is not made by a person without a role', async () => {
    const answer = await hours.house.user('U0DANA').ask('/usage watch daily');
    expect(answer.text).toContain('You need the role billing_admin or billing_viewer');
  });
});

describe('a question with an amount', () => {
  it('is reported at once, and once in the period of its question', async () => {
    await stopAll();
    const number = await schedule('/charges watch last month by workload over 1');
    await until('the crossing', async () => (await reported(number)).length > 0);
    const first = await postOf(number);
    expect(keyOf(first)).toBe(`@billing/report/${number}/2026-09`);
    const asked = amountIn(await ada().ask('/charges last month by workload'));
    expect(first.text).toContain(`Spend is over budget: ${asked.replace(/\.\d+$/, '')}`);
    expect(first.text).toContain(' of $1 (');

    await look(THRESHOLDS);
    await look(THRESHOLDS);
    expect(await reported(number)).toEqual(['2026-09']);

    const form = await ada().openBy(first, 'Change');
    await ada().answer(() => ada().submit(form, { Over: '2' }));
    await until('another amount', async () => (await reported(number)).length > 1);
    const again = await ada().openBy(first, 'Change');
    await ada().answer(() => ada().submit(again, { Over: '1' }));
    await look(THRESHOLDS);
    expect(await reported(number)).toEqual(['2026-09', '2026-09/2']);
  });

  it('is silent until it is crossed', async () => {
    await stopAll();
    const number = await schedule('/charges watch last month over 99,000,000');
    await look(THRESHOLDS);
    expect(await reported(number)).toEqual([]);
  });

  it('of usage is counted in units people read', async () => {
    await stopAll();
    const refused = await ada().ask('/usage watch over 5');
    expect(refused.text).toContain('An amount of usage is of one metric');
    const number = await schedule('/usage watch last month of cpu over 5');
    await until('the crossing', async () => (await reported(number)).length > 0);
    expect((await postOf(number)).text).toMatch(
      /cpu is over its limit: [\d,.]+ core-hours of 5 core-hours \(/,
    );
  });

  it('is set in the form below an answer', async () => {
    await stopAll();
    const answer = await ada().ask('/charges last month by gvc');
    const form = await ada().openBy(answer, 'Schedule');
    expect(form.text).toContain('/charges last month by gvc');
    expect(await ada().submit(form, { 'How often': 'Only when it is over an amount' })).toEqual({
      Over: 'Which amount? Write one, or choose how often above.',
    });
    const made = await ada().answer(() =>
      ada().submit(form, { 'How often': 'Only when it is over an amount', Over: '$3' }),
    );
    expect(made.text).toContain('when it is over $3.00');
    const number = numberIn(made);
    await until('the crossing', async () => (await reported(number)).length > 0);
  });
});

describe('the rights of the owner', () => {
  it('are read at each run: a lack pauses it until a member with the role resumes it', async () => {
    await stopAll();
    const number = await schedule('/charges watch last month over 99,000,000', cleo());
    await giveRole('cleo@acme.example', 'org_creator');

    await until('its end', async () => {
      // One that comes while another runs is left out.
      await look(THRESHOLDS);
      return (await reported(number)).length > 0;
    });
    const ended = await postOf(number);
    expect(keyOf(ended)).toBe(`@billing/report/${number}/ended/2026-10-23`);
    expect(ended.text).toContain('<@U0CLEO>, who scheduled it, may no longer see the answer');
    expect(ended.text).not.toContain('acme.example');
    const lacking = await cleo().answer(() => cleo().press(ended, 'Resume'));
    expect(lacking.text).toContain('You need the role billing_admin or billing_viewer');
    const listed = JSON.stringify((await ada().ask('/charges watches')).blocks);
    expect(listed).toContain('Paused: its owner lost the right to see it');

    const resumed = await ada().answer(() => ada().press(ended, 'Resume'));
    expect(resumed.text).toContain('Resumed: `/charges last month`');
    await giveRole('cleo@acme.example', 'billing_viewer');
    const again = JSON.stringify((await ada().ask('/charges watches')).blocks);
    expect(again).toContain('"user_id":"U0ADA"');
    const twice = await ada().answer(() => ada().press(ended, 'Resume'));
    expect(twice.text).toContain('is not paused');
    await until('the channel to read it', async () =>
      (await talk.postsOf(number)).some(({ text }) => text.includes('<@U0ADA> resumed')),
    );
  });
});
