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
  it('are named, with the rights that they give', () => {
    const text = said(standing());

    expect(text).toContain(
      '`billing_viewer` · you may see usage, deployments, workloads and quotas; ',
    );
    expect(text).toContain('see charges, tag values, invoices and billing users');
    expect(text).not.toContain('approve');
  });

  it('may allow everything', () => {
    expect(said(standing({ roles: ['billing_admin'] }))).toContain(
      '`billing_admin` · you may do everything',
    );
  });

  it('may be none, for one reason or another', () => {
    expect(said(standing({ roles: [] }))).toContain('no billing role');
    expect(said(standing({ roles: undefined }))).toContain(
      '`ada@acme.example` is no user of the billing account',
    );
    expect(said(standing({ email: undefined, roles: undefined }))).toContain(
      'no role without a confirmed e-mail address',
    );
    expect(said(standing({ roles: undefined, rolesRefusal: 'Off.' }), 'Off.')).toContain(
      'billing isn’t set up',
    );
    expect(said(standing({ roles: undefined, orgRefusal: 'Only a group.' }))).toContain(
      'you may do nothing here',
    );
  });

  it('are not there when no one says them', async () => {
    const silent = new Refusal('The platform does not show your billing roles just now.');
    const HOME = createHomeFeature({ config: load(billing) } as never, () => []).home ?? [];
    const [part] = HOME.filter(({ title }) => title === 'Your roles');
    await expect(part?.fill(ada(), () => Promise.reject(silent))).rejects.toThrow(
      'does not show your billing roles',
    );
  });
});
