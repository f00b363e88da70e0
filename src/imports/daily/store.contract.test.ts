import { expect, onTestFinished, test } from 'vitest'
import { operator } from '#projects/access'
import { openProduct } from '#server/product'
import { openStore } from '#store/open'
import { aFolder, aWorld, requireDone } from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { Imports } from '../imports'
import { dailySumOf } from './daily-sum'

const viewer = operator()
const figures = { visitors: 2, visits: 3, views: 5, bounces: 1, seconds: 60, events: 0 }
const history = {
  write: async () => ({ taken: true as const, dropped: [], firstAt: undefined, lastAt: undefined }),
  writePrepared: async () => expect.unreachable('no portion is sent as JSON'),
  refusal: () => undefined,
  restore: async () => 0,
}

describeOnPostgres('daily sums', (emptyDatabase) => {
  test('of several rows for one value are added up, once for each import', async () => {
    const settings = { folder: aFolder(), url: await emptyDatabase() }
    const world = aWorld('daily sums')
    const product = await openProduct({ store: settings, world })
    const { project } = requireDone(await product.projects.create({ name: 'Acme' }, viewer))
    await product.close()
    const store = await openStore(settings)
    onTestFinished(() => store.close())
    const imports = new Imports({ store, world, history })
    const begin = async (fingerprint: string) =>
      requireDone(
        await imports.begin(project.id, { source: 'plausible', name: 'export.zip', fingerprint }, viewer),
      ).import

    const sums = [
      dailySumOf('2024-05-01', 'total', '', figures),
      dailySumOf('2024-05-01', 'page', '/', figures),
      dailySumOf('2024-05-01', 'page', '/', figures),
      dailySumOf('2024-05-02', 'page', '/pricing', figures),
    ]
    const first = await begin('one')
    const other = await begin('two')
    for (const [{ id }, from, kept] of [
      [first, 0, 4],
      [first, 4, 8],
      [other, 0, 0],
    ] as const)
      expect(
        requireDone(await imports.add(project.id, id, { from, rows: 4, events: [], sums }, viewer)).import
          .sums,
      ).toBe(kept)

    const twice = { visitors: 4, visits: 6, views: 10, bounces: 2, seconds: 120, events: 0 }
    const four = { visitors: 8, visits: 12, views: 20, bounces: 4, seconds: 240, events: 0 }
    const range = { from: '2024-05-01', to: '2024-05-02' }
    expect(await imports.dailySums(project.id, range, viewer)).toEqual({
      labels: ['Plausible'],
      span: range,
      days: [{ day: '2024-05-01', ...twice }],
      lists: [
        {
          dimension: 'page',
          by: 'views',
          rows: [
            { value: '/', ...four },
            { value: '/pricing', ...twice },
          ],
        },
      ],
    })
    requireDone(await imports.undo(project.id, first.id, viewer))
    expect(await imports.dailySums(project.id, range, viewer)).toBeUndefined()
  })
})
