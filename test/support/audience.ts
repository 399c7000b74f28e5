import type { Audience, Audiences, Guests } from '../../src/slack/audience.ts';

/** Of a channel that only the company reads. */
export const COMPANY: Audience = {
  kind: 'channel',
  isShared: false,
  isArchived: false,
  isPrivate: false,
  isMember: true,
};

/** Every channel has these readers. */
export const readBy = (audience: Partial<Audience> = {}, guests: Guests = 0): Audiences => ({
  audienceOf: async () => ({ audience: { ...COMPANY, ...audience } }),
  guestsIn: async () => guests,
});
