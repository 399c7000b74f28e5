/** Actions of the buttons on cards and in direct messages; their value is the id of the change. */
export const REVIEW_ACTION = 'changes.review';
export const WITHDRAW_ACTION = 'changes.withdraw';
export const REVEAL_ACTION = 'changes.reveal';
