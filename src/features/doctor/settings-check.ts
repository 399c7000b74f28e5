import type { Check, Finding } from './check.ts';
import { broken, off, well } from './findings.ts';

/** What the environment switches; what is set up on the platform, other checks say. */
export interface Settings {
  readonly billing: boolean;
  /** SECRET_KEY is set. */
  readonly secretKey: boolean;
  readonly globalDomain: boolean;
  readonly locationDomain: boolean;
  readonly internalDomain: boolean;
  readonly approvals: { readonly required: boolean; readonly allowSelf: boolean };
  /** ORG_ACCESS asks for a role on the billing account. */
  readonly orgAccessByRole: boolean;
}

/** What is switched off, and what that means. */
export function createSettingsCheck(settings: Settings): Check {
  return { area: 'Settings', look: () => Promise.resolve(judgeSettings(settings)) };
}

const DOMAINS = [
  {
    has: 'globalDomain',
    variable: 'GLOBAL_DOMAIN',
    without: 'canonical addresses, and probe asks nobody',
  },
  {
    has: 'locationDomain',
    variable: 'LOCATION_DOMAIN',
    without: 'addresses of one location and one replica',
  },
  { has: 'internalDomain', variable: 'INTERNAL_DOMAIN', without: 'addresses within the platform' },
] as const;

export function judgeSettings(settings: Settings): readonly Finding[] {
  const findings = [
    ...judgeOrgAccess(settings),
    ...(settings.secretKey
      ? []
      : [
          off(
            'SECRET_KEY',
            'it is not set, so tokens and orgs with a key cannot be created',
            'set it to 32 random bytes: openssl rand -base64 32',
          ),
        ]),
    ...judgeApprovals(settings.approvals),
    ...DOMAINS.filter(({ has }) => !settings[has]).map(({ variable, without }) =>
      off(variable, `it is not set, so /workload cannot fill in ${without}`),
    ),
  ];
  return findings.length === 0 ? [well('Settings', 'everything is on')] : findings;
}

/** That billing is off is a finding of its own. */
function judgeOrgAccess({ billing, orgAccessByRole }: Settings): Finding[] {
  if (billing || !orgAccessByRole) return [];
  return [
    broken(
      'ORG_ACCESS',
      'it is roles, and without billing nobody has one, so nobody may ask about an org',
      'set ORG_ACCESS to members or a user group, or set up billing',
    ),
  ];
}

function judgeApprovals({ required, allowSelf }: Settings['approvals']): Finding[] {
  if (!required) {
    return [off('Approvals', 'APPROVALS=off: a change is carried out without a second person')];
  }
  return allowSelf
    ? [off('Two people', 'ALLOW_SELF_APPROVAL=true: who asks for a change may approve it')]
    : [];
}
