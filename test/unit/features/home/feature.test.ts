import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../../src/access/policy.ts';
import { createHomeFeature, rolesBlocks } from '../../../../src/features/home/feature.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { billing, load } from '../../config/environment.ts';

const standing = (changes: Partial<Principal> = {}): Principal => ({
  userId: 'U0ADA',
  email: 'ada@acme.example',
  roles: ['billing_viewer'],
  ...changes,
});
const ada = () => ({ userId: 'U0ADA', teamId: 'T0ACME' });
const said = (who: Principal, off?: string): string => JSON.stringify(rolesBlocks(who, off));

describe('the roles on the home tab', () => {
  it('are named, with what they allow', () => {
    const text = said(standing());

    expect(text).toContain('`ada@acme.example` · `billing_viewer`');
    expect(text).toContain('You may see usage, deployments, workloads and quotas; ');
    expect(text).toContain('see charges, tag values, invoices and billing users.');
    expect(text).not.toContain('approve');
    expect(text).toContain('`/purser whoami`');
  });

  it('may allow everything', () => {
    expect(said(standing({ roles: ['billing_admin'] }))).toContain(
      'You may do everything that Purser does.',
    );
  });

  it('may be none, for one reason or another', () => {
    expect(said(standing({ roles: [] }))).toContain('no billing role');
    expect(said(standing({ roles: undefined }))).toContain('no user of the billing account');
    expect(said(standing({ email: undefined, roles: undefined }))).toContain(
      'no billing role without a confirmed e-mail address',
    );
    expect(said(standing({ roles: undefined, rolesRefusal: 'Off.' }), 'Off.')).toContain(
      'billing is off here',
    );
    expect(said(standing({ roles: undefined, orgRefusal: 'Only a group.' }))).toContain(
      'You may do none of what Purser does.',
    );
  });

  it('are not there when nobody says them', async () => {
    const silent = new Refusal('The platform does not say which billing roles you have just now.');
    const [part] = createHomeFeature({ config: load(billing) }).home ?? [];

    await expect(part?.fill(ada(), () => Promise.reject(silent))).rejects.toThrow(
      'does not say which billing roles',
    );
  });
});
