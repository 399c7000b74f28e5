/** A step of the demo: after `atMs` milliseconds, a call of the platform's control API. */
interface Step {
  atMs: number;
  path: string;
  body: object;
}

const SHOP = { org: 'acme', gvc: 'shop' };

/** What happens by itself in the first minutes, so that the channel lives. */
const STORY: readonly Step[] = [
  {
    atMs: 4_000,
    path: 'rollout',
    body: { ...SHOP, workload: 'web', outcome: 'ready', seconds: 25 },
  },
  {
    atMs: 45_000,
    path: 'rollout',
    body: { ...SHOP, workload: 'payments', outcome: 'oom', seconds: 25 },
  },
];

/** Plays the story once; a step that fails is reported and the next one still comes. */
export function playStory(
  platformUrl: string,
  signal: AbortSignal,
  report: (problem: string) => void,
): void {
  for (const { atMs, path, body } of STORY) {
    const timer = setTimeout(() => {
      fetch(`${platformUrl}/_sandbox/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      }).catch((error: unknown) => report(`the demo's ${path} failed: ${String(error)}`));
    }, atMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }
}
