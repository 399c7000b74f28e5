import { ALERT_HELP } from '../../../src/features/alert/help.ts';
import { BILLING_HELP } from '../../../src/features/billing/help.ts';
import { CHANGES_HELP } from '../../../src/features/changes/help.ts';
import { CHARGES_HELP } from '../../../src/features/charges/help.ts';
import { DEPLOYMENTS_HELP } from '../../../src/features/deployments/help.ts';
import { createHelpFeature } from '../../../src/features/help/feature.ts';
import type { HelpFeatureDeps } from '../../../src/features/help/feature.ts';
import { INVOICES_HELP } from '../../../src/features/invoices/help.ts';
import { USAGE_HELP } from '../../../src/features/usage/help.ts';
import { WORKLOAD_HELP } from '../../../src/features/workload/help.ts';
import { Unreadable } from '../../../src/lib/refusal.ts';
import { splitWords } from '../../../src/lib/words.ts';
import type { Word } from '../../../src/lib/words.ts';
import type { Answer, CommandHelp } from '../../../src/slack/routes.ts';

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

const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };
const NOBODY_ASKS = (): Promise<never> => Promise.reject(new Error('Nobody asks for this'));

/** `/purser` with all commands of Purser beside it. */
export function purser(over: Partial<HelpFeatureDeps> = {}) {
  const feature = createHelpFeature({
    commands: () => helps,
    standing: NOBODY_ASKS,
    doctor: NOBODY_ASKS,
    billingOff: undefined,
    chargesOff: undefined,
    usageOff: undefined,
    ...over,
  });
  const [command] = feature.commands ?? [];
  if (command?.helpOn === undefined) throw new Error('There is no /purser');
  const { help, helpOn } = command;
  const helps: readonly CommandHelp[] = [...OTHERS, help];
  return {
    help,
    helps,
    helpOn: (text: string): Answer => helpOn(wordsOf(text)),
    type: (text: string): Promise<Answer> =>
      command.run({ person: ADA, channelId: 'C0OPS', words: wordsOf(text) }),
  };
}

/** As the router splits what was typed. @throws Unreadable */
function wordsOf(text: string): readonly Word[] {
  const split = splitWords(text);
  if ('problem' in split) throw new Unreadable(split.problem);
  return split.words;
}

/** `/deployments` without its slash. */
export const nameOf = ({ command }: CommandHelp): string => command.slice(1);
