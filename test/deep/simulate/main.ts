import { parseArgs } from 'node:util'
import { seededRandom } from '../../random/seeded-random'
import { boundsOf, simulations } from './simulations'

const { values } = parseArgs({
  options: {
    experiments: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '20261123' },
  },
})
const [experiments, seed] = [Number(values.experiments), Number(values.seed)]

console.log(`${experiments} experiments each, seed ${seed}\n`)
let failed = 0
for (const simulation of simulations) {
  const { name, run } = simulation
  const began = Date.now()
  const result = run(experiments, seededRandom(seed))
  const [least, most] = boundsOf(simulation, experiments)
  const isRight = result >= least && result <= most
  failed += isRight ? 0 : 1
  const seconds = ((Date.now() - began) / 1000).toFixed(0)
  console.log(
    `${isRight ? '✓' : '✗'} ${name}: ${result.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)}), ${seconds} s`,
  )
}
process.exitCode = failed > 0 ? 1 : 0
