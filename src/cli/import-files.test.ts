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
  call = callWith(text)
})

const callWith =
  (key: string): LocalCall =>
  async ({ method, path, body }) => {
    const response = await handleApiRequest(
      {
        method,
        path: path.slice('/api/v1'.length),
        query: new URLSearchParams(),
        authorization: `Bearer ${key}`,
        body: async () => body ?? new Uint8Array(),
        origin: testOrigin,
      },
      product,
    )
    return { status: response.status, headers: {}, body: JSON.stringify(response.body) }
  }

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
  const until = new Date('2024-03-01T10:00:02Z')
  const { preview } = await previewFiles({ source: 'posthog', files: [file, damaged], until }, project)
  expect(preview).toMatchObject({
    dropped: { 'not JSON, perhaps cut': 1 },
    firstAt: '2024-03-01T10:00:00.000Z',
    lastAt: '2024-03-01T10:00:01.000Z',
    names: [{ name: 'order placed' }],
    problem: expect.stringContaining('more.gz is cut or damaged') as string,
  })
  expect(preview.first).toHaveLength(3)
})

test('a preview counts what the import keeps: copies, recordings and blocked pages are none of it', async () => {
  const shop = requireDone(await product.projects.create({ name: 'Shop' }, viewer)).project
  const changed = await product.projects.change(
    shop.id,
    { intake: { shields: { pages: ['/admin*'] } } },
    viewer,
  )
  const row = (n: number, more: object) =>
    JSON.stringify({
      uuid: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      event: '$pageview',
      distinct_id: 'ana',
      timestamp: '2024-03-01 10:00:00+00:00',
      properties: { $current_url: 'https://acme.example/pricing' },
      ...more,
    })
  const file = aFile(
    'mixed.jsonl',
    [
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => row(n, {})),
      row(3, {}),
      row(10, { event: '$snapshot' }),
      row(11, { properties: { $current_url: 'https://acme.example/admin/users' } }),
    ].join('\n'),
  )
  const request = { source: 'posthog', files: [file], until: undefined } as const
  const { project: blocking } = requireDone(changed)
  const { preview } = await previewFiles(request, blocking)
  expect(preview).toMatchObject({ rows: 12, events: 9, repeated: 1 })

  const key = { name: 'tilth import', scopes: ['project:read', 'events:read', 'persons:write'] }
  const { text } = requireDone(await product.projects.keys.create(shop.id, key, viewer))
  const imported = requireDone(await importFiles(callWith(text), blocking, request, () => {})).import
  expect(imported).toMatchObject({ stored: preview.events, dropped: preview.dropped })
  expect(imported.kept).toBe(preview.events + preview.repeated)
})

test('files of another form are named as such, and leave no import that could continue', async () => {
  const umami = 'website_id,session_id,event_type,url_path,created_at\nw,s,1,/a,2024-03-01 10:00:00\n'
  const { outcome } = await bring(aFile('website_event.csv', umami))
  expect(problemMessages(outcome)).toEqual([
    'Nothing in website_event.csv has the form of an export of PostHog: expected event, distinct_id, timestamp and properties, ' +
      'or those of persons: distinct_id, person_id and created_at; found website_id, session_id, event_type, url_path, ' +
      'created_at. It looks like an export of Umami: import it as that. Nothing is imported.',
  ])
  const { imports } = requireDone(await callImports(call, project, ''))
  const id = imports.find(({ name }) => name === 'website_event.csv')?.id ?? ''
  expect(requireDone(await settled(call, project, { id }, ['undone'])).import).toMatchObject({
    state: 'undone',
    rows: 0,
  })
})
