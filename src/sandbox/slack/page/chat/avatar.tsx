import type { PageUser } from '../../page-protocol.ts';

/** A coloured square with initials; the bot has its own picture. */
export function Avatar({ user, small = false }: { user: PageUser | undefined; small?: boolean }) {
  const size = small ? ' small' : '';
  if (user?.is_bot === true) {
    return (
      <span class={`avatar${size}`} style={{ background: user.colour }} aria-hidden="true">
        <BotFace />
      </span>
    );
  }
  return (
    <span
      class={`avatar${size}`}
      style={{ background: user?.colour ?? '#8d8d8d' }}
      aria-hidden="true"
    >
      {user?.initials ?? '?'}
    </span>
  );
}

function BotFace() {
  return (
    <svg viewBox="0 0 20 20" fill="none" stroke="#fff" stroke-width="1.6" stroke-linejoin="round">
      <path d="M10 3.2 16.4 6.6v6.8L10 16.8 3.6 13.4V6.6z" />
      <path d="M3.8 6.7 10 10l6.2-3.3M10 10v6.6" />
    </svg>
  );
}
