import { expect, test } from 'vitest'
import { aSurvey } from '#test/some-survey'
import type { Survey } from '#surveys/survey'
import { SurveyResponseCounts } from './survey-counts'

function countsOf(surveys: readonly Survey[]) {
  const engine = { submissions: 0, asked: 0, isAway: false }
  const counts = new SurveyResponseCounts({
    engine: {
      query: async <Row>() => {
        engine.asked++
        if (engine.isAway) throw new Error('away')
        // the rows of the one query there is
        return [{ survey: 'nps', submissions: String(engine.submissions) }] as Row[]
      },
    },
    everySurvey: () => surveys,
    onTrouble: () => {},
  })
  return { engine, counts }
}

const limited = aSurvey({ responseLimit: 1000 })

test('what this front takes in counts at once, and what the engine has from its next answer on', async () => {
  const { engine, counts } = countsOf([limited])
  for (const submission of ['a', 'a', '', '']) counts.noteSubmission(limited, submission)
  expect(counts.responsesTo(limited)).toBe(3)
  engine.submissions = 7
  await counts.refresh()
  expect(counts.responsesTo(limited)).toBe(7)
})

test('surveys without a limit, drafts and archived ones are not counted', async () => {
  const { engine, counts } = countsOf([
    aSurvey(),
    aSurvey({ responseLimit: 5, startsAt: undefined }),
    aSurvey({ responseLimit: 5, archivedAt: new Date() }),
  ])
  await counts.refresh()
  expect(engine.asked).toBe(0)
})

test.each([
  ['far from its limit', 100, 2],
  ['near its limit', 960, 13],
])('in a minute, a survey %s is counted %i of 1000: %i times', async (_, submissions, times) => {
  const { engine, counts } = countsOf([limited])
  engine.submissions = submissions
  for (let tick = 0; tick < 13; tick++) await counts.refresh()
  expect(engine.asked).toBe(times)
})

test('submissions are not forgotten while the engine is away', async () => {
  const { engine, counts } = countsOf([limited])
  counts.noteSubmission(limited, 'a')
  engine.isAway = true
  await expect(counts.refresh()).rejects.toThrow('away')
  expect(counts.responsesTo(limited)).toBe(1)
})
