/** A cause that people know under a name. */
interface KnownCause {
  pattern: RegExp;
  /** What people call it; the platform's own words are quoted beside it. */
  words: string;
  /** It does not pass by itself: somebody has to do something before the rollout goes on. */
  fatal?: true;
}

/** The usual causes; the first that fits counts. */
const CAUSES: readonly KnownCause[] = [
  { pattern: /OOMKilled|out of memory|exceeded its memory limit/i, words: 'out of memory' },
  { pattern: /exec format error/i, words: 'the image is built for another kind of processor' },
  { pattern: /liveness probe failed/i, words: 'the liveness check fails' },
  { pattern: /startup probe failed/i, words: 'the start-up check fails' },
  { pattern: /probe failed/i, words: 'the readiness check fails' },
  {
    // "Pulling image" alone is what every start says.
    pattern:
      /ErrImage|ImagePull|\b(failed|failure|error|cannot|could not|unable)( to| in| while)? pull(ing)?\b|back-?off pulling|\bnot be pulled\b|image pull (failed|denied)|pull access denied|\bimage "[^"]{1,200}" not found|invalid ?image|manifest unknown/i,
    words: 'the image cannot be pulled',
    fatal: true,
  },
  {
    pattern:
      /\bsecrets?\b[^;:]{1,200}\b(no longer exists?|not found|(is|are) missing|do(es)? not exist)|\bmissing secrets?\b/i,
    words: 'a secret is missing',
    fatal: true,
  },
  {
    pattern:
      /\bexceed(s|ed|ing) quota|\bquotas?\b[^;:]{1,80}\b(exceeded|reached|used up|exhausted)/i,
    words: 'a quota is used up',
    fatal: true,
  },
  {
    pattern: /CreateContainerConfigError|CreateContainerError/,
    words: 'a setting of a container is wrong',
  },
  {
    pattern: /executable file not found|no such file or directory/i,
    words: 'the command of a container is not in its image',
  },
  {
    pattern: /CrashLoop|back-?off\b.*\brestarting|\brestart(s|ed)\b|\b1 restart\b/i,
    words: 'a container keeps stopping',
  },
  {
    pattern: /unschedulable|insufficient (cpu|memory)|nodes are available/i,
    words: 'there is no room for its replicas',
  },
  {
    pattern: /FailedMount|FailedAttachVolume|unable to (attach|mount)/i,
    words: 'a volume cannot be mounted',
  },
  {
    pattern: /not converging|did not converge/i,
    words: 'the location is not converging on the expected version',
  },
  {
    pattern: /deadline exceeded|ProgressDeadlineExceeded/i,
    words: 'it did not come up in the time allowed',
  },
];

/** A cause in plain words, '' for one that has none. */
export function plainCause(cause: string): string {
  return CAUSES.find(({ pattern }) => pattern.test(cause))?.words ?? '';
}

/** Whether a rollout cannot go on by itself: see `blocked` in design section 4. */
export function isFatal(cause: string): boolean {
  return CAUSES.find(({ pattern }) => pattern.test(cause))?.fatal === true;
}
