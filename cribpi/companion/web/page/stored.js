// Browser storage. Everything works without it.

/** @param {string} key @returns {string | null} Null if missing. */
export function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Return the stored fields, with defaults for the rest.
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

/** @param {string} key @param {string | null} text null deletes it */
export function store(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // kept for this visit
  }
}
