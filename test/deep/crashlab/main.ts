import { parseArgs } from 'node:util'
import { crash } from './lab'
import { breakProduct } from './product-lab'
import { crashTogether } from './shared-lab'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    /** The minutes for which the whole product is harmed. */
    minutes: { type: 'string', default: '3' },
    /** Only these faults: `--fault 'disk full' --fault 'front killed'`. */
    fault: { type: 'string', multiple: true },
    /** The collecting process and two fronts alone, killed more often than a whole product could be. */
    model: { type: 'boolean' },
    /** With --model: as many rounds as fit, instead of so many rounds. */
    seconds: { type: 'string' },
    rounds: { type: 'string', default: '30' },
  },
})

const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
console.log(`Seed ${seed}. The same again: --seed ${seed}`)
process.exit((values.model || values.seconds ? await harmModel() : await harmProduct()) ? 0 : 1)

async function harmProduct(): Promise<boolean> {
  const { fault: only } = values
  const seconds = Number(values.minutes) * 60
  const report = await breakProduct({
    seed,
    seconds,
    flipsBit: true,
    ...(only && { only }),
    print: console.log,
  })
  const { failures, skipped, faults, ...amounts } = report
  console.log({ faults: faults.length, ...amounts })
  if (amounts.stored === undefined) console.log('The run ended before it was seen what is stored.')
  for (const reason of skipped) console.log(`Not injected: ${reason}.`)
  for (const failure of failures) console.log(`✗ ${failure}`)
  console.log(
    failures.length === 0
      ? 'Every acknowledged event is stored once, and flags and site were answered.'
      : `FAILED in ${failures.length} ways after ${faults.length} faults. The same again: --seed ${seed}`,
  )
  return failures.length === 0
}

async function harmModel(): Promise<boolean> {
  /** Most with an engine that stays when the process is killed, since such rounds are quick. */
  const shared = (whole: number) => ({ remote: Math.ceil(whole * 0.7), embedded: Math.floor(whole * 0.3) })
  const length = values.seconds
    ? { seconds: shared(Number(values.seconds)) }
    : { rounds: shared(Number(values.rounds)) }
  const { lost, twice, toldWrongly, ...amounts } = await crash({ seed, ...length, print: console.log })

  console.log(amounts)
  const sharedLength = values.seconds
    ? { seconds: Number(values.seconds) / 4 }
    : { rounds: Number(values.rounds) }
  const {
    lost: lostTogether,
    twice: twiceTogether,
    torn,
    ...together
  } = await crashTogether({ seed, ...sharedLength, print: console.log })
  console.log({ ...together, lostTogether, twiceTogether, torn })
  const wrong = [lost, twice, toldWrongly, lostTogether, twiceTogether, torn].flat()
  const isWell = wrong.length + amounts.quarantined === 0
  console.log(isWell ? 'Every acknowledged event is stored once.' : { seed, lost, twice, toldWrongly })
  return isWell
}
