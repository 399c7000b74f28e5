import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHarness, type Harness } from './harness.ts';

const [ADA, CLEO, NOEL] = ['U0ADA', 'U0CLEO', 'U0NOEL'] as const;
const DOCTOR = '/purser doctor';
const FOUND = /\d+ things? (?:is|are) |Purser is well/;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const ask = async (user: string, command: string, channel = 'C0DEPLOYS'): Promise<string> =>
  (await harness.ask(user, channel, command)).text;

describe('the doctor', () => {
  it('is for billing admins and the members of OPS_CHANNEL', async () => {
    await harness.restartBot({ ...harness.money, OPS_CHANNEL: 'C0OPS' });
    const [admin, member] = [await ask(ADA, DOCTOR), await ask(CLEO, DOCTOR)];

    await harness.restartBot({ ...harness.money, OPS_CHANNEL: 'C0FINANCE' });
    expect([admin, member]).toEqual([expect.stringMatching(FOUND), expect.stringMatching(FOUND)]);
    expect(await ask(CLEO, DOCTOR)).toBe(
      'Only a billing_admin and members of OPS_CHANNEL can run /purser doctor: ask one of them to run it.',
    );
  });

  it('is for billing admins alone without an OPS_CHANNEL of its own', async () => {
    await harness.restartBot({ ...harness.money, OPS_CHANNEL: '' });

    expect(await ask(CLEO, DOCTOR)).toBe(
      'Only a billing_admin can run /purser doctor: ask one to run it, or ask your Purser administrator to set OPS_CHANNEL to a channel that you are in.',
    );
  });
});

it('an e-mail address counts as soon as it is confirmed', async () => {
  await harness.restartBot(harness.money);
  const confirm = (confirmed: boolean) =>
    harness.slack('email-confirmed', { user: CLEO, confirmed });
  await confirm(false);
  const refused = await ask(CLEO, '/charges');
  await confirm(true);

  expect(refused).toContain('is not confirmed: confirm it in your Slack account settings');
  expect(await ask(CLEO, '/charges')).toContain('Charges by org');
});

it('an error below a field names the approvers in words, where Slack shows no mention', async () => {
  await harness.restartBot({ ...harness.money, APPROVERS: 'S0BILLING' });
  const roles = (held: string[]) =>
    harness.platform('users', { email: 'ben@acme.example', roles: held });
  const ben = harness.user('U0BEN');
  const form = await ben.open('/alert set 500');
  await roles(['billing_viewer']);
  await harness.platform('auth-cache/clear', {});

  expect(Object.values(await ben.submit(form))).toEqual([
    expect.stringContaining('Ask a billing_admin of the account'),
  ]);
  await roles(['billing_admin']);
});

describe('a person of Enterprise Grid', () => {
  beforeEach(() => harness.restartBot({ ORG_ACCESS: 'members' }));

  it('is one of the people of each workspace that Slack names', async () => {
    await harness.slack('teams', { user: NOEL, teams: ['T0OTHER', 'T0ACME'] });

    expect(await ask(NOEL, '/deployments')).not.toContain('own workspace');
  });

  it('is a stranger where Slack does not name the workspace', async () => {
    await harness.slack('teams', { user: NOEL, teams: ['T0OTHER'] });

    expect(await ask(NOEL, '/deployments')).toContain('only people of its own workspace');
  });
});

describe('with PERSON_LIMIT', () => {
  const SENTENCE =
    /^Purser takes 30 commands and clicks a minute from one person, and these were more: go on in \d+ s\.$/;
  const many = async (user: string): Promise<string[]> => {
    const answers: string[] = [];
    for (let sent = 0; sent < 26; sent += 1) answers.push(await ask(user, '/purser help'));
    return answers;
  };

  it('a person who sends many commands waits, and others do not', async () => {
    await harness.restartBot({ PERSON_LIMIT: '30' });
    const answers = await many(CLEO);

    expect(answers.slice(0, 20).filter((text) => SENTENCE.test(text))).toEqual([]);
    expect(answers).toContainEqual(expect.stringMatching(SENTENCE));
    expect(await ask(ADA, '/purser help')).not.toMatch(SENTENCE);
  });

  it('a form that would make an eleventh saved question says so and stays open', async () => {
    await harness.restartBot({ ...harness.money, PERSON_LIMIT: '1000' });
    const ada = harness.user(ADA);
    for (let amount = 1; amount <= 10; amount += 1) {
      const { text } = await ada.ask(`/charges watch this month over ${amount}`, 'D0ADA');
      expect(text).toContain(`Number ${amount}.`);
    }
    const answer = await ada.ask('/charges yesterday', 'D0ADA');
    const form = await ada.openBy(answer, 'Schedule');

    expect(await ada.submit(form, { At: '07:15' })).toEqual({
      'How often':
        'You have 10 saved questions, the most that one person can have: end one with /charges unwatch N.',
    });
    await ada.ask('/charges unwatch 3', 'D0ADA');
    expect(await ada.submit(form, { At: '07:15' })).toEqual({});
  });

  it('0 sets no limit', async () => {
    await harness.restartBot({ PERSON_LIMIT: '0' });

    expect((await many(CLEO)).filter((text) => SENTENCE.test(text))).toEqual([]);
  });
});
