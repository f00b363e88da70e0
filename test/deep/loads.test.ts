import { expect, test } from 'vitest'
import { sendBatches } from './loads/batches'
import { askForLargeAnswers } from './loads/large-answers'
import { sendBesideHistory } from './loads/live-beside-history'
import { sendToStarvedFront } from './loads/starved-front'
import { soak } from './soak/soak'

// small samples of what the parts `loads` and `soak` of `npm run test:deep` do for as long as it is told

test('with 512 MB the public key sends more events than there is memory for, and Tilth goes on and loses none', async () => {
  const { failures, acknowledged, accepted, statuses } = await sendBatches({
    memory: '512m',
    seconds: 12,
    isEnforced: true,
  })

  expect(failures).toEqual([])
  expect([...statuses.keys()].filter((status) => ![200, 413, 503].includes(status))).toEqual([])
  expect(accepted).toBeGreaterThanOrEqual(acknowledged)
  expect(acknowledged).toBeGreaterThan(1000)
})

test('a front with a fifth of a processor answers a single event of each dialect late, and refuses none', async () => {
  const report = await sendToStarvedFront({
    starving: 'stopped for 80 of 100 ms',
    seconds: 12,
    perSecond: 30,
  })

  expect(report.failures).toEqual([])
  expect(Object.keys(report.answers).filter((answer) => !/ 20\d$/.test(answer))).toEqual([])
  expect(report.sent).toBeGreaterThan(100)
})

test('no live request is refused beside an import, and the import comes to its end', async () => {
  const { failures, beside } = await sendBesideHistory({ events: 20_000, perSecond: 20 })

  expect(failures).toEqual([])
  expect(Object.keys(beside.answers).filter((answer) => !/ 20\d$/.test(answer))).toEqual([])
  expect(beside.sent).toBeGreaterThan(10)
})

test('with 512 MB a program that pages through all it has gets every page, and the front stays', async () => {
  expect(await askForLargeAnswers({ memory: '512m', answers: 60 })).toEqual([])
})

test('beside readers, an import and an export no event of a live site is refused or lost, and long turns are named', async () => {
  const { failures, acknowledged, stored, surveyAnswers, turns } = await soak({ seed: 7, seconds: 6 })

  expect(failures).toEqual([])
  expect(stored).toBeGreaterThanOrEqual(acknowledged)
  expect(acknowledged).toBeGreaterThan(10)
  expect(surveyAnswers).toBeGreaterThan(1)
  expect(turns).toBeGreaterThan(100)
})
