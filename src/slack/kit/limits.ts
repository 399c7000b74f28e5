/**
 * Slack's limits in characters or counts, from docs.slack.dev/reference/block-kit.
 * Lengths count after escaping, so builders cut below them.
 */
export const LIMITS = {
  /** No builder sees a whole message, so the views keep below this and their tests say so. */
  messageBlocks: 50,
  /** Advised length of the top-level text; Slack cuts at 40,000. */
  messageText: 4_000,
  sectionText: 3_000,
  fieldText: 2_000,
  contextElements: 10,
  actionsElements: 25,
  buttonText: 75,
  tableRows: 100,
  /** All cells of a table. Slack takes 10,000, and a whole message of about 13,200. */
  tableCharacters: 6_000,
} as const;
