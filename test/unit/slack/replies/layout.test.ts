import { describe, expect, it } from 'vitest';
import { actions, button, messageIdOf, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import {
  answerBlocks,
  layOut,
  notesWindow,
  restWindow,
} from '../../../../src/slack/replies/reply.ts';
import * as fc from '../../../support/fast-check.ts';

const ID = '6172af15-2250-405f-af92-636f461f750f';
const press = (action: string) => button({ action, text: action });

/** The elements of each row, by their action. */
const rowsOf = (blocks: ReturnType<typeof layOut>) =>
  blocks.flatMap((block) =>
    block.type === 'actions' ? [block.elements.map((element) => element.action_id)] : [],
  );

const typesOf = (blocks: ReturnType<typeof layOut>) => blocks.map(({ type }) => type).join(' ');

describe('a message', () => {
  it('never has more blocks than Slack takes, and never loses the rows below', () => {
    const row = fc.array(fc.constantFrom('turn', 'csv', 'detail').map(press), { maxLength: 12 });
    fc.assert(
      fc.property(
        fc.nat({ max: 70 }),
        row,
        row,
        fc.boolean(),
        (count, controls, buttons, noted) => {
          const blocks = Array.from({ length: count }, (_, index) => section(mrkdwn`${index}`));
          const notes = noted ? ['A note'] : [];
          const laid = answerBlocks({ blocks, controls, buttons, notes }, ID, { kept: true });
          const rows = rowsOf(laid);

          expect(laid.length).toBeLessThanOrEqual(50);
          expect(rows.flat()).toHaveLength(controls.length + buttons.length);
          expect(JSON.stringify(laid).includes('A note')).toBe(noted);
          for (const one of rows) {
            expect(one.length).toBeGreaterThan(0);
            expect(one.length).toBeLessThanOrEqual(25);
            expect(new Set(one).size).toBe(one.length);
          }
        },
      ),
    );
  });

  it('never has more text than Slack takes, and says that there was more', () => {
    const long = (count: number) =>
      Array.from({ length: count }, () => section(mrkdwn`${'x'.repeat(2_900)}`));

    const whole = layOut(long(4), ID, [actions(press('turn'))]);
    const cut = layOut(long(5), ID, [actions(press('turn'))]);

    expect(typesOf(whole)).toBe('section section section section actions');
    expect(typesOf(cut)).toBe('section section section section context actions');
    expect(JSON.stringify(cut)).toContain('… and more');
  });

  it('is known again by whatever is clicked in it', () => {
    const laid = layOut([section(mrkdwn`x`, press('look'))], ID, [actions(press('turn'))]);
    const ids = laid.map(({ block_id: id }) => id);

    expect(ids.map(messageIdOf)).toEqual([ID, ID]);
    expect(new Set(ids).size).toBe(2);
    expect(['b000001', '', undefined, 'x:1'].map(messageIdOf)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });
});

describe('an answer with more to it', () => {
  const answer = { blocks: [section(mrkdwn`x`)] };
  const shown = (more: object, kept = true): string =>
    JSON.stringify(answerBlocks({ ...answer, ...more }, ID, { kept }));
  const rest = { button: 'All ships', title: 'Ships', blocks: [section(mrkdwn`rose, lily`)] };

  it('has a single note as a line, and several as their number with a button', () => {
    expect(shown({ notes: ['one'] })).toContain('"text":"one"');
    expect(shown({ notes: ['one', 'two'] })).toMatch(/ℹ 2 notes.*"text":"Details"/);
    expect(shown({ notes: ['one', 'two'] })).not.toContain('"one');
    expect(notesWindow({ ...answer, notes: ['one', 'two'] }).blocks).toHaveLength(2);
  });

  it('has a button that opens the part that does not fit', () => {
    expect(shown({ rest })).toContain('All ships');
    expect(shown({ rest })).not.toContain('rose');
    expect(restWindow({ ...answer, rest })).toEqual({ title: 'Ships', blocks: rest.blocks });
    expect(() => restWindow(answer)).toThrow('too old');
  });

  it('shows everything at once while nothing can be kept for a click', () => {
    const all = shown({ rest, notes: ['one', 'two'] }, false);
    expect(all).toMatch(/rose, lily.*one\\ntwo/);
    expect(all).not.toMatch(/All ships|Details/);
  });
});

describe('the controls of an answer', () => {
  const asked = { route: 'ships', question: 'all', page: 2 };
  const menu = [{ text: 'CSV', action: 'csv' }];
  const controls = [press('group')];
  const whole = { blocks: [section(mrkdwn`x`)], asked, pages: 3, controls, menu, shareable: true };

  it('are one row: its own, pages, Share, and the menu at the end', () => {
    expect(rowsOf(answerBlocks(whole, ID, { kept: true }))).toEqual([
      ['group', 'answer.page', 'answer.page#2', 'answer.share', 'menu'],
    ]);
  });

  it('are missing, and say so, where the answer could not be kept', () => {
    const laid = answerBlocks({ ...whole, buttons: [press('create')] }, ID, { kept: false });
    expect(rowsOf(laid)).toEqual([['create']]);
    expect(JSON.stringify(laid)).toContain('The buttons are missing just now');
  });
});
