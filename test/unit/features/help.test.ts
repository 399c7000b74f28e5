import { expect, it } from 'vitest';
import { overview } from '../../../src/features/help/feature.ts';
import type { CommandHelp } from '../../../src/slack/routes.ts';

function help(command: string, over: Partial<CommandHelp> = {}): CommandHelp {
  return { command, summary: `What ${command} does.`, usages: [], examples: [], ...over };
}

it('the overview explains what works, and only names what does not yet', () => {
  const { blocks } = overview([help('/deployments'), help('/charges', { later: true })]);
  const words = JSON.stringify(blocks);

  expect(words).toContain('`/deployments` What /deployments does.');
  expect(words).toContain('Not there yet: `/charges`');
  expect(words).not.toContain('What /charges does.');
});

it('and says nothing of later when everything works', () => {
  expect(JSON.stringify(overview([help('/deployments')]).blocks)).not.toContain('Not there yet');
});
