import { plural } from '../../../lib/text.ts';
import type { Account } from '../../../platform/billing/account.ts';
import {
  emailsIn,
  flagIn,
  FRESH,
  inputOf,
  nameIn,
  tagsIn,
  textIn,
  type FieldRead,
} from '../../forms/fields.ts';
import type { FormField, Forms } from '../../forms/form.ts';
import { listOf } from '../kind.ts';
import { NO_CARD } from './words.ts';

const NAME = 'org.create.name';
const AGAIN = 'org.create.again';
const DESCRIPTION = 'org.create.description';
const TAGS = 'org.create.tags';
const INVITEES = 'org.create.invitees';
const SUPERUSER = 'org.create.superuser';

const MAX_NAME = 64;
const MAX_DESCRIPTION = 500;

/** The form for a new org (spec 2.3, 4.3). @param secretsOff without SECRET_KEY */
export function orgForms(secretsOff: boolean): Forms<'org.create'> {
  return {
    'org.create': {
      title: 'Create an org',
      conflictField: NAME,
      async fill(platform, given) {
        const [account, orgs] = await Promise.all([
          platform.getAccount(FRESH),
          platform.listOrgs(FRESH),
        ]);
        const count = orgs.value.items.length + orgs.value.skipped;
        return {
          notes: [...obstacles(account.value, count), quotaNote(account.value, count)],
          consequences: [
            'The name of an org is global and permanent: nobody can ever change it or use it again.',
            'Every invitee gets an e-mail.',
            ...(secretsOff ? [NO_KEY] : [ONE_KEY]),
          ],
          fields: [...fieldsOf(given['name']), ...(secretsOff ? [] : [superuserField])],
          memory: {},
        };
      },
      read: (values) => {
        const name = withoutBlanks(nameIn(values, NAME, { missing: NO_NAME, max: MAX_NAME }));
        return inputOf(
          {
            name,
            again: sameAs(name, textIn(values, AGAIN, { max: Number.POSITIVE_INFINITY })),
            description: textIn(values, DESCRIPTION, { max: MAX_DESCRIPTION }),
            tags: tagsIn(values, TAGS),
            invitees: emailsIn(values, INVITEES),
            superuser: flagIn(values, SUPERUSER),
          },
          ({ name, description, tags, invitees, superuser }) => ({
            kind: 'org.create',
            name,
            description,
            ...(tags && { tags }),
            invitees,
            superuser: superuser && !secretsOff,
          }),
        );
      },
    },
  };
}

const NO_NAME = 'Give the org a name.';
const NO_KEY =
  'A superuser key cannot be created here because SECRET_KEY is not set, so it could not rest encrypted: your Purser administrator has to set it.';
const ONE_KEY =
  'A superuser key is shown once, to you alone, behind Reveal, within 15 minutes; one that nobody revealed has to be deleted in the org itself.';

function fieldsOf(name: string | undefined): FormField[] {
  return [
    {
      id: NAME,
      type: 'text',
      label: 'Name',
      maxLength: MAX_NAME,
      ...(name !== undefined && { initial: name }),
    },
    {
      id: AGAIN,
      type: 'text',
      label: 'Type the name again',
      hint: 'It can never be changed.',
      maxLength: MAX_NAME,
    },
    {
      id: DESCRIPTION,
      type: 'text',
      label: 'Description',
      optional: true,
      maxLength: MAX_DESCRIPTION,
    },
    {
      id: TAGS,
      type: 'text',
      label: 'Tags',
      hint: 'One on each line, such as team=payments.',
      optional: true,
      multiline: true,
    },
    {
      id: INVITEES,
      type: 'text',
      label: 'Invitees',
      hint: 'At least one e-mail address; several with commas, spaces or on lines of their own.',
      multiline: true,
    },
  ];
}

const superuserField: FormField = {
  id: SUPERUSER,
  type: 'flag',
  label: 'Superuser key',
  text: 'Also create a superuser service account with a key',
  initial: false,
};

function quotaNote({ orgQuota }: Account, count: number): string {
  const limit = orgQuota === undefined ? '' : `, and its quota is ${orgQuota}`;
  return `The account pays for ${plural(count, 'org')} now${limit}.`;
}

/** Reasons for which the platform would refuse a new org (spec 4.3); absent facts are no obstacle. */
function obstacles(account: Account, count: number): string[] {
  const { tou, paymentMethods, enabled, orgQuota } = account;
  const noCard = paymentMethods?.length === 0 ? [NO_CARD] : [];
  const problems = [
    ...(tou === false ? ['the terms of use are not accepted'] : []),
    ...(enabled === false ? ['the account is not enabled'] : []),
    ...(orgQuota !== undefined && count >= orgQuota ? ['its quota of orgs is used up'] : []),
  ];
  if (problems.length === 0) return noCard;
  return [`⚠ The platform refuses a new org as things are: ${listOf(problems)}.`, ...noCard];
}

/** The specification has no rule for names, but a name with a blank could not be typed in a command. */
function withoutBlanks(read: FieldRead<string>): FieldRead<string> {
  const hasBlank = 'value' in read && /\s/.test(read.value);
  return hasBlank
    ? { id: read.id, error: 'The name of an org has no spaces: leave them out.' }
    : read;
}

function sameAs(name: FieldRead<string>, again: FieldRead<string>): FieldRead<string> {
  const differs = 'value' in name && 'value' in again && name.value !== again.value;
  return differs
    ? { id: again.id, error: 'This is not the same name: type it exactly as above.' }
    : again;
}
