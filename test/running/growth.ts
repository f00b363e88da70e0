import { expect } from 'vitest'

/** Makes an input of a size, and returns the work on it. Only the work is measured. */
type SizedWork = (size: number) => () => unknown

/** Linear work takes twice as long on twice the input, quadratic work four times. */
const mostTimesAsLong = 3
/**
 * The sizes, as multiples, at which it is measured until the ratio is low enough, and how often. Where memory that a
 * process did not have before costs more than the work itself, it looks like growth at one size, and not at all of them.
 */
const rounds = [
  { times: 1, most: 4 },
  { times: 2, most: 2 },
  { times: 4, most: 2 },
]
/** Each size is measured at least this often in a round, and until both together took as long as `leastMs`. */
const leastRuns = 5
const leastMs = 20
/** Shorter times count as zero: a clock’s own steps would decide. */
const clockStepMs = 0.001

const realClock = () => performance.now()

/**
 * Expects that work takes less than three times as long on twice the input. Both sizes are measured in turn, and their
 * shortest times are compared, in which other programs of a busy machine had the smallest part. A ratio that is too high
 * is measured again, and with larger inputs: work that grows faster than its input has it every time.
 *
 * `size` must be so large that what must not happen would take most of the time, and so small that it would end.
 */
export async function expectLinear(work: SizedWork, size: number, clock = realClock): Promise<void> {
  await expectNoExplosion(work, size, clock)
  let timesAsLong = Infinity
  for (const { times, most } of rounds) {
    if (timesAsLong < mostTimesAsLong) break
    timesAsLong = await timesAsLongTwice(work, size * times, { most, clock })
  }
  expect(timesAsLong, 'how many times as long twice the input takes').toBeLessThan(mostTimesAsLong)
}

/**
 * The higher of two ratios in a row, at most `most` times until both are low: a single low one may be that other
 * programs had a part of each time of the smaller inputs.
 */
async function timesAsLongTwice(
  work: SizedWork,
  size: number,
  { most, clock }: { most: number; clock: () => number },
): Promise<number> {
  const shortest = { two: Infinity, twice: Infinity }
  let [before, latest] = [Infinity, Infinity]
  for (let round = 0; round < most && !(Math.max(before, latest) < mostTimesAsLong); round++) {
    await measure(work, size, { shortest, clock })
    before = latest
    latest = (2 * shortest.twice) / Math.max(shortest.two, clockStepMs)
  }
  return Math.max(before, latest)
}

/** Work that takes this long, and so many times as long as on a fifth less input, grows faster than any power. */
const explosion = { leastMs: 100, timesAsLong: 3, step: 1.25 }

/**
 * Comes from small inputs to large ones, for exponential work would never end at its full size. An input that takes too
 * long is measured again in turn with the one before it, which may have found the machine less busy.
 */
async function expectNoExplosion(work: SizedWork, size: number, clock: () => number): Promise<void> {
  let smaller = { size: 0, ms: Infinity }
  for (let each = 1; each < size; each = Math.ceil(each * explosion.step)) {
    let ms = await took(work(each), clock)
    let again = smaller.ms
    for (let run = 1; run < leastRuns && ms > longestAfter(again); run++) {
      const beside = await took(work(smaller.size), clock)
      again = run === 1 ? beside : Math.min(again, beside)
      ms = Math.min(ms, await took(work(each), clock))
    }
    expect(ms, 'how many milliseconds an input takes that is a quarter larger').toBeLessThanOrEqual(
      longestAfter(again),
    )
    smaller = { size: each, ms }
  }
}

const longestAfter = (ms: number): number => Math.max(explosion.leastMs, explosion.timesAsLong * ms)

/**
 * Measures two inputs of the size, and one of twice the size. Linear work takes as long on both, so that a busy machine
 * interrupts both as often.
 */
async function measure(
  work: SizedWork,
  size: number,
  { shortest, clock }: { shortest: { two: number; twice: number }; clock: () => number },
): Promise<void> {
  let [runs, spent] = [0, 0]
  while (runs < leastRuns || spent < leastMs) {
    const [one, other, large] = [work(size), work(size), work(2 * size)]
    const two = (await took(one, clock)) + (await took(other, clock))
    const twice = await took(large, clock)
    shortest.two = Math.min(shortest.two, two)
    shortest.twice = Math.min(shortest.twice, twice)
    spent += two + twice
    runs++
  }
}

async function took(run: () => unknown, clock: () => number): Promise<number> {
  const beganAt = clock()
  await run()
  return clock() - beganAt
}
