import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import {
  collectionEndpoints,
  findEndpoint,
  removeEndpoint,
  verbEndpoint,
} from '#api/internal/collection-endpoints'
import type { Endpoint, EndpointCall } from '#api/internal/endpoint'
import { AccessRefusedError, type KeyViewer, may, operator, type Right, type Viewer } from '#projects/access'
import { failedOutcome, missingOutcome } from '#projects/problems'
import { openStore } from '#store/open'
import { openTestProduct, present, problemMessages, requireDone, testOrigin } from '#test/product/fixture'
import { collectionClass, declareCollection } from './collection'
import type { CollectionDependencies, WriteContext } from './declaration'
import { entrySchema, shownAs } from './entry-shape'

const weatherReport = entrySchema({
  sky: z.string(),
  /** Only this viewer sees it. */
  owner: z.string().optional(),
})
type WeatherReport = z.infer<typeof weatherReport>

const fields = z.strictObject({
  sky: z.string().min(1, 'Say how the sky looks.'),
  isMine: z.boolean().default(false),
})

/** Reports of the weather, kept in memory. */
async function weatherReports(limit = 10) {
  const { product, world, folder, aProject } = await openTestProduct()
  const project = await aProject()
  const store = await openStore({ folder })
  onTestFinished(() => store.close())
  const kept = new Map<string, WeatherReport>()
  const declaration = declareCollection({
    name: 'report',
    rights: { read: 'events:read', write: 'insights:write' },
    newEntry: fields,
    change: z.strictObject({ sky: fields.shape.sky }).partial(),
    limit: { count: limit, message: `A project has at most ${limit} reports.` },
    table: {
      list: async (_, projectId) => [...kept.values()].filter((report) => report.projectId === projectId),
      save: async (_: unknown, report: WeatherReport) => void kept.set(report.id, report),
      remove: async (_, { id }) => void kept.delete(id),
    },
    idOf: ({ id }) => id,
    audit: { subject: ({ sky }) => sky, fields: ({ sky }) => ({ sky }) },
    isVisible: ({ owner }, viewer) => owner === undefined || owner === viewer.name,
    applyNew: ({ sky, isMine }, { created, viewer, existing }) =>
      existing.some((report) => report.sky === sky)
        ? failedOutcome('The sky looks so already.', 'sky')
        : { ...created, sky, owner: isMine ? viewer.name : undefined },
    applyChange: (before, change) => ({ ...before, ...change }),
    refuseRemoval: async ({ sky }) => (sky === 'storm' ? failedOutcome('Wait until it is over.') : undefined),
    topic: 'weather',
    api: {
      summaries: { list: 'List', create: 'Create', change: 'Change', remove: 'Remove' },
      ...shownAs('WeatherReport', weatherReport.omit({ projectId: true, owner: true })),
    },
  })
  let commits = 0
  const Reports = collectionClass(declaration)
  const reports = new Reports({ store, world, afterCommit: async () => void (commits += 1) })
  const topics: string[] = []
  store.onChange((topic) => topics.push(topic))
  const audit = async () => {
    const entries = await product.projects.audit.list(project.id, {}, operator())
    return entries
      .filter(({ action }) => action.startsWith('report.'))
      .map(({ action, subject, before, after }) => ({ action, subject, before, after }))
      .toReversed()
  }
  const endpoints = collectionEndpoints(declaration, () => reports)
  const call = async (method: string, more: Partial<EndpointCall> & { id?: string } = {}) => {
    const endpoint = endpoints.find((one) => one.method === method)
    const outcome = await endpoint?.handle({
      product,
      viewer: operator(),
      input: undefined,
      query: new URLSearchParams(),
      signal: undefined,
      pathParameter: (name) => (name === 'report' ? (more.id ?? '') : ''),
      project: () => project,
      ...more,
    })
    return outcome?.done ? outcome.body : outcome?.problems
  }
  return { reports, id: project.id, aProject, audit, topics, commits: () => commits, endpoints, call }
}

const aKey = (projectId: number, ...scopes: Right[]): KeyViewer => ({
  kind: 'key',
  keyId: 'k1',
  name: 'Script',
  projectId,
  scopes: new Set(scopes),
  origin: testOrigin,
})

test('an entry is created, changed and removed, under the name of its collection', async () => {
  const { reports, id } = await weatherReports()
  const { report } = requireDone(await reports.create(id, { sky: 'clear' }, operator()))
  const changed = requireDone(await reports.change(id, report.id, { sky: 'cloudy' }, operator()))
  expect(changed).toEqual({ done: true, report: { ...report, sky: 'cloudy' } })
  expect(await reports.list(id, operator())).toEqual([changed.report])

  expect(await reports.remove(id, report.id, operator())).toEqual({ done: true })
  expect(await reports.list(id, operator())).toEqual([])
})

test('a viewer without the right to read or to write is refused, whatever the input is', async () => {
  const { reports, id } = await weatherReports()
  const { report } = requireDone(await reports.create(id, { sky: 'clear' }, operator()))
  const reader = aKey(id, 'project:read', 'events:read')
  const writer = aKey(id, 'project:read', 'insights:write')

  expect(await reports.list(id, reader)).toHaveLength(1)
  await expect(reports.list(id, writer)).rejects.toThrow(AccessRefusedError)
  await expect(reports.create(id, {}, reader)).rejects.toThrow(AccessRefusedError)
  await expect(reports.change(id, report.id, { sky: 'grey' }, reader)).rejects.toThrow(AccessRefusedError)
  await expect(reports.remove(id, report.id, reader)).rejects.toThrow(AccessRefusedError)
  requireDone(await reports.change(id, report.id, { sky: 'grey' }, writer))
})

test('every change has its audit entry and its topic, a refused one has neither', async () => {
  const { reports, id, audit, topics, commits } = await weatherReports()
  const { report } = requireDone(await reports.create(id, { sky: 'clear' }, operator()))
  requireDone(await reports.change(id, report.id, { sky: 'storm' }, operator()))
  await reports.create(id, { sky: '' }, operator())
  await reports.remove(id, report.id, operator())
  requireDone(await reports.change(id, report.id, { sky: 'grey' }, operator()))
  requireDone(await reports.remove(id, report.id, operator()))

  expect(await audit()).toEqual([
    { action: 'report.create', subject: 'clear', before: undefined, after: { sky: 'clear' } },
    { action: 'report.change', subject: 'storm', before: { sky: 'clear' }, after: { sky: 'storm' } },
    { action: 'report.change', subject: 'grey', before: { sky: 'storm' }, after: { sky: 'grey' } },
    { action: 'report.remove', subject: 'grey', before: { sky: 'grey' }, after: undefined },
  ])
  expect([topics, commits()]).toEqual([['weather', 'weather', 'weather', 'weather'], 4])
})

test('an entry beyond the limit is refused', async () => {
  const { reports, id, aProject } = await weatherReports(1)
  const elsewhere = await aProject({ name: 'Other' })
  requireDone(await reports.create(elsewhere.id, { sky: 'clear' }, operator()))
  requireDone(await reports.create(id, { sky: 'clear' }, operator()))
  expect(problemMessages(await reports.create(id, { sky: 'grey' }, operator()))).toEqual([
    'A project has at most 1 reports.',
  ])
  expect(await reports.list(id, operator())).toHaveLength(1)
})

test('the collection refuses by its own rules', async () => {
  const { reports, id } = await weatherReports()
  const { report } = requireDone(await reports.create(id, { sky: 'storm' }, operator()))
  expect(await reports.create(id, { sky: 'storm' }, operator())).toEqual(
    failedOutcome('The sky looks so already.', 'sky'),
  )
  expect(await reports.create(id, { sky: '' }, operator())).toEqual(
    failedOutcome('Say how the sky looks.', 'sky'),
  )
  expect(await reports.remove(id, report.id, operator())).toEqual(failedOutcome('Wait until it is over.'))
})

test.each<[string, (viewer: Viewer) => Viewer]>([
  ['an unknown id', (viewer) => viewer],
  ['an entry that the viewer does not see', () => operator('Ben')],
])('%s is answered as one that does not exist', async (what, other) => {
  const { reports, id, aProject } = await weatherReports()
  const ana = operator('Ana')
  const { report } = requireDone(await reports.create(id, { sky: 'clear', isMine: true }, ana))
  const viewer = other(ana)
  const wanted = viewer === ana ? 'unknown' : report.id
  const elsewhere = await aProject({ name: 'Other' })
  const missing = missingOutcome('There is no such report in this project.')

  expect(await reports.change(id, wanted, { sky: 'grey' }, viewer), what).toEqual(missing)
  expect(await reports.remove(id, wanted, viewer)).toEqual(missing)
  expect(await reports.remove(elsewhere.id, report.id, ana)).toEqual(missing)
  expect(await reports.list(id, ana)).toEqual([report])
  expect(await reports.list(id, operator('Ben'))).toEqual([])
})

test('the endpoints say what they need and answer in the shape of the collection', async () => {
  const { endpoints, call } = await weatherReports()
  expect(endpoints.map(({ method, path, right, status }) => [method, path, right, status])).toEqual([
    ['GET', '/projects/{project}/reports', 'events:read', undefined],
    ['POST', '/projects/{project}/reports', 'insights:write', 201],
    ['PATCH', '/projects/{project}/reports/{report}', 'insights:write', undefined],
    ['DELETE', '/projects/{project}/reports/{report}', 'insights:write', undefined],
  ])

  const created = await call('POST', { input: { sky: 'clear' } })
  const shape = present(endpoints[1]).responseSchema.parse(created)
  const { id } = z.object({ id: z.string() }).parse(shape)
  expect(created).toEqual({ id, sky: 'clear', createdBy: 'operator', createdAt: expect.any(Date) })
  expect(await call('GET')).toEqual({ reports: [created] })
  expect(await call('PATCH', { id, input: { sky: 'grey' } })).toMatchObject({ id, sky: 'grey' })
  expect(await call('DELETE', { id: 'unknown' })).toEqual(
    failedOutcome('There is no such report in this project.').problems,
  )
  expect(await call('DELETE', { id })).toEqual({})
  expect(await call('GET')).toEqual({ reports: [] })
})

/** Forecasts ask a weather station before they are saved, and keep every sky they said. */
async function forecasts(limit = 10) {
  const { product, world, folder, aProject } = await openTestProduct()
  const project = await aProject()
  const store = await openStore({ folder })
  onTestFinished(() => store.close())
  const kept = new Map<string, WeatherReport>()
  const requests: string[] = []
  const messages: string[] = []
  const station = async (sky: string) => {
    requests.push(sky)
    return sky === 'green' ? failedOutcome('No sky is green.', 'sky') : { measured: `${sky}, measured` }
  }
  interface Dependencies extends CollectionDependencies {
    station: typeof station
  }
  const declaration = declareCollection({
    name: 'report',
    noun: 'forecast',
    rights: { read: 'events:read', write: 'insights:write' },
    newEntry: fields,
    change: z.strictObject({ sky: fields.shape.sky }).partial(),
    limit: { count: limit, message: 'That is enough.' },
    table: {
      list: async () => [...kept.values()],
      find: async (_, projectId, id) => {
        const report = kept.get(id)
        return report?.projectId === projectId ? report : undefined
      },
      save: async (_: unknown, report: WeatherReport) => void kept.set(report.id, report),
    },
    idOf: ({ id }) => id,
    audit: { subject: ({ sky }) => sky, fields: ({ sky }) => ({ sky }) },
    prepareNew: ({ sky }, { dependencies }: WriteContext<Dependencies>) => dependencies.station(sky),
    prepareChange: (before, { sky = before.sky }, { dependencies }) => dependencies.station(sky),
    applyNew: (_, { created, prepared: { measured } }) => ({ ...created, sky: measured, owner: undefined }),
    applyChange: (before, _change, _viewer, { prepared: { measured } }) => ({ ...before, sky: measured }),
    afterSave: async (_, { sky }, { before, input }) =>
      void messages.push(`${before?.sky ?? 'nothing'} → ${sky}${input ? '' : ', without input'}`),
    showTo: (report, { projectId, viewer }) =>
      may('insights:write', projectId, viewer) ? report : { ...report, createdBy: '' },
    api: {
      summaries: { list: 'List', create: 'Create', change: 'Change', find: 'Find' },
      ...shownAs('Forecast', weatherReport.pick({ id: true, sky: true })),
    },
  })
  class Forecasts extends collectionClass(declaration) {
    async find(projectId: number, id: string, viewer: Viewer) {
      return await this.read(projectId, id, viewer)
    }
    async forget(projectId: number, id: string, viewer: Viewer) {
      return await this.alter('report.change', projectId, id, viewer, (before) =>
        before.sky === '' ? failedOutcome('It is forgotten already.') : { ...before, sky: '' },
      )
    }
  }
  const reports = new Forecasts({ store, world, station })
  const call = async (endpoint: Endpoint, id: string) =>
    await endpoint.handle({
      product,
      viewer: operator(),
      input: undefined,
      query: new URLSearchParams(),
      signal: undefined,
      pathParameter: (name) => (name === 'report' ? id : ''),
      project: () => project,
    })
  return { reports, id: project.id, requests, messages, declaration, call }
}

test('what is looked up before the transaction is part of the entry, or refuses it', async () => {
  const { reports, id, requests, messages } = await forecasts()
  const { report } = requireDone(await reports.create(id, { sky: 'blue' }, operator()))
  expect(report.sky).toBe('blue, measured')
  expect(await reports.create(id, { sky: 'green' }, operator())).toEqual(
    failedOutcome('No sky is green.', 'sky'),
  )
  expect(await reports.change(id, report.id, { sky: 'green' }, operator())).toEqual(
    failedOutcome('No sky is green.', 'sky'),
  )
  requireDone(await reports.change(id, report.id, { sky: 'grey' }, operator()))
  expect([requests, messages]).toEqual([
    ['blue', 'green', 'green', 'grey'],
    ['nothing → blue, measured', 'blue, measured → grey, measured'],
  ])
})

test('nothing is looked up for an entry beyond the limit or for one that does not exist', async () => {
  const { reports, id, requests } = await forecasts(1)
  requireDone(await reports.create(id, { sky: 'blue' }, operator()))
  expect(problemMessages(await reports.create(id, { sky: 'grey' }, operator()))).toEqual(['That is enough.'])
  const missing = missingOutcome('There is no such forecast in this project.')
  expect(await reports.change(id, 'unknown', { sky: 'grey' }, operator())).toEqual(missing)
  expect(requests).toEqual(['blue'])
})

test('a verb of the collection checks the right, finds the entry and may refuse', async () => {
  const { reports, id, messages } = await forecasts()
  const { report } = requireDone(await reports.create(id, { sky: 'blue' }, operator()))
  await expect(reports.forget(id, report.id, aKey(id, 'project:read', 'events:read'))).rejects.toThrow(
    AccessRefusedError,
  )
  expect(requireDone(await reports.forget(id, report.id, operator())).report.sky).toBe('')
  expect(await reports.forget(id, report.id, operator())).toEqual(failedOutcome('It is forgotten already.'))
  expect(messages).toEqual(['nothing → blue, measured', 'blue, measured → , without input'])
})

test('an entry is shown to each viewer as that viewer may see it', async () => {
  const { reports, id } = await forecasts()
  const { report } = requireDone(await reports.create(id, { sky: 'blue' }, operator()))
  const reader = aKey(id, 'project:read', 'events:read')

  expect(report.createdBy).toBe('operator')
  expect(await reports.find(id, report.id, reader)).toEqual({ ...report, createdBy: '' })
  expect(await reports.list(id, reader)).toEqual([{ ...report, createdBy: '' }])
  expect(await reports.find(id, 'unknown', reader)).toBeUndefined()
  await expect(reports.find(id, report.id, aKey(id, 'project:read'))).rejects.toThrow(AccessRefusedError)
})

test('an endpoint reads one entry, and one runs a verb of the collection on it', async () => {
  const { reports, id, declaration, call } = await forecasts()
  const { report } = requireDone(await reports.create(id, { sky: 'blue' }, operator()))
  const find = findEndpoint({ ...declaration, pathName: 'forecast' }, () => reports)
  const forget = verbEndpoint(declaration, 'forget', { summary: 'Forget' }, (_, verb) =>
    reports.forget(verb.projectId, verb.id, verb.viewer),
  )

  expect([find.path, find.right]).toEqual(['/projects/{project}/forecasts/{report}', 'events:read'])
  expect([forget.path, forget.right]).toEqual([
    '/projects/{project}/reports/{report}/forget',
    'insights:write',
  ])
  expect(await call(find, report.id)).toEqual({ done: true, body: { id: report.id, sky: 'blue, measured' } })
  expect(await call(find, 'unknown')).toEqual(missingOutcome('There is no such forecast in this project.'))
  expect(await call(forget, report.id)).toEqual({ done: true, body: { id: report.id, sky: '' } })
  expect(await call(forget, report.id)).toEqual(failedOutcome('It is forgotten already.'))
})

test('an endpoint that the declaration does not describe is not made', async () => {
  const { reports, declaration } = await forecasts()
  expect(() => removeEndpoint(declaration, () => reports)).toThrow('have no summary for remove')
})
