/** A private channel. */
export function LockIcon() {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <rect x="4.5" y="9" width="11" height="8" rx="1.5" />
      <path d="M7 9V6.5a3 3 0 0 1 6 0V9" />
    </svg>
  );
}

/** Seen by one person only. */
export function EyeIcon() {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M1.5 10S4.5 4.5 10 4.5 18.5 10 18.5 10 15.5 15.5 10 15.5 1.5 10 1.5 10z" />
      <circle cx="10" cy="10" r="2.6" />
    </svg>
  );
}

/** A conversation beside the channel. */
export function ThreadIcon() {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3 4h14v9H9l-4 3.5V13H3z" />
    </svg>
  );
}
