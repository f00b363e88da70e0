import { parseArgs } from 'node:util'
import { crash } from './lab'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    /** As many rounds as fit, instead of so many rounds. */
    seconds: { type: 'string' },
    rounds: { type: 'string', default: '30' },
  },
})

/** Most with an engine that stays when the process is killed, since such rounds are quick. */
const shared = (whole: number) => ({ remote: Math.ceil(whole * 0.7), embedded: Math.floor(whole * 0.3) })

const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
console.log(`Seed ${seed}. The same again: --seed ${seed}`)

const length = values.seconds
  ? { seconds: shared(Number(values.seconds)) }
  : { rounds: shared(Number(values.rounds)) }
const { lost, twice, toldWrongly, ...amounts } = await crash({ seed, ...length, tell: console.log })

console.log(amounts)
const isWell = lost.length + twice.length + toldWrongly.length + amounts.quarantined === 0
console.log(isWell ? 'Every acknowledged event is stored once.' : { seed, lost, twice, toldWrongly })
process.exit(isWell ? 0 : 1)
