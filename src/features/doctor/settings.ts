import { rulesFor } from '../../access/policy.ts';
import type { Config } from '../../config/config.ts';
import { plural } from '../../lib/text.ts';
import { linkButtons } from '../../slack/kit/blocks.ts';
import { type Check, checkOf, listed, type Probe, probe } from './probe.ts';

export function createSettingsCheck({ config }: { readonly config: Config }): Check {
  return checkOf('Settings', () => Promise.resolve(config), settingsProbes);
}

/** Settings of the environment; other checks report the platform's side. */
export function settingsProbes(settings: Config): readonly Probe[] {
  const { api, approvals, billing, brand, links, orgAccess, orgChargesUrl } = settings;
  const orgs = [...api.credentials.keys()];
  const ruled = orgs.filter((org) => rulesFor(orgAccess, org, orgs)[0]?.kind === 'roles');
  const isShut = billing === undefined && ruled.length > 0;
  const isOpen = orgAccess.kind === 'members' && orgs.length > 1;
  const setUpBilling = 'set BILLING_URL, BILLING_ACCOUNT_ID and BILLING_TOKEN';
  const members = 'set ORG_ACCESS=members or the id of a user group, or set up billing';
  const unfilled = '- it is not set, so /workload cannot fill in';
  const rows: Readonly<Record<string, boolean>> = {
    [`ORG_ACCESS ! it is \`roles\`, but without billing no one has a role, so no one may ask about an org → ${members}`]:
      isShut && ruled.length === orgs.length,
    [`ORG_ACCESS ! without billing roles are unknown, so every question about ${listed(ruled)} is refused → ${members}`]:
      isShut && ruled.length < orgs.length,
    [`ORG_ACCESS ? it is \`members\`, so every member of the workspace sees all ${orgs.length} orgs → set it to a rule for each org: \`{"my-org":"roles"}\``]:
      isOpen,
    [`Billing - it is not set up, so /charges, /invoices, /alert and /billing answer nothing → ${setUpBilling}`]:
      billing === undefined && orgChargesUrl === undefined,
    [`Billing - it is not set up, so /invoices, /alert and /billing answer nothing, and /charges answers for single orgs only → ${setUpBilling}`]:
      billing === undefined && orgChargesUrl !== undefined,
    'USAGE_URL - it is not set, so /usage answers nothing → set USAGE_URL':
      settings.usageUrl === undefined,
    'SECRET_KEY - it is not set, so tokens and orgs with a key cannot be created → set it to 32 random bytes: `openssl rand -base64 32`':
      settings.secretKey === undefined,
    'LINKS - it is not set, so messages about rollouts have no button to logs or a runbook → set LINKS to their addresses':
      links.length === 0,
    'Changes - with CHANGES=off Purser takes no request and no approval, and sends nothing → set CHANGES=on, or leave it out':
      settings.changesOff,
    'Approvals - with APPROVALS=off a change is carried out without a second person':
      !approvals.required,
    'Two people - with ALLOW_SELF_APPROVAL=true people may approve their own requests':
      approvals.required && approvals.allowSelf,
    [`GLOBAL_DOMAIN ${unfilled} global addresses, and cannot probe → set it to what follows the first dot in the canonical address of a workload`]:
      !brand.globalDomain,
    [`LOCATION_DOMAIN ${unfilled} addresses of one location and one replica → set it to what follows the location in the endpoint of a deployment`]:
      !brand.locationDomain,
    [`INTERNAL_DOMAIN ${unfilled} addresses within the platform → set it to what follows the GVC in an internal address`]:
      !brand.internalDomain,
  };
  const isAllOn = !Object.values(rows).includes(true);
  const { patience } = settings.polling;
  return [
    ...Object.entries(rows).map(([row, applies]) => {
      const [, what = '', rule = ''] = ROW.exec(row) ?? [];
      return probe(what, false, { [rule]: applies });
    }),
    probe('Settings', isAllOn && 'everything is on'),
    probe('WATCH_PATIENCE', false, {
      [`? it is ${patience}, so the watch calls people for trouble that passes by itself → set it to 1, or leave it out`]:
        patience < MIN_PATIENCE,
    }),
    ...linkProbes(links),
  ];
}

/** The name of a setting, and its rule. */
const ROW = /^(.*?) ([!?-] .*)$/;
const MIN_PATIENCE = 0.5;

/** The longest names that a message can have. */
const LONGEST = 'x'.repeat(128);
const SAMPLE = {
  org: LONGEST,
  gvc: LONGEST,
  workload: LONGEST,
  location: LONGEST,
  version: 123_456,
  start: 0,
  end: 0,
};

/** `LINKS`: each must become a button, whatever is filled in. The addresses are not called. */
function linkProbes(links: Config['links']): readonly Probe[] {
  const lost = links.filter((link) => linkButtons([link], SAMPLE).length === 0);
  const fine = links.filter((link) => !lost.includes(link)).map(({ name }) => name);
  const rule =
    '? with long names its address is longer than Slack takes, so the button is left out → shorten its address in `LINKS`';
  return [
    probe('LINKS', fine.length > 0 && `${plural(fine.length, 'button')}: ${listed(fine)}`),
    ...lost.map(({ name }) => probe(`Link ${name}`, false, { [rule]: true })),
  ];
}
