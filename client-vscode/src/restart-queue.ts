// Runs one job at a time, and remembers at most one more: restarts that come in a row become one.

export class RestartQueue {
  readonly #job: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(job: () => Promise<void>) {
    this.#job = job;
  }

  /** Whether a job runs. */
  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves once a job is done that began after this call; what a job throws is thrown. */
  request(): Promise<void> {
    if (this.#running === undefined) {
      return this.#begin();
    }
    // Whatever became of the running one, the next begins.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#begin();
      });
    return this.#next;
  }

  #begin(): Promise<void> {
    const run = this.#job().finally(() => {
      this.#running = undefined;
    });
    this.#running = run;
    return run;
  }
}
