import { describe, expect, test } from 'vitest'
import { describeOnPostgres } from '#test/outside/postgres'
import { openTestProduct, requireDone, type TestProduct } from '#test/product/fixture'
import { operator } from '#projects/access'
import { letAssistantIn } from './authorization.cases'

/** The access of an assistant, on either form of the store. */
function accessOn(begin: () => Promise<TestProduct>): void {
  test('a member lets an assistant in, an admin switches all off and on, and ends it', async () => {
    const { product, aProject, aMember, signedIn } = await begin()
    const { agentAccess } = product
    const acme = await aProject()
    const ada = await signedIn(await aMember({ role: 'owner', name: 'Ada' }))
    const id = await letAssistantIn({ product, acme }, ada)
    const [connection] = await agentAccess.list(acme.id, ada)
    expect(connection).toMatchObject({ id, memberId: ada.memberId, level: 'read', hasSecondFactor: false })

    requireDone(await agentAccess.change(acme.id, { mayConnect: false }, ada))
    expect(await agentAccess.mayConnect(acme.id)).toBe(false)
    requireDone(await agentAccess.change(acme.id, { mayConnect: true }, ada))
    expect(await agentAccess.mayConnect(acme.id)).toBe(true)

    requireDone(await agentAccess.revoke(acme.id, id, operator()))
    expect(await agentAccess.list(acme.id, ada)).toEqual([])
    // each registration makes room among those without access
    const client = { redirect_uris: ['https://desk.example/callback'] }
    expect(await agentAccess.clients.register(client)).toMatchObject({ granted: true })
  })
}

describe('assistants in a file', () => accessOn(() => openTestProduct()))

describeOnPostgres('assistants', (emptyDatabase) =>
  accessOn(async () => openTestProduct({ url: await emptyDatabase() })),
)
