import { describe, expect, it } from 'vitest';
import { denied } from '../../../../src/access/policy.ts';
import { formHarness, startOf, user } from '../../changes/forms/harness.ts';
import { controlOf, spoken } from '../../../support/answer.ts';
import { createHarness } from './harness.ts';

const SENTENCE = 'You need the role billing_admin for this. Ask a billing_admin of the account.';

/** The answers to refusals, and the forms that their buttons open. */
async function open() {
  const forms = formHarness({ users: [user('ada@acme.example', 'billing_viewer')] });
  const harness = await createHarness([{ id: 'k3m9x2ab' }], { forms: forms.routes });
  return {
    forms,
    type: (userId: string, line: string) => harness.type(userId, line),
    refusals: harness.feature.refusals ?? {},
  };
}

describe('the answer to a refusal for a missing role', () => {
  it.each(['role', 'orgs'] as const)('has a button that asks for it (%s)', async (why) => {
    const { forms, refusals } = await open();

    const answer = refusals[why]?.(denied(why, SENTENCE, ['billing_admin']));

    expect(spoken(answer ?? { blocks: [] })).toContain(SENTENCE);
    const { value } = controlOf(answer ?? {}, 'Ask for access');
    const form = await forms.openWith('changes.ask.access.ask', value);
    expect(startOf(form, 'Roles')).toEqual(['billing_admin', 'billing_viewer']);
  });

  it('has none where no role would help', async () => {
    const { refusals } = await open();

    expect(refusals['role']?.(denied('role', SENTENCE))).toBeUndefined();
    expect(refusals['orgs']?.(denied('orgs', 'Not in the group.'))).toBeUndefined();
  });

  it('a request of another person, and the audit, are refused with the roles that see them', async () => {
    const { type } = await open();

    await expect(type('U0DEE', 'show k3m9x2ab')).rejects.toMatchObject({
      why: 'role',
      roles: ['billing_admin'],
    });
  });
});
