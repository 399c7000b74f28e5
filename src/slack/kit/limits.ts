/**
 * Slack's limits in characters or counts, from docs.slack.dev/reference/block-kit.
 * Lengths count after escaping, so builders cut below them.
 */
export const LIMITS = {
  messageBlocks: 50,
  viewBlocks: 100,
  /** Advised length of the top-level text; Slack cuts at 40,000. */
  messageText: 4_000,
  sectionText: 3_000,
  sectionFields: 10,
  fieldText: 2_000,
  headerText: 150,
  contextElements: 10,
  actionsElements: 25,
  buttonText: 75,
  buttonValue: 2_000,
  modalTitle: 24,
  tableRows: 100,
  tableColumns: 20,
  /** All cells of a table. Slack takes 10,000, and a whole message of about 13,200. */
  tableCharacters: 6_000,
} as const;
