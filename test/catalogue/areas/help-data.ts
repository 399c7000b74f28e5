import { ALERT_HELP } from '../../../src/features/alert/feature.ts';
import { BILLING_HELP } from '../../../src/features/billing/feature.ts';
import { CHANGES_HELP } from '../../../src/features/changes/feature.ts';
import { CHARGES_HELP, USAGE_HELP } from '../../../src/features/reports/grammar.ts';
import { DEPLOYMENTS_HELP } from '../../../src/features/deployments/parse.ts';
import { createHelpFeature } from '../../../src/features/help/feature.ts';
import { INVOICES_HELP } from '../../../src/features/invoices/parse.ts';
import { WORKLOAD_HELP } from '../../../src/features/workload/parse.ts';
import { UsageError } from '../../../src/lib/errors.ts';
import { splitWords, type Word } from '../../../src/lib/words.ts';
import type { Answer, CommandHelp } from '../../../src/slack/routing/routes.ts';
import { billing, load } from '../../unit/config/environment.ts';
import { accessButton } from '../../../src/features/changes/refusals.ts';
import { formsOf } from './changes-feature-modals.ts';
import { typeWords } from '../../support/command.ts';

const OTHERS: readonly CommandHelp[] = [
  CHARGES_HELP,
  USAGE_HELP,
  INVOICES_HELP,
  DEPLOYMENTS_HELP,
  WORKLOAD_HELP,
  ALERT_HELP,
  BILLING_HELP,
  CHANGES_HELP,
];

const HERE = { person: { userId: 'U0ADA', teamId: 'T0ACME' }, channelId: 'C0OPS' };
const NO_ONE_ASKS = (): Promise<never> => Promise.reject(new Error('No one asks for this'));

type Services = Parameters<typeof createHelpFeature>[0];

/** Nothing is switched off. */
const EVERYTHING: Services = {
  access: {
    principal: NO_ONE_ASKS,
    authorize: () => Promise.resolve(),
    requireRight: () => Promise.resolve(),
  },
  askForAccess: (roles) => accessButton(formsOf({}).routes, roles),
  config: load({ ...billing, USAGE_URL: 'https://usage.example.com' }),
  orgCharges: undefined,
};

/** `/purser` with all commands of Purser beside it. */
export function purser(services: Partial<Parameters<typeof createHelpFeature>[0]> = {}) {
  const feature = createHelpFeature({ ...EVERYTHING, ...services }, NO_ONE_ASKS, () => helps);
  const [command] = feature.commands ?? [];
  if (command?.helpOn === undefined) throw new Error('There is no /purser');
  const { help, helpOn } = command;
  const helps: readonly CommandHelp[] = [...OTHERS, help];
  return {
    help,
    helps,
    helpOn: (text: string): Promise<Answer> => helpOn(wordsOf(text), HERE),
    type: (text: string): Promise<Answer> => typeWords(command, wordsOf(text), HERE),
  };
}

/** As the router splits a typed line. @throws Unreadable */
function wordsOf(text: string): readonly Word[] {
  const split = splitWords(text);
  if ('problem' in split) throw new UsageError(split.problem);
  return split.words;
}

/** `/deployments` without its slash. */
export const nameOf = ({ command }: CommandHelp): string => command.slice(1);
