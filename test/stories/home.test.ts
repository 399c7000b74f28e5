import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cardOf } from '../support/approvals.ts';
import { hasBrowser } from '../support/browser.ts';
import { monthly } from '../support/expected-ledger.ts';
import { ask, decideOn } from '../support/change-scenario.ts';
import { direct, enter } from '../support/changes-page.ts';
import { choose, press, type Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';
import { until } from '../support/until.ts';

const SLOW_MS = 5_000;

describe.runIf(hasBrowser())('the home tab, in a browser', () => {
  let world: World;
  let ada: Visitor;
  let ben: Visitor;
  /** A viewer who was never at the home tab: it is shown as it was left until the bot says more. */
  let cleo: Visitor;
  let dana: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    await world.platform('users', { email: 'dana@acme.example', roles: ['billing_viewer'] });
    [ada, ben, cleo, dana] = await Promise.all([
      world.visit('U0ADA'),
      world.visit('U0BEN'),
      world.visit('U0CLEO'),
      world.visit('U0DANA'),
    ]);
  });

  afterAll(() => world?.close());
  afterEach(() => world.faults());

  /** Goes to the app, which opens on its home tab. */
  async function homeOf({ page }: Visitor): Promise<Locator> {
    const apps = page.locator('nav section', { hasText: 'Apps' });
    // Once: it is drawn anew each time it is opened, and a click on a tab that is being drawn may be lost.
    await apps.getByRole('button').first().click();
    return page.getByTestId('home');
  }
  /** The text of a home tab, once it says this. */
  const says = (home: Locator, words: string): Promise<string> =>
    until(`a home tab with "${words}"`, async () => {
      const text = await home.innerText();
      return text.includes(words) && text;
    });
  /** The text below a heading, up to the next one. */
  const below = (text: string, heading: string): string => {
    const [, rest = ''] = text.split(`${heading}\n`);
    const [part = ''] = rest.split(
      /Needs attention\n|Waiting for you\n|Your requests\n|This month’s spend\n|Watches\n|What next\?\n|Your roles\n|As of /,
    );
    return part;
  };
  /** The text of the home tab once all its parts are loaded. */
  async function read(home: Locator): Promise<string> {
    return until('a whole home tab', async () => {
      const text = await home.innerText();
      return text.includes('As of') && !/[Rr]eading/.test(text) && text;
    });
  }

  it('is there while the platform takes its time, and is filled in when that answers', async () => {
    await world.faults({ delayMs: SLOW_MS });
    const home = await homeOf(cleo);

    const early = await says(home, 'Nothing is watched');
    const late = await read(home);

    expect(below(early, 'Your roles')).toContain('Reading …');
    expect(early).not.toContain('Waiting for you');
    expect(below(late, 'Your roles')).toContain('billing_viewer');
    // Another test of this file may have set an alert before.
    const sum = String.raw`\$[\d,.]+ (?:of \$[\d,.]+ \(\d+%\) )?so far this month\s[^]*`;
    const projected = String.raw`Projected: (?:about \$[\d,]+|nothing more) by \d+ \w+`;
    expect(below(late, 'This month’s spend')).toMatch(
      monthly(
        new RegExp(sum + projected),
        new RegExp(`${sum}(?:${projected}|Too early in the month to project)`),
      ),
    );
  });

  it('has the requests of a person, and those that wait for an approver, who decides there', async () => {
    const { id } = await ask(ada, { command: '/alert set 8000' });
    const bens = await homeOf(ben);
    await says(bens, 'Set the spend alert');
    const seen = await read(bens);
    const waiting = below(seen, 'Waiting for you');
    const adas = await homeOf(ada);
    await says(adas, 'Set the spend alert to $8,000.00');
    const asked = await read(adas);

    const parts = ['Waiting for you', 'This month’s spend', 'Watches', 'Your roles'];
    expect(parts.toSorted((a, b) => seen.indexOf(a) - seen.indexOf(b))).toEqual(parts);
    expect(waiting).toContain('@Ada Admin requested it');
    expect(waiting).toMatch(/expires in (?:8 h|7 h 5\d min)/);
    expect(asked).not.toContain('Waiting for you');
    expect(below(asked, 'Your requests')).toContain('Waiting');
    expect(await adas.getByRole('button').allInnerTexts()).toContain('⋯');

    await decideOn(ben, bens, 'Approve');
    await until('a home tab where nothing waits', async () => {
      const text = await bens.innerText();
      return text.includes('As of') && !text.includes('Waiting for you');
    });
    await cardOf(world, id, 'succeeded');
    await press(adas, 'Refresh');
    await says(adas, 'Done');
    const after = await says(adas, 'of $8,000.00');

    expect(await adas.getByRole('button').allInnerTexts()).toContain('Details');
    expect(after).toMatch(/\$[\d,.]+ of \$8,000\.00/);
    // On the first day of a month there is no chart: a single day is no course.
    const isLater = new Date().getUTCDate() > 1;
    expect(below(after, 'This month’s spend').includes('even pace')).toBe(isLater);
    expect(await (await direct(ben, 'Approved:')).innerText()).toContain('It is being carried out');
  });

  it('shows a viewer no request of others; the requester withdraws it, and hears so', async () => {
    await ask(ada, { command: '/alert set 9000' });
    const danas = await read(await homeOf(dana));
    const adas = await homeOf(ada);
    await says(adas, 'Set the spend alert to $9,000.00');
    await read(adas);

    await choose(adas, 'Withdraw');
    await says(adas, 'Withdrawn');

    expect(below(danas, 'Your roles')).toContain('billing_viewer');
    expect(danas).not.toContain('Waiting for you');
    expect(await (await direct(ada, 'Withdrawn:')).innerText()).toContain('Nothing is changed');
  });

  it('lists a watch with its state until the watch is removed', async () => {
    await enter(ben, 'deployments');
    await ben.ask('/deployments watch shop');
    await world.polled();

    const text = await until('a watch on the home tab', async () => {
      const home = await homeOf(ben);
      await press(home, 'Refresh');
      const now = await read(home);
      return / ready/.test(below(now, 'Watches')) && now;
    });

    expect(below(text, 'Watches')).toMatch(/shop: \d+ ready.* · #deployments/);
    expect(text.indexOf('Needs attention')).toBeLessThan(text.indexOf('Watches'));
    await enter(ben, 'deployments');
    await ben.ask('/deployments unwatch shop');
    const home = await homeOf(ben);
    await press(home, 'Refresh');
    await says(home, 'Nothing is watched');
  });
});
