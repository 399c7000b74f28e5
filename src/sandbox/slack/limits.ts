/**
 * Slack's documented limits of messages and Block Kit, as data. Lengths are characters, counts are
 * elements. See https://docs.slack.dev/reference/block-kit and the page of each block.
 */
export const LIMITS = {
  blocks: { message: 50, modal: 100, home: 100 },
  message: {
    /** Longer text of a new message is cut, with the warning `message_truncated`. */
    text: 40_000,
    /** Longer text of an edit is refused. */
    updateText: 4_000,
    /** Text over all blocks of a message, tables apart. */
    blockText: 13_200,
    tables: 1,
    tableText: 10_000,
    dataTableText: 20_000,
    charts: 2,
  },
  id: 255,
  textObject: 3_000,
  section: { fields: 10, fieldText: 2_000 },
  header: 150,
  image: { altText: 2_000, title: 2_000, url: 3_000 },
  context: 10,
  actions: 25,
  button: { text: 75, value: 2_000, url: 3_000, accessibilityLabel: 75 },
  confirm: { title: 100, text: 300, button: 30 },
  option: { text: 75, description: 75, value: 150, url: 3_000 },
  select: { options: 100, groups: 100, groupLabel: 75 },
  checkboxes: 10,
  overflow: 5,
  placeholder: 150,
  input: { label: 2_000, hint: 2_000, length: 3_000 },
  fileInput: 10,
  fileAltText: 1_000,
  table: { rows: 100, columns: 20 },
  /** With the header. */
  dataTable: { minRows: 2, rows: 201, columns: 20, pageSize: 100 },
  chart: { title: 50, label: 20, axis: 50, series: 12, points: 20 },
  alert: 200,
  view: { title: 24, button: 24, privateMetadata: 3_000, stack: 3 },
  /** Milliseconds. */
  triggerLifetime: 3_000,
  /** Milliseconds the app has to answer a delivery. */
  answerTime: 3_000,
  responseUrl: { uses: 5, lifetime: 30 * 60_000 },
} as const;
