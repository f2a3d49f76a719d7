// The room for what is said: when it does not suffice, letters become smaller, and only then does it grow.

const STEPS = 3; // the last one lets the place be as high as its words: see style.css

export class Room {
  /**
   * @param {HTMLElement} place has a height of its own, and is fitted whenever its words or its width change
   */
  constructor(place) {
    this.place = place;
    this.width = NaN; // none was seen yet
    new MutationObserver(() => this.fit()).observe(place, {
      subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"],
    });
    new ResizeObserver(() => {
      const width = place.clientWidth;
      if (width !== this.width) this.fit();
      this.width = width;
    }).observe(place);
  }

  /** All words are seen: from the largest letters on, the first step in which they are whole. */
  fit() {
    const { place } = this;
    for (let step = 0; step <= STEPS; step += 1) {
      place.dataset.fit = String(step);
      if (place.scrollHeight <= place.clientHeight) return;
    }
  }
}
