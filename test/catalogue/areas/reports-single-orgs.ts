import { CHARGES_HELP } from '../../../src/features/reports/grammar.ts';
import { refusal, type Area, type Entry } from '../entry.ts';
import { startReports, typed, type World } from './reports-bot.ts';

export const chargesOfOrgs: Area = {
  id: 'charges-of-orgs',
  title: '/charges: single orgs, for members without a billing role',
  entries: [
    typed(
      'charges-org-default',
      'A person without a billing role asks, and single orgs are open (ORG_CHARGES).',
      '/charges last month by gvc',
      { world: { orgForm: 'acme by default' } },
    ),
    typed(
      'charges-org-several',
      'A person without a billing role asks for several orgs.',
      '/charges last month org acme,globex',
      { world: { orgForm: 'no default' } },
    ),
    refused(
      'none-named',
      'A person without a billing role names no org, and there is no default.',
      '/charges last month',
      'no default',
    ),
    refused(
      'key-refused',
      'A person without a billing role asks for an org whose key lacks a permission.',
      '/charges last month org acme',
      'key refused',
    ),
    refused(
      'keys-refused',
      'A person without a billing role asks for orgs whose keys lack a permission.',
      '/charges last month org acme,globex',
      'key refused',
    ),
    refused(
      'filtered',
      'A person without a billing role filters orgs by an expression.',
      '/charges last month where org=/o/',
      'acme by default',
    ),
    refused(
      'tags',
      'A person without a billing role asks for the values of a tag of the account.',
      '/charges tags gvc',
      'acme by default',
    ),
  ],
};

function refused(id: string, when: string, line: string, orgForm: World['orgForm']): Entry {
  return refusal(
    `charges-org-${id}`,
    when,
    () => startReports(orgForm && { orgForm }).type(line),
    CHARGES_HELP,
  );
}
