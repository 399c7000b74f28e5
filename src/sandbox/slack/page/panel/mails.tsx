import type { PlatformState } from './control.ts';

const SHOWN = 8;

/** The newest mails that the platform would have sent; each opens to its text. */
export function Mails({ emails }: Pick<PlatformState, 'emails'>) {
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
