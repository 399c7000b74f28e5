import { BILLING_OFF } from '../../../src/access/authorizer.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import type { ChangeContext } from '../../../src/changes/context.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { answer, refusal, type Area } from '../entry.ts';
import {
  ADA,
  approvedBy,
  BEN,
  CLEO,
  DANA,
  filed,
  GROUND,
  happen,
  fakeOf,
  ORDERS,
  standingOf,
  type Someone,
} from './changes-feature-data.ts';
import { AT_ONCE, platformOf } from '../../unit/changes/forms/harness.ts';
import { formsOf, notOpened, type Opened } from './changes-feature-modals.ts';

const set = { name: 'alert.set', given: { amount: '500' } } as const;

/** The answer to Ada's request for an alert of $500.00. */
async function asked(how: Omit<Opened, 'name'> = {}): Promise<Answer> {
  const forms = formsOf(how);
  const form = await forms.open(set.name, set.given);
  return answerTo(await forms.submit(set.name, form));
}

type Submitted = Awaited<ReturnType<ReturnType<typeof formsOf>['submit']>>;

function answerTo(submitted: Submitted): Answer {
  if (submitted.answer === undefined) throw new Error(JSON.stringify(submitted.errors));
  return submitted.answer;
}

/** The same where a person has asked for it already. */
async function askedAgain(by: Someone, isApproved = false): Promise<Answer> {
  const fake = fakeOf();
  const { plan } = await filed(fake, ORDERS['alert.replace'], { who: by });
  if (isApproved) await happen(fake, approvedBy(by === BEN ? ADA : BEN, plan));
  return asked({ fake: { changes: fake.changes, newId: fake.context.newId } });
}

const who = (one: Someone): Pick<ChangeContext, 'access'> => ({
  access: { principal: async () => ({ ...standingOf(one), userId: ADA.userId }) },
});
const platformDown = (): never => {
  throw new PlatformError('unavailable', 'Service Unavailable', { status: 503 });
};

export const changeAsked: Area = {
  id: 'asking-for-changes',
  title: 'A change was asked for',
  entries: [
    answer('change-asked', 'A form was sent, and the request waits for approval.', () => asked()),
    answer(
      'change-asked-masked',
      'The token that is to be deleted has a Cyrillic letter in its name.',
      async () => {
        const tokens = [{ id: 'token-1', name: 'pr\u043Ed' }];
        const forms = formsOf({ platformData: { ...GROUND, tokens } });
        const form = await forms.open('token.delete', { id: 'token-1' });
        return answerTo(await forms.submit('token.delete', form));
      },
    ),
    answer(
      'change-asked-no-link',
      'The request is filed, and Slack omits the address of its card.',
      () => asked({ deps: { link: async () => undefined } }),
    ),
    answer('change-asked-at-once', 'A form was sent, and no one has to approve.', () =>
      asked({ fake: { approvals: AT_ONCE.approvals }, deps: { config: AT_ONCE } }),
    ),
    answer('change-asked-again', 'The same person asks for the same a second time.', () =>
      askedAgain(ADA),
    ),
    answer('change-asked-by-another', 'Another person has asked for the same.', () =>
      askedAgain(BEN),
    ),
    answer(
      'change-asked-by-another-under-way',
      'Another person has asked for the same, and it is approved.',
      () => askedAgain(BEN, true),
    ),
    refusal(
      'change-asked-platform-down',
      'The platform does not answer when the form is sent.',
      () => {
        const calls = { left: 1 };
        const billing = () => (calls.left-- > 0 ? platformOf(GROUND, []) : platformDown());
        return asked({ fake: { billing } });
      },
    ),
    ...[CLEO, DANA].map((one) =>
      notOpened(
        `change-form-no-role-${one.userId.slice(2).toLowerCase()}`,
        'A person without the role opens a form.',
        {
          ...set,
          fake: who(one),
        },
      ),
    ),
    notOpened(
      'change-form-platform-down',
      'The platform does not answer when the form is opened.',
      {
        ...set,
        deps: { billing: platformDown },
      },
    ),
    notOpened(
      'change-form-billing-off',
      'A form is opened, and Purser was set up without a billing account.',
      {
        ...set,
        fake: {
          billing() {
            throw new Refusal(BILLING_OFF);
          },
        },
      },
    ),
  ],
};
