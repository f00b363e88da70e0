import { expect, test } from 'vitest'
import { openTestProduct } from '#test/product/fixture'
import { operator } from '#projects/access'
import { RenewedKey } from './renewed-key'

const you = operator('Ana')

async function aRenewedKey() {
  const { product, world, aProject } = await openTestProduct()
  const { id } = await aProject()
  const { keys } = product.projects
  const key = new RenewedKey({
    keys,
    projectId: id,
    key: { name: 'tilth mcp', scopes: ['project:read'] },
    world,
  })
  const working = async () => (await keys.list(id, you)).filter(({ revokedAt }) => !revokedAt)
  const origin = { address: '127.0.0.1', client: '', requestId: '1' }
  const isAccepted = async (text: string) => (await keys.viewer(text, origin)) !== undefined
  return { key, world, working, isAccepted, revoke: (keyId: string) => keys.revoke(id, keyId, you) }
}

test('messages share one key, also those that come at once', async () => {
  const { key, working } = await aRenewedKey()
  const texts = await Promise.all([key.text(), key.text(), key.text()])
  expect(new Set(texts).size).toBe(1)
  expect(await working()).toHaveLength(1)
})

test('a command that runs for days always has one key that works', async () => {
  const { key, world, working, isAccepted } = await aRenewedKey()
  for (let hours = 0; hours < 72; hours += 5) {
    const [text] = await Promise.all([key.text(), key.text()])
    expect(await isAccepted(text)).toBe(true)
    expect(await working()).toHaveLength(1)
    world.advance('5 hours')
  }
})

test('a key that a member revoked is not replaced', async () => {
  const { key, world, working, isAccepted, revoke } = await aRenewedKey()
  const text = await key.text()
  for (const { id } of await working()) await revoke(id)
  world.advance('30 hours')
  expect(await key.text()).toBe(text)
  expect(await isAccepted(text)).toBe(false)
  expect(await working()).toEqual([])
})

test('is revoked at the end', async () => {
  const { key, working } = await aRenewedKey()
  await key.text()
  await key.revoke()
  expect(await working()).toEqual([])
})
