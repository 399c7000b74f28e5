/** One thing that the doctor looked at. Plain text, no secret, no amount, no person. */
export interface Finding {
  /** What was looked at: "Org acme, deployments", "#deployments", "SLACK_BOT_TOKEN". */
  readonly what: string;
  /** `broken`: something does not work. `doubtful`: it works, and may not for long or not as meant. `off`: not configured. */
  readonly state: 'well' | 'doubtful' | 'broken' | 'off';
  /** One sentence without its end: what is so. */
  readonly says: string;
  /** What to do, as a sentence without its end; there whenever something is broken or doubtful. */
  readonly fix?: string;
}

/** How long a check may take, in milliseconds. */
export const PATIENCE_MS = 10_000;

/** A group of things that are looked at together. */
export interface Check {
  /** The heading of its findings: "Slack", "Billing". */
  readonly area: string;
  /**
   * @param signal aborted after `PATIENCE_MS`; what is known by then has a second to be said
   * @throws nothing that it can make a finding of; what it throws is reported as broken, by the sentence of `explain`
   */
  look(signal: AbortSignal): Promise<readonly Finding[]>;
}
