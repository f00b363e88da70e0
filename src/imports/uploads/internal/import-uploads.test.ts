import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { IncomingEvent } from '#events/event'
import { defaultIngestSettings } from '#ingest/settings'
import { operator } from '#projects/access'
import { aProjectWithStore, present, problemMessages, requireDone } from '#test/product/fixture'
import { Imports } from '../../imports'
import { readFiles, type ReadingReceiver } from '../../reading/reading'
import type { RunningReading, StartReading } from '../../reading/internal/reading-process'
import { ImportUploads } from './import-uploads'
import { UploadReader } from './upload-reader'

const viewer = operator()
const gigabyte = 1e9

/** Reads as a process of its own does, but in this one. */
const readHere: StartReading = (request, receiver) => {
  const stopping = Promise.withResolvers<{ kind: 'stopped' }>()
  const reading = readFiles(request, receiver).catch((problem: unknown) => ({
    kind: 'failed' as const,
    why: String(problem),
  }))
  return {
    ended: Promise.race([stopping.promise, reading]),
    stop: () => stopping.resolve({ kind: 'stopped' }),
  }
}

/** Reads until it was given so many portions, and then fails as a process that is killed. */
const readUntil =
  (portions: number): StartReading =>
  (request, receiver, folder) => {
    const failing = Promise.withResolvers<{ kind: 'failed'; why: string }>()
    let given = 0
    const counting: ReadingReceiver = {
      ...receiver,
      portion: async (portion) => {
        if (given++ === portions) failing.resolve({ kind: 'failed', why: 'It was killed.' })
        else if (given <= portions) return await receiver.portion(portion)
        return await new Promise(() => {})
      },
    }
    const { ended, stop }: RunningReading = readHere(request, counting, folder)
    return { ended: Promise.race([failing.promise, ended]), stop }
  }

/** Reads as many portions, and then waits for ever. `begun` resolves once it reads for an import. */
function stuckAfter(portions: number) {
  const begun = Promise.withResolvers<void>()
  const stops: string[] = []
  const start: StartReading = (request, receiver, folder) => {
    let given = 0
    const portion: ReadingReceiver['portion'] = async (one) =>
      await (given++ < portions ? receiver.portion(one) : new Promise<never>(() => {}))
    const { ended, stop } = readHere(request, { ...receiver, portion }, folder)
    if (request.work === 'import') begun.resolve()
    const noted = () => {
      stops.push(request.work)
      stop()
    }
    return { ended, stop: noted }
  }
  return { start, begun: begun.promise, stops }
}

async function anUploader(freeBytes = gigabyte) {
  const { store, world, folder, id } = await aProjectWithStore()
  const stored: string[] = []
  const history = {
    write: async (events: readonly IncomingEvent[]) => {
      stored.push(...events.map(({ uuid }) => String(uuid)))
      return { taken: true as const, dropped: [], firstAt: undefined, lastAt: undefined }
    },
    writePrepared: async () => expect.unreachable('no portion is sent as JSON'),
    refusal: () => undefined,
    restore: async () => 0,
  }
  const imports = new Imports({ store, world, history })
  const uploads = new ImportUploads({ store, world, imports, folder, freeBytes: async () => freeBytes })
  const files = join(folder, 'imports')
  /** Reads what waits, and returns what pages show afterwards. */
  const aReader = (startReading: StartReading) => {
    const problems: unknown[] = []
    const reader = new UploadReader({
      store,
      world,
      imports,
      folder,
      engine: { query: async <Row>() => [{ events: 3 }] as Row[] },
      startReading,
      intakeSettingsOf: () => defaultIngestSettings,
      onTrouble: (problem) => problems.push(problem),
    })
    onTestFinished(() => {
      reader.close()
      expect(problems).toEqual([])
    })
    return reader
  }
  const list = () => uploads.list(id, viewer)
  const state = async () => (await list())[0]?.state ?? 'gone'
  const read = async (until: string, startReading = readHere) => {
    const reader = aReader(startReading)
    await reader.run()
    await expect.poll(state).toBe(until)
    return reader
  }
  return { id, uploads, imports, files, list, state, read, stored, world }
}

type Uploader = Awaited<ReturnType<typeof anUploader>>

const rows = (amount: number): string =>
  Array.from({ length: amount }, (_, n) =>
    JSON.stringify({
      uuid: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      event: n % 2 ? 'ordered' : 'viewed',
      distinct_id: 'ana',
      timestamp: `2024-03-0${1 + (n % 5)}T10:00:00Z`,
      properties: '{}',
    }),
  ).join('\n')

async function upload(
  { id, uploads }: Uploader,
  content: Uint8Array = Buffer.from(rows(10)),
  name = 'events.jsonl',
): Promise<string> {
  const input = { source: 'posthog', files: [{ name, bytes: content.length }] }
  const startedUpload = requireDone(await uploads.begin(id, input, viewer)).upload
  requireDone(await uploads.write(id, { upload: startedUpload.id, file: 0, at: 0 }, content, viewer))
  return startedUpload.id
}

async function previewed(uploader: Uploader, content?: Uint8Array): Promise<string> {
  const uploadId = await upload(uploader, content)
  requireDone(await uploader.uploads.preview(uploader.id, uploadId, {}, viewer))
  await uploader.read('previewed')
  return uploadId
}

test('files arrive in parts, are previewed and imported, and are deleted afterwards', async () => {
  const uploader = await anUploader()
  const { id, uploads, files, list, read, imports, stored } = uploader
  const content = Buffer.from(rows(10))
  const input = { source: 'posthog', files: [{ name: 'events.jsonl', bytes: content.length }] }
  const { upload: startedUpload } = requireDone(await uploads.begin(id, input, viewer))
  const write = async (at: number, until: number) =>
    requireDone(
      await uploads.write(id, { upload: startedUpload.id, file: 0, at }, content.subarray(at, until), viewer),
    ).received
  expect(await write(0, 100)).toBe(100)
  expect(await write(200, 300)).toBe(100)
  expect(await write(0, 100)).toBe(100)
  expect(problemMessages(await uploads.preview(id, startedUpload.id, {}, viewer))).toEqual([
    'The files have not arrived completely. Choose the same files again to continue.',
  ])
  expect(requireDone(await uploads.begin(id, input, viewer)).upload).toMatchObject({
    id: startedUpload.id,
    received: [100],
  })
  expect(await write(100, content.length)).toBe(content.length)

  requireDone(await uploads.preview(id, startedUpload.id, { until: '2024-03-05T10:00:00Z' }, viewer))
  await read('previewed')
  expect((await list())[0]?.preview).toMatchObject({
    rows: 10,
    events: 8,
    dropped: { 'at the cut-over or later': 2 },
    firstAt: '2024-03-01T10:00:00.000Z',
    lastAt: '2024-03-04T10:00:00.000Z',
    names: [
      { name: 'viewed', events: 4 },
      { name: 'ordered', events: 4 },
    ],
    there: { lookedUp: 8, found: 3 },
  })

  requireDone(await uploads.start(id, startedUpload.id, viewer))
  await read('gone')
  expect(await imports.list(id, viewer)).toMatchObject([
    { state: 'storing', rows: 10, kept: 8, name: 'events.jsonl', createdBy: viewer.name },
  ])
  expect(new Set(stored).size).toBe(8)
  await expect.poll(() => readdirSync(files)).toEqual([])
})

test('an import whose process dies says so, and continues behind the rows that were written', async () => {
  const uploader = await anUploader()
  const { id, uploads, read, list, imports, stored } = uploader
  const uploadId = await previewed(uploader, Buffer.from(rows(1200)))
  requireDone(await uploads.start(id, uploadId, viewer))
  await read('interrupted', readUntil(1))
  expect((await list())[0]).toMatchObject({ problem: 'It was killed.' })
  expect(await imports.list(id, viewer)).toMatchObject([{ state: 'running', rows: 500 }])

  requireDone(await uploads.start(id, uploadId, viewer))
  await read('gone')
  expect(await imports.list(id, viewer)).toMatchObject([{ state: 'storing', rows: 1200, kept: 1200 }])
  expect(stored).toHaveLength(1200)
  expect(new Set(stored).size).toBe(1200)
})

test('what a stop of Tilth interrupts is continued at the next start', async () => {
  const uploader = await anUploader()
  const { id, uploads, read, state, stored } = uploader
  const uploadId = await previewed(uploader, Buffer.from(rows(1200)))
  requireDone(await uploads.start(id, uploadId, viewer))
  const first = await read('importing', stuckAfter(1).start)
  await expect.poll(() => stored.length).toBeGreaterThan(0)
  first.close()
  expect(await state()).toBe('importing')
  await read('gone')
  expect(new Set(stored).size).toBe(1200)
})

test('files that are discarded while they are read are not read any further', async () => {
  const uploader = await anUploader()
  const { id, uploads, files, imports, read, state } = uploader
  const uploadId = await previewed(uploader, Buffer.from(rows(1200)))
  requireDone(await uploads.start(id, uploadId, viewer))
  const { start, begun, stops } = stuckAfter(0)
  const reader = await read('importing', start)
  await begun
  requireDone(await uploads.discard(id, uploadId, viewer))
  await expect.poll(() => stops).toEqual(['import'])
  expect(await state()).toBe('gone')
  expect(existsSync(join(files, uploadId))).toBe(false)
  expect(await imports.list(id, viewer)).toMatchObject([{ state: 'running', rows: 0 }])
  reader.close()
})

test('an import that is undone meanwhile ends the reading and deletes the files', async () => {
  const uploader = await anUploader()
  const { id, uploads, files, imports, read } = uploader
  const uploadId = await previewed(uploader)
  requireDone(await uploads.start(id, uploadId, viewer))
  const [startedImport] = await imports.list(id, viewer)
  requireDone(await imports.undo(id, present(startedImport).id, viewer))
  await read('gone')
  await expect.poll(() => readdirSync(files)).toEqual([])
})

test('files that cannot be read to their end are not imported, and say why', async () => {
  const uploader = await anUploader()
  const { id, uploads, list } = uploader
  const uploadId = await previewed(uploader, gzipSync(rows(2000)).subarray(0, -200))
  const problem = 'events.jsonl is cut or damaged: it cannot be unpacked to its end. Download it again.'
  expect((await list())[0]?.preview?.problem).toBe(problem)
  expect(problemMessages(await uploads.start(id, uploadId, viewer))).toEqual([problem])
})

test('files for which there is no room are refused, with what to do', async () => {
  const { id, uploads, list } = await anUploader(gigabyte)
  const input = { source: 'posthog', files: [{ name: 'events.jsonl', bytes: 2.5 * gigabyte }] }
  expect(problemMessages(await uploads.begin(id, input, viewer))).toEqual([
    'The files need 2.5 GB, and the server has 1.0 GB for them. Free some space, or run tilth import posthog on the ' +
      'server, which reads files where they are.',
  ])
  expect(await list()).toEqual([])
})

test.each(['../../../store.db', '..', '/etc/passwd', 'a\0b'])(
  'a file named %j stays in its folder',
  async (name) => {
    const uploader = await anUploader()
    const uploadId = await upload(uploader, Buffer.from('{}'), name)
    const place = join(uploader.files, uploadId, '0')
    expect(readdirSync(place)).toHaveLength(1)
    requireDone(await uploader.uploads.discard(uploader.id, uploadId, viewer))
    expect(readdirSync(uploader.files)).toEqual([])
  },
)

test('bytes beyond the announced end of a file are refused', async () => {
  const { id, uploads } = await anUploader()
  const input = { source: 'posthog', files: [{ name: 'events.jsonl', bytes: 4 }] }
  const { upload: startedUpload } = requireDone(await uploads.begin(id, input, viewer))
  const part = { upload: startedUpload.id, file: 0, at: 2 }
  expect(problemMessages(await uploads.write(id, part, Buffer.from('abc'), viewer))).toEqual([
    'events.jsonl is larger than it was. Discard the upload and begin again.',
  ])
})

test('uploads that are left alone for a week are deleted', async () => {
  const uploader = await anUploader()
  const { files, world, read } = uploader
  await upload(uploader)
  await read('receiving')
  world.advance('8 days')
  await read('gone')
  await expect.poll(() => readdirSync(files)).toEqual([])
})
