import { describe, expect, it } from 'vitest';
import { formHarness, SELF_APPROVED } from './harness.ts';

const shownBy = async (opened: Promise<{ readonly blocks: unknown }>) =>
  JSON.stringify((await opened).blocks);

describe('a form that opens', () => {
  it('names a second person only where one has to approve', async () => {
    const own = formHarness({}, { config: SELF_APPROVED });

    expect(await shownBy(formHarness().open('alert.set'))).toContain('before a second person has');
    expect(await shownBy(own.open('alert.set'))).toContain(
      'Nothing is changed before it is approved.',
    );
    expect(await shownBy(own.open('identity.confirm'))).toContain('before a second person has');
  });

  it('is refused where the account can have no new org', async () => {
    const harness = formHarness({ account: { tou: false } });

    await expect(harness.open('org.create')).rejects.toThrow(
      'because the Terms of Use are not accepted: have that put right on the platform, look with /billing account',
    );
  });

  it('is refused with what could not be read, where nothing else can be chosen', async () => {
    const harness = formHarness({ tokens: [], skipped: 2 });

    await expect(harness.open('token.delete')).rejects.toThrow(
      '2 tokens could not be read, and there is no other to choose: look with /billing tokens.',
    );
  });

  it('names the roles without a box, which a request removes', async () => {
    const users = [
      { email: 'cleo@acme.example', roles: ['billing_viewer' as const], otherRoles: ['auditor'] },
    ];
    const form = formHarness({ users }).open('user.roles', { email: 'cleo@acme.example' });

    expect(await shownBy(form)).toContain('auditor cannot be kept: this request removes it.');
  });
});
