import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { handleApiRequest } from '#api/endpoints'
import { operator } from '#projects/access'
import type { Project } from '#projects/project'
import { openProduct, type Product } from '#server/product'
import { endAfterFile } from '#test/running/end-after-file'
import { aFolder, aWorld, problemMessages, requireDone, testOrigin } from '#test/product/fixture'
import { anEngine } from '#test/product/test-engine'
import { callImports } from './call-imports'
import type { LocalCall } from './call-running-tilth'
import { importFiles, settled } from './import-files'
import { previewFiles } from './preview-import'

const tested = anEngine()
const viewer = operator()
const endLater = endAfterFile()
const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

let product: Product
let project: Project
let call: LocalCall
beforeAll(async () => {
  const folder = aFolder(endLater)
  product = await openProduct({
    store: { folder },
    world: aWorld('import command'),
    engine: tested.engine(),
    intake: {
      dataFolder: folder,
      isAlone: true,
      // only the trouble of a disk is read
      diskSpace: async () => ({ freeBytes: 2 ** 40, trouble: undefined }) as never,
      log: log as never,
      onLiveEvent: () => {},
    },
  })
  endLater(() => product.close())
  project = requireDone(await product.projects.create({ name: 'Acme' }, viewer)).project
  const key = { name: 'tilth import', scopes: ['project:read', 'events:read', 'persons:write'] }
  const { text } = requireDone(await product.projects.keys.create(project.id, key, viewer))
  call = async ({ method, path, body }) => {
    const response = await handleApiRequest(
      {
        method,
        path: path.slice('/api/v1'.length),
        query: new URLSearchParams(),
        authorization: `Bearer ${text}`,
        body: async () => body ?? new Uint8Array(),
        origin: testOrigin,
      },
      product,
    )
    return { status: response.status, headers: {}, body: JSON.stringify(response.body) }
  }
})

const lines = (from: number, until: number): string =>
  Array.from({ length: until - from }, (_, n) =>
    JSON.stringify({
      uuid: `018f0000-0000-7000-8000-${String(from + n).padStart(12, '0')}`,
      event: 'order placed',
      distinct_id: `visitor ${n % 7}`,
      timestamp: `2024-03-01 10:00:${String(n % 60).padStart(2, '0')}+00:00`,
      properties: JSON.stringify({ amount: n }),
    }),
  ).join('\n')

function aFile(name: string, content: string | Uint8Array): string {
  const folder = aFolder()
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function bring(...files: string[]) {
  const messages: string[] = []
  const request = { source: 'posthog', files, until: undefined } as const
  return { messages, outcome: await importFiles(call, project, request, (line) => messages.push(line)) }
}

test('files are imported in portions, an interrupted import continues, and undo takes all of it back', async () => {
  const whole = gzipSync(lines(0, 1200))
  const path = aFile('events.jsonl.gz', whole.subarray(0, Math.floor(whole.length / 2)))
  const cut = await bring(path)
  const { imports } = requireDone(await callImports(call, project, ''))
  const { rows = 0, state } = imports[0] ?? {}
  expect(state).toBe('running')
  expect(rows).toBeGreaterThan(0)
  expect(problemMessages(cut.outcome)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^events.jsonl.gz is cut or damaged: .* ${rows} rows are imported, which is not all. Run the same`,
      ),
    ),
  ])
  expect((await bring(path)).messages[0]).toMatch(
    new RegExp(`^The import \\S+ continues after ${rows} rows.$`),
  )

  const second = requireDone((await bring(aFile('events.jsonl.gz', whole))).outcome)
  expect(second.import).toMatchObject({
    state: 'done',
    rows: 1200,
    kept: 1200,
    dropped: {},
  })
  // the part of a damaged file that can be read differs
  const found = requireDone(await callImports(call, project, `/${imports[0]?.id}`))
  expect(second.import.stored).toBe(1200 - found.import.rows)

  for (const { id } of [...imports, second.import]) {
    requireDone(await callImports(call, project, `/${id}`, undefined, 'DELETE'))
    expect(requireDone(await settled(call, project, { id }, ['undone'])).import.state).toBe('undone')
  }
  const third = requireDone((await bring(aFile('again.jsonl', lines(0, 1200)))).outcome)
  expect(third.import).toMatchObject({ kept: 1200, stored: 1200 })
})

test('a file that is not there begins no import', async () => {
  const before = requireDone(await callImports(call, project, '')).imports.length
  const { outcome } = await bring(join(aFolder(), 'gone.jsonl'))
  expect(problemMessages(outcome)).toEqual(['There is no file gone.jsonl.'])
  expect(requireDone(await callImports(call, project, '')).imports).toHaveLength(before)
})

test('a preview says what would become of each row, and of files that cannot be read to their end', async () => {
  const file = aFile('events.jsonl', `${lines(0, 3)}\n{"uuid":`)
  const damaged = aFile('more.gz', gzipSync(lines(3, 900)).subarray(0, -8))
  const { preview } = await previewFiles({
    source: 'posthog',
    files: [file, damaged],
    until: new Date('2024-03-01T10:00:02Z'),
  })
  expect(preview).toMatchObject({
    dropped: { 'not JSON, perhaps cut': 1 },
    firstAt: '2024-03-01T10:00:00.000Z',
    lastAt: '2024-03-01T10:00:01.000Z',
    names: [{ name: 'order placed' }],
    problem: expect.stringContaining('more.gz is cut or damaged') as string,
  })
  expect(preview.first).toHaveLength(3)
})
