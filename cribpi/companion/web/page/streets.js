// The streets of a board, which pegs pass in turn.

/** Holes in a street. */
export const STREET = 30;

/** Skunk lines of a game to 121: losers who have not passed the first are skunked; the second, doubly. */
export const SKUNK = 3 * STREET, DOUBLE_SKUNK = 2 * STREET;

/** Return whether `hole` is the last of its street. @param {number} hole */
export const endsStreet = (hole) => hole % STREET === 0;

/** @type {(limit: number) => number[]} Last holes of the streets before `limit`, without the game hole. */
export const streetEnds = (limit) => [STREET, DOUBLE_SKUNK, SKUNK].filter((hole) => hole < limit);
