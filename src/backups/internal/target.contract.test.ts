import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aFolder } from '#test/product/fixture'
import { anObjectStorage } from '#test/outside/object-storage'
import { FolderTarget } from './folder-target'
import { Repository } from '../repository'
import { S3Target } from './s3-target'
import type { BackupTarget } from './target'

const forms: readonly [form: string, open: () => Promise<BackupTarget>][] = [
  ['a folder', async () => new FolderTarget(join(aFolder(), 'below', 'it'))],
  ['a bucket', async () => new S3Target('s3://bucket/tilth', (await anObjectStorage()).address('tilth'))],
]

describe.each(forms)('%s as the target of backups', (_form, open) => {
  test('gives back what was put there, and lists it', async () => {
    const target = await open()
    await target.put('blobs/ab/abcd', Buffer.from('one'))
    await target.put('blobs/cd/cdef', Buffer.from(''))
    await target.put('snapshots/s', Buffer.from('two'))

    expect((await target.get('blobs/ab/abcd'))?.toString()).toBe('one')
    expect((await target.get('blobs/cd/cdef'))?.length).toBe(0)
    const listed = await target.list('blobs/')
    expect(listed.map(({ name, bytes }) => `${name} ${bytes}`).toSorted()).toEqual([
      'blobs/ab/abcd 3',
      'blobs/cd/cdef 0',
    ])
    expect(await target.list('')).toHaveLength(3)
  })

  test('replaces, removes, and says that there is nothing', async () => {
    const target = await open()
    expect(await target.get('nothing')).toBeUndefined()
    expect(await target.list('nothing/')).toEqual([])
    await target.remove('nothing')
    await target.put('lock.json', Buffer.from('one'))
    await target.put('lock.json', Buffer.from('two'))
    expect((await target.get('lock.json'))?.toString()).toBe('two')
    await target.remove('lock.json')
    expect(await target.get('lock.json')).toBeUndefined()
  })

  test('carries an encrypted repository', async () => {
    const target = await open()
    const key = Buffer.alloc(32, 3)
    const repository = await Repository.openOrBegin(target, key)
    const content = Buffer.alloc(3 * 1024 ** 2, 'event')
    const chunk = await repository.withLock(() => repository.storeContent(content))
    const again = await Repository.open(target, key)
    expect((await again.fetch(chunk)).equals(content)).toBe(true)
  })
})
