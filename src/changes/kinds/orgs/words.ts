/** The cards are one way to pay among others (spec 2.2, 2.8): the platform decides whether there is one. */
export const NO_CARD =
  '⚠ The account has no card: unless it pays in another way, the platform refuses a new org.';
