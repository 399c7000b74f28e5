/** A file for one person. */
export interface Upload {
  userId: string;
  /** With its extension. */
  filename: string;
  title: string;
  /** The words above the file. */
  comment: string;
  content: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** What a picture shows, for those who cannot see it. */
  altText?: string;
}

/**
 * Puts a file into the person's messages with the bot and gives its address there, if Slack says one.
 * A private answer cannot hold a file, and a file without a place could be read by nobody.
 * @throws Refusal when Slack does not take it; the content's own errors
 */
export type SendFile = (upload: Upload) => Promise<string | undefined>;
