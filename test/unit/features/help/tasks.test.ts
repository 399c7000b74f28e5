import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { BILLING_HELP } from '../../../../src/features/billing/feature.ts';
import { CHANGES_HELP } from '../../../../src/features/changes/feature.ts';
import { DEPLOYMENTS_HELP } from '../../../../src/features/deployments/feature.ts';
import { createHelpFeature } from '../../../../src/features/help/feature.ts';
import { TASK_GROUPS } from '../../../../src/features/help/find.ts';
import { INVOICES_HELP } from '../../../../src/features/invoices/parse.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { billing, load } from '../../config/environment.ts';
import { proseOf, wordsIn } from '../../../support/answer.ts';
import { ANN } from '../billing/scenario.ts';
import { hostile, runs } from '../../slack/hostile.ts';
import { typeWords } from '../../../support/command.ts';

const WELL: Answer = { blocks: [section(mrkdwn`Purser is well`)] };

const ON = { ...billing, USAGE_URL: 'https://usage.example.com' };

/** `/purser`, which knows nobody and asks nobody. @param environment ON: nothing is switched off */
function purser(environment: Record<string, string> = ON) {
  const access = {
    principal: () => Promise.reject(new Error('Nobody has to be known for this')),
  };
  const nobody = (): never => {
    throw new Error('Nobody lacks a role here');
  };
  const feature = createHelpFeature(
    { access, askForAccess: nobody, config: load(environment), orgCharges: undefined },
    () => Promise.resolve(WELL),
    () => [BILLING_HELP, CHANGES_HELP, DEPLOYMENTS_HELP, INVOICES_HELP],
  );
  const [command] = feature.commands ?? [];
  if (command?.helpOn === undefined) throw new Error('There is no help');
  const { helpOn } = command;
  return {
    help: (text = '') => proseOf(helpOn(wordsIn(text))),
    type: (text: string) => typeWords(command, wordsIn(text), { person: ANN, channelId: 'C1' }),
  };
}

const problemOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('/purser help', () => {
  it('goes by what people want, with commands that can be typed as they stand', () => {
    const said = purser().help();

    for (const { question } of TASK_GROUPS) expect(said).toContain(`*${question}* `);
    expect(said).toContain('`/deployments shop` all of GVC “shop”');
    expect(said).toContain('`/purser doctor` what is wrong, and the fix');
    expect(said).toContain('Open *Purser under Apps, Home*');
    expect(said).not.toContain('off here');
  });

  it('is the same for `/purser` alone, and for words that look for nothing', async () => {
    const said = purser().help();
    expect(proseOf(await purser().type(''))).toBe(said);
    expect(purser().help('how do I?')).toBe(said);
  });

  it('has a line for each question, and a button opens all tasks', async () => {
    const answer = await purser().type('');
    const { blocks, rest } = answer;

    expect(proseOf({ blocks }).split('\\n').length).toBeLessThanOrEqual(20);
    expect(rest?.button).toBe(`Show all (${TASK_GROUPS.flatMap(({ tasks }) => tasks).length})`);
    for (const { tasks } of TASK_GROUPS) {
      for (const { command } of tasks) expect(JSON.stringify(rest)).toContain(`\`${command}\` `);
    }
  });

  it('says once what several tasks lack, and sends nobody to the overview for all words', () => {
    const said = purser({}).help();

    expect(said.match(/BILLING_ACCOUNT_ID/g)).toHaveLength(1);
    expect(said).toMatch(/`help` after a command shows all its words: `\/billing` /);
    expect(purser().help('doctor')).not.toContain('/purser help');
  });

  it('fits on a screen: at most three commands to a question', () => {
    for (const { tasks } of TASK_GROUPS) {
      const shown = tasks.filter(({ more }) => more !== true);

      expect(shown.length).toBeGreaterThan(1);
      expect(shown.length).toBeLessThanOrEqual(3);
    }
  });

  it('marks what is off here and says why, instead of hiding it', () => {
    const said = purser({ USAGE_URL: ON.USAGE_URL }).help();

    expect(said).toContain('`/invoices` bills, and what is due (off here)');
    expect(said).toContain('Billing is off here: ask your Purser administrator to set BILLING_URL');
    expect(said).toContain(
      '`/deployments` what is not green now · `/deployments shop` all of GVC “shop”',
    );
    expect(said).not.toContain('no prices (off here)');
    expect(purser(billing).help('quantity')).toContain(
      'your Purser administrator has to set USAGE_URL.',
    );
  });
});

describe('/purser help with a word', () => {
  it('does not take a short word for the beginning of a long one', () => {
    expect(purser().help('address')).not.toContain('ask to let somebody in');
    expect(purser().help('add')).not.toContain('/workload addresses');
    expect(purser().help('add')).toContain('/billing users add');
  });

  it.each([
    ['invoice', '/invoices pdf 12'],
    ['Invoicing', '/invoices pending'],
    ['cost', '/charges'],
    ['cron', '/deployments jobs data/etl'],
    ['token', '/billing tokens create'],
    ['mute', '/deployments mute 8h shop'],
    ['approve', '/changes'],
    ['budget', '/alert'],
    ['e-mail', '/billing recipients'],
    ['email', '/invoices deliveries'],
    ['yaml', '/workload check'],
    ['permission', '/purser whoami'],
    ['how do I subscribe to a deployment?', '/deployments watch shop'],
    ['revoke a key', '/billing tokens delete'],
    ['how much does cpu cost', '/charges'],
  ])('%s finds %s', (word, command) => {
    expect(purser().help(word)).toContain(`\`${command}\``);
  });

  it.each(['home', 'tab', 'home tab', 'dashboard'])('%s finds the home tab', (word) => {
    const said = purser().help(word);
    expect(said).toContain('Open *Purser under Apps, Home*: what waits for you, at one look');
    expect(said).not.toContain('In full');
  });

  it('of several words prefers what has most of them', () => {
    const said = purser().help('delete token');
    expect(said).toContain('`/billing tokens delete`');
    expect(said).not.toContain('`/billing tokens create`');
  });

  it.each([
    ['thread', 'quiet, outcomes stay in the card’s thread'],
    ['thread', 'In full: `/deployments help`'],
    ['invioce', 'Nothing here is about *invioce*. Commands for *invoice*'],
    ['invioce', '`/invoices pdf 12`'],
    ['deployments', '*/deployments* –'],
    ['/Deployments watch', '*/deployments* –'],
    ['xylophone', 'Nothing here is about *xylophone*'],
    ['xylophone', '*What does it cost?*'],
  ])('%s is answered with %s', (word, words) => {
    expect(purser().help(word)).toContain(words);
  });

  it('lets no word speak for the bot', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const said = purser().help(`"${text.replaceAll(/["“”„]/g, '').slice(0, 900)}"`);

        expect(said).not.toMatch(/<[!@#a-z]/i);
      }),
      { ...runs, numRuns: 200 },
    );
  });
});

describe('/purser', () => {
  it('sends for the doctor', async () => {
    expect(await purser().type('Doctor')).toBe(WELL);
    expect(await problemOf(purser().type('doctor redis'))).toMatchObject({
      suggestion: '/purser doctor',
    });
  });

  it.each([
    ['invoice', '/purser help invoice'],
    ['docter', '/purser doctor'],
    ['deployments', '/deployments help'],
    ['tokns', '/purser help tokens'],
  ])('%s is no word of it, and the way to what was meant is shown', async (text, suggestion) => {
    const problem = await problemOf(purser().type(text));
    expect(problem).toBeInstanceOf(UsageError);
    expect(problem).toMatchObject({ suggestion });
  });
});
