import { expect, test } from 'vitest'
import { aFront } from '#test/product/a-front'
import { aFolder, requireDone } from '#test/product/fixture'
import { everythingStored, send } from '#test/product/grown-installation'
import { operator } from '#projects/access'
import { compareAnswers } from './moved-answers'

async function aForm(names: readonly string[]) {
  const front = await aFront(aFolder())
  const { id } = requireDone(await front.product.projects.create({ name: 'Acme' }, operator())).project
  for (const [n, name] of names.entries()) await send(front, id, n, { name })
  await everythingStored(front)
  return { store: { folder: front.folder }, engine: front.engine }
}

test('two forms with other events are told apart by the questions that depend on these', async () => {
  const old = await aForm(['signup', 'signup', 'order'])
  const next = await aForm(['signup', 'signup', 'orders'])
  const itself = await compareAnswers(old, old)
  expect(itself).toEqual({ answered: 14, differences: [], notCompared: [] })
  const { differences } = await compareAnswers(old, next)
  expect(differences.filter((text) => text.includes('"kind":"sql"'))).toHaveLength(1)
})
