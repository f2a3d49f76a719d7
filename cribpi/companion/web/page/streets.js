// The streets of a board: a peg goes along one, and then along the next.

/** Holes in a street. */
export const STREET = 30;

/** Of a game to 121: a loser who has not passed the first is skunked, and by the second doubly. */
export const SKUNK = 3 * STREET, DOUBLE_SKUNK = 2 * STREET;

/** @param {number} hole Whether it is the last of its street. */
export const endsStreet = (hole) => hole % STREET === 0;

/** @type {(limit: number) => number[]} The last hole of each street but that of the game hole, where it comes before `limit`. */
export const streetEnds = (limit) => [STREET, DOUBLE_SKUNK, SKUNK].filter((hole) => hole < limit);
