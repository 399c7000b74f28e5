import type { Config } from '../../config/config.ts';
import type { Services } from '../../services.ts';

/** Plain text, without secrets, amounts or people. */
export interface Finding {
  /** The subject: "Org acme, deployments", "#deployments", "SLACK_BOT_TOKEN". */
  readonly what: string;
  /** `doubtful`: works, but may fail soon or differently than intended. `off`: not configured. */
  readonly state: 'well' | 'doubtful' | 'broken' | 'off';
  readonly says: string;
  /** An imperative without its full stop, commands in backticks. */
  readonly fix?: string | undefined;
}

/**
 * When each sentence applies, in the order of weight: `'! the problem → what to do': condition`. It begins with the
 * state: `!` broken, `?` doubtful, `-` off, `+` well. Broken and doubtful ones have a fix.
 */
export type Rules = Readonly<Record<string, unknown>>;

/** A row of the doctor's table (ADR 34). */
export interface Probe {
  readonly what: string;
  /** The first sentence that applies is the finding. */
  readonly wrong: Rules;
  /** Reported when no rule applies; false: nothing is. */
  readonly well: string | false | undefined;
}

export interface Check {
  /** The heading of its findings: "Slack", "Billing". */
  readonly area: string;
  /**
   * @param signal aborted after `CHECK_TIMEOUT_MS`; partial results can be returned within a second
   * @throws when nothing is known; reported as broken, a platform error in its own words
   */
  run(signal: AbortSignal): Promise<readonly Finding[]>;
}

/** Milliseconds. */
export const CHECK_TIMEOUT_MS = 10_000;

export const RUN_AGAIN = 'run `/purser doctor` again in a minute';

export type CheckServices<Service extends keyof Services, Part extends keyof Config> = Pick<
  Services,
  Service
> & { readonly config: Pick<Config, Part> };

/** @param call reads once what the probes need */
export function checkOf<Seen>(
  area: string,
  call: (signal: AbortSignal) => Promise<Seen>,
  probes: (seen: Seen) => readonly Probe[],
): Check {
  return { area, run: async (signal) => judge(probes(await call(signal))) };
}

const STATES = { '!': 'broken', '?': 'doubtful', '-': 'off', '+': 'well' } as const;
/** The fix follows the last arrow: it is ours, and the words before it may quote foreign text. */
const RULE = /^([!?+-]) (.*?)(?: → ((?:(?! → ).)*))?$/s;

export function probe(what: string, well: Probe['well'], wrong: Rules = {}): Probe {
  return { what, well, wrong };
}

export function judge(probes: readonly Probe[]): Finding[] {
  return probes.flatMap(({ what, wrong, well }): Finding[] => {
    const rule = Object.keys(wrong).find((one) => Boolean(wrong[one]));
    if (rule === undefined) return well ? [{ what, state: 'well', says: well }] : [];
    const [, sign, says = '', fix] = RULE.exec(rule) ?? [];
    const state = STATES[sign as keyof typeof STATES];
    return [{ what, state, says, ...(fix !== undefined && { fix }) }];
  });
}

export function isWell({ wrong }: Probe): boolean {
  return !Object.values(wrong).some(Boolean);
}

/** "a, b and c"; more than `max` are counted: "a, b and 3 more". Semicolons when a name has a comma. */
export function listed(names: readonly string[], max = names.length): string {
  const shown = names.slice(0, max);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  const separator = names.some((name) => name.includes(',')) ? '; ' : ', ';
  return shown.length === 0 ? (last ?? '') : `${shown.join(separator)} and ${last}`;
}
