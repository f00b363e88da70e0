import { z } from 'zod'
import type { CollectionApi, CollectionName } from '#collection/declaration'
import type { Right, Viewer } from '#projects/access'
import { missingOutcome, type Outcome } from '#projects/problems'
import type { Product } from '#server/product'
import { type Endpoint, type EndpointCall, mapOutcome, nothing, success } from './endpoint'

/** The parts of a declaration that its endpoints are made of. */
interface DescribedEntries<Name extends string, Shown extends object> {
  name: Name
  /** The name in the path, if it is another. */
  pathName?: string
  noun?: string
  rights: { read: Right; write: Right }
  api: Pick<CollectionApi<Shown>, 'shape' | 'show'> & { summaries: Summaries }
}
type Summaries = Partial<CollectionApi<never>['summaries']>

type PartOf<Part> = (product: Product) => Part
type WriteOutcome<Name extends string, Shown> = Promise<Outcome<Record<Name, Shown>>>

interface ListPart<Shown> {
  list: (projectId: number, viewer: Viewer) => Promise<Shown[]>
}
interface FindPart<Shown> {
  find: (projectId: number, id: string, viewer: Viewer) => Promise<Shown | undefined>
}
interface CreatePart<Name extends string, Shown> {
  create: (projectId: number, input: unknown, viewer: Viewer) => WriteOutcome<Name, Shown>
}
interface ChangePart<Name extends string, Shown> {
  change: (projectId: number, id: string, input: unknown, viewer: Viewer) => WriteOutcome<Name, Shown>
}
interface RemovePart {
  remove: (projectId: number, id: string, viewer: Viewer) => Promise<Outcome>
}

/** Makes the four endpoints of a collection from its declaration; `partOf` picks the collection in the product. */
export const collectionEndpoints = <Name extends CollectionName, Shown extends object>(
  declared: DescribedEntries<Name, Shown> & { newEntry: z.ZodType; change: z.ZodType },
  partOf: PartOf<ListPart<Shown> & CreatePart<Name, Shown> & ChangePart<Name, Shown> & RemovePart>,
): readonly Endpoint[] => [
  listEndpoint(declared, partOf),
  createEndpoint(declared, partOf),
  changeEndpoint(declared, partOf),
  removeEndpoint(declared, partOf),
]

export const listEndpoint = <Name extends string, Shown extends object>(
  declared: DescribedEntries<Name, Shown>,
  partOf: PartOf<ListPart<Shown>>,
): Endpoint => {
  const { name, rights, api } = declared
  return {
    method: 'GET',
    path: listPath(declared),
    summary: summaryOf(declared, 'list'),
    right: rights.read,
    responseSchema: z.object({ [`${name}s`]: z.array(api.shape) }),
    handle: async ({ product, viewer, project }) => {
      const entries = await partOf(product).list(project().id, viewer)
      return success({ [`${name}s`]: entries.map((entry) => api.show(entry)) })
    },
  }
}

export const createEndpoint = <Name extends string, Shown extends object>(
  declared: DescribedEntries<Name, Shown> & { newEntry: z.ZodType },
  partOf: PartOf<CreatePart<Name, Shown>>,
): Endpoint => ({
  method: 'POST',
  path: listPath(declared),
  summary: summaryOf(declared, 'create'),
  right: declared.rights.write,
  input: declared.newEntry,
  responseSchema: declared.api.shape,
  status: 201,
  handle: async ({ product, viewer, input, project }) =>
    shown(declared, await partOf(product).create(project().id, input, viewer)),
})

export const findEndpoint = <Name extends string, Shown extends object>(
  declared: DescribedEntries<Name, Shown>,
  partOf: PartOf<FindPart<Shown>>,
): Endpoint => {
  const { name, noun = name, rights, api } = declared
  return {
    method: 'GET',
    path: entryPath(declared),
    summary: summaryOf(declared, 'find'),
    right: rights.read,
    responseSchema: api.shape,
    handle: async ({ product, viewer, project, pathParameter }) => {
      const entry = await partOf(product).find(project().id, pathParameter(name), viewer)
      return entry ? success(api.show(entry)) : missingOutcome(`There is no such ${noun} in this project.`)
    },
  }
}

export const changeEndpoint = <Name extends string, Shown extends object>(
  declared: DescribedEntries<Name, Shown> & { change: z.ZodType },
  partOf: PartOf<ChangePart<Name, Shown>>,
): Endpoint => ({
  method: 'PATCH',
  path: entryPath(declared),
  summary: summaryOf(declared, 'change'),
  right: declared.rights.write,
  input: declared.change,
  responseSchema: declared.api.shape,
  handle: async ({ product, viewer, input, project, pathParameter }) =>
    shown(declared, await partOf(product).change(project().id, pathParameter(declared.name), input, viewer)),
})

export const removeEndpoint = <Name extends string, Shown extends object>(
  declared: DescribedEntries<Name, Shown>,
  partOf: PartOf<RemovePart>,
): Endpoint => ({
  method: 'DELETE',
  path: entryPath(declared),
  summary: summaryOf(declared, 'remove'),
  right: declared.rights.write,
  responseSchema: nothing,
  handle: async ({ product, viewer, project, pathParameter }) =>
    mapOutcome(await partOf(product).remove(project().id, pathParameter(declared.name), viewer), () => ({})),
})

interface VerbCall extends Pick<EndpointCall, 'viewer' | 'input' | 'query' | 'pathParameter'> {
  projectId: number
  id: string
}

/** Makes the endpoint of a collection's own verb, such as archiving, which is answered with the entry. */
export const verbEndpoint = <Name extends string, Shown extends object>(
  declared: DescribedEntries<Name, Shown>,
  verb: string,
  endpoint: Pick<Endpoint, 'summary' | 'input' | 'query' | 'status' | 'right' | 'alsoRights'>,
  run: (product: Product, call: VerbCall) => WriteOutcome<Name, Shown>,
): Endpoint => ({
  method: 'POST',
  path: `${entryPath(declared)}/${verb}`,
  right: declared.rights.write,
  ...endpoint,
  responseSchema: declared.api.shape,
  handle: async ({ product, project, pathParameter, viewer, input, query }) => {
    const entry = { projectId: project().id, id: pathParameter(declared.name) }
    return shown(declared, await run(product, { ...entry, viewer, input, query, pathParameter }))
  },
})

type Paths = Pick<DescribedEntries<string, object>, 'name' | 'pathName'>
const listPath = ({ name, pathName = name }: Paths) => `/projects/{project}/${pathName}s` as const
const entryPath = (entries: Paths) => `${listPath(entries)}/{${entries.name}}` as const

function summaryOf(
  { name, api }: { name: string; api: { summaries: Summaries } },
  verb: keyof Summaries,
): string {
  const summary = api.summaries[verb]
  if (summary === undefined) throw new Error(`The entries “${name}” have no summary for ${verb}.`)
  return summary
}

const shown = <Name extends string, Shown extends object>(
  { name, api }: DescribedEntries<Name, Shown>,
  outcome: Outcome<Record<Name, Shown>>,
) => mapOutcome(outcome, (done) => api.show(done[name]))
