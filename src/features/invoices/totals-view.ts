import type { KnownBlock } from '@slack/types';
import { lines, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import { monthsInWords } from './months.ts';
import { disagreementsOf } from './totals.ts';
import type { Disagreement, Totalled } from './totals.ts';
import { signed } from './words.ts';
import type { Money } from './words.ts';

const MAX_DISAGREEMENTS = 5;

/**
 * Where invoices do not agree with themselves; nothing where they do.
 * @param invoices each with what it is called in a sentence, as in "the invoice"
 */
export function disagreementsBlock(
  invoices: readonly { readonly invoice: Totalled; readonly name: string }[],
  money: Money,
): KnownBlock[] {
  const found = invoices.flatMap(({ invoice, name }) =>
    disagreementsOf(invoice).map((one) => disagreementLine(one, name, money)),
  );
  return found.length === 0 ? [] : [lines(found, MAX_DISAGREEMENTS)];
}

function disagreementLine(one: Disagreement, name: string, money: Money): Mrkdwn {
  const { what, period, added, said } = one;
  const months = monthsInWords(period?.startTime, period?.endTime);
  if (what === 'no-lines') {
    return mrkdwn`⚠ The platform tells no lines of ${months} (${money(said)})`;
  }
  const parts = {
    periods: 'The periods',
    'period-lines': `The lines of ${months}`,
    lines: 'All lines together',
  };
  const whole = what === 'period-lines' ? 'the period' : name;
  return mrkdwn`⚠ ${parts[what]} add up to ${money(added)}, but the total of ${whole} is ${money(said)}: difference ${signed(money, added.minus(said))}`;
}
