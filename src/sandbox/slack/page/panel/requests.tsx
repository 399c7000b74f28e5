import { useEffect, useState } from 'preact/hooks';

import type { Control, Traffic } from './control.ts';

const REREAD_MS = 2_000;
const SHOWN = 60;

/** The traffic between the bot and the stand-ins, as it happens. */
export function Requests({ control }: { control: Control }) {
  const [open, setOpen] = useState(false);
  return (
    <section>
      <button
        type="button"
        class="button small"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        Requests
      </button>
      {open && <Log control={control} />}
    </section>
  );
}

function Log({ control }: { control: Control }) {
  const [traffic, setTraffic] = useState<readonly Traffic[]>([]);
  useEffect(() => {
    const read = (): void => void control.traffic().then(setTraffic, () => undefined);
    read();
    const timer = window.setInterval(read, REREAD_MS);
    return () => window.clearInterval(timer);
  }, [control]);
  return (
    <>
      <p class="muted">
        Newest first; the same calls are counted. Tokens and signatures are hidden.
      </p>
      <ul class="requests" aria-label="Requests">
        {counted(traffic)
          .slice(0, SHOWN)
          .map(({ at, way, what, answer, times }) => (
            <li key={`${way} ${what} ${answer}`}>
              <small>
                {new Date(at).toISOString().slice(11, 19)} {way} <b>{answer}</b>
                {times > 1 && ` × ${times}`}
              </small>
              <code>{what}</code>
            </li>
          ))}
      </ul>
    </>
  );
}

/** Each call once, at the place of its newest repeat: polls would leave no room for anything else. */
function counted(traffic: readonly Traffic[]): (Traffic & { readonly times: number })[] {
  const calls = new Map<string, Traffic & { readonly times: number }>();
  for (const one of traffic) {
    const key = `${one.way} ${one.what} ${one.answer}`;
    const first = calls.get(key) ?? { ...one, times: 0 };
    calls.set(key, { ...first, times: first.times + 1 });
  }
  return [...calls.values()];
}
