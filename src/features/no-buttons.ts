/** Said where an answer could not be kept, and so has no buttons. */
export const NO_BUTTONS = 'The buttons are missing just now: run the command again in a minute';
