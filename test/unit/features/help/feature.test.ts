import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../../../../src/access/authorizer.ts';
import type { Principal } from '../../../../src/access/policy.ts';
import { ALERT_HELP } from '../../../../src/features/alert/feature.ts';
import { BILLING_HELP } from '../../../../src/features/billing/feature.ts';
import { CHANGES_HELP } from '../../../../src/features/changes/feature.ts';
import { DEPLOYMENTS_HELP } from '../../../../src/features/deployments/parse.ts';
import { createHelpFeature } from '../../../../src/features/help/feature.ts';
import { INVOICES_HELP } from '../../../../src/features/invoices/parse.ts';
import { CHARGES_HELP, USAGE_HELP } from '../../../../src/features/reports/grammar.ts';
import { WORKLOAD_HELP } from '../../../../src/features/workload/parse.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { Answer, Person } from '../../../../src/slack/routing/routes.ts';
import { billing, load } from '../../config/environment.ts';
import { proseOf, wordsIn } from '../../../support/answer.ts';
import { ANN } from '../billing/scenario.ts';
import { hostile, runs } from '../../slack/hostile.ts';
import { typeWords } from '../../../support/command.ts';

const WELL: Answer = { blocks: [section(mrkdwn`Purser is well`)] };

const ON = { ...billing, USAGE_URL: 'https://usage.example.com' };

/** `/purser` for Ann. @param environment ON: nothing is switched off @param rights that she has */
function purser(
  environment: Record<string, string> = ON,
  rights = ['orgs', 'billing'],
  authorize = () => Promise.resolve(),
) {
  const access = {
    principal: () => Promise.reject(new Error('The roles are not read afresh for this')),
    authorize,
    requireRight: async (_: unknown, name: string | undefined) => {
      if (!rights.includes(name ?? '')) throw new Refusal('Ask an admin.');
    },
  };
  const unasked = (): never => {
    throw new Error('No role is missing here');
  };
  const feature = createHelpFeature(
    { access, askForAccess: unasked, config: load(environment), orgCharges: undefined },
    () => Promise.resolve(WELL),
    () => [
      CHARGES_HELP,
      USAGE_HELP,
      INVOICES_HELP,
      DEPLOYMENTS_HELP,
      WORKLOAD_HELP,
      ALERT_HELP,
      BILLING_HELP,
      CHANGES_HELP,
      whole,
    ],
  );
  const [command] = feature.commands ?? [];
  if (command?.helpOn === undefined) throw new Error('There is no help');
  const { help: whole, helpOn } = command;
  const here = { person: ANN, channelId: 'C1' };
  const help = (text = '') => helpOn(wordsIn(text), here);
  return {
    answer: help,
    help: async (text = '') => proseOf(await help(text)),
    type: (text: string) => typeWords(command, wordsIn(text), here),
  };
}

/** The buttons beside the lines, and the one that opens all commands. */
const buttonsOf = ({ blocks, rest }: Answer): string[] => [
  ...blocks.flatMap((block) =>
    block.type === 'section' && block.accessory?.type === 'button' ? block.accessory.text.text : [],
  ),
  ...(rest === undefined ? [] : [rest.button]),
];

const ALL = ['Charges', 'Deployments', 'Watch a GVC...', 'Invoices', 'All commands'];

describe('/purser help', () => {
  it('has four tasks with a button each, in at most 100 words', async () => {
    const answer = await purser().answer();

    expect(buttonsOf(answer)).toEqual(ALL);
    const words = `${proseOf({ blocks: answer.blocks })} ${ALL.join(' ')}`.split(/\s+/);
    expect(words.length).toBeLessThanOrEqual(100);
  });

  it.each<[readonly string[], readonly string[]]>([
    [['orgs'], ['Deployments', 'Watch a GVC...', 'All commands']],
    [
      ['orgs', 'org_charges'],
      ['Charges', 'Deployments', 'Watch a GVC...', 'All commands'],
    ],
    [['billing'], ['Charges', 'Invoices', 'All commands']],
    [[], ['All commands']],
  ])('does not offer tasks without the right: %j', async (rights, labels) => {
    expect(buttonsOf(await purser(ON, [...rights]).answer())).toEqual(labels);
  });

  it('is the same for `/purser` alone, and for words that look for nothing', async () => {
    const said = await purser().help();
    expect(proseOf(await purser().type(''))).toBe(said);
    expect(await purser().help('how do I?')).toBe(said);
  });
});

describe('/purser help with a word', () => {
  // Comparing all 4 KB of a command with every known word takes half a second.
  it('reads the beginning of a novel only', async () => {
    const novel = Array.from({ length: 25 }, (_, at) => `qzx${at}`).join(' ');
    expect(await purser().help(`invoice ${novel}`)).toContain('/invoices pay');
    expect(await purser().help(`${novel} invoice`)).toContain('Nothing here is about');
  });

  it('does not take a short word for the beginning of a long one', async () => {
    expect(await purser().help('address')).not.toContain('add a person');
    expect(await purser().help('add')).not.toContain('/workload addresses');
    expect(await purser().help('add')).toContain('`/billing users add ann@example.com`');
  });

  it.each([
    ['Invoicing', '/invoices pending'],
    ['email', '/invoices deliveries'],
    ['how do I subscribe to a deployment?', '/deployments watch shop only failed'],
    ['revoke a key', '/billing tokens delete'],
    ['how much does cpu cost', '/charges'],
  ])('%s finds %s', async (word, command) => {
    expect(await purser().help(word)).toContain(`\`${command}\``);
  });

  it('of several words prefers the usage with the most matches', async () => {
    const said = await purser().help('delete token');
    expect(said).toContain('`/billing tokens delete`');
    expect(said).not.toContain('`/billing tokens create`');
  });

  it('takes the name of a command with or without its slash, and with more words', async () => {
    expect(await purser().help('/Deployments watch')).toContain('*/deployments* –');
  });

  it('lets no word speak for the bot', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const said = await purser().help(`"${text.replaceAll(/["“”„]/g, '').slice(0, 900)}"`);

        expect(said).not.toMatch(/<[!@#a-z]/i);
      }),
      { ...runs, numRuns: 200 },
    );
  });
});

it('/purser doctor sends for the doctor', async () => {
  expect(await purser().type('Doctor')).toBe(WELL);
});

it('/purser suggests a search for a question', async () => {
  await expect(purser().type('how do we pay an invoice')).rejects.toMatchObject({
    suggestion: '/purser help how do we pay an invoice',
  });
});

const onlyHelp = () => Promise.reject(new Error('Only help needs this'));

function whoami(
  principal: Authorizer['principal'],
  orgsOf: (person: Person) => Promise<readonly string[]> = onlyHelp,
) {
  const access = { principal, authorize: onlyHelp, requireRight: onlyHelp };
  const services = { access, config: load(billing), orgCharges: undefined, orgsOf };
  const [command] = createHelpFeature(services, onlyHelp, () => []).commands ?? [];
  const words = [{ text: 'WhoAmI', quoted: false }];
  return typeWords(command!, words, { person: ANN, channelId: 'C1' });
}

const ann: Principal = { userId: 'UANN', email: 'ann@acme.example', roles: ['billing_viewer'] };

it('/purser whoami names no org where none is open to the person', async () => {
  const said = await whoami(
    () => Promise.resolve(ann),
    async ({ userId }) => (userId === ANN.userId ? [] : ['acme']),
  );
  expect(proseOf(said)).toContain('*Orgs you may ask about* · no org');
});

it('/purser whoami names no orgs to a guest', async () => {
  const said = await whoami(async () => ({ ...ann, refusal: 'No guests.' }));
  expect(proseOf(said)).not.toContain('Orgs you may ask about');
});

it('/purser whoami hides no defect', async () => {
  const broken = () => Promise.reject(new Error('broken'));
  await expect(whoami(broken)).rejects.toThrow('broken');
});
