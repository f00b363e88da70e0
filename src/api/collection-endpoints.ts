import { z } from 'zod'
import type { CollectionApi, CollectionName, EntryName, EntryOutcome } from '#collection/declaration'
import type { Right, Viewer } from '#projects/access'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { Product } from '#server/product'
import { type Endpoint, type EndpointCall, mapOutcome, nothing, success } from './endpoint'

/** What of a declaration the endpoints are made of. */
interface DeclaredEntries<Name extends EntryName, Shown extends object> {
  name: Name
  noun?: string
  rights: { read: Right; write: Right }
  newEntry: z.ZodType
  change: z.ZodType
  api: CollectionApi<Shown>
}

type PartOf<Part> = (product: Product) => Part
type WriteOutcome<Name extends EntryName, Shown> = Promise<EntryOutcome<Name, Shown>>

interface ListPart<Shown> {
  list: (projectId: number, viewer: Viewer) => Promise<Shown[]>
}
interface FindPart<Shown> {
  find: (projectId: number, id: string, viewer: Viewer) => Promise<Shown | undefined>
}
interface CreatePart<Name extends EntryName, Shown> {
  create: (projectId: number, input: unknown, viewer: Viewer) => WriteOutcome<Name, Shown>
}
interface ChangePart<Name extends EntryName, Shown> {
  change: (projectId: number, id: string, input: unknown, viewer: Viewer) => WriteOutcome<Name, Shown>
}
interface RemovePart {
  remove: (projectId: number, id: string, viewer: Viewer) => Promise<Outcome>
}

/** Makes the four endpoints of a collection from its declaration; `partOf` picks the collection in the product. */
export const collectionEndpoints = <Name extends CollectionName, Shown extends object>(
  declared: DeclaredEntries<Name, Shown>,
  partOf: PartOf<ListPart<Shown> & CreatePart<Name, Shown> & ChangePart<Name, Shown> & RemovePart>,
): readonly Endpoint[] => [
  listEndpoint(declared, partOf),
  createEndpoint(declared, partOf),
  changeEndpoint(declared, partOf),
  removeEndpoint(declared, partOf),
]

export const listEndpoint = <Name extends EntryName, Shown extends object>(
  { name, rights, api }: DeclaredEntries<Name, Shown>,
  partOf: PartOf<ListPart<Shown>>,
): Endpoint => ({
  method: 'GET',
  path: listPath(name),
  summary: api.summaries.list,
  right: rights.read,
  responseSchema: z.object({ [`${name}s`]: z.array(api.shape) }),
  handle: async ({ product, viewer, project }) =>
    success({ [`${name}s`]: (await partOf(product).list(project().id, viewer)).map((one) => api.show(one)) }),
})

export const createEndpoint = <Name extends EntryName, Shown extends object>(
  declared: DeclaredEntries<Name, Shown>,
  partOf: PartOf<CreatePart<Name, Shown>>,
): Endpoint => ({
  method: 'POST',
  path: listPath(declared.name),
  summary: declared.api.summaries.create,
  right: declared.rights.write,
  input: declared.newEntry,
  responseSchema: declared.api.shape,
  status: 201,
  handle: async ({ product, viewer, input, project }) =>
    shown(declared, await partOf(product).create(project().id, input, viewer)),
})

export const findEndpoint = <Name extends EntryName, Shown extends object>(
  { name, noun = name, rights, api }: DeclaredEntries<Name, Shown>,
  partOf: PartOf<FindPart<Shown>>,
): Endpoint => ({
  method: 'GET',
  path: entryPath(name),
  summary: api.summaries.find ?? '',
  right: rights.read,
  responseSchema: api.shape,
  handle: async ({ product, viewer, project, pathParameter }) => {
    const entry = await partOf(product).find(project().id, pathParameter(name), viewer)
    return entry ? success(api.show(entry)) : failedOutcome(`There is no such ${noun} in this project.`)
  },
})

export const changeEndpoint = <Name extends EntryName, Shown extends object>(
  declared: DeclaredEntries<Name, Shown>,
  partOf: PartOf<ChangePart<Name, Shown>>,
): Endpoint => ({
  method: 'PATCH',
  path: entryPath(declared.name),
  summary: declared.api.summaries.change,
  right: declared.rights.write,
  input: declared.change,
  responseSchema: declared.api.shape,
  handle: async ({ product, viewer, input, project, pathParameter }) =>
    shown(declared, await partOf(product).change(project().id, pathParameter(declared.name), input, viewer)),
})

export const removeEndpoint = <Name extends EntryName, Shown extends object>(
  { name, rights, api }: DeclaredEntries<Name, Shown>,
  partOf: PartOf<RemovePart>,
): Endpoint => ({
  method: 'DELETE',
  path: entryPath(name),
  summary: api.summaries.remove ?? '',
  right: rights.write,
  responseSchema: nothing,
  handle: async ({ product, viewer, project, pathParameter }) =>
    mapOutcome(await partOf(product).remove(project().id, pathParameter(name), viewer), () => ({})),
})

/** What a verb of one collection is called with. */
interface VerbCall extends Pick<EndpointCall, 'viewer' | 'input' | 'query' | 'pathParameter'> {
  projectId: number
  id: string
}

/** Makes the endpoint of a collection's own verb, such as archiving, which is answered with the entry. */
export const verbEndpoint = <Name extends EntryName, Shown extends object>(
  declared: DeclaredEntries<Name, Shown>,
  verb: string,
  endpoint: Pick<Endpoint, 'summary' | 'input' | 'query' | 'status'>,
  run: (product: Product, call: VerbCall) => WriteOutcome<Name, Shown>,
): Endpoint => ({
  method: 'POST',
  path: `${entryPath(declared.name)}/${verb}`,
  ...endpoint,
  right: declared.rights.write,
  responseSchema: declared.api.shape,
  handle: async ({ product, project, pathParameter, viewer, input, query }) => {
    const entry = { projectId: project().id, id: pathParameter(declared.name) }
    return shown(declared, await run(product, { ...entry, viewer, input, query, pathParameter }))
  },
})

const listPath = (name: string) => `/projects/{project}/${name}s` as const
const entryPath = (name: string) => `${listPath(name)}/{${name}}` as const

const shown = <Name extends EntryName, Shown extends object>(
  { name, api }: DeclaredEntries<Name, Shown>,
  outcome: EntryOutcome<Name, Shown>,
) => mapOutcome(outcome, (done) => api.show(done[name]))
