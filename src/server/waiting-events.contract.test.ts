import { expect, test } from 'vitest'
import { aFront } from '#test/product/a-front'
import { aFolder, requireDone } from '#test/product/fixture'
import { anEnvelope, anEvent } from '#test/product/ingest-fixture'
import { newUuid } from '#ingest/uuid'
import { operator } from '#projects/access'
import { realWorld } from '#world/world'

const viewer = operator()
const query = { kind: 'totals', period: '7d' }

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
  const ask = async () => requireDone(await product.insights.ask(project.id, query, viewer))

  const held = await intake.whileIngestIsPaused(async () => {
    await arrive(132, new Date())
    return await ask()
  })
  expect(held).toMatchObject({ waitingEvents: 132, isBehind: false })

  await expect.poll(() => intake.counts().pipeline.pending).toBe(0)
  expect(await ask()).toMatchObject({ waitingEvents: 0, isBehind: false })
})

test('events of another project that wait are no part of it', async () => {
  const { product } = await aFront(aFolder())
  const { intake } = product
  if (!intake) throw new Error('A front has an intake.')
  const aProject = async (name: string) =>
    requireDone(await product.projects.create({ name }, viewer)).project.id
  const [acme, other] = [await aProject('Acme'), await aProject('Other')]
  const arrive = (projectId: number, amount: number, receivedAt = new Date()) =>
    intake.accept(
      Array.from({ length: amount }, () => anEvent({ uuid: newUuid(realWorld) })),
      anEnvelope({ projectId, receivedAt }),
    )
  const ask = async (projectId: number) => requireDone(await product.insights.ask(projectId, query, viewer))
  const bothWait = () =>
    intake.whileIngestIsPaused(async () => {
      await arrive(acme, 3)
      await arrive(other, 132)
      return await Promise.all([ask(acme), ask(other)])
    })

  expect(await bothWait()).toMatchObject([{ waitingEvents: 3 }, { waitingEvents: 132 }])
  await expect.poll(() => intake.counts().pipeline.pending).toBe(0)
  expect(await bothWait()).toMatchObject([{ waitingEvents: 3 }, { waitingEvents: 132 }])
  const held = await intake.whileIngestIsPaused(async () => {
    await arrive(other, 1)
    return await ask(acme)
  })
  expect(held).toMatchObject({ waitingEvents: 0, isBehind: false })
})
