import { describe, expect, onTestFinished, test } from 'vitest'
import { anObjectStorage } from '#test/outside/object-storage'
import { ObjectStorage, type ObjectStorageSettings } from './object-storage'
import { parseObjectStorageAddress } from './object-storage-format'

const mebibyte = 1024 ** 2

describe('objects', () => {
  test.each([
    'plain.txt',
    'a folder/with space+plus.txt',
    "ünï/✓ (1)!*'.txt",
    'per%20cent&amp;<x>.txt',
    '~a=b?c#d',
  ])('one named %s is stored, read, listed and deleted', async (key) => {
    const { storage } = await aStorage()

    expect(await storage.put(key, Buffer.from('hello'), { contentType: 'text/plain' })).toMatchObject({
      ok: true,
      bytes: 5,
    })
    expect(await storage.head(key)).toMatchObject({ ok: true, bytes: 5, contentType: 'text/plain' })
    expect(await contentOf(storage, key)).toBe('hello')
    expect(await contentOf(storage, key, { from: 1, to: 2 })).toBe('el')
    expect(await storage.list('')).toMatchObject({ objects: [{ key, bytes: 5 }] })
    expect(await storage.delete(key)).toEqual({ ok: true })
    expect(await storage.get(key)).toMatchObject({ ok: false, reason: 'not-found' })
  })

  test('keys stay below the prefix of the address', async () => {
    const { storage, double } = await aStorage({ prefix: 'tilth/uploads' })
    double.objects.set('other/x', { body: Buffer.from('theirs'), etag: '', contentType: '' })
    await storage.put('x', Buffer.from('ours'))

    expect([...double.objects.keys()]).toEqual(['other/x', 'tilth/uploads/x'])
    expect(await storage.list('')).toMatchObject({ objects: [{ key: 'x' }] })
  })

  test('deleting what is not there succeeds', async () => {
    const { storage } = await aStorage()
    expect(await storage.delete('nothing')).toEqual({ ok: true })
  })

  test('a list of many pages is complete', async () => {
    const { storage, double } = await aStorage()
    for (let i = 0; i < 2500; i++)
      double.objects.set(`a/${i} +`, { body: Buffer.alloc(0), etag: 'e', contentType: '' })
    double.objects.set('b', { body: Buffer.alloc(0), etag: 'e', contentType: '' })

    const listed = await storage.list('a/')

    expect(listed.ok && new Set(listed.objects.map(({ key }) => key)).size).toBe(2500)
    expect(double.requests).toHaveLength(3)
  })
})

describe('large objects', () => {
  test('a stream is sent in parts and is one object at the end', async () => {
    const { storage, double } = await aStorage()

    const written = await storage.put('large', pieces(12.5), { contentType: 'application/zstd' })

    expect(written).toMatchObject({ ok: true, bytes: 12.5 * mebibyte })
    const object = double.objects.get('large')
    expect(object).toMatchObject({ contentType: 'application/zstd', etag: expect.stringMatching(/-3$/) })
    expect(object?.body.equals(await whole(pieces(12.5)))).toBe(true)
    expect(double.uploads.size).toBe(0)
  })

  test('a short stream needs one request', async () => {
    const { storage, double } = await aStorage()
    await storage.put('short', pieces(0.5))
    await storage.put('empty', pieces(0))

    expect(double.requests).toHaveLength(2)
    expect(double.objects.get('empty')?.body.length).toBe(0)
  })

  test.each(['busy', 'cut', 'cut-after', 'error-in-200'] as const)(
    'a part or the completion that meets "%s" is sent again',
    async (fault) => {
      for (let before = 0; before < 4; before++) {
        const { storage, double } = await aStorage()
        double.faults.push(...Array.from({ length: before }, () => 'none' as const), fault)

        expect(await storage.put('large', pieces(7))).toMatchObject({ ok: true })
        expect(double.objects.get('large')?.body.equals(await whole(pieces(7)))).toBe(true)
      }
    },
  )

  test('an upload whose source fails leaves no parts behind', async () => {
    const { storage, double } = await aStorage()
    async function* failing() {
      yield* pieces(11)
      throw new Error('the disk went away')
    }

    await expect(storage.put('large', failing())).rejects.toThrow('the disk went away')
    expect([double.uploads.size, double.objects.size]).toEqual([0, 0])
  })
})

describe('conditions', () => {
  test.each(['short', 'long'])('of two writers of the same new %s object one wins', async (length) => {
    const { storage, double } = await aStorage()
    const body = () => (length === 'long' ? pieces(6) : Buffer.from('mine'))

    expect(await storage.put('lock', body(), { onlyNew: true })).toMatchObject({ ok: true })
    expect(await storage.put('lock', body(), { onlyNew: true })).toMatchObject({
      ok: false,
      reason: 'changed',
    })
    expect(double.uploads.size).toBe(0)
  })

  test('an object that was changed meanwhile is not replaced', async () => {
    const { storage } = await aStorage()
    const first = await storage.put('state', Buffer.from('1'))
    const etag = first.ok ? first.etag : ''

    expect(await storage.put('state', Buffer.from('2'), { onlyReplacing: etag })).toMatchObject({ ok: true })
    expect(await storage.put('state', Buffer.from('3'), { onlyReplacing: etag })).toMatchObject({
      reason: 'changed',
    })
    expect(await contentOf(storage, 'state')).toBe('2')
  })

  test('a conditional write whose answer was lost is not repeated, since it may have succeeded', async () => {
    const { storage, double } = await aStorage()
    double.faults.push('cut-after')

    expect(await storage.put('lock', Buffer.from('x'), { onlyNew: true })).toMatchObject({
      ok: false,
      reason: 'unavailable',
    })
    expect(double.requests).toHaveLength(1)
  })
})

describe('trouble', () => {
  test('a storage that is busy for a moment is asked again', async () => {
    const { storage, double } = await aStorage()
    double.faults.push('busy', 'cut', 'busy')

    expect(await storage.put('x', Buffer.from('x'))).toMatchObject({ ok: true })
    expect(double.requests).toHaveLength(4)
  })

  test('a storage that is busy for long is given up with an outcome', async () => {
    const { storage, double } = await aStorage()
    double.faults.push('busy', 'busy', 'busy', 'busy', 'busy', 'busy')

    expect(await storage.get('x')).toMatchObject({ ok: false, reason: 'unavailable' })
    expect(double.requests).toHaveLength(5)
  })

  test('a wrong secret key is refused', async () => {
    const { double } = await aStorage()
    const storage = clientOf({ address: { ...double.address(), secretKey: 'another' } })

    expect(await storage.put('x', Buffer.from('x'))).toMatchObject({
      reason: 'denied',
      message: 'The storage answered SignatureDoesNotMatch: SignatureDoesNotMatch',
    })
  })

  test('a clock that is wrong is named', async () => {
    const { double } = await aStorage()
    const storage = clientOf({ address: double.address(), now: () => new Date('2020-01-01') })

    expect(await storage.list('')).toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('clock'),
    })
  })

  test('a redirect is not followed', async () => {
    const { storage, double } = await aStorage()
    double.faults.push('redirect')

    expect(await storage.put('x', Buffer.from('x'))).toMatchObject({ reason: 'refused' })
    expect(double.requests).toHaveLength(1)
  })

  test('a storage that cannot be reached is an outcome', async () => {
    const { storage, double } = await aStorage()
    await double.stop()

    expect(await storage.head('x')).toMatchObject({ ok: false, reason: 'unavailable' })
  })
})

describe('addresses', () => {
  const service = { endpoint: undefined, region: 'eu-west-1', accessKey: 'a', secretKey: 's' }

  test.each([
    ['s3://bucket', 'https://bucket.s3.eu-west-1.amazonaws.com/', ''],
    ['s3://bucket/a/b/', 'https://bucket.s3.eu-west-1.amazonaws.com/', 'a/b/'],
    ['s3://dotted.bucket/x', 'https://s3.eu-west-1.amazonaws.com/', 'x/'],
  ])('%s', (text, endpoint, prefix) => {
    const address = parseObjectStorageAddress(text, service)
    expect([address?.endpoint.href, address?.prefix]).toEqual([endpoint, prefix])
  })

  test.each([
    's3://',
    's3:///x',
    's3://Bucket',
    'https://bucket',
    's3://bucket/../x',
    's3://bucket/a//b',
    's3://bucket?x',
  ])('not %s', (text) => expect(parseObjectStorageAddress(text, service)).toBeUndefined())
})

async function aStorage({ prefix }: { prefix?: string } = {}) {
  const double = await anObjectStorage()
  return { double, storage: clientOf({ address: double.address(prefix) }) }
}

function clientOf(settings: ObjectStorageSettings): ObjectStorage {
  const storage = new ObjectStorage({ partBytes: 5 * mebibyte, retryMs: 1, silentMs: 2000, ...settings })
  onTestFinished(() => storage.close())
  return storage
}

async function contentOf(storage: ObjectStorage, key: string, range?: { from: number; to: number }) {
  const got = await storage.get(key, range)
  return got.ok ? (await whole(got.body)).toString() : got.reason
}

/** Yields so many MiB in chunks of uneven size. */
async function* pieces(mebibytes: number): AsyncGenerator<Buffer> {
  const all = Buffer.alloc(mebibytes * mebibyte, 'what is sent, ')
  for (let from = 0; from < all.length; from += 700_001) yield all.subarray(from, from + 700_001)
}

async function whole(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
