/** The buttons of a card. Their value is the place, `org/gvc[/workload]`: neither a secret nor a right. */
export const CARD_ACTIONS = {
  details: 'deployments.details',
  muteOneHour: 'deployments.mute.1h',
  muteEightHours: 'deployments.mute.8h',
  unwatch: 'deployments.unwatch',
} as const;
