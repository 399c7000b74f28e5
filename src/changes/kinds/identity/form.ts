import type { Authorizer } from '../../../access/authorizer.ts';
import { Refusal } from '../../../lib/errors.ts';
import type { Forms } from '../../forms/form.ts';

/** The form with which a person asks that their own new Slack account is confirmed. */
export function identityForms(access: Pick<Authorizer, 'principal'>): Forms<'identity.confirm'> {
  return {
    'identity.confirm': {
      title: 'Confirm this account',
      isAlwaysReviewed: true,
      async fill(_platform, _given, person) {
        const { email } = await access.principal(person);
        if (email === undefined) throw new Refusal(NO_EMAIL);
        return {
          notes: [`This asks for the Slack account that you use now, with ${email}.`],
          consequences: [
            'A billing_admin with another e-mail address has to approve it.',
            'Your earlier accounts stay valid, and all of them count as one person.',
          ],
          fields: [],
          memory: { email },
        };
      },
      read(_values, { email }, _now, { userId }) {
        if (email === undefined) return { refusal: NO_EMAIL };
        return { input: { kind: 'identity.confirm', email, userId } };
      },
    },
  };
}

export const NO_EMAIL =
  'Your Slack profile shows no confirmed e-mail address: add one and confirm it, then ask again.';
