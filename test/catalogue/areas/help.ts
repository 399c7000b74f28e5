import type { OrgChargesClient } from '../../../src/platform/billing/charges.ts';
import { helpAnswer } from '../../../src/slack/replies/help-view.ts';
import { billing, load } from '../../unit/config/environment.ts';
import { answer, refusal, type Area } from '../entry.ts';
import { nameOf, purser } from './help-data.ts';
import { authorizerOf } from './whoami.ts';

const ON = purser();
/** ORG_CHARGES: the charges of single orgs can be asked for without an account. */
const orgCharges = {} as OrgChargesClient;
const NO_BILLING = purser({ config: load({ USAGE_URL: 'https://usage.example.com' }), orgCharges });
const NO_USAGE = purser({ config: load(billing) });
const NO_ROLE = purser({ access: authorizerOf({ roles: [] }) });
const GUEST = purser({ access: authorizerOf({ applicant: { guest: true } }) });
const NOTHING = purser({ config: load(), orgCharges });

/** Words that people may search for: together these find everything. */
const SEARCHES = [
  'cost',
  'price',
  'trend',
  'tags',
  'invoice',
  'payment',
  'e-mail',
  'limit',
  'disable alert',
  'deployed',
  'replica',
  'notifications',
  'quiet',
  'unmute',
  'subscriptions',
  'address',
  'people',
  'access',
  'token',
  'approve',
  'new org',
  'error',
] as const;

export const purserHelp: Area = {
  id: 'purser-help',
  title: '/purser help',
  entries: [
    answer('purser-help-overview', 'A person asks for an overview of Purser.', () => ON.helpOn('')),
    answer('purser-help-overview-no-role', 'The same, by a person without a role.', () =>
      NO_ROLE.helpOn(''),
    ),
    answer('purser-help-overview-guest', 'The same, by a guest.', () => GUEST.helpOn('')),
    answer(
      'purser-help-quantity-usage-off',
      'The found command takes usage, which is not set up.',
      () => NO_USAGE.helpOn('quantity'),
    ),
    answer('purser-help-nothing-found', 'A person looks for a word that nothing is about.', () =>
      ON.helpOn('xylophone'),
    ),
    ...SEARCHES.map((word) =>
      answer(
        `purser-help-${word.replace(' ', '-')}`,
        `A person looks for “${word}”: commands that do something about it.`,
        () => ON.helpOn(word),
      ),
    ),
    answer(
      'purser-help-price-billing-off',
      'The found command takes billing, which is not set up.',
      () => NO_BILLING.helpOn('price'),
    ),
    answer(
      'purser-help-price-both-off',
      'The found command takes usage or billing, and neither is set up.',
      () => NOTHING.helpOn('price'),
    ),
    answer('purser-help-dashboard', 'The result is a place, not a command.', () =>
      ON.helpOn('dashboard'),
    ),
    answer('purser-help-thread', 'Only the help of a command has the word.', () =>
      ON.helpOn('thread'),
    ),
    answer('purser-help-mistyped', 'The word is mistyped, and a similar one is known.', () =>
      ON.helpOn('invioce'),
    ),
    answer('purser-help-command', 'A person looks for a command by its name.', () =>
      ON.helpOn('deployments'),
    ),
  ],
};

export const commandHelp: Area = {
  id: 'command-help',
  title: 'The help of each command',
  entries: ON.helps.map((help) =>
    help === ON.help
      ? answer('help-of-purser', 'A person wants all words of /purser.', () => ON.helpOn('purser'))
      : answer(`help-of-${nameOf(help)}`, `A person types ${help.command} help.`, () =>
          helpAnswer(help),
        ),
  ),
};

const UNREADABLE = [
  ['whoami-of-others', 'A person wants to know who another person is.', 'whoami ben'],
  ['doctor-of-one-thing', 'A person wants one thing to be checked.', 'doctor redis'],
  ['mistyped', 'A word of the command is mistyped.', 'docter'],
  ['command-name', 'The word is the name of a command.', 'deployments'],
  ['search-word', 'The word is one that help knows.', 'invoice'],
  ['mistyped-search-word', 'The word is mistyped, and help knows a similar one.', 'tokns'],
  ['unknown-word', 'No one knows the word.', 'xylophone'],
  ['quoted-word', 'The word is in quotation marks, so it is no word of the command.', '"whoami"'],
  ['open-quote', 'A quotation mark is opened and never closed.', 'help "invoice'],
  ['too-long', 'More was typed than a command may have.', 'help '.repeat(1_000)],
] as const;

export const purserRefusals: Area = {
  id: 'purser-refusals',
  title: '/purser: unreadable lines',
  entries: UNREADABLE.map(([id, when, typed]) =>
    refusal(`purser-unreadable-${id}`, when, () => ON.type(typed), ON.help),
  ),
};
