import { ADMINS, READERS } from '../../access/roles.ts';
import type { Role } from '../../access/roles.ts';
import type { ActionContext, ActionRoute, Answer, Person } from '../../slack/routes.ts';
import type { Feature } from '../feature.ts';
import { csv, deliveries, list, pay, pdf, pending, show } from './answers.ts';
import type { AnswersDeps } from './answers.ts';
import { findInvoice } from './find.ts';
import { INVOICES_HELP } from './help.ts';
import { CSV_ACTION, DELIVERIES_ACTION, PAY_ACTION, PDF_ACTION } from './invoice-view.ts';
import { SHOW_ACTION } from './list-view.ts';
import { NEXT_ACTION, PREVIOUS_ACTION } from './paging.ts';
import { parseInvoices } from './parse.ts';
import type { InvoiceRef, InvoicesCommand } from './parse.ts';
import { readState, tooOld } from './state.ts';
import type { State } from './state.ts';
import { nameOf } from './words.ts';

export interface InvoicesFeatureDeps extends AnswersDeps {
  /** Whether a person has one of the roles now. @throws Refusal */
  requireBillingRole: (person: Person, roles: readonly Role[]) => Promise<void>;
}

/** `/invoices`: what was billed, what is due, what it is made of, and how it was sent (spec 2.8, 2.10, 4.2). */
export function createInvoicesFeature(deps: InvoicesFeatureDeps): Feature {
  return {
    name: 'invoices',
    commands: [
      {
        help: INVOICES_HELP,
        async run({ person, words }) {
          const command = parseInvoices(words);
          await deps.requireBillingRole(person, rolesFor(command.kind));
          return answerTo(deps, person.userId, command);
        },
      },
    ],
    actions: [
      turn(deps, PREVIOUS_ACTION, -1),
      turn(deps, NEXT_ACTION, 1),
      {
        actionId: SHOW_ACTION,
        async run({ person, value }) {
          await deps.requireBillingRole(person, READERS);
          return answerTo(deps, person.userId, { kind: 'show', ref: { id: value ?? '' } });
        },
      },
      onInvoice(deps, CSV_ACTION, 'csv'),
      onInvoice(deps, PDF_ACTION, 'pdf'),
      onInvoice(deps, PAY_ACTION, 'pay'),
      onInvoice(deps, DELIVERIES_ACTION, 'deliveries'),
    ],
  };
}

/** Previous and Next: another page in the place of the one that is there. */
function turn(deps: InvoicesFeatureDeps, actionId: string, by: 1 | -1): ActionRoute {
  return {
    actionId,
    inPlace: true,
    async run(context) {
      const state = await stateOf(deps, context);
      await deps.requireBillingRole(context.person, rolesFor(state.kind));
      return pageOf(deps, context.person.userId, { ...state, page: state.page + by });
    },
  };
}

/** What is done with one invoice; the file of its lines has a button and no word. */
type Asked = InvoicesCommand | { kind: 'csv'; ref: InvoiceRef };

/** A button below an invoice: an answer of its own. */
function onInvoice(
  deps: InvoicesFeatureDeps,
  actionId: string,
  kind: 'csv' | 'pdf' | 'pay' | 'deliveries',
): ActionRoute {
  return {
    actionId,
    async run(context) {
      const state = await stateOf(deps, context);
      await deps.requireBillingRole(context.person, rolesFor(kind));
      if (state.kind !== 'show') throw tooOld();
      return answerTo(deps, context.person.userId, { kind, ref: { id: state.id } });
    },
  };
}

function rolesFor(kind: Asked['kind']): readonly Role[] {
  return kind === 'deliveries' ? ADMINS : READERS;
}

async function stateOf(
  deps: InvoicesFeatureDeps,
  { person, value }: ActionContext,
): Promise<State> {
  return readState(deps.keep, person.userId, value);
}

async function answerTo(
  deps: InvoicesFeatureDeps,
  userId: string,
  command: Asked,
): Promise<Answer> {
  const find = async (ref: InvoiceRef, fresh = false) =>
    findInvoice(deps.billing(), ref, deps.clock.now(), { fresh });
  switch (command.kind) {
    case 'list': {
      const range = command.range === undefined ? {} : { range: command.range };
      return list(deps, userId, { kind: 'list', ...range, askedAt: deps.clock.now(), page: 0 });
    }
    case 'pending':
      return pending(deps, command.surcharges);
    case 'show':
      return show(deps, userId, await find(command.ref));
    case 'csv':
      return csv(deps, userId, (await find(command.ref)).value);
    case 'pdf':
      return pdf(deps, userId, (await find(command.ref)).value);
    case 'pay':
      // Whether it is paid should be as it is now.
      return pay(deps, (await find(command.ref, true)).value);
    case 'deliveries': {
      const found = command.ref && (await find(command.ref)).value;
      const invoice = found && { id: found.id, name: nameOf(found) };
      return deliveries(deps, userId, { kind: 'deliveries', ...(invoice && { invoice }), page: 0 });
    }
  }
}

async function pageOf(deps: InvoicesFeatureDeps, userId: string, state: State): Promise<Answer> {
  switch (state.kind) {
    case 'list':
      return list(deps, userId, state);
    case 'show': {
      const found = await deps.billing().getInvoice(state.id);
      return show(deps, userId, found, state.page);
    }
    case 'deliveries':
      return deliveries(deps, userId, state);
  }
}
