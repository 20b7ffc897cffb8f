// Restarts: one at a time, at most one waiting, later after each crash, and an end to it.
import * as assert from "node:assert";
import { test } from "node:test";
import { Crashes } from "../src/crashes";
import { RestartQueue } from "../src/restart-queue";

/** A job whose runs end when told to. */
function held(): {
  job: () => Promise<void>;
  ends: (() => void)[];
  fails: ((error: Error) => void)[];
} {
  const ends: (() => void)[] = [];
  const fails: ((error: Error) => void)[] = [];
  const job = (): Promise<void> =>
    new Promise((resolve, reject) => {
      ends.push(resolve);
      fails.push(reject);
    });
  return { job, ends, fails };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("requests while one runs become one more run", async () => {
  const { job, ends } = held();
  const queue = new RestartQueue(job);
  const first = queue.request();
  const later = [queue.request(), queue.request(), queue.request()];
  await turn();
  assert.strictEqual(ends.length, 1);
  ends[0]?.();
  await first;
  await turn();
  assert.strictEqual(ends.length, 2);
  assert.ok(queue.busy);
  ends[1]?.();
  await Promise.all(later);
  await turn();
  assert.strictEqual(ends.length, 2);
  assert.ok(!queue.busy);
});

test("a request is done only when a run that began after it is", async () => {
  const { job, ends } = held();
  const queue = new RestartQueue(job);
  void queue.request();
  let done = false;
  const second = queue.request().then(() => (done = true));
  ends[0]?.();
  await turn();
  assert.ok(!done);
  ends[1]?.();
  await second;
  assert.ok(done);
});

test("a run that fails is told to those who asked for it, and the next begins", async () => {
  const { job, ends, fails } = held();
  const queue = new RestartQueue(job);
  const first = assert.rejects(queue.request(), /no use/);
  const second = queue.request();
  fails[0]?.(new Error("no use"));
  await first;
  await turn();
  ends[1]?.();
  await second;
});

test("pauses double, and the fifth crash within three minutes is the last", () => {
  const crashes = new Crashes(() => 0);
  assert.deepStrictEqual(
    [1, 2, 3, 4, 5].map(() => crashes.count()),
    [1000, 2000, 4000, 8000, undefined],
  );
});

test("crashes long past count no more, nor any after a start by hand", () => {
  let now = 0;
  const crashes = new Crashes(() => now);
  crashes.count();
  crashes.count();
  now = 180_001;
  assert.strictEqual(crashes.count(), 1000);
  crashes.count();
  crashes.forget();
  assert.strictEqual(crashes.count(), 1000);
});
