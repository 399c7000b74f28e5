import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startRedis } from '../../src/sandbox/redis.ts';
import { hasBrowser } from '../support/browser.ts';
import { openDemo, type Demo } from '../support/demo.ts';
import { get, post } from '../support/http.ts';
import { until } from '../support/until.ts';

const STEPS = 5;

describe.runIf(hasBrowser())('a stranger at the window', () => {
  let demo: Demo;

  beforeAll(async () => {
    demo = await openDemo();
  }, 180_000);

  afterAll(() => demo?.close());

  /** A page that is closed with its test. */
  async function visit(...look: Parameters<Demo['visit']>): Promise<Page> {
    const page = await demo.visit(...look);
    onTestFinished(() => page.close());
    return page;
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const tourOf = (page: Page) => page.getByRole('list', { name: 'Tour' });
  const panelOf = (page: Page) => page.getByTestId('panel');
  const messagesOf = async (channel: string) =>
    (
      await get<{ messages: { ts: string; text: string }[] }>(
        `${demo.url}_sandbox/messages?channel=${channel}`,
      )
    ).messages;

  it('reads about Purser, and has four things to try in sight whatever is posted', async () => {
    const page = await visit();
    const welcome = page.getByRole('region', { name: 'Welcome' });
    const words = (await welcome.innerText()).split(/\s+/);
    expect(words.length).toBeLessThanOrEqual(110);
    for (const word of ['rollout', 'cost', 'approval', 'real bot', 'stand-in Slack']) {
      expect(await welcome.innerText()).toContain(word);
    }

    for (let count = 0; count < 30; count += 1) {
      await post(`${demo.url}page/message`, {
        user: 'U0DANA',
        channel: 'C0DEPLOYS',
        text: `line ${count}`,
      });
    }
    await page.getByText('line 29', { exact: true }).waitFor();

    const names = [
      'See what it costs',
      'Break a rollout',
      'Ask for a change, approve it as Ben',
      'Read this morning’s digest',
    ];
    for (const name of names) {
      const box = await button(page, name).boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(900);
    }
  });

  it('sends the welcome away, also as another person, until the page is loaded again', async () => {
    const page = await visit();
    const welcome = page.getByRole('region', { name: 'Welcome' });
    await button(page, 'Dismiss welcome').click();
    await welcome.waitFor({ state: 'detached' });
    await page.getByLabel('Act as').selectOption('U0BEN');
    await page.getByText('You act as Ben Billing: sees all costs').waitFor();
    expect(await welcome.count()).toBe(0);

    await page.reload();
    await welcome.waitFor();
  });

  it('finds a panel of few buttons, in groups named by their visible effect', async () => {
    const page = await visit();
    const panel = panelOf(page);
    const stories = panel.getByRole('region', { name: 'Stories' });
    await stories.getByRole('heading', { name: 'A location goes silent' }).waitFor();
    expect(await panel.getByRole('button').count()).toBeLessThanOrEqual(24);
    expect(await stories.getByRole('heading', { level: 4 }).allInnerTexts()).toEqual([
      'A version rolls out',
      'Rollout gets stuck',
      'A location goes silent',
      'The bill changes',
    ]);

    await stories.getByRole('button', { name: 'More', exact: true }).click();
    await stories.getByRole('button', { name: 'The platform is down' }).waitFor();
  });

  it('finishes the tour with clicks alone, and sees each step ticked', async () => {
    const page = await visit();
    await button(page, 'Tour').click();
    const tour = tourOf(page);
    const current = tour.locator('[aria-current]');
    const pointed: number[] = [];
    for (let step = 1; step <= STEPS; step += 1) {
      expect(await current.innerText()).toMatch(new RegExp(`^${step} `));
      while (await tour.getByRole('button', { name: 'Do it' }).count()) {
        await tour.getByRole('button').click();
        await tour.locator('button:enabled').waitFor();
      }
      await current.getByText('done', { exact: true }).waitFor();
      expect(await current.locator('code').innerText()).toMatch(/^\//);
      pointed.push(await page.locator('.pointed').count());
      await tour.getByRole('button', { name: 'Next' }).click();
    }
    expect(await tour.getByText('done', { exact: true }).count()).toBe(STEPS);
    expect(await current.count()).toBe(0);
    // The last one is about a whole place.
    expect(pointed).toEqual([1, 1, 1, 1, 0]);

    const [request] = (await messagesOf('C0APPROVE')).filter(({ text }) => text.includes('9,000'));
    await until('the approved change', async () =>
      (await messagesOf('C0APPROVE')).find(
        ({ ts, text }) => ts === request?.ts && text.includes('Done'),
      ),
    );
  }, 240_000);

  it('comes to a step by its address', async () => {
    const page = await visit('#tour=approval');
    const current = tourOf(page).locator('[aria-current]');
    expect(await current.innerText()).toContain('Ask for a change');
    expect(page.url()).toContain('#tour=approval');
    await page.getByRole('heading', { name: 'approvals', level: 1 }).waitFor();
  });

  it('reads the rights of each person that one acts as', async () => {
    const page = await visit();
    const nav = page.getByRole('navigation', { name: 'Workspace' });
    for (const [user, may] of [
      ['U0CLEO', 'sees all costs, changes nothing'],
      ['U0DANA', 'asks for new orgs'],
      ['U0NOEL', 'sees and watches rollouts, no costs'],
      ['U0EVE', 'a guest, may do nothing'],
      ['U0BEN', 'approves those of others'],
    ] as const) {
      await page.getByLabel('Act as').selectOption(user);
      await nav.getByText(may).waitFor();
      expect(await nav.locator('.act-as small').innerText()).toContain(may);
    }
  });

  it('sees how much is unread, asks by a sample, and has no modal left after a reload', async () => {
    const page = await visit('?user=U0CLEO#C0RANDOM');
    const billing = page.getByRole('button', { name: /^# ?billing|^billing/ });
    expect(await billing.innerText()).toMatch(/billing\s+\d+/);
    await billing.click();
    await page
      .getByRole('group', { name: 'Try' })
      .getByRole('button', { name: '/charges', exact: true })
      .click();
    await page.getByText('Charges by org').first().waitFor();

    const ada = await visit('?user=U0ADA#C0BILLING');
    await ada.getByTestId('composer').fill('/alert set');
    await ada.getByTestId('composer').press('Escape');
    await ada.getByTestId('composer').press('Enter');
    await ada.getByTestId('modal').waitFor();
    await ada.reload();
    await ada.getByTestId('composer').waitFor();
    await ada.getByText('Message #billing').waitFor({ state: 'detached' });
    expect(await ada.getByTestId('modal').count()).toBe(0);
  });

  it('reads the first line of a thread without marks', async () => {
    const page = await visit('#C0BILLING');
    const note = page.locator('.broadcast-note').first();
    await note.waitFor();
    expect(await note.innerText()).toMatch(/replied to a thread: Invoice \d+/);
  });

  it('reads the requests of both sides, without a secret', async () => {
    const page = await visit();
    await button(page, 'Requests').click();
    const log = page.getByRole('list', { name: 'Requests' });
    await log.getByText('Purser → platform').first().waitFor();
    await log.getByText('Purser → Slack').first().waitFor();
    await log.getByText('Slack → Purser').first().waitFor();
    expect(await log.innerText()).not.toMatch(/xox|svc-bsat-|sandbox-key|sandbox-user/);
  });

  it('restarts the worker and Redis, and everything goes on', async () => {
    const page = await visit();
    const panel = panelOf(page);
    for (const name of ['worker', 'Redis']) {
      await button(page, `Restart ${name}`).click();
      await panel.getByText(`${name} runs again`).waitFor();
    }
    await panel.locator('details.where summary').click();
    await panel.getByLabel('Workload').selectOption('search');
    await button(page, 'Rollout becomes ready').click();

    const posted = await until('the rollout in the channel', async () =>
      (await messagesOf('C0DEPLOYS')).find(({ text }) => /Ready · .*shop\/search/.test(text)),
    );
    expect(posted.text).toContain('No impact');
  });

  it('moves the clock of platform, Slack and bot by an hour, a day and a month', async () => {
    const page = await visit('?user=U0ADA#C0BILLING');
    const label = panelOf(page).locator('.pane-header .topic');
    const shown = async () =>
      new Date((await label.innerText()).replace(' UTC', 'Z').replace(' ', 'T'));
    // Minutes pass by themselves, too.
    for (const [name, hours] of [
      ['+1 hour', 1],
      ['+1 day', 24],
      ['+1 month', 28 * 24],
    ] as const) {
      const before = await shown();
      await button(page, name).click();
      await until(name, async () => Number(await shown()) - Number(before) >= hours * 3_600_000);
    }
    const now = await shown();

    // The signature of the command is good for five minutes: both clocks are the same.
    await page.getByTestId('composer').fill('/charges');
    await page.getByTestId('composer').press('Escape');
    await page.getByTestId('composer').press('Enter');
    const month = now.toLocaleDateString('en-US', {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    });
    await page.getByText(`${month} (1`).first().waitFor();
    const latest = Math.max(...(await messagesOf('C0BILLING')).map(({ ts }) => Number(ts)));
    expect(latest * 1_000).toBeGreaterThan(now.getTime() - 120_000);
  });
});

describe.runIf(hasBrowser())('a stranger with a Redis of their own', () => {
  it('is not offered to restart it, and reads why', async () => {
    const redis = await startRedis(undefined, true);
    onTestFinished(() => redis.close());
    const demo = await openDemo({ REDIS_URL: redis.url });
    onTestFinished(() => demo.close());
    const page = await demo.visit();

    await page.getByText('Redis is yours (REDIS_URL)').waitFor();
    expect(await page.getByRole('button', { name: 'Restart Redis' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Restart worker' }).count()).toBe(1);
  });
});
