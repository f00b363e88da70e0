import { describe, expect, test } from 'vitest'
import {
  openTestProduct,
  requireDone,
  type TestProduct,
  problemMessages,
  present,
  testOrigin,
} from '#test/product/fixture'
import { operator, type RequestOrigin, AccessRefusedError, scopes, type Viewer } from './access'
import type { SecretKey } from './keys'
import type { Project } from './project'
import { checksum } from './secrets'

interface Keyed extends TestProduct {
  acme: Project
  key: SecretKey
  text: string
}

async function aKey(wanted: object = {}): Promise<Keyed> {
  const fixture = await openTestProduct()
  const acme = await fixture.aProject()
  const input = { name: 'CI', scopes: ['project:read'], ...wanted }
  return {
    ...fixture,
    acme,
    ...requireDone(await fixture.product.projects.keys.create(acme.id, input, operator())),
  }
}

describe('a secret key', () => {
  test('is shown once, with a checksum for scanners at its end', async () => {
    const { product, acme, text, key } = await aKey()
    const [, body = '', sum = ''] = /^tilth_([0-9A-Za-z]{43})([0-9a-z]{7})$/.exec(text) ?? []

    expect(sum).toBe(checksum(body))
    expect(key.lastFour).toBe(text.slice(-4))
    expect(JSON.stringify([key, await product.projects.keys.list(acme.id, operator())])).not.toContain(body)
  })

  test('lets its holder do what its scopes say, in its own project', async () => {
    const { product, acme, text, key } = await aKey({ scopes: ['project:read', 'audit:read'] })
    const origin: RequestOrigin = { ...testOrigin, requestId: 'req-7' }

    expect(await product.projects.keys.viewer(text, origin)).toEqual({
      kind: 'key',
      keyId: key.id,
      name: 'CI',
      projectId: acme.id,
      scopes: new Set(['project:read', 'audit:read']),
      origin,
    })
  })

  test('with every scope has those that exist now', async () => {
    const { product, text, key } = await aKey({ scopes: 'every' })

    expect(key.scopes).toBe('every')
    expect(present(await product.projects.keys.viewer(text, testOrigin)).scopes).toEqual(new Set(scopes))
  })

  test.each<[string, (stage: Keyed) => unknown]>([
    ['is unknown', async (stage) => (stage.text = stage.text.replace(/.$/, '!'))],
    [
      'was revoked',
      async ({ product, acme, key }) =>
        requireDone(await product.projects.keys.revoke(acme.id, key.id, operator())),
    ],
    ['is past its time', ({ world }) => world.advance('30 days')],
    [
      'is only what is kept of it',
      (stage) => {
        stage.text = String(
          stage.database((file) => file.prepare('select hash from secret_keys').get())?.['hash'],
        )
      },
    ],
  ])('that %s is no one’s', async (_, spoil) => {
    const stage = await aKey({ days: 30 })
    expect(await stage.product.projects.keys.viewer(stage.text, testOrigin)).toBeDefined()
    await spoil(stage)

    expect(await stage.product.projects.keys.viewer(stage.text, testOrigin)).toBeUndefined()
  })

  test('works to the last second of its days', async () => {
    const { product, world, text } = await aKey({ days: 30 })
    world.advance('30 days')
    world.advance('-1 second')

    expect(await product.projects.keys.viewer(text, testOrigin)).toBeDefined()
  })

  test('without days works until it is revoked', async () => {
    const { product, world, text } = await aKey()
    world.advance('4000 days')

    expect(await product.projects.keys.viewer(text, testOrigin)).toBeDefined()
  })

  test('says when it was last used, to the minute', async () => {
    const { product, world, acme, text } = await aKey()
    const usedAt = async () => (await product.projects.keys.list(acme.id, operator()))[0]?.usedAt
    expect(await usedAt()).toBeUndefined()
    await product.projects.keys.viewer(text, testOrigin)
    const first = world.now()
    world.advance('59 seconds')
    await product.projects.keys.viewer(text, testOrigin)
    expect(await usedAt()).toEqual(first)
    world.advance('1 second')
    await product.projects.keys.viewer(text, testOrigin)
    expect(await usedAt()).toEqual(world.now())
  })

  test('that was revoked stays in the list, and cannot be revoked twice or from elsewhere', async () => {
    const { product, acme, key, world, aProject } = await aKey()
    const other = await aProject({ name: 'Other' })

    expect(problemMessages(await product.projects.keys.revoke(other.id, key.id, operator()))).toEqual([
      'There is no such key in this project.',
    ])
    requireDone(await product.projects.keys.revoke(acme.id, key.id, operator()))
    expect(problemMessages(await product.projects.keys.revoke(acme.id, key.id, operator()))).toEqual([
      'This key has been revoked already.',
    ])
    expect(await product.projects.keys.list(acme.id, operator())).toMatchObject([
      { id: key.id, revokedAt: world.now() },
    ])
  })

  test('that one process revoked opens nothing in another', async () => {
    const { product, acme, key, text, anotherProcess } = await aKey()
    const other = await anotherProcess()
    requireDone(await product.projects.keys.revoke(acme.id, key.id, operator()))

    expect(await other.projects.keys.viewer(text, testOrigin)).toBeUndefined()
  })
})

describe('making a key', () => {
  const nameIt = 'Name the key.'
  const noScope = (scope: string) => `There is no scope "${scope}". Choose from ${scopes.join(', ')}.`

  test.each<[object, string]>([
    [{ name: '' }, nameIt],
    [{ name: undefined }, nameIt],
    [{ name: 'x'.repeat(81) }, 'Use at most 80 characters for the name.'],
    [{ name: 'CI\nroot' }, 'Leave out line breaks and other characters that cannot be seen.'],
    [{ scopes: [] }, 'Choose at least one scope.'],
    [{ scopes: ['owners:write'] }, noScope('owners:write')],
    [{ scopes: ['everything'] }, noScope('everything')],
    [{ scopes: ['toString'] }, noScope('toString')],
    [{ scopes: undefined }, 'Choose "every" or a list of scopes.'],
    [{ scopes: 'all' }, 'Choose "every" or a list of scopes.'],
    [{ days: 0 }, 'Use at least a day.'],
    [{ days: 3651 }, 'Use at most 3650 days.'],
    [{ days: 1.5 }, 'Give the days as a whole number.'],
    [{ days: 'soon' }, 'Give the days as a whole number.'],
  ])('with %j is refused in words', async (wanted, message) => {
    const { product, aProject } = await openTestProduct()
    const acme = await aProject()
    const input = { name: 'CI', scopes: ['project:read'], ...wanted }

    expect(problemMessages(await product.projects.keys.create(acme.id, input, operator()))).toEqual([message])
  })

  test.each<[Role | 'key', unknown, boolean]>([
    ['owner', 'every', true],
    ['owner', ['project:archive'], true],
    ['admin', 'every', false],
    ['admin', ['project:archive'], false],
    ['admin', ['keys:write', 'members:write', 'audit:read'], true],
    ['key', ['keys:write'], true],
    ['key', ['project:read'], false],
    ['key', 'every', false],
  ])('as %s with %j: %j', async (who, wanted, made) => {
    const stage = await aKey({ scopes: ['keys:write'] })
    const viewer = await aViewer(who, stage)
    const making = stage.product.projects.keys.create(
      stage.acme.id,
      { name: 'A copy', scopes: wanted },
      viewer,
    )

    if (made) requireDone(await making)
    else await expect(making).rejects.toThrow(AccessRefusedError)
    expect(await stage.product.projects.keys.list(stage.acme.id, operator())).toHaveLength(made ? 2 : 1)
  })

  type Role = 'owner' | 'admin'

  async function aViewer(who: Role | 'key', { product, text, aMember, signedIn }: Keyed): Promise<Viewer> {
    if (who === 'key') return present(await product.projects.keys.viewer(text, testOrigin))
    return await signedIn(await aMember({ role: who }))
  }
})

describe('the write key', () => {
  test('names its project until it is renewed', async () => {
    const { product, aProject } = await openTestProduct()
    const acme = await aProject()
    expect(acme.writeKey).toMatch(/^phc_[0-9A-Za-z]{40}$/)
    const { project } = requireDone(await product.projects.renewWriteKey(acme.id, operator()))

    expect(project.writeKey).not.toBe(acme.writeKey)
    expect(product.projects.named(acme.writeKey)).toBeUndefined()
    expect(product.projects.named(project.writeKey)).toEqual(project)
  })

  test('opens nothing a secret key opens, nor the other way round', async () => {
    const { product, acme, text } = await aKey({ scopes: 'every' })

    expect(await product.projects.keys.viewer(acme.writeKey, testOrigin)).toBeUndefined()
    expect(product.projects.named(text)).toBeUndefined()
  })
})
