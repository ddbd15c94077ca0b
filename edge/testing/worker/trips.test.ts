import { expect, test } from 'vitest';
import { Trips } from './trips.ts';

/** A trip that ends when it is told to. */
function begin(trips: Trips): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const trip = trips.make(() => promise);
  return () => {
    resolve();
    return trip;
  };
}

test('trips that wait for each other count each', async () => {
  const trips = new Trips();
  for (let n = 0; n < 3; n += 1) await begin(trips)();
  expect(trips.inSequence()).toBe(3);
});

test('trips side by side count once', async () => {
  const trips = new Trips();
  await Promise.all([begin(trips), begin(trips), begin(trips)].map((end) => end()));
  expect(trips.inSequence()).toBe(1);
});

test('a long trip beside two short ones, which wait for each other, adds none', async () => {
  const trips = new Trips();
  const endLong = begin(trips);
  await begin(trips)();
  await begin(trips)();
  await endLong();
  expect(trips.inSequence()).toBe(2);
});

test('a trip counts if it fails, and not while it is under way', async () => {
  const trips = new Trips();
  await expect(trips.make(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  begin(trips);
  expect(trips.inSequence()).toBe(1);
});

test('what was before a restart is forgotten', async () => {
  const trips = new Trips();
  await begin(trips)();
  trips.restart();
  expect(trips.inSequence()).toBe(0);
});
