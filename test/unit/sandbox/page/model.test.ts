import { describe, expect, it } from 'vitest';
import type { PageMessage } from '../../../../src/sandbox/slack/page-protocol.ts';
import {
  initialModel,
  isInChannel,
  isInThread,
  reduce,
  type Change,
  type Model,
} from '../../../../src/sandbox/slack/page/model.ts';
import { sampleBoot, sampleMessage } from './sample-workspace.ts';

const start = (): Model => initialModel(sampleBoot(), { type: 'channel', id: 'C1' });

const after = (...changes: readonly Change[]): Model => changes.reduce(reduce, start());

const arrived = (message: PageMessage): Change => ({
  type: 'event',
  event: { type: 'message', message },
});

describe('messages', () => {
  it('are in the order of their time stamps, each once, in whichever order they come', () => {
    const model = after(
      arrived(sampleMessage('3.0')),
      { type: 'loaded', channel: 'C1', messages: [sampleMessage('1.0'), sampleMessage('3.0')] },
      arrived(sampleMessage('2.0')),
    );
    expect(model.messages['C1']?.map(({ ts }) => ts)).toEqual(['1.0', '2.0', '3.0']);
  });

  it('are replaced by an edit and gone after a deletion, with their open thread', () => {
    const edited = sampleMessage('1.0', { text: 'other words', edited: true });
    const model = after(
      arrived(sampleMessage('1.0')),
      { type: 'thread', thread: { channel: 'C1', ts: '1.0' } },
      { type: 'event', event: { type: 'message_changed', message: edited } },
    );
    expect(model.messages['C1']).toEqual([edited]);

    const gone = reduce(model, {
      type: 'event',
      event: { type: 'message_deleted', channel: 'C1', ts: '1.0' },
    });

    expect(gone.messages['C1']).toEqual([]);
    expect(gone.thread).toBeNull();
  });

  it('of a thread stay out of the channel unless they were sent to it as well', () => {
    const reply = sampleMessage('2.0', { thread_ts: '1.0' });
    expect(isInChannel(reply)).toBe(false);
    expect(isInChannel({ ...reply, broadcast: true })).toBe(true);
    expect(isInChannel(sampleMessage('1.0', { thread_ts: '1.0' }))).toBe(true);
    expect(isInThread(reply, '1.0')).toBe(true);
    expect(isInThread(sampleMessage('3.0'), '1.0')).toBe(false);
  });
});

describe('unread marks', () => {
  it('count messages of other channels and turn into the line "New" when the channel is opened', () => {
    const elsewhere = after(
      arrived(sampleMessage('1.0', { channel: 'C2' })),
      arrived(sampleMessage('2.0', { channel: 'C2' })),
    );
    expect(elsewhere.unread['C2']).toEqual(['1.0', '2.0']);

    const opened = reduce(elsewhere, { type: 'went', place: { type: 'channel', id: 'C2' } });

    expect(opened.unread['C2']).toBeUndefined();
    expect(opened.newFrom['C2']).toBe('1.0');

    const back = reduce(opened, { type: 'went', place: { type: 'channel', id: 'C1' } });

    expect(back.newFrom['C2']).toBeUndefined();
  });

  it('ignore the shown channel, own words and replies in threads', () => {
    const model = after(
      arrived(sampleMessage('1.0')),
      arrived(sampleMessage('2.0', { channel: 'C2', user: 'U1' })),
      arrived(sampleMessage('3.0', { channel: 'C2', thread_ts: '1.0' })),
    );
    expect(model.unread).toEqual({});
  });
});
