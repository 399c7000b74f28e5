/** Names of everything that the bot keeps in Redis (design section 8). */
export type Keys = ReturnType<typeof createKeys>;

/**
 * @param prefix REDIS_PREFIX; it becomes a hash tag, so that one deployment of the bot lives in one
 *   Cluster slot and scripts may touch several keys at once
 */
export function createKeys(prefix: string) {
  const key = (...parts: string[]): string => `{${prefix}}:${parts.join(':')}`;
  return {
    /** BullMQ's own keys. */
    queuePrefix: `{${prefix}}`,
    lock: (name: string) => key('lock', name),
    /** Hash: fingerprints and rollout states of one GVC. */
    rollouts: (org: string, gvc: string) => key('rollouts', `${org}/${gvc}`),
    /** String: when a GVC was last polled, and how that went. */
    pulse: (org: string, gvc: string) => key('pulse', `${org}/${gvc}`),
    /** Hash: watches made by command. */
    watches: key('watches'),
    /** Hash: what is muted, and until when. */
    mutes: key('mutes'),
    /** Hash: names of a channel's messages that a mute keeps back, with their place. */
    held: (channel: string) => key('held', channel),
    /** Set: channels with muted messages. */
    heldChannels: key('held-channels'),
    /** Hash: channels that Slack refuses, with what was told of it. */
    refusals: key('refusals'),
    /** Hash: outages of the platform that are open, and the numbers of those that were. */
    outages: key('outages'),
    /** Hash: one message to one channel, as wanted and as sent. */
    message: (channel: string, name: string) => key('card', channel, name),
    /** Sorted set: names of a channel's messages that differ from what Slack has, in order. */
    outbox: (channel: string) => key('outbox', channel),
    /** Set: channels whose outbox is not empty. */
    outboxChannels: key('outbox-channels'),
    /** Counter: the order of the outbox. */
    outboxSequence: key('outbox-sequence'),
    /** Sorted set: records whose content Slack has, by when it is dropped (ms since the epoch). */
    sentContents: key('sent-contents'),
    /** Sorted set: messages whose edit is tried again, as `[channel, key]`, by when (ms since the epoch). */
    laterEdits: key('later-edits'),
    /** Hash: which run of Redis the bot has seen last, and when (ms by Slack's clock). */
    redisRun: key('redis-run'),
    /** String with TTL: Redis has come back, so first posts are looked for, from when on. */
    lookBack: key('look-back'),
    /** String with TTL: place of the last post to a channel, in the order of the outbox. */
    lastPost: (channel: string) => key('last-post', channel),
    /** Hash: how often there was a message that the bot numbers by itself, by its name. */
    numbers: key('numbers'),
    /** String with TTL: a channel has to wait with this kind of call. */
    channelBackoff: (channel: string, call: 'post' | 'edit') =>
      key('hold', call === 'post' ? channel : `${channel}:edits`),
    /** String with TTL: a process with workers that take jobs has reported lately. */
    heartbeat: key('beat'),
    /** String with TTL: a delivery of Slack's that was seen. */
    seen: (id: string) => key('seen', id),
    /** String with TTL: an answer that may still be shared, or come back to its place. */
    answer: (id: string) => key('answer', id),
    /** String with TTL: what a button of a person stands for. */
    kept: (id: string) => key('kept', id),
    /** String with TTL: something that is told once a day was told on that day. */
    today: (day: string, name: string) => key('today', day, name),
    /** Hash: a request for a change, its version, and who wrote it last. */
    change: (id: string) => key('change', id),
    /** Sorted set: ids of all changes, by the time of the request. */
    changes: key('changes'),
    /** Sorted set: ids of changes for which something is to be done, by when (ms since the epoch). */
    changesDue: key('changes-due'),
    /** Hash: what is ordered by open changes -> the id of the change. */
    changesOpen: key('changes-open'),
    /** Hash with TTL: who was refused on a day to ask for what kind of change, and why, as the audit says. */
    changesRefused: (day: string) => key('changes-refused', day),
    /** Stream: what happened to changes, for 400 days. */
    audit: key('audit'),
    /** Stream: the same of one change. */
    auditOf: (id: string) => key('audit', id),
    /** String with TTL: a secret of the platform's, encrypted, until it is revealed. */
    secret: (id: string) => key('secret', id),
  };
}
