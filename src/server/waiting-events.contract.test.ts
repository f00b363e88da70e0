import { expect, test } from 'vitest'
import { aFront } from '#test/a-front'
import { aFolder, requireDone } from '#test/fixture'
import { anEnvelope, anEvent } from '#test/ingest-fixture'
import { newUuid } from '#ingest/uuid'
import { operator } from '#projects/access'
import { realWorld } from '#world/world'

const viewer = operator()
const question = { kind: 'totals', period: '7d' }

test('an answer says how many events had arrived that it does not include', async () => {
  const { product } = await aFront(aFolder())
  const { intake } = product
  if (!intake) throw new Error('A front has an intake.')
  const { project } = requireDone(await product.projects.create({ name: 'Acme' }, viewer))
  const arrive = (amount: number, receivedAt: Date) =>
    intake.accept(
      Array.from({ length: amount }, () => anEvent({ uuid: newUuid(realWorld) })),
      anEnvelope({ projectId: project.id, receivedAt }),
    )
  const ask = async () => requireDone(await product.insights.ask(project.id, question, viewer))

  const held = await intake.whileIngestIsPaused(async () => {
    await arrive(132, new Date())
    return await ask()
  })
  expect(held).toMatchObject({ waitingEvents: 132, isBehind: false })

  await expect.poll(() => intake.counts().pipeline.pending).toBe(0)
  expect(await ask()).toMatchObject({ waitingEvents: 0, isBehind: false })
})
