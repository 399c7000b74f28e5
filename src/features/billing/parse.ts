import { refuseSingleQuotes, typed } from '../../reporting/query-words.ts';
import { nearest, truncate, type Word } from '../../lib/text.ts';
import { UsageError } from '../../lib/errors.ts';
import { COMMANDS } from '../../changes/kinds/kinds.ts';
import type { FormName, Given } from '../../changes/forms/form.ts';

/** `/billing …` as read (design section 3). */
export type BillingCommand =
  | { readonly kind: 'usage' | 'account' | 'orgs' | 'users' | 'tokens' | 'recipients' }
  | { readonly kind: 'quotas'; readonly org: string | undefined }
  /** A change is asked for. `given` is what was typed with it: `name` (of a quota, too), `email` and `org`. */
  | { readonly kind: 'open'; readonly form: FormName; readonly given: Given };

const THINGS = ['account', 'orgs', 'users', 'tokens', 'recipients', 'quotas'] as const;
type Thing = (typeof THINGS)[number];

/** What can be asked for, by the thing and the word after it, as in `/billing users add`. */
const REQUESTS: Readonly<Record<Thing, Readonly<Record<string, FormName>>>> = {
  account: {},
  orgs: requestsOf('orgs'),
  users: requestsOf('users'),
  tokens: requestsOf('tokens'),
  recipients: requestsOf('recipients'),
  quotas: requestsOf('quotas'),
};

function requestsOf(thing: Thing): Readonly<Record<string, FormName>> {
  const start = `/billing ${thing} `;
  const asked = Object.entries(COMMANDS).filter(([, { ask }]) => ask.startsWith(start));
  return Object.fromEntries(
    asked.map(([kind, { ask }]) => [ask.slice(start.length), kind as FormName]),
  );
}

/** More is no name, nor an address. */
const MAX_NAME = 254;

/** Words for the same act; which of them is known depends on the thing. */
const ALIKE: readonly (readonly string[])[] = [
  ['add', 'create', 'new', 'invite'],
  ['delete', 'remove', 'revoke'],
  ['roles', 'role', 'change', 'set'],
  ['request', 'raise', 'increase'],
  ['enable', 'on'],
  ['disable', 'off'],
];

/**
 * Reads the words after `/billing`, in any case.
 * @throws UsageError with the nearest match
 */
export function parseBilling(words: readonly Word[]): BillingCommand {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'usage' };
  refuseSingleQuotes(words, '/billing');
  const thing = wordIn(THINGS, first);
  if (thing === undefined) {
    const meant = first.quoted ? undefined : nearest(first.text, THINGS);
    throw new UsageError(
      `${quote(first)} is no word of /billing.`,
      meant && ['/billing', meant, ...rest.map(typed)].join(' '),
    );
  }
  const { org, others } = thing === 'quotas' ? takeOrg(rest) : { org: undefined, others: rest };
  const [act, ...more] = others;
  if (act === undefined) return thing === 'quotas' ? { kind: thing, org } : { kind: thing };
  const form = REQUESTS[thing][formWord(thing, act)];
  if (form === undefined) throw noRequest(thing, act, more);
  const given = readGiven(thing, act, more);
  return { kind: 'open', form, given: { ...given, ...(org === undefined ? {} : { org }) } };
}

/** `org NAME`, wherever it stands. @throws UsageError */
function takeOrg(words: readonly Word[]): { org: string | undefined; others: readonly Word[] } {
  const at = words.findIndex(({ text, quoted }) => !quoted && text.toLowerCase() === 'org');
  if (at === -1) return { org: undefined, others: words };
  const name = words[at + 1]?.text.trim() ?? '';
  if (name === '') throw new UsageError('After "org" comes the name of an org.');
  if (name.length > MAX_NAME) throw new UsageError('That is too long for the name of an org.');
  return { org: name, others: words.toSpliced(at, 2) };
}

/** The word as one of the requests of a thing has it; what is none of them stays out of reach. */
function formWord(thing: Thing, act: Word): string {
  return wordIn(Object.keys(REQUESTS[thing]), act) ?? '';
}

/** @throws UsageError */
function readGiven(thing: Thing, act: Word, [word, ...more]: readonly Word[]): Given {
  const command = `/billing ${thing} ${act.text.toLowerCase()}`;
  if (word === undefined || word.text.trim() === '') return {};
  const said = word.text;
  if (more.length > 0) {
    throw new UsageError(
      'One at a time, please: the form asks for the rest.',
      `${command} ${typed(word)}`,
    );
  }
  if (said.length > MAX_NAME) throw new UsageError('That name is too long.', command);
  if (thing !== 'users' && thing !== 'recipients') return { name: said };
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(said)) return { email: said };
  throw new UsageError(
    said.startsWith('<@')
      ? 'People of the billing account go by their e-mail address, so write that and no mention.'
      : `${quote(word)} is not an e-mail address.`,
    command,
  );
}

/** The no to a word after a thing, with what was probably meant. */
function noRequest(thing: Thing, act: Word, more: readonly Word[]): UsageError {
  const known = Object.keys(REQUESTS[thing]);
  const meant = act.quoted ? undefined : meantBy(act.text, known);
  const said = `${quote(act)} is not known here`;
  return new UsageError(
    known.length === 0
      ? `${said}: nothing follows "${thing}".`
      : `${said}: after "${thing}" there is ${known.map((word) => `"${word}"`).join(', ')}${thing === 'quotas' ? ' and "org NAME"' : ''}.`,
    known.length === 0
      ? `/billing ${thing}`
      : meant && ['/billing', thing, meant, ...more.map(typed)].join(' '),
  );
}

function meantBy(text: string, known: readonly string[]): string | undefined {
  const alike = ALIKE.find((words) => words.includes(text.toLowerCase())) ?? [];
  return known.find((word) => alike.includes(word)) ?? nearest(text, known);
}

function wordIn<W extends string>(known: readonly W[], { text, quoted }: Word): W | undefined {
  return quoted ? undefined : known.find((word) => word === text.toLowerCase());
}

/** What was typed, as part of a sentence. */
function quote({ text }: Word): string {
  return `"${truncate(text, 60)}"`;
}
