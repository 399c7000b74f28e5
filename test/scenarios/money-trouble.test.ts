import type { Locator } from 'playwright-core';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastMonth } from '../support/expected-ledger.ts';
import { hasBrowser } from '../support/browser.ts';
import {
  bytesOf,
  choose,
  groupBy,
  PROGRESS,
  recordsOf,
  rowsOf,
  type Visitor,
} from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';

const SLOW_MS = 10_000;
/** Long enough to read the text that is shown meanwhile. */
const CLICK_MS = 8_000;
/** Longer than the bot waits for anything. */
const NEVER_MS = 600_000;
/** The bot does so after 45 s. */
const GIVES_UP_MS = 100_000;
const UNANSWERED = '/invoices pending';
const CHARGES = 'charges/-query';

describe.runIf(hasBrowser())('a platform in trouble, in a browser', () => {
  let world: World;
  let ada: Visitor;
  /** He gets no answer; the other stories take place meanwhile. */
  let ben: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    [ada, ben] = await Promise.all([world.visit('U0ADA'), world.visit('U0BEN')]);
    await faults();
    await ben.type(UNANSWERED);
  });

  afterAll(() => world?.close());

  /** Sets the faults of the platform, besides the one question that it never answers. */
  async function faults(...more: object[]): Promise<void> {
    await world.faults({ path: 'invoices/pending', delayMs: NEVER_MS }, ...more);
  }

  it('is waited for in sight', async () => {
    await faults({ path: CHARGES, delayMs: SLOW_MS });
    const answer = await ada.newAnswer(async () => {
      await ada.type('/charges last month');
      await ada.page.getByText(PROGRESS).waitFor();
    });

    expect((await recordsOf(answer)).map(({ Org: org }) => org)).toEqual([
      'acme',
      'globex',
      'initech',
    ]);
  });

  it('changes a message in its place also when that takes long', async () => {
    await faults();
    const answer = await ada.ask('/charges last month by org of memory');
    const before = await rowsOf(answer);
    await faults({ path: CHARGES, delayMs: CLICK_MS });

    await groupBy(answer, 'By GVC');
    await answer.getByText(PROGRESS).waitFor();
    // Without its controls, those of rows among them.
    expect(await rowsOf(answer)).toEqual(before.map((row) => row.slice(0, -1)));
    await answer.getByText('Charges by gvc').waitFor();
    expect(await answer.getByText(PROGRESS).count()).toBe(0);
  });

  it('restores the earlier answer when a slow click fails, with the reason', async () => {
    await faults();
    const answer = await ada.ask('/charges last month by org of cpu');
    const [before, buttons] = [await rowsOf(answer), await buttonsOf(answer)];
    await faults({ path: CHARGES, status: 500, delayMs: CLICK_MS });

    await groupBy(answer, 'By Workload');
    await answer.getByText('The platform failed at that').waitFor();

    expect(await rowsOf(answer)).toEqual(before);
    expect(await buttonsOf(answer)).toEqual(buttons);
    await faults();
    await groupBy(answer, 'By Workload');
    await answer.getByText('Charges by workload').waitFor();
    expect((await rowsOf(answer))[0]?.[0]).toBe('Workload');
  });

  it.each([
    {
      fault: { status: 500 },
      command: '/charges last month of gpu',
      reported: 'The platform failed',
    },
    {
      fault: { status: 401 },
      command: '/charges last month of egress',
      reported: 'check BILLING_TOKEN and BILLING_ACCOUNT_ID',
    },
    {
      fault: { kind: 'malformed' },
      command: '/charges last month of replicas',
      reported: 'The platform’s answer cannot be read',
    },
  ])('says $reported in one sentence', async ({ fault, command, reported }) => {
    await faults({ path: CHARGES, ...fault });
    const answer = await ada.ask(command);

    await answer.getByText(reported).waitFor();
    expect(await answer.getByRole('table').count()).toBe(0);
    expect(await answer.getByRole('button', { name: 'More actions' }).count()).toBe(0);
  });

  it('shows names as they are, whatever they are made of', async () => {
    const names = ['<!channel>', '<@U0BEN>', '`rm -rf /`', '*fat* _lean_ ~gone~', '=1+1', '&amp;'];
    const turned = '\u202Egnp.exe';
    await faults({ path: CHARGES, body: charges([...names, turned]) });
    const answer = await ada.ask('/charges last month by workload where gvc=nasty');

    const shown = (await recordsOf(answer)).map(({ Workload: workload }) => workload);
    expect(shown.slice(0, names.length)).toEqual(names);
    expect(shown.at(-1)).not.toContain('\u202E');
    expect(await answer.getByRole('row').locator('b, i, s, code, .mention').count()).toBe(0);

    await choose(answer, 'Tiers');
    await answer.getByText('Tiers of').waitFor();
    await choose(answer, 'Totals');
    await answer.getByRole('columnheader', { name: 'Share' }).waitFor();
    await ada.newAnswer(() => choose(answer, 'CSV'));
    const inbox = await world.visit('U0ADA', 'app-messages');
    const message = inbox.message('where gvc=nasty').last();
    await message.getByText('.csv').last().waitFor();
    const rows: string[][] = parse(await bytesOf(message, '.csv'));
    expect(rows.flat().filter((cell) => cell.startsWith('='))).toEqual([]);
  });

  it('is given up at some time, with one clear sentence', async () => {
    const sentence = ben.page.getByText('The platform does not answer just now');
    await sentence.waitFor({ timeout: GIVES_UP_MS });

    expect(await sentence.count()).toBe(1);
  });
});

function buttonsOf(answer: Locator): Promise<string[]> {
  return answer.getByRole('button').allInnerTexts();
}

/** An answer of the platform about workloads with these names, the first the most expensive. */
function charges(names: readonly string[]): object {
  const { startTime, endTime } = lastMonth();
  const groups = names.map((workload, index) => ({
    key: { workload },
    consumptions: [
      {
        value: 3_600,
        tags: { metric: 'cpu', feature: 'workloads', locationType: 'byok', workload },
        total: names.length - index,
        currency: 'USD',
        ratePlans: ['standard'],
        details: [
          {
            amount: 1,
            units: 1,
            rate: 1,
            from: 0,
            to: -1,
            chargeableItemId: workload,
            ratePlanItem: workload,
          },
        ],
      },
    ],
  }));
  const period = {
    startTime,
    endTime,
    totalSeconds: 1,
    elapsedSeconds: 1,
    consumptionCount: 1,
    groups,
  };
  const results = { periods: [period], consumptionCount: names.length };
  const accountState = { ratePlan: 'standard' };
  return { results, detailedResults: [{ accountState, results: [results] }], consumptionCount: 1 };
}
