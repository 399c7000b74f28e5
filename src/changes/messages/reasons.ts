import {
  code,
  joinMrkdwn,
  mentionUser,
  moment,
  mrkdwn,
  type Mrkdwn,
} from '../../slack/kit/text.ts';
import { truncate } from '../../lib/text.ts';
import { isOpen, type Change } from '../change.ts';
import type { Facts, Proof } from '../kinds/kind.ts';
import { COMMANDS, isDecidedLater } from '../kinds/kinds.ts';
import { sentenceOf } from './plan-view.ts';
import { isRefused, withoutState } from './state-line.ts';

/** Who reads it: the requester alone, or whoever reads the channel of the card. */
type Reader = 'requester' | 'channel';

/** Of a sentence: the next step says it. */
const IN_A_MINUTE = /[,:] please try again in a minute/;
/** Of a value or a name that stands in a line with others. */
const SHORT_LENGTH = 60;

/** Why it ended so, and what to do. @param secret what became of it */
export function reasonsOf(
  change: Change,
  secret: readonly Mrkdwn[],
  reader: Reader,
): readonly Mrkdwn[] {
  return [...endingOf(change, reader), ...secret, ...nextStep(change, reader)];
}

/** How it ended, where the state does not say it all. */
function endingOf(change: Change, reader: Reader): Mrkdwn[] {
  const { outcome, secret } = change;
  if (isRefused(change)) return [sentence(change.refusal ?? '')];
  const isSaid = outcome?.proof !== undefined && !PARTLY_SAID.has(outcome.proof);
  if (outcome === undefined || isSaid || secret?.state === 'lost') return [];
  const said = withoutState(outcome.sentence).replace(IN_A_MINUTE, '');
  if (said === '') return [];
  return [sentence(reader === 'requester' ? said.replace(THE_REQUESTER, 'You') : said)];
}

/** Of a sentence about them that others read as well. */
const THE_REQUESTER = /\bThe requester(?:, [^,]+,)?(?= may not)/;

/** What the state line does not say of them is in their sentence. */
const PARTLY_SAID: ReadonlySet<Proof> = new Set(['partly', 'nothing', 'unsaid']);

/** Its times are in each reader's zone. */
function sentence(text: string): Mrkdwn {
  const parts = sentenceOf(withoutState(text)).split(/(\d{4}-\d\d-\d\d \d\d:\d\d UTC)/);
  return joinMrkdwn(
    parts.map((part, index) => {
      const ms = index % 2 === 0 ? Number.NaN : Date.parse(part);
      return Number.isNaN(ms) ? mrkdwn`${part}` : moment(ms);
    }),
    '',
  );
}

/**
 * What helps: what did not happen can be asked for again; what perhaps happened has to be looked at first.
 * Nothing where the sentence that it ended with says it already, or who else has to act.
 */
function nextStep(change: Change, reader: Reader): Mrkdwn[] {
  const { state, outcome } = change;
  const { sentence = '', proof } = outcome ?? {};
  if (isOpen(change) || state === 'withdrawn') return [];
  if (state === 'succeeded') {
    const what = proof && LOOK[proof];
    return what === undefined ? [] : [mrkdwn`→ ${what}: ${code(lookFor(change))}`];
  }
  // After a no the next step is a talk, and the comment may be all of it.
  if (state === 'rejected') return askWhy(change, reader);
  const again = code(commandFor(change));
  if (state === 'drifted') {
    if (NEXT_SAID.test(sentence)) return [];
    return [mrkdwn`→ Look first: ${code(lookFor(change))}. Still wanted? Ask again: ${again}`];
  }
  if (sentence.includes(NO_RIGHT)) {
    return reader === 'requester'
      ? [
          mrkdwn`→ Let somebody with the role ask for it: ${code('/purser whoami')} shows what you may`,
        ]
      : [mrkdwn`→ Somebody with the role has to ask for it: ${again}`];
  }
  if (proof === 'left') return [mrkdwn`→ Delete it: ${code(COMMANDS['token.delete'].ask)}`];
  if (NEXT_SAID.test(sentence)) return [];
  if (state === 'unknown') return [toTell(change)];
  return [mrkdwn`→ Ask again${IN_A_MINUTE.test(sentence) ? ' in a minute' : ''}: ${again}`];
}

function askWhy({ decision }: Change, reader: Reader): Mrkdwn[] {
  if (reader !== 'requester' || decision?.by === undefined || decision.comment !== '') return [];
  return [mrkdwn`→ Ask ${mentionUser(decision.by.userId)} why, before you ask again`];
}

/** "→ Check `/alert`: Amount $500.00 means done. $400.00 means not done: ask again with `/alert set 500`" */
function toTell(change: Change): Mrkdwn {
  const { before, after } = change.plan;
  const [look, again] = [code(lookFor(change)), code(commandFor(change))];
  const textIn = (facts: Facts, name: string): string =>
    truncate(facts.find((one) => one.name === name)?.text ?? 'none', SHORT_LENGTH);
  // What is there says nothing of a request that still waits.
  if (isDecidedLater(change.order)) return mrkdwn`→ Look first whether it was done: ${look}`;
  const changed = after.find(({ name, text }) => textIn(before, name) !== text);
  const [done, undone] =
    before.length === 0 || after.length === 0 || changed === undefined
      ? [
          mrkdwn`If ${whatIn(change)} is ${after.length === 0 ? 'gone' : 'there'}, it was done`,
          mrkdwn`if not`,
        ]
      : [
          mrkdwn`${changed.name} ${textIn(after, changed.name)} means done`,
          mrkdwn`${textIn(before, changed.name)} means not done`,
        ];
  return mrkdwn`→ Check ${look}. ${done}${secretLost(change)}; ${undone}, ask again: ${again}`;
}

/** What is there then works, and nobody has it. */
function secretLost({ order }: Change): string {
  if (order.kind === 'token.create') return ', and its secret is lost: delete it';
  const hasKey = order.kind === 'org.create' && order.superuser;
  return hasKey
    ? ', and its superuser key is lost: delete that in the org, under its service accounts'
    : '';
}

/** Whom or what a change is about. */
function whatIn({ order }: Change): string {
  if ('email' in order) return order.email;
  return 'name' in order && order.name !== '' ? truncate(order.name, SHORT_LENGTH) : 'it';
}

/** What is not certain yet can be looked at. */
const LOOK: Readonly<Partial<Record<Proof, string>>> = {
  unread: 'Check it yourself',
  otherwise: 'Look again in a minute',
  later: 'Look later whether it was granted',
  unsaid: 'Look later whether it was granted',
};

/** A command, how to ask again, or who else has to act. */
const NEXT_SAID = /(?:^|\s)\/[a-z]|ask again|ask for less|have another|whoever runs Purser/;

/** Of a requester, who cannot ask again. */
const NO_RIGHT = 'may not ask for it any more';

/** The command that asks for such a change again. */
function commandFor({ order }: Pick<Change, 'order'>): string {
  if (order.kind === 'alert.replace' && !order.enabled) return '/alert off';
  const { ask } = COMMANDS[order.kind];
  return ask === '/alert set' && 'amount' in order ? `${ask} ${order.amount}` : ask;
}

/** The command that shows what there is of what a change is about. */
function lookFor({ order }: Pick<Change, 'order'>): string {
  return COMMANDS[order.kind].look;
}
