import { expect, it } from 'vitest';
import { createSettingsCheck } from '../../../../src/features/doctor/settings.ts';
import { EVERYTHING_ON, load } from '../../config/environment.ts';
import { lineOf } from './support.ts';

const USUAL = { ...EVERYTHING_ON, USAGE_URL: 'https://usage.example.com' };
/** The lines without that of the usual link. */
const said = async (environment: Record<string, string> = {}): Promise<string[]> => {
  const check = createSettingsCheck({ config: load({ ...USUAL, ...environment }) });
  const lines = (await check.run(AbortSignal.abort())).map(lineOf);
  return lines.filter((line) => line !== 'well LINKS: 1 button: Logs');
};

it('the settings are well when everything is on', async () => {
  expect(await said()).toEqual(['well Settings: everything is on']);
});

it('a feature that is not set up is off, and so not everything is on', async () => {
  const billing = { BILLING_URL: '', BILLING_ACCOUNT_ID: '', BILLING_TOKEN: '' };

  expect(await said(billing)).toEqual([
    'off Billing: it is not set up, so /charges, /invoices, /alert and /billing answer nothing → set BILLING_URL, BILLING_ACCOUNT_ID and BILLING_TOKEN',
  ]);
  expect(
    await said({ ...billing, BILLING_URL: 'https://billing.example', ORG_CHARGES: 'true' }),
  ).toEqual([
    'off Billing: it is not set up, so /invoices, /alert and /billing answer nothing, and /charges answers for single orgs only → set BILLING_URL, BILLING_ACCOUNT_ID and BILLING_TOKEN',
  ]);
  expect(await said({ USAGE_URL: '' })).toEqual([
    'off USAGE_URL: it is not set, so /usage answers nothing → set USAGE_URL',
  ]);
});

it.each([
  [{ LINKS: '' }, [/^off LINKS: .*no button to logs/]],
  [{ SECRET_KEY: '' }, [/^off SECRET_KEY: .* → set it to 32 random bytes/]],
  [
    { GLOBAL_DOMAIN: '' },
    [
      /^off GLOBAL_DOMAIN: .*global addresses, and cannot probe → set it to what follows the first dot/,
    ],
  ],
  [{ LOCATION_DOMAIN: '' }, [/^off LOCATION_DOMAIN: .* → set it to /]],
  [{ INTERNAL_DOMAIN: '' }, [/^off INTERNAL_DOMAIN: .* → set it to /]],
  [{ APPROVALS: 'off', ALLOW_SELF_APPROVAL: 'true' }, [/^off Approvals: with APPROVALS=off/]],
  [{ ALLOW_SELF_APPROVAL: 'true' }, [/^off Two people: with ALLOW_SELF_APPROVAL=true/]],
  [
    { BILLING_URL: '', BILLING_ACCOUNT_ID: '', BILLING_TOKEN: '', ORG_ACCESS: 'roles' },
    [/^broken ORG_ACCESS: .* → set ORG_ACCESS=members/, /^off Billing: /],
  ],
  [
    { ORG_TOKENS: '{"acme":"a","beta":"b"}' },
    [/^doubtful ORG_ACCESS: .* every member .* all 2 orgs → set it to a rule for each org/],
  ],
])('settings that are off are named: %o', async (environment, lines) => {
  expect(await said(environment)).toEqual(lines.map((line) => expect.stringMatching(line)));
});

it('a link is doubtful when Slack would not take it with the longest names', async () => {
  const links = {
    Logs: `https://logs.example.com/${'{workload}'.repeat(24)}`,
    Wiki: 'https://wiki.example.com',
  };
  expect(await said({ LINKS: JSON.stringify(links), SECRET_KEY: '' })).toEqual([
    expect.stringMatching(/^off SECRET_KEY: /),
    'well LINKS: 1 button: Wiki',
    'doubtful Link Logs: with long names its address is longer than Slack takes, so the button is left out → shorten its address in LINKS',
  ]);
});

it('spans of the watch that are too short are doubtful', async () => {
  expect(await said({ WATCH_PATIENCE: '0.5' })).toEqual(['well Settings: everything is on']);
  expect(await said({ WATCH_PATIENCE: '0.1' })).toContain(
    'doubtful WATCH_PATIENCE: it is 0.1, so the watch calls people for trouble that passes by itself → set it to 1, or leave it out',
  );
});
