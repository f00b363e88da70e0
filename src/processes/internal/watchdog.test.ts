import { expect, test } from 'vitest'
import { type Observation, type WatchdogVerdict, Watchdog } from './watchdog'

const second = 1000
const limits = { silentMs: 5 * second, busyMs: 60 * second, everyMs: second }

type Sign = Omit<Partial<Observation>, 'now'> & {
  /** The time since the observation before; a second by default. */
  afterMs?: number
  /** The processor time the child had in between. */
  worksMs?: number
}

/** When each verdict was reached for the first time, in seconds, over a silence in which every second is the same. */
function firstVerdicts(
  seconds: number,
  sign: (at: number) => Sign,
): Partial<Record<WatchdogVerdict, number>> {
  const watchdog = new Watchdog(limits, { now: 0, processorMs: 0 })
  const reached: Partial<Record<WatchdogVerdict, number>> = {}
  let now = 0
  let processorMs = 0
  for (let at = 1; at <= seconds; at++) {
    const { afterMs = second, worksMs = 0, ...seen } = sign(at)
    now += afterMs
    processorMs += worksMs
    reached[watchdog.observe({ answered: false, now, processorMs, ...seen })] ??= at
  }
  return reached
}

test.each<[string, (at: number) => Sign, Partial<Record<WatchdogVerdict, number>>]>([
  // a silent child's doing       in each second                         the first second of each verdict
  ['nothing: it is in a deadlock', () => ({}), { slow: 1, dead: 5 }],
  ['what an idle process does', () => ({ worksMs: 20 }), { slow: 1, dead: 5 }],
  ['nothing that the system tells', () => ({ processorMs: undefined }), { slow: 1, dead: 5 }],
  ['work, on a tenth of a processor', () => ({ worksMs: 100 }), { slow: 1, endless: 60 }],
  ['work without end: it is in a loop', () => ({ worksMs: second }), { slow: 1, endless: 60 }],
  ['wait, on a machine that is overloaded', () => ({ pressure: 0.9 }), { slow: 1, dead: 20 }],
  ['wait, on a machine that is not', () => ({ pressure: 0.1 }), { slow: 1, dead: 5 }],
  ['be stopped, on a busy machine', () => ({ pressure: 0.9, isStopped: true }), { slow: 1, dead: 5 }],
  ['work, then stop', (at) => ({ worksMs: at <= 20 ? 900 : 0 }), { slow: 1, dead: 25 }],
])('a silent child may do %s', (_, sign, verdicts) => {
  expect(firstVerdicts(61, sign)).toMatchObject(verdicts)
  const unreached = (['dead', 'endless'] as const).filter((verdict) => verdicts[verdict] === undefined)
  const before = Math.max(...Object.values(verdicts)) - 1
  expect(unreached.filter((verdict) => firstVerdicts(before, sign)[verdict] !== undefined)).toEqual([])
})

test('one answer in time resets the silence', () => {
  expect(firstVerdicts(600, (at) => ({ answered: at % 5 === 0 }))).toEqual({ slow: 1, alive: 5 })
})

test('a pause of the watcher itself condemns no child: it was stopped for an hour, and both go on', () => {
  const sign = (at: number): Sign => ({ afterMs: at === 10 ? 3600 * second : second, answered: at !== 10 })
  expect(firstVerdicts(20, sign)).toEqual({ alive: 1, slow: 10 })
})

test('a watcher that is late every time still finds a dead child', () => {
  expect(firstVerdicts(10, () => ({ afterMs: 8 * second }))).toMatchObject({ dead: 4 })
})
