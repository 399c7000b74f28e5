/**
 * The JSON API between the stand-in workspace and its web page. Types only: both halves import this
 * file and nothing else of each other.
 *
 * Every request is same-origin. A POST carries JSON and is answered `200` with `Accepted` or
 * `Refused` (or with the answer named below); what it causes arrives over the event stream.
 *
 *   GET  /page/bootstrap?user=U               -> Bootstrap (with `fresh=1` without the modals of before)
 *   GET  /page/events?user=U                  -> text/event-stream, each `data:` line a PageEvent
 *   GET  /page/messages?user=U&channel=C      -> MessageList (oldest first, without thread replies)
 *   GET  /page/thread?user=U&channel=C&ts=TS  -> MessageList (the parent first)
 *   POST /page/command       CommandRequest
 *   POST /page/message       MessageRequest
 *   POST /page/action        ActionRequest
 *   POST /page/view/submit   ViewSubmitRequest -> ViewSubmitAnswer
 *   POST /page/view/close    ViewCloseRequest
 *   POST /page/home          HomeRequest
 *   POST /page/upload?user=U&name=report.csv  (the raw bytes as body) -> UploadAnswer
 *   ANY  /page/platform/*    passed to the stand-in platform's `/_sandbox/*`
 */

/** A Block Kit object as the bot sent it (block, element, option, text object). */
interface BlockKitObject {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface PageUser {
  readonly id: string;
  readonly name: string;
  readonly real_name: string;
  /** Absent for people without a visible address, and for bots. */
  readonly email?: string;
  readonly initials: string;
  /** CSS colour of the avatar, `#rrggbb`. */
  readonly colour: string;
  readonly is_bot: boolean;
  /** A guest of this workspace. */
  readonly is_restricted: boolean;
  /** A member of another workspace, seen through a shared channel. */
  readonly is_stranger: boolean;
  readonly deleted: boolean;
}

export interface PageChannel {
  readonly id: string;
  /** Without `#`; for a direct message the name of the other side. */
  readonly name: string;
  readonly kind: 'public' | 'private' | 'dm';
  readonly topic: string;
  /** The bot can post here. */
  readonly bot_is_member: boolean;
  /** For `dm`: the other side. The direct message with the bot is the app's Messages tab. */
  readonly with_user?: string;
}

export interface PageCommand {
  /** With the slash. */
  readonly command: string;
  readonly description: string;
  /** May be empty. */
  readonly usage_hint: string;
}

interface PageUsergroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
}

export interface Bootstrap {
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  /** The person that the page acts as. */
  readonly user: string;
  readonly app: {
    readonly id: string;
    readonly name: string;
    readonly bot_user: string;
    readonly home_tab: boolean;
    readonly messages_tab: boolean;
  };
  /** Everyone, the bot and deactivated people included. `can_act_as` lists the people in the switch. */
  readonly users: readonly PageUser[];
  readonly can_act_as: readonly string[];
  /** The state that this person sees. */
  readonly channels: readonly PageChannel[];
  readonly usergroups: readonly PageUsergroup[];
  readonly commands: readonly PageCommand[];
  /** The modals this person has open, lowest first, and the published home tab. */
  readonly views: readonly PageView[];
  readonly home: PageView | null;
  /** Channel -> messages since this person read it. */
  readonly unread: Readonly<Record<string, readonly string[]>>;
  /** The platform panel has something to talk to. */
  readonly platform: boolean;
  /** The page belongs to the demo, and can restart its processes. */
  readonly demo: { readonly redis_stays: string | null } | null;
  /** How far the workspace's clock is ahead of the machine's. */
  readonly ahead_ms: number;
}

export interface PageFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** The content of a picture. */
  readonly alt_text?: string;
  readonly mimetype: string;
  /** Bytes. */
  readonly size: number;
  /** Same-origin, opens without a token. */
  readonly url: string;
}

export interface PageMessage {
  readonly channel: string;
  /** Slack's time stamp: seconds since the epoch with six decimals; the message's id in its channel. */
  readonly ts: string;
  /** Author; the bot's user id for messages of the app. */
  readonly user: string;
  readonly text: string;
  /** Empty: show `text`. */
  readonly blocks: readonly BlockKitObject[];
  readonly files: readonly PageFile[];
  /** Absent outside threads; equal to `ts` on the parent of a thread. */
  readonly thread_ts?: string;
  /** On the parent of a thread. */
  readonly reply_count?: number;
  readonly reply_users?: readonly string[];
  readonly latest_reply?: string;
  /** A thread reply that is shown in the channel as well. */
  readonly broadcast: boolean;
  /** The text was edited (a change of blocks alone leaves no mark, as in Slack). */
  readonly edited: boolean;
  /** Only this person sees it; `ts` is its id, it is never in MessageList after a reload. */
  readonly ephemeral: boolean;
  /** A line of Slack itself (a failed command): no author to show. */
  readonly system: boolean;
}

export interface MessageList {
  readonly messages: readonly PageMessage[];
}

export interface PageView {
  readonly id: string;
  readonly type: 'modal' | 'home';
  /** Plain text; empty for a home tab. */
  readonly title: string;
  /** Label of the submit button; absent: no such button. */
  readonly submit?: string;
  readonly close?: string;
  readonly callback_id: string;
  readonly hash: string;
  readonly blocks: readonly BlockKitObject[];
  readonly clear_on_close: boolean;
}

export type PageEvent =
  | { readonly type: 'message'; readonly message: PageMessage }
  | { readonly type: 'message_changed'; readonly message: PageMessage }
  | { readonly type: 'message_deleted'; readonly channel: string; readonly ts: string }
  /** The whole stack after the change, lowest first; empty when the last modal has closed. */
  | {
      readonly type: 'views';
      readonly cause: 'opened' | 'pushed' | 'updated' | 'closed';
      readonly view_id: string;
      readonly stack: readonly PageView[];
    }
  | { readonly type: 'home'; readonly view: PageView }
  /** Field errors of a submission, keyed by block_id (the submit request answers the same). */
  | {
      readonly type: 'view_errors';
      readonly view_id: string;
      readonly errors: Readonly<Record<string, string>>;
    }
  /** Something failed; only this person sees it. With a channel: a line there, else a toast. */
  | { readonly type: 'failure'; readonly text: string; readonly channel?: string }
  | { readonly type: 'clock'; readonly ahead_ms: number }
  /** The channel list of this person changed (the bot joined or left): read bootstrap again. */
  | { readonly type: 'channels_changed' };

export interface CommandRequest {
  readonly user: string;
  readonly channel: string;
  /** As typed, e.g. `/deployments shop in #ops`. */
  readonly text: string;
}

export interface MessageRequest {
  readonly user: string;
  readonly channel: string;
  readonly text: string;
  readonly thread_ts?: string;
}

export type Container =
  | { readonly type: 'message'; readonly channel: string; readonly ts: string }
  | { readonly type: 'ephemeral'; readonly channel: string; readonly ts: string }
  | { readonly type: 'view'; readonly view_id: string };

/** Slack's `option` object as the bot sent it, or as an options answer gave it. */
export interface OptionObject {
  readonly text: BlockKitObject;
  readonly value?: string;
  readonly [key: string]: unknown;
}

/**
 * The value of an element in Slack's own shape (`state.values[block_id][action_id]`). Send the members
 * of the element's kind: `value` (button, text, number, e-mail inputs), `selected_option` (select,
 * overflow), `selected_options` (multi select, checkboxes), `selected_date`, `files` (from UploadAnswer).
 */
export interface ElementState {
  readonly type: string;
  readonly value?: string | null;
  readonly selected_option?: OptionObject | null;
  readonly selected_options?: readonly OptionObject[];
  readonly selected_date?: string | null;
  readonly files?: readonly PageFile[];
}

/** block_id -> action_id -> what the element holds. Blocks without a block_id get one from the server. */
export type StateValues = Readonly<Record<string, Readonly<Record<string, ElementState>>>>;

export interface ActionRequest {
  readonly user: string;
  readonly container: Container;
  readonly block_id: string;
  readonly action_id: string;
  readonly element: ElementState;
  /** The values of all inputs of the message or view. */
  readonly state?: StateValues;
}

export interface ViewSubmitRequest {
  readonly user: string;
  readonly view_id: string;
  readonly values: StateValues;
}

/** Answered when the bot has answered (3 s at most). Without errors the stack arrives as an event. */
export type ViewSubmitAnswer =
  { readonly ok: true; readonly errors?: Readonly<Record<string, string>> } | Refused;

export interface ViewCloseRequest {
  readonly user: string;
  readonly view_id: string;
  /** The X of the dialog closes the whole stack, the close button only the top. */
  readonly clear: boolean;
}

export interface HomeRequest {
  readonly user: string;
  /** Absent: `home`. */
  readonly tab?: 'home' | 'messages';
}

export type UploadAnswer = { readonly ok: true; readonly file: PageFile } | Refused;

export interface Accepted {
  readonly ok: true;
}

export interface Refused {
  readonly ok: false;
  /** A sentence or a Slack error code. */
  readonly error: string;
}
