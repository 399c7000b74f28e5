import type { AccountState, PlatformState } from './control.ts';
import type { Send } from './use-platform.ts';

type Props = { readonly state: PlatformState; readonly send: Send };

/** What happens to the account that pays, and the mails that the platform would have sent. */
export function BillingLevers({ state, send }: Props) {
  const account = state.accounts[0];
  if (account === undefined) return null;
  const { alert } = account;
  // Without a name it is the newest invoice.
  const payment = (status: string): void => void send('invoices/status', { status });
  return (
    <section aria-label="Billing">
      <h3>
        Billing
        <small>{alertWords(account)}</small>
      </h3>
      <div class="levers">
        <button
          type="button"
          class="button small"
          disabled={alert === undefined}
          onClick={() => void send('alert/fire', {})}
        >
          Fire the alert
        </button>
        <button type="button" class="button small" onClick={() => void send('invoices/issue', {})}>
          Issue an invoice
        </button>
        <button type="button" class="button small" onClick={() => payment('payment-failed')}>
          Fail its payment
        </button>
        <button type="button" class="button small" onClick={() => payment('paid')}>
          Take its payment
        </button>
      </div>
      <Outbox emails={state.emails} />
    </section>
  );
}

function alertWords({ alert }: AccountState): string {
  if (alert === undefined) return 'no spend alert';
  const fired = alert.lastTriggered === undefined ? '' : ', has fired';
  return `spend alert at ${alert.amount}, ${alert.enabled ? 'on' : 'off'}${fired}`;
}

const SHOWN = 8;

/** The newest mails; each opens to its text. */
function Outbox({ emails }: Pick<PlatformState, 'emails'>) {
  if (emails.length === 0) return <p class="muted">No mail was sent yet.</p>;
  return (
    <ul class="mails" aria-label="Mails">
      {emails
        .slice(-SHOWN)
        .toReversed()
        .map((mail) => (
          <li key={`${mail.at} ${mail.to} ${mail.subject}`}>
            <details>
              <summary>
                {mail.subject}
                <small>to {mail.to}</small>
              </summary>
              <p>{mail.text}</p>
            </details>
          </li>
        ))}
    </ul>
  );
}
