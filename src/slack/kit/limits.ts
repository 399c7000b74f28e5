/**
 * Slack's limits in characters or counts, from docs.slack.dev/reference/block-kit.
 * Lengths count after escaping, so builders cut below them.
 */
export const LIMITS = {
  /** Of a private answer with its buttons; what is longer is cut, so the views keep below this. */
  messageBlocks: 50,
  /** All texts of a message: about 13,200 were seen to be too many. */
  messageCharacters: 13_000,
  modalBlocks: 100,
  homeBlocks: 100,
  /** Title, submit and close of a modal. */
  modalTitle: 24,
  privateMetadata: 3_000,
  /** Advised length of the top-level text; Slack cuts at 40,000. */
  messageText: 4_000,
  headerText: 150,
  sectionText: 3_000,
  fieldText: 2_000,
  contextElements: 10,
  /** Of a list in rich text. Slack names none: as much as two sections hold. */
  richText: 6_000,
  actionsElements: 25,
  buttonText: 75,
  buttonUrl: 3_000,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  /** Of an input: its label and its hint. */
  label: 2_000,
  placeholder: 150,
  inputText: 3_000,
  optionText: 75,
  /** Slack's types say 75, its pages 150. */
  optionValue: 75,
  optionDescription: 75,
  checkboxes: 10,
  radios: 10,
  /** Options of a select, and of each group of one. */
  options: 100,
  optionGroups: 100,
  /** All options of a select, in bytes as sent: Slack takes about 250 KB for a whole view. */
  optionsBytes: 60_000,
  /** All options of a menu in a message, in characters, because they count among its texts. */
  menuCharacters: 3_000,
  tableRows: 100,
  /** All cells of a table. Slack takes 10,000, and a whole message of about 13,200. */
  tableCharacters: 6_000,
} as const;
