// What a browser keeps from one visit to the next; one that keeps nothing goes on without.

/** @param {string} key @returns {string | null} null where nothing is kept. */
export function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * What is kept of fields, and the usual ones for the rest.
 * @template {object} T
 * @param {string} key
 * @param {T} usual
 * @returns {T}
 */
export function storedFields(key, usual) {
  try {
    return { ...usual, ...JSON.parse(stored(key) ?? "{}") };
  } catch {
    return usual;
  }
}

/** @param {string} key @param {string | null} text null forgets it. */
export function store(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // it holds for this visit
  }
}
