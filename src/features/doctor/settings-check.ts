import type { Config } from '../../config/config.ts';
import { plural } from '../../lib/text.ts';
import { linkButtons } from '../../slack/kit/blocks.ts';
import { broken, compact, doubtful, listed, off, well, type Check, type Finding } from './check.ts';

/** What the environment can switch off; what is set up on the platform, other checks say. */
type Settings = Pick<
  Config,
  | 'approvals'
  | 'billing'
  | 'brand'
  | 'links'
  | 'orgAccess'
  | 'orgChargesUrl'
  | 'secretKey'
  | 'usageUrl'
>;

/** What is switched off, and what that means; and whether the links lead somewhere. */
export function createSettingsCheck({ config }: { readonly config: Settings }): Check {
  return { area: 'Settings', run: () => Promise.resolve(judgeSettings(config)) };
}

export function judgeSettings(settings: Settings): readonly Finding[] {
  const { approvals, billing, brand, links, orgAccess, orgChargesUrl, secretKey, usageUrl } =
    settings;
  const { globalDomain, locationDomain, internalDomain } = brand;
  const unfilled = (variable: string, domain: string | undefined, without: string) =>
    domain === undefined && off(variable, `it is not set, so /workload cannot fill in ${without}`);
  const findings = compact([
    billing === undefined &&
      orgAccess.kind === 'roles' &&
      broken(
        'ORG_ACCESS',
        'it is `roles`, but without billing nobody has a role, so nobody may ask about an org',
        'set ORG_ACCESS=members or the id of a user group, or set up billing',
      ),
    billing === undefined &&
      off(
        'Billing',
        orgChargesUrl === undefined
          ? 'it is not set up, so /charges, /invoices, /alert and /billing answer nothing'
          : 'it is not set up, so /invoices, /alert and /billing answer nothing, and /charges answers for single orgs only',
        'set BILLING_URL, BILLING_ACCOUNT_ID and BILLING_TOKEN',
      ),
    usageUrl === undefined &&
      off('USAGE_URL', 'it is not set, so /usage answers nothing', 'set USAGE_URL'),
    secretKey === undefined &&
      off(
        'SECRET_KEY',
        'it is not set, so tokens and orgs with a key cannot be created',
        'set it to 32 random bytes: `openssl rand -base64 32`',
      ),
    !approvals.required &&
      off('Approvals', 'with APPROVALS=off a change is carried out without a second person'),
    approvals.required &&
      approvals.allowSelf &&
      off('Two people', 'with ALLOW_SELF_APPROVAL=true people may approve their own requests'),
    unfilled('GLOBAL_DOMAIN', globalDomain, 'global addresses, and cannot probe'),
    unfilled('LOCATION_DOMAIN', locationDomain, 'addresses of one location and one replica'),
    unfilled('INTERNAL_DOMAIN', internalDomain, 'addresses within the platform'),
  ]);
  const switches = findings.length === 0 ? [well('Settings', 'everything is on')] : findings;
  return [...switches, ...judgeLinks(links)];
}

/** The longest names that a message can be about. */
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

/** `LINKS`: each has to become a button, whatever it is filled in with. Nothing is asked there. */
function judgeLinks(links: Config['links']): readonly Finding[] {
  const lost = links.filter((link) => linkButtons([link], SAMPLE).length === 0);
  const fine = links.filter((link) => !lost.includes(link)).map(({ name }) => name);
  const says = 'with long names its address is longer than Slack takes, so the button is left out';
  return compact([
    fine.length > 0 && well('LINKS', `${plural(fine.length, 'button')}: ${listed(fine)}`),
    ...lost.map(({ name }) => doubtful(`Link ${name}`, says, 'shorten its address in `LINKS`')),
  ]);
}
