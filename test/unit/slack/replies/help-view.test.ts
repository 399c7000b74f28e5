import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/lib/errors.ts';
import { helpAnswer, unreadableAnswer } from '../../../../src/slack/replies/help-view.ts';
import type { CommandHelp } from '../../../../src/slack/routing/routes.ts';

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

const shown = (usage?: string): string =>
  JSON.stringify(unreadableAnswer(HELP, new UsageError('No.', '/ship list', usage)).blocks);
const ofHelp = JSON.stringify(helpAnswer(HELP).blocks.slice(1)).slice(1, -1);

describe('what something unreadable is answered with', () => {
  it('is the whole usage below what is wrong and what was probably meant', () => {
    expect(shown()).toContain(':warning: No. Did you mean `/ship list`?');
    expect(shown()).toContain(ofHelp);
  });

  it('is the usage alone that the error is about, word by word', () => {
    expect(shown('/ship find')).toContain('`/ship find NAME` one ship');
    expect(shown('/ship find')).toContain('For example: `/ship find rose`');
    expect(shown('/ship find')).not.toMatch(/all ships|findings|For example: `\/ship list`/);
    expect(shown('/ship find')).toContain('A ship floats');
  });

  it('has no examples where there are none of that usage', () => {
    expect(shown('/ship findings')).toContain('what was found');
    expect(shown('/ship findings')).not.toContain('For example');
  });

  it('is the whole usage where none begins like that', () => {
    expect(shown('/ship sink')).toContain(ofHelp);
  });
});
