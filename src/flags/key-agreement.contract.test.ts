import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeOnPostgres } from '#test/outside/postgres'
import { aFolder, aWorld } from '#test/product/fixture'
import { openStore } from '#store/open'
import { acceptKey, agreeOnKey } from './key-agreement'
import { Seal, sealFile } from './seal'

function agreementContract(emptyStore: () => Promise<{ url?: string; folder: string }>): void {
  let fronts = 0
  const aSeal = (folder = aFolder()) => new Seal({ folder, world: aWorld(`front ${fronts++}`) })

  async function aStore() {
    const settings = await emptyStore()
    const store = await openStore(settings)
    onTestFinished(() => store.close())
    return store
  }

  test('the first front that starts makes the key, and its next start has it', async () => {
    const store = await aStore()
    const folder = aFolder()

    expect(await agreeOnKey(store, aSeal(folder))).toEqual({ agrees: true })
    expect(existsSync(join(folder, sealFile))).toBe(true)
    expect(await agreeOnKey(store, aSeal(folder))).toEqual({ agrees: true })
  })

  test('a key from before the store knew of it is adopted', async () => {
    const store = await aStore()
    const folder = aFolder()
    const sealed = aSeal(folder).close('hush', 'webhook')
    await agreeOnKey(store, aSeal(folder))

    expect(aSeal(folder).open(sealed, 'webhook')).toBe('hush')
  })

  test('a front with another key is refused with the file and the remedy', async () => {
    const store = await aStore()
    await agreeOnKey(store, aSeal())
    const folder = aFolder()
    aSeal(folder).close('hush', 'webhook')

    expect(await agreeOnKey(store, aSeal(folder))).toMatchObject({
      agrees: false,
      trouble: expect.stringContaining(`${join(folder, sealFile)} is another key`),
      remedy: expect.stringContaining('copy flags.key from the data folder of another front'),
    })
  })

  test('a front without a key is refused and makes none; with the file of the other front it starts', async () => {
    const store = await aStore()
    const [first, second] = [aFolder(), aFolder()]
    await agreeOnKey(store, aSeal(first))

    expect(await agreeOnKey(store, aSeal(second))).toMatchObject({
      agrees: false,
      trouble: expect.stringContaining('is missing'),
    })
    expect(existsSync(join(second, sealFile))).toBe(false)
    cpSync(join(first, sealFile), join(second, sealFile))
    expect(await agreeOnKey(store, aSeal(second))).toEqual({ agrees: true })
  })

  test('of two first starts at once, one has the key', async () => {
    const store = await aStore()
    const agreements = await Promise.all([agreeOnKey(store, aSeal()), agreeOnKey(store, aSeal())])

    expect(agreements.filter(({ agrees }) => agrees)).toHaveLength(1)
  })

  test('a lost key can be given up', async () => {
    const store = await aStore()
    const folder = aFolder()
    await agreeOnKey(store, aSeal(folder))
    rmSync(join(folder, sealFile))
    await acceptKey(store, aSeal(folder))

    expect(await agreeOnKey(store, aSeal(folder))).toEqual({ agrees: true })
  })
}

describe('on a file', () => agreementContract(async () => ({ folder: aFolder() })))
describeOnPostgres('the key', (emptyDatabase) =>
  agreementContract(async () => ({ folder: aFolder(), url: await emptyDatabase() })),
)
