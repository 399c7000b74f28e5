import { describe, expect, it } from 'vitest';

import type { Authorizer } from '../../../../src/access/authorizer.ts';
import type { Principal } from '../../../../src/access/policy.ts';
import { createHelpFeature } from '../../../../src/features/help/feature.ts';
import { button } from '../../../../src/slack/kit/blocks.ts';
import type { Person } from '../../../../src/slack/routing/routes.ts';
import { Refusal, UsageError } from '../../../../src/lib/errors.ts';
import { billing, load } from '../../config/environment.ts';
import { proseOf, spoken, wordsIn } from '../../../support/answer.ts';
import { ANN } from '../billing/scenario.ts';
import { typeWords } from '../../../support/command.ts';

const ann: Principal = { userId: 'UANN', email: 'ann@acme.example', roles: ['billing_viewer'] };

const unused = () => Promise.reject(new Error('Only help needs this'));

function purser(
  principal: Authorizer['principal'],
  isBillingOn = true,
  orgsOf?: (person: Person) => Promise<readonly string[]>,
) {
  const feature = createHelpFeature(
    {
      access: { principal, authorize: unused, requireRight: unused },
      askForAccess: (roles) =>
        button({ action: 'ask', text: 'Ask for access', value: roles.join() }),
      config: load(isBillingOn ? billing : {}),
      orgCharges: undefined,
      ...(orgsOf && { orgsOf }),
    },
    () => Promise.reject(new Error('The doctor was not asked for')),
    () => [],
  );
  const [command] = feature.commands ?? [];
  if (command === undefined) throw new Error('There is no command');
  return (text: string) => typeWords(command, wordsIn(text), { person: ANN, channelId: 'C1' });
}

const words = async (changes: Partial<Principal>, isBillingOn?: boolean) =>
  proseOf(await purser(() => Promise.resolve({ ...ann, ...changes }), isBillingOn)('WhoAmI'));

const sorted = (value = '') => value.split(',').toSorted().join();

describe('/purser whoami', () => {
  it('says who you are, what your role allows, and which roles are missing', async () => {
    const said = await words({});

    expect(said.indexOf('*You may*')).toBeLessThan(said.indexOf('You are'));
    for (const text of [
      'You are <@UANN> (`UANN`) · `ann@acme.example` · role `billing_viewer`',
      '✓ see usage, deployments, workloads and quotas',
      '✗ see tokens, invoice recipients and deliveries (billing_admin)',
      '✗ request and approve new orgs (billing_admin or org_creator)',
      '*You may not* · You need a role for this that ann@acme.example does not have. Ask a billing_admin',
      'can take 5 minutes to work',
    ]) {
      expect(said).toContain(text);
    }
    expect(said.split('*You may not*')).toHaveLength(2);
  });

  it.each<[Partial<Principal>, readonly string[]]>([
    [{}, ['Ask for access billing_admin,org_creator']],
    [{ roles: undefined }, ['Ask for access billing_admin,billing_viewer,org_creator']],
    [{ roles: ['billing_admin'] }, []],
    [{ email: undefined, roles: undefined }, []],
    [{ roles: undefined, rolesRefusal: 'In use by another account.' }, []],
    [{ refusal: 'No guests.', roles: undefined }, []],
  ])('has the button that asks for the missing role: %j', async (changes, labels) => {
    const said = await purser(() => Promise.resolve({ ...ann, ...changes }))('whoami');

    const buttons = (said.buttons ?? []).map(({ text, value }) => [
      `${text.text} ${sorted(value)}`,
    ]);
    expect(buttons.flat()).toEqual(labels);
  });

  it.each([
    [['globex', 'acme'], '*Orgs you may ask about* · `acme`, `globex`'],
    [[], '*Orgs you may ask about* · no org'],
  ])('names the orgs where each has its own rule: %j', async (orgs, line) => {
    const asked: string[] = [];
    const orgsOf = async ({ userId }: Person) => asked.push(userId) && orgs;
    const said = await purser(async () => ann, true, orgsOf as never)('whoami');

    expect(proseOf(said)).toContain(line);
    expect(asked).toEqual([ANN.userId]);
  });

  it('names no orgs to a guest', async () => {
    const shut = async () => ({ ...ann, refusal: 'No guests.' });
    const said = await purser(shut, true, () => Promise.reject(new Error('asked')))('whoami');

    expect(proseOf(said)).not.toContain('Orgs you may ask about');
  });

  it('of a person with every right misses nothing', async () => {
    const said = await words({ roles: ['billing_admin'] });

    expect(said).toContain('*You have full access*');
    expect(said).not.toContain('may not');
    expect(said).toContain('You cannot decide on your own request');
    expect(said).not.toContain('5 minutes');
  });

  it.each([
    [
      { roles: undefined },
      'has no user ann@acme.example: ask a billing_admin of the account to add you',
    ],
    [{ roles: [] }, '· no billing role'],
    [{ email: undefined, roles: undefined }, 'Your Slack profile shows no e-mail address: add one'],
    [{ roles: [], orgRefusal: 'This is open to one user group.' }, 'You may do nothing here'],
    [{ refusal: 'Purser does not answer guests.' }, 'Purser does not answer guests.'],
  ])('also of those who have nothing: %j', async (changes, text) => {
    expect(await words(changes)).toContain(text);
  });

  it('shows to wait for a role only where one may be on its way', async () => {
    expect(await words({})).toContain('can take 5 minutes to work');
    expect(await words({ roles: undefined })).not.toContain('5 minutes');
    expect(await words({ email: undefined, roles: undefined })).not.toContain('5 minutes');
    expect(await words({ roles: undefined }, false)).not.toContain('5 minutes');
  });

  it('is silent of an account that it has no user when no one looked', async () => {
    const said = await words({ roles: undefined, refusal: 'Purser does not answer guests.' });

    expect(said).toContain('Purser does not answer this account');
    expect(said).toContain('roles not looked up');
    expect(said).not.toContain('no user');
  });

  it('does not blame the person where billing is off', async () => {
    const said = await words({ roles: undefined }, false);

    expect(said).toContain('roles not known, billing isn’t set up');
    expect(said).not.toContain('sk a billing_admin');
    expect(said).not.toContain('(billing_admin)');
    expect(said).toContain('✓ see usage');
  });

  it('says so when Slack or the platform does not answer, and names the next step', async () => {
    const silent = () => Promise.reject(new Refusal('The platform is silent, please try again.'));
    const answer = await purser(silent)('whoami');

    expect(spoken(answer)).toContain('What you may do is not known just now');
    expect(proseOf(answer)).toContain('The platform is silent, please try again.');
    expect(answer.shareable).toBeUndefined();
  });

  it('hides no defect', async () => {
    await expect(purser(() => Promise.reject(new Error('broken')))('whoami')).rejects.toThrow(
      'broken',
    );
  });

  it('is about oneself alone', async () => {
    const run = purser(() => Promise.resolve(ann));
    await expect(run('whoami bob')).rejects.toThrow('`bob` is too much here.');
    await expect(run('whoam')).rejects.toEqual(
      new UsageError('I don’t know `whoam`.', '/purser whoami'),
    );
  });
});
