import { denied, type Principal } from '../../access/policy.ts';
import type { Change } from '../../changes/change.ts';
import type { Changes } from '../../changes/changes.ts';
import { requireAdmin } from '../../changes/context.ts';
import type { Executor } from '../../changes/execute.ts';
import {
  APPROVED,
  createRejectForm,
  createRevealRoute,
  createReviewForm,
  createWithdrawModal,
  NOTHING_TO_DECIDE,
  REJECTED,
  Reviewed,
  withdrawn,
} from '../../changes/forms/review.ts';
import { openingOf } from '../../changes/forms/form.ts';
import { kindAskedBy } from '../../changes/forms/routes.ts';
import type { ChangeKind } from '../../changes/kinds/kinds.ts';
import {
  REJECT_ACTION,
  REVEAL_ACTION,
  REVIEW_ACTION,
  SHOW_ACTION,
  WITHDRAW_ACTION,
  WITHDRAW_HERE_ACTION,
} from '../../changes/messages/plan-view.ts';
import { grammarOf } from '../../grammar/grammar.ts';
import { unknownWord } from '../../grammar/typed.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { plural } from '../../lib/text.ts';
import type { Feature, Services } from '../../services.ts';
import type { SendFile } from '../../slack/files.ts';
import { linkButton, section } from '../../slack/kit/blocks.ts';
import { code, mrkdwn } from '../../slack/kit/text.ts';
import { questionIn, readQuestion } from '../../slack/replies/shelf.ts';
import {
  type ActionRoute,
  type Answer,
  type Attempt,
  commandRoute,
  type Parsed,
  type Person,
} from '../../slack/routing/routes.ts';
import { createChangesHome } from './home.ts';
import { FIRST, list, LIST_ACTIONS, LIST_ROUTE, ListQuestion } from './list.ts';
import { createAccessAnswer, createIdentityAnswer } from './refusals.ts';
import { show } from './show.ts';

type FeatureServices = Pick<Services, 'kept' | 'sendFile'>;

/** `/changes …`, parsed (design section 3). */
export type ChangesCommand =
  | { readonly kind: 'list' }
  | { readonly kind: 'confirm' }
  /** Lower case, as ids are. */
  | { readonly kind: 'show'; readonly id: string };

export const { help: CHANGES_HELP, parse: parseChanges } = grammarOf<ChangesCommand>()({
  command: '/changes',
  hint: '[show ID] | confirm',
  summary: 'Requests for changes: what waits for a decision, who decided, and the result.',
  usages: [
    {
      words: '',
      does: 'lists the open requests; its menus show yours or everybody’s, and those of one state or kind',
      wish: 'approve approval reject review request pending audit history withdraw waits decision',
      examples: ['/changes'],
      to: () => ({ kind: 'list' }),
    },
    { words: 'list', to: () => ({ kind: 'list' }) },
    {
      words: 'show ID',
      does: 'shows one request: what changes, who asked, who decided, and what happened',
      wish: 'approve audit history',
      examples: ['/changes show k3m9x2ab'],
      to: ({ ID: id }) => ({ kind: 'show', id }),
    },
    {
      words: 'confirm',
      does: 'asks a billing_admin to confirm the Slack account that you use, when your e-mail address is in use by another one',
      wish: 'identity account',
      to: () => ({ kind: 'confirm' }),
    },
  ],
  readers: { ID: bareId },
  tidy: (words) => words.map(({ text }) => ({ text, quoted: false })),
  notes: ['ID: it is on the card of the request'],
  otherwise(words, meant = '/changes') {
    // "approve k3m9x2ab": ids have no letters that are easily confused.
    const id = words.findLast(({ text }) => /^#?[2-9a-hjkmnp-z]{8}$/i.test(text))?.text;
    const isOfId = meant === '/changes' && id !== undefined;
    throw unknownWord(words[0]?.text ?? '', isOfId ? `/changes show ${bareId(id)}` : meant);
  },
});

function bareId(text: string): string {
  return text.replace(/[`#]/g, '').toLowerCase();
}

/** `/changes`, the buttons of the cards, and the work behind them (design sections 3 and 5). */
export function createChangesFeature(services: FeatureServices, changes: Changes): Feature {
  const { kept, sendFile } = services;

  /** @throws Refusal for a person without the right to use the bot, or if Slack or the platform cannot identify them now */
  async function admitted(person: Person): Promise<Principal> {
    const who = await changes.access.principal(person);
    if (who.refusal !== undefined) throw denied(who.why ?? 'stranger', who.refusal);
    return who;
  }

  const choose = (actionId: string, field: keyof ListQuestion): ActionRoute => ({
    actionId,
    inPlace: true,
    async run(context) {
      const question = await questionIn(kept, context, ListQuestion);
      const chosen = readQuestion(ListQuestion, { ...question, [field]: context.value });
      return list(changes, await admitted(context.person), chosen);
    },
  });

  return {
    name: 'changes',
    commands: [
      commandRoute({
        help: CHANGES_HELP,
        parse: (words) => parsed(parseChanges(words), changes),
        async run(command, { person }) {
          const who = await admitted(person);
          return command.kind === 'list'
            ? list(changes, who, FIRST)
            : show(changes, who, command.id);
        },
      }),
    ],
    actions: [
      choose(LIST_ACTIONS.which, 'which'),
      choose(LIST_ACTIONS.kind, 'of'),
      {
        actionId: SHOW_ACTION,
        run: async ({ person, value = '' }) => show(changes, await admitted(person), value),
      },
      {
        actionId: LIST_ACTIONS.audit,
        async run({ person }) {
          requireAdmin(await admitted(person));
          return sendAudit(changes, sendFile, person.userId);
        },
      },
      withdraw(changes),
    ],
    questions: [
      {
        name: LIST_ROUTE,
        ask: async ({ person }, question, page) =>
          list(changes, await admitted(person), readQuestion(ListQuestion, question), page),
      },
    ],
    ...windowsOf(changes),
    jobs: createChangeJobs(changes.executor),
    home: createChangesHome(changes),
    ...refusalsOf(changes),
  };
}

/** A command with a form opens it; the rest is answered. */
function parsed(
  command: ChangesCommand,
  { forms }: Pick<Changes, 'forms'>,
): Parsed<Exclude<ChangesCommand, { kind: 'confirm' }>> {
  return command.kind === 'confirm' ? openingOf(forms, 'identity.confirm') : { command };
}

function windowsOf({ reviews, hasWorker, forms, secrets }: Changes) {
  return {
    // Commands and buttons of /alert and /billing open the forms that ask for a change.
    forms: [
      createReviewForm(reviews, hasWorker),
      createRejectForm(reviews),
      ...Object.values(forms),
    ],
    modals: [createWithdrawModal(reviews)],
    reveals: [createRevealRoute(secrets)],
  };
}

function withdraw({ reviews }: Pick<Changes, 'reviews'>): ActionRoute {
  return {
    actionId: WITHDRAW_ACTION,
    run: ({ person, value = '' }) => withdrawn(reviews, person, value),
  };
}

/** Sends the audit of all changes as NDJSON in a direct message (design section 5). @throws Refusal */
export async function sendAudit(
  { changes, clock }: Pick<Changes, 'changes' | 'clock'>,
  sendFile: SendFile,
  userId: string,
): Promise<Answer> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const filename = `purser-audit-${day}.ndjson`;
  let count = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    for await (const entry of changes.audit()) {
      count += 1;
      yield Buffer.from(`${JSON.stringify(entry)}\n`);
    }
  }
  const address = await sendFile({
    userId,
    filename,
    title: `Audit of changes, ${day}`,
    comment: 'Who asked for which change, who decided, and the result; one JSON object per line',
    content: content(),
  });
  const open = address === undefined ? undefined : linkButton('Open', address);
  const line = mrkdwn`The audit, ${plural(count, 'line')}, is in your messages with Purser, as ${code(filename)}.`;
  return { blocks: [section(line)], ...(open ? { buttons: [open] } : {}) };
}

/** How often due changes, and those whose worker died, are picked up. Milliseconds. */
const SWEEP_MS = 2_000;

function createChangeJobs(executor: Executor): JobKind[] {
  return [
    {
      queue: 'changes',
      name: 'advance',
      run: async ({ id }) => {
        if (id !== undefined) await executor.advance(id);
      },
    },
    { queue: 'changes', name: 'sweep', every: SWEEP_MS, run: () => executor.sweep() },
  ];
}

/** Buttons and forms whose value is the id of a change. */
const BY_ID: readonly string[] = [
  REVIEW_ACTION,
  REJECT_ACTION,
  REJECTED,
  WITHDRAW_ACTION,
  WITHDRAW_HERE_ACTION,
  REVEAL_ACTION,
];

function refusalsOf(changes: Changes): Pick<Feature, 'refused' | 'refusals'> {
  const refused = createRefused(changes);
  // Without changes, what the buttons ask for would be refused.
  if (changes.off !== undefined) return { refused };
  const askForAccess = createAccessAnswer(changes.forms);
  return {
    refused,
    refusals: {
      identity: createIdentityAnswer(changes.forms),
      // With ORG_ACCESS=roles a missing role closes the orgs.
      orgs: askForAccess,
      role: askForAccess,
    },
  };
}

function createRefused({
  changes,
  clock,
}: Pick<Changes, 'changes' | 'clock'>): NonNullable<Feature['refused']> {
  /** Undefined when the attempt is not about a change. */
  async function aboutOf({ what, value = '' }: Attempt): Promise<Change | ChangeKind | undefined> {
    if (BY_ID.includes(what)) return changes.get(value);
    if (what !== APPROVED) return kindAskedBy(what);
    return value === NOTHING_TO_DECIDE
      ? undefined
      : changes.get(Reviewed.parse(JSON.parse(value)).id);
  }

  return async (attempt, why) => {
    const { userId: by, what } = attempt;
    // A person only opened the home tab.
    if (what === 'home') return;
    const about = await aboutOf(attempt);
    await changes.refused({ at: clock.now(), by, what, why, about });
  };
}
