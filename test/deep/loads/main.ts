import { parseArgs } from 'node:util'
import { sendBatches } from './batches'
import { askForLargeAnswers } from './large-answers'
import { sendBesideHistory } from './live-beside-history'
import { type Starving, sendToStarvedFront } from './starved-front'
import { sendForms } from './trickle-and-forms'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, seed: { type: 'string' } },
})

/** Each load, for its share of the time. Returns what went wrong. */
const loads: readonly ((seconds: number) => Promise<string[]>)[] = [
  ...['512m', '1g', '2g'].map((memory) => async (seconds: number) => {
    const report = await sendBatches({ memory, seconds, isEnforced: true, print: console.log })
    const { failures, acknowledged, accepted, statuses } = report
    console.log({ memory, acknowledged, accepted, statuses: Object.fromEntries(statuses) })
    const isLost = accepted < acknowledged
    return isLost ? [...failures, `${acknowledged - accepted} acknowledged events are missing`] : failures
  }),
  async (seconds) =>
    (await sendBatches({ memory: '512m', seconds, killsEngine: true, print: console.log })).failures,
  starved('stopped for 80 of 100 ms', 30),
  starved('beside twenty busy processes', 100),
  async () => {
    const { failures: own, beside } = await sendBesideHistory({
      events: 200_000,
      perSecond: 20,
      print: console.log,
    })
    return beside.refused > 0 ? [...own, JSON.stringify(beside.answers)] : own
  },
  async (seconds) => (await sendForms({ seconds, print: console.log })).failures,
  async () => await askForLargeAnswers({ memory: '512m', answers: 300 }),
]

function starved(starving: Starving, perSecond: number) {
  return async (seconds: number): Promise<string[]> => {
    const report = await sendToStarvedFront({ starving, seconds, perSecond, print: console.log })
    return report.refused > 0 ? [...report.failures, JSON.stringify(report.answers)] : report.failures
  }
}

const failures: string[] = []
for (const load of loads) failures.push(...(await load((Number(values.minutes) * 60) / loads.length)))
for (const failure of failures) console.log(`✗ ${failure}`)
process.exit(failures.length === 0 ? 0 : 1)
