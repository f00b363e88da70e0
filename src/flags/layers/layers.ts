import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entrySchema, shownAs } from '#collection/entry-shape'
import { nameFor } from '#projects/name'
import type { Flag } from '../flag'
import { refuseWhileUsed } from '../internal/refuse-while-used'
import { flagsOf } from '../store'
import { forgetLayer, layersOf, saveLayer } from './store'

const layerFields = z.strictObject({
  name: nameFor('Name the layer after the place that its flags change.'),
})

/** A division of all visitors into slices. Flags that take slices of one layer never share a visitor. */
const flagLayer = entrySchema(layerFields.shape).extend({ id: z.number() })
export type FlagLayer = z.infer<typeof flagLayer>

export const layerCollection = declareCollection({
  name: 'layer',
  rights: { read: 'project:read', write: 'flags:write' },
  newEntry: layerFields,
  change: layerFields.partial(),
  limit: { count: 1000, message: 'A project has at most 1,000 layers. Remove one first.' },
  table: { list: layersOf, save: saveLayer, remove: forgetLayer },
  idOf: ({ id }) => id,
  audit: { subject: ({ name }) => name, fields: ({ name }) => ({ name }) },
  applyNew: (input, { created, existing }) => ({
    ...created,
    ...input,
    id: Math.max(0, ...existing.map(({ id }) => id)) + 1,
  }),
  applyChange: (before, { name = before.name }) => ({ ...before, name }),
  refuseRemoval: async ({ id }, transaction, projectId) => {
    const users = (await flagsOf(transaction, projectId)).filter((flag) => takesSliceOf(flag, id))
    return refuseWhileUsed(users, 'Slices of it are taken by')
  },
  topic: 'flags',
  api: {
    summaries: {
      list: 'List layers',
      create: 'Make a layer, whose flags never share a visitor',
      change: 'Rename a layer',
      remove: 'Remove a layer that no flag uses',
    },
    ...shownAs('Layer', flagLayer.omit({ projectId: true })),
  },
})

export class Layers extends collectionClass(layerCollection) {}

const takesSliceOf = ({ environments }: Flag, id: number): boolean =>
  Object.values(environments).some(({ layer }) => layer?.id === id)
