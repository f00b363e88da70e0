import { z } from 'zod'
import type { CollectionDeclaration, CollectionName, Collection, EntryOutcome } from '#collection/collection'
import type { Product } from '#server/product'
import { type Endpoint, mapOutcome, nothing, success } from './endpoint'

/** Makes the four endpoints of a collection from its declaration; `partOf` picks the collection in the product. */
export function collectionEndpoints<Name extends CollectionName, Entry extends object, NewEntry, Change>(
  { name, rights, newEntry, change, api }: CollectionDeclaration<Name, Entry, NewEntry, Change>,
  partOf: (
    product: Product,
  ) => Pick<Collection<Name, Entry, NewEntry, Change>, 'list' | 'create' | 'change' | 'remove'>,
): readonly Endpoint[] {
  const path = `/projects/{project}/${name}s` as const
  const entryPath = `${path}/{${name}}` as const
  const show = (outcome: EntryOutcome<Name, Entry>) => mapOutcome(outcome, (done) => api.show(done[name]))
  return [
    {
      method: 'GET',
      path,
      summary: api.summaries.list,
      right: rights.read,
      responseSchema: z.object({ [`${name}s`]: z.array(api.shape) }),
      handle: async ({ product, viewer, project }) =>
        success({ [`${name}s`]: (await partOf(product).list(project().id, viewer)).map(api.show) }),
    },
    {
      method: 'POST',
      path,
      summary: api.summaries.create,
      right: rights.write,
      input: newEntry,
      responseSchema: api.shape,
      status: 201,
      handle: async ({ product, viewer, input, project }) =>
        show(await partOf(product).create(project().id, input, viewer)),
    },
    {
      method: 'PATCH',
      path: entryPath,
      summary: api.summaries.change,
      right: rights.write,
      input: change,
      responseSchema: api.shape,
      handle: async ({ product, viewer, input, project, pathParameter }) =>
        show(await partOf(product).change(project().id, pathParameter(name), input, viewer)),
    },
    {
      method: 'DELETE',
      path: entryPath,
      summary: api.summaries.remove,
      right: rights.write,
      responseSchema: nothing,
      handle: async ({ product, viewer, project, pathParameter }) =>
        mapOutcome(await partOf(product).remove(project().id, pathParameter(name), viewer), () => ({})),
    },
  ]
}
