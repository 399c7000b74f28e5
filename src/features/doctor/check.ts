import type { Config } from '../../config/config.ts';
import type { Services } from '../../services.ts';

/** One thing that the doctor looked at. Plain text, no secret, no amount, no person. */
export interface Finding {
  /** What was looked at: "Org acme, deployments", "#deployments", "SLACK_BOT_TOKEN". */
  readonly what: string;
  /** `broken`: something does not work. `doubtful`: it works, and may not for long or not as meant. `off`: not configured. */
  readonly state: 'well' | 'doubtful' | 'broken' | 'off';
  /** One sentence without its end: what is wrong, or what is well. */
  readonly says: string;
  /**
   * What to do, as an order without its end, with commands between backticks; there whenever something is
   * broken or doubtful.
   */
  readonly fix?: string;
}

/** How long a check may take, in milliseconds. */
export const CHECK_TIMEOUT_MS = 10_000;

/** A fix for what may be over soon. */
export const RUN_AGAIN = 'run `/purser doctor` again in a minute';

/** Things that are looked at together: a file with its judgement, and a line in the list of `doctor.ts`. */
export interface Check {
  /** The heading of its findings: "Slack", "Billing". */
  readonly area: string;
  /**
   * @param signal aborted after `CHECK_TIMEOUT_MS`; what is known by then can be returned within a second
   * @throws when nothing is known; the doctor reports it as broken, an error of the platform in its own words
   */
  run(signal: AbortSignal): Promise<readonly Finding[]>;
}

/** The services that a check needs, and the parts of the configuration. */
export type CheckServices<Service extends keyof Services, Part extends keyof Config> = Pick<
  Services,
  Service
> & { readonly config: Pick<Config, Part> };

const trouble =
  (state: 'doubtful' | 'broken') =>
  (what: string, says: string, fix: string): Finding => ({ what, state, says, fix });

export const doubtful = trouble('doubtful');
export const broken = trouble('broken');

export function well(what: string, says: string): Finding {
  return { what, state: 'well', says };
}

export function off(what: string, says: string, fix?: string): Finding {
  return { what, state: 'off', says, ...(fix !== undefined && { fix }) };
}

/** Without what is not there: what is well is often no finding. */
export function compact(findings: readonly (Finding | false | undefined)[]): Finding[] {
  return findings.filter((finding) => finding !== undefined && finding !== false);
}

/**
 * "a, b and c"; of more than `max` the rest is counted: "a, b and 3 more". Names with a comma are set
 * apart by semicolons.
 */
export function listed(names: readonly string[], max = names.length): string {
  const shown = names.slice(0, max);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  const separator = names.some((name) => name.includes(',')) ? '; ' : ', ';
  return shown.length === 0 ? (last ?? '') : `${shown.join(separator)} and ${last}`;
}
