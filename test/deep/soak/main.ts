import { parseArgs } from 'node:util'
import { soak } from './soak'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, seed: { type: 'string', default: '1' } },
})

/** A request that arrives meanwhile waits for that long on a machine that has nothing else to do. */
const mostTurnMs = 250

const report = await soak({
  seed: Number(values.seed),
  seconds: Number(values.minutes) * 60,
  print: console.log,
})
const { failures, longTurns, ...figures } = report
console.log(figures)
for (const { ms, path } of longTurns.slice(0, 40)) console.log(`${ms} ms: ${path}`)
const tooLong = longTurns.filter(({ ms }) => ms > mostTurnMs)
if (tooLong.length > 0)
  console.log(`✗ ${tooLong.length} turns of the event loop took more than ${mostTurnMs} ms`)
for (const failure of failures) console.log(`✗ ${failure}`)
process.exit(failures.length + tooLong.length === 0 ? 0 : 1)
