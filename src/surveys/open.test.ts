import { expect, onTestFinished, test } from 'vitest'
import { openTestProduct, present, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import { openSurveys } from './open'

const viewer = operator()
const content = { questions: [{ id: 'why', kind: 'open', text: 'Why?' }], sendsPartialAnswers: true }

test('a full survey refuses new submissions in our own places, and finishes those that have begun', async () => {
  const { product, world, folder, aProject } = await openTestProduct()
  const { id: projectId } = await aProject()
  const store = await openStore({ folder, url: undefined })
  const { insights, people, projects, flags } = product
  const engine = { query: async () => [] }
  const seal = { digest: (text: string) => text, open: () => undefined, close: () => '' }
  const address = 'http://localhost'
  const dependencies = {
    store,
    world,
    flags,
    insights,
    projects,
    engine,
    seal,
    allow: undefined,
    brandOf: async () => ({}),
    people,
    canMail: () => false,
    mail: undefined,
    address,
    onTrouble: () => {},
  }
  const opened = await openSurveys(dependencies)
  const { services: surveys, intake } = opened
  onTestFinished(async () => {
    await opened.close()
    await store.close()
  })
  const { survey } = requireDone(
    await surveys.create(projectId, { name: 'Why?', content, responseLimit: 2 }, viewer),
  )
  requireDone(await surveys.launch(projectId, survey.id, {}, viewer))

  /** As the endpoint does it: what is taken goes through the check of the ingest. */
  const answer = async (submission: number, isComplete: boolean) => {
    const submissionId = `0192f0a1-7c11-4d5e-8a3f-1b2c3d4e5f6${submission}`
    const input = { answers: { why: 'So' }, isComplete, submissionId }
    const outcome = await surveys.answers.take(projectId, survey.id, input, { address: '203.0.113.7' })
    if (!outcome.taken) return outcome.reason
    const { name, properties } = outcome.event
    const [at, receivedAt] = [world.now(), world.now()]
    const event = { projectId, name, at, receivedAt, properties, isHistorical: false, isTrusted: true }
    return intake.eventCheck.objectionTo(event) ?? 'taken'
  }
  expect([await answer(1, false), await answer(2, true), await answer(3, false)]).toEqual([
    'taken',
    'taken',
    'full',
  ])
  const running = present(surveys.answers.find(projectId, survey.id))
  expect(surveys.answers.closedSentence(running)).toMatch(/^This survey has enough responses/)
  expect(await answer(1, true)).toBe('taken')
})
