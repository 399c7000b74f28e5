import { describe, expect, it } from 'vitest';
import * as fc from '../../../support/fast-check.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { helpAnswer, unreadableAnswer } from '../../../../src/slack/replies/help-view.ts';
import { spoken } from '../../../support/answer.ts';
import type { Answer, CommandHelp } from '../../../../src/slack/routing/routes.ts';

const HELP: CommandHelp = {
  command: '/ship',
  summary: 'Ships.',
  usages: [
    { text: '/ship list', does: 'all ships' },
    { text: '/ship find NAME', does: 'one ship' },
    { text: '/ship findings', does: 'what was found' },
  ],
  notes: ['A ship floats'],
  examples: ['/ship find rose', '/ship list'],
};

const unreadable = (error: UsageError) => unreadableAnswer(HELP, error);
const buttonsOf = (answer: Answer) =>
  answer.buttons?.map(({ text, value }) => [text.text, value]) ?? [];

describe('the answer to something unreadable', () => {
  it('is one line: the mistake and the suggestion, with a button that runs it', () => {
    const answer = unreadable(new UsageError('No "<such>" word.', '/ship list'));

    expect(spoken(answer)).toBe('No "&lt;such&gt;" word. Did you mean `/ship list`?');
    expect(answer.blocks).toHaveLength(1);
    expect(buttonsOf(answer)).toEqual([
      ['Run it', '/ship list'],
      ['Help for /ship', '/ship'],
    ]);
  });

  it('has a button for each of two commands that may be meant', () => {
    const answer = unreadable(new UsageError('`1.500`?').meaning('/ship 1.5', '/ship 1,500'));

    expect(spoken(answer)).toBe('`1.500`? Did you mean `/ship 1.5` or `/ship 1,500`?');
    expect(buttonsOf(answer)).toEqual([
      ['/ship 1.5', '/ship 1.5'],
      ['/ship 1,500', '/ship 1,500'],
      ['Help for /ship', '/ship'],
    ]);
  });

  it('has an example of the usage that the error is about where nothing is near', () => {
    expect(spoken(unreadable(new UsageError('No.').about('/ship find')))).toBe(
      'No. For example: `/ship find rose`',
    );
    // A sentence with its own example says better which part is missing.
    expect(buttonsOf(unreadable(new UsageError('No.').about('/ship find')))).toEqual([
      ['Help for /ship', '/ship find'],
    ]);
  });

  it('has an example with the missing part, which is added where no example has it', () => {
    const missing = new UsageError('No.').withExample('by sea');

    expect(spoken(unreadable(missing))).toBe('No. For example: `/ship find rose by sea`');
    expect(spoken(unreadable(missing.about('/ship list')))).toBe(
      'No. For example: `/ship list by sea`',
    );
    expect(spoken(unreadable(new UsageError('No.').withExample('list')))).toBe(
      'No. For example: `/ship list`',
    );
  });

  it('names a channel as people see it, and runs it as Slack wrote it', () => {
    const answer = unreadable(new UsageError('No.', '/ship list <#C1|harbour> <#C2> <#C3|>'));
    expect(spoken(answer)).toContain('`/ship list #harbour #channel #channel`');
    expect(buttonsOf(answer)[0]).toEqual(['Run it', '/ship list <#C1|harbour> <#C2> <#C3|>']);
  });

  it('has at most 240 characters, and runs nothing that it does not show whole', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 300 }), (said, meant) => {
        const answer = unreadable(new UsageError(said, meant));

        expect(spoken(answer).length).toBeLessThanOrEqual(240);
        const runs = buttonsOf(answer).some(([text]) => text === 'Run it');
        expect(runs).toBe(spoken(answer).includes('Did you mean'));
      }),
    );
    expect(buttonsOf(unreadable(new UsageError('No.', `/ship ${'x'.repeat(240)}`)))).toEqual([
      ['Help for /ship', '/ship'],
    ]);
  });
});

describe('help', () => {
  const textOf = (answer: Pick<Answer, 'blocks'>): string => JSON.stringify(answer.blocks);

  it('has all usages, notes and examples where they are few', () => {
    const answer = helpAnswer(HELP);
    expect(textOf(answer)).toMatch(
      /all ships.*one ship.*A ship floats.*For example: `\/ship find rose`/,
    );
    expect(answer.rest).toBe(undefined);
  });

  it('is about one subcommand, word by word, or about everything where none begins so', () => {
    expect(textOf(helpAnswer(HELP, '/ship find'))).toContain('`/ship find NAME` one ship');
    expect(textOf(helpAnswer(HELP, '/ship find'))).not.toMatch(/all ships|findings/);
    expect(textOf(helpAnswer(HELP, '/ship sink'))).toBe(textOf(helpAnswer(HELP)));
  });

  it('has the first usages where there are many, and a button for the whole list', () => {
    const usages = Array.from({ length: 30 }, (_, at) => ({ text: `/ship ${at}`, does: 'sails' }));

    const answer = helpAnswer({ ...HELP, usages });

    expect(textOf(answer)).toContain('`/ship 9` sails');
    expect(textOf(answer)).not.toContain('`/ship 10` sails');
    expect(answer.rest).toMatchObject({ button: 'Show all (30)', title: '/ship' });
    expect(JSON.stringify(answer.rest)).toContain('`/ship 19` sails');
  });

  it('opens what the words mean where only the notes have no room', () => {
    const answer = helpAnswer({ ...HELP, notes: ['N: '.padEnd(1_200, 'x')] });

    expect(textOf(answer)).toContain('one ship');
    expect(answer.rest).toMatchObject({ button: 'What the words mean' });
  });
});
