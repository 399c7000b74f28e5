import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { turnButtons } from '../../../../src/slack/kit/pages.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { ModalContent, ModalRoute } from '../../../../src/slack/routing/routes.ts';
import { gate, openSlackHarness } from '../harness.ts';
import { says } from './form-support.ts';

const PAGES = 3;

function contentOf(page: number): ModalContent {
  return {
    title: 'Details',
    blocks: [section(mrkdwn`This is page ${page}.`)],
    buttons: turnButtons('details', { page, pages: PAGES }, String),
  };
}

/** A modal with three pages, open at the first. */
async function opened(route: Partial<ModalRoute> = {}) {
  const harness = await openSlackHarness({
    answer: () =>
      Promise.resolve({
        text: 'Here you are',
        blocks: [],
        buttons: [button({ action: 'details', text: 'Details', value: '1' })],
      }),
    modals: [
      {
        actionId: 'details',
        title: 'Details',
        load: ({ value }) => Promise.resolve(contentOf(Number(value))),
        ...route,
      },
    ],
  });
  await harness.press(await harness.ask(), 'Details');
  return { ...harness, first: await harness.view('the first page', says('page 1')) };
}

describe('a modal with pages', () => {
  it('turns them in its place, forth and back', async () => {
    const { first, pressIn, view } = await opened();

    await pressIn(first, 'Next');
    const second = await view('the second page', says('page 2'));
    await pressIn(second, 'Next');
    const last = await view('the last page', says('page 3'));
    await pressIn(last, 'Previous');
    const back = await view('the second page again', says('page 2'));

    expect(new Set([first, second, last, back].map(({ id }) => id)).size).toBe(1);
    expect(JSON.stringify(first)).not.toContain('Previous');
    expect(JSON.stringify(last)).not.toContain('Next');
  });

  it('says on top of the page why another cannot be shown, and only until it can', async () => {
    let away = true;
    const { first, pressIn, view } = await opened({
      load: ({ value }) =>
        away && value === '2'
          ? Promise.reject(new Refusal('The platform is away: press again.'))
          : Promise.resolve(contentOf(Number(value))),
    });

    await pressIn(first, 'Next');
    const refused = await view('the sentence', says('The platform is away'));
    away = false;
    await pressIn(refused, 'Next');
    const second = await view('the second page', says('page 2'));

    expect(JSON.stringify(refused)).toContain('page 1');
    expect(JSON.stringify(second)).not.toContain('The platform is away');
  });

  it('says that it works on it when that takes long', async () => {
    const slow = gate();
    const { first, pressIn, view } = await opened({
      load: async ({ value }) => {
        if (value === '2') await slow.passed;
        return contentOf(Number(value));
      },
    });

    const pressing = pressIn(first, 'Next');
    const waiting = await view('a word in between', says('Still working on it'));
    slow.open();
    await pressing;
    const second = await view('the second page', says('page 2'));

    expect(JSON.stringify(waiting)).toContain('page 1');
    expect(JSON.stringify(second)).not.toContain('Still working');
  });

  it('shows the page that was asked for last, whichever is read first', async () => {
    const slow = gate();
    const { first, pressIn, view, requests } = await opened({
      load: async ({ value }) => {
        if (value === '3') await slow.passed;
        return contentOf(Number(value));
      },
    });
    await pressIn(first, 'Next');
    const second = await view('the second page', says('page 2'));

    // The third page is slow, so a person goes back meanwhile.
    await pressIn(second, 'Next');
    await pressIn(second, 'Previous');
    const back = await view('the first page again', says('page 1'));
    slow.open();
    await pressIn(back, 'Next');
    await view('the second page again', says('page 2'));

    const shown = (await requests('views.update')).map(({ args }) => JSON.stringify(args));
    expect(shown.filter((one) => one.includes('This is page 3.'))).toEqual([]);
  });
});
