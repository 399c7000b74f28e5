import { REASON } from '../../support/changes.ts';
import { expect, test, vi } from 'vitest';
import { until } from '../../support/until.ts';
import { MAIN } from '../platform/billing/support.ts';
import { startMoneyBot, startPlatformAt } from './bot.ts';

const ALERT = `/account/${MAIN}/alert`;
const QUIET = 'E-mailed this month: the next e-mail can come from 1 November on';
const ARMED_AGAIN = 'E-mailed this month, but changed after that: it fires when';
const BOTH =
  /It fired .*\. If its amount changed .*, it can fire again this month; if not, from 1 November/;

/**
 * The bot and the platform in the middle of October, where only the test lets time pass. The alert is
 * checked every ten minutes from then on.
 */
async function start() {
  const platform = await startPlatformAt('2026-10-15T12:00:00Z');
  const bot = await startMoneyBot(platform, { APPROVALS: 'off' });
  const send = async (method: string, url: string, body?: object) => {
    const answer = await fetch(url, {
      method,
      headers: { authorization: 'Bearer svc-bsat-sandbox-all', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { amount?: number };
  };
  return {
    control: (path: string, body: object) => send('POST', `${platform.url}/_sandbox/${path}`, body),
    /** A person has set an alert, whatever was there. */
    set: async (amount: number) => {
      await send('DELETE', `${platform.billingUrl}${ALERT}`);
      await send('POST', `${platform.billingUrl}${ALERT}`, { alert: { amount, enabled: true } });
    },
    /** Ada asks for another amount, and it is made, because no one has to approve it. */
    change: async (amount: number) => {
      await bot.request('/alert set', {
        'alert.set.amount': {
          'alert.set.amount': { type: 'number_input', value: String(amount) },
        },
        'changes-reason': {
          'changes-reason': { type: 'plain_text_input', value: REASON },
        },
        'alert.set.enabled': {
          'alert.set.enabled': {
            type: 'checkboxes',
            selected_options: [
              { text: { type: 'plain_text', text: 'The alert is on' }, value: 'yes' },
            ],
          },
        },
      });
      await until('the alert is changed', async () => {
        return (await send('GET', `${platform.billingUrl}${ALERT}`)).amount === amount;
      });
    },
    /** The answer of `/alert` at a time of the day. */
    askAt: async (clock: string) => {
      vi.setSystemTime(Date.parse(`2026-10-15T${clock}Z`));
      return JSON.stringify((await bot.ask('/alert')).blocks);
    },
  };
}

test(
  'an alert that has fired is quiet until a change arms it again, though firing wrote its record',
  { timeout: 60_000 },
  async () => {
    const { set, change, askAt } = await start();
    await set(100);

    // It fires at 12:10:00, and its record is of a second after that.
    expect(await askAt('12:10:01')).toContain(QUIET);
    expect(await askAt('12:30:00')).toContain(QUIET);

    await change(1_000_000);
    expect(await askAt('12:30:10')).toContain(ARMED_AGAIN);
    expect(await askAt('12:55:00')).toContain(ARMED_AGAIN);

    await change(200);
    expect(await askAt('12:55:10')).toMatch(BOTH);
    // The next check makes it plain.
    const fired = await askAt('13:00:10');
    expect(fired).toContain(QUIET);
    expect(fired).toContain('2026-10-15 13:00 UTC>, 2 times in all');
  },
);

test(
  'an alert whose record was written a minute after it fired is quiet once a check has passed it by',
  { timeout: 60_000 },
  async () => {
    const { control, set, askAt } = await start();
    await control('alert/stamp', { seconds: 60 });
    await set(100);

    expect(await askAt('12:11:30')).toMatch(BOTH);
    expect(await askAt('12:30:00')).toContain(QUIET);
  },
);

test(
  'without the chargeable items the alert says that the charges, and their pace, may be too low',
  { timeout: 60_000 },
  async () => {
    const { control, set, askAt } = await start();
    const TOO_LOW =
      '⚠ The chargeable items could not be read, so the charges may be too low, and with them the projection and the pace';
    await set(5_000);

    await control('faults', { faults: [{ path: '/chargeable_items', status: 503 }] });
    expect(await askAt('12:06:00')).toContain(TOO_LOW);

    await control('faults', { faults: [] });
    expect(await askAt('12:40:00')).not.toContain(TOO_LOW);
  },
);
