// Decides when a server that ended by itself is started again: later each time, then not at all.

const FIRST_PAUSE = 1000;
const LIMIT = 5;
const WINDOW = 3 * 60_000;

export class Crashes {
  readonly #now: () => number;
  #times: number[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts a crash; returns the milliseconds to wait, or undefined to give up. */
  count(): number | undefined {
    const now = this.#now();
    this.#times = [...this.#times.filter((time) => now - time < WINDOW), now];
    if (this.#times.length >= LIMIT) {
      return undefined;
    }
    return FIRST_PAUSE * 2 ** (this.#times.length - 1);
  }

  /** Forgets all: the user has asked for a start. */
  forget(): void {
    this.#times = [];
  }
}
