import { describe, expect, test, vi } from 'vitest'
import { operator } from '#projects/access'
import {
  openTestProduct,
  present,
  problemMessages,
  requireDone,
  type TestProduct,
} from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { patienceMs } from '#test/running/patience'

const ana = operator('Ana')
const ben = operator('Ben')
const often = { timeout: patienceMs, interval: 20 }

const nps = {
  name: 'Recommendation',
  content: {
    questions: [
      { id: 'nps', kind: 'rating', text: 'Würdest du uns empfehlen? 🌳', display: 'number', scale: 10 },
      { id: 'why', kind: 'open', text: 'Why?' },
    ],
  },
}

/** A survey's life on either form of the store, seen from two processes. */
function aLifeOf(begin: () => Promise<TestProduct>): void {
  test('a new one looks like the site, except where it says otherwise', async () => {
    const { product, aProject } = await begin()
    const { id: project } = await aProject()
    const looksOf = async (appearance?: object) => {
      const content = { ...nps.content, ...(appearance && { appearance }) }
      const made = requireDone(await product.surveys.create(project, { ...nps, content }, ana)).survey
      const { buttonColor, buttonTextColor, ratingActiveColor, fontFamily } = made.content.appearance
      return [buttonColor, buttonTextColor, ratingActiveColor, fontFamily]
    }
    expect(await looksOf()).toEqual(['#1f2937', '#ffffff', '#1f2937', 'system-ui'])
    requireDone(await product.posts.sites.change(project, { accent: '#8b1e3f', typeface: 'serif' }, ana))
    expect(await looksOf()).toEqual(['#8b1e3f', '#ffffff', '#8b1e3f', 'Georgia, serif'])
    expect(await looksOf({ buttonColor: 'navy' })).toEqual(['navy', '#ffffff', '#8b1e3f', 'Georgia, serif'])
  })

  test('from the first draft over launch and versions to the archive and back', async () => {
    const { product, anotherProcess, world, aProject } = await begin()
    const { id: project } = await aProject()
    const other = await anotherProcess()
    const made = requireDone(await product.surveys.create(project, nps, ana)).survey
    expect(product.surveys.published.surveysOf(project)).toEqual([made])
    expect(await other.surveys.find(project, made.id, ana)).toEqual(made)
    await vi.waitFor(() => expect(other.surveys.published.find(project, made.id)).toEqual(made), often)

    const shorter = { content: { questions: nps.content.questions.slice(0, 1) } }
    const draft = requireDone(await other.surveys.change(project, made.id, shorter, ana)).survey
    expect(draft).toMatchObject({ version: 1, revision: 2 })
    world.advance('1 minute')
    const launched = requireDone(await other.surveys.launch(project, made.id, {}, ana)).survey
    expect(launched).toMatchObject({ version: 1, startsAt: world.now() })

    world.advance('1 minute')
    const longer = { content: { questions: nps.content.questions } }
    const changed = requireDone(await product.surveys.change(project, made.id, longer, ben)).survey
    expect(changed).toMatchObject({ version: 2, changedBy: 'Ben' })
    const renamed = requireDone(await product.surveys.change(project, made.id, { name: 'NPS' }, ben)).survey
    expect(renamed).toMatchObject({ version: 2, name: 'NPS' })

    const history = await other.surveys.versions(project, made.id, ana)
    expect(
      history.map(({ version, content, createdBy }) => [version, content.questions.length, createdBy]),
    ).toEqual([
      [2, 2, 'Ben'],
      [1, 1, 'Ana'],
    ])
    await vi.waitFor(() => {
      expect(other.surveys.published.versionsOf(project, made.id)).toEqual(history.toReversed())
      expect(other.surveys.published.find(project, made.id)).toEqual(renamed)
    }, often)

    const stopped = requireDone(await product.surveys.stop(project, made.id, ana)).survey
    expect(stopped.endsAt).toEqual(world.now())
    expect(requireDone(await product.surveys.resume(project, made.id, ana)).survey.endsAt).toBeUndefined()
    requireDone(await product.surveys.archive(project, made.id, ana))
    await vi.waitFor(
      () => expect(other.surveys.published.find(project, made.id)?.archivedAt).toEqual(world.now()),
      often,
    )
    const back = requireDone(await other.surveys.restore(project, made.id, ana)).survey
    expect(back).toEqual({ ...renamed, changedBy: 'Ana', changedAt: world.now(), revision: 9 })
    expect(await product.projects.audit.firstBrokenLink()).toBeUndefined()
  })

  test('one of two editors of the same revision is refused, and told who was faster', async () => {
    const { product, anotherProcess, aProject } = await begin()
    const { id: project } = await aProject()
    const { survey } = requireDone(await product.surveys.create(project, nps, ana))
    const other = await anotherProcess()
    const changes = await Promise.all([
      product.surveys.change(project, survey.id, { name: 'A', revision: 1 }, ana),
      other.surveys.change(project, survey.id, { name: 'B', revision: 1 }, ben),
    ])
    const refused = changes.filter(({ done }) => !done)
    expect(refused).toHaveLength(1)
    expect(problemMessages(present(refused[0]))).toEqual([
      expect.stringMatching(/^“[AB]” was changed by (?:Ana|Ben) at 10:00 UTC on 2026-03-02\. Load it again/),
    ])
  })

  test('a removed draft is gone with its versions, in every process', async () => {
    const { product, anotherProcess, aProject } = await begin()
    const { id: project } = await aProject()
    const { survey } = requireDone(await product.surveys.create(project, nps, ana))
    const kept = requireDone(await product.surveys.create(project, { name: 'Other' }, ana)).survey
    const other = await anotherProcess()
    requireDone(await product.surveys.remove(project, survey.id, ana))
    expect(await product.surveys.versions(project, survey.id, ana)).toEqual([])
    expect(product.surveys.published.surveysOf(project)).toEqual([kept])
    await vi.waitFor(() => expect(other.surveys.published.find(project, survey.id)).toBeUndefined(), often)
  })
}

describe('surveys on SQLite', () => aLifeOf(() => openTestProduct()))

describeOnPostgres('surveys', (emptyDatabase) =>
  aLifeOf(async () => openTestProduct({ url: await emptyDatabase() })),
)
