import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryTable } from '#collection/entry-table'
import { entrySchema, shownAs } from '#collection/entry-shape'
import { isVisibleTo, ownerOf, sharedOrOwn } from '#collection/shared-or-own'
import { filter } from '#filters/filter'
import { nameFor } from '#projects/name'

const segmentFields = {
  name: nameFor('Name the segment after who is in it.'),
  filter,
}

/** Whether the whole project sees it. */
const isShared = z.boolean()

/** A saved filter for the pages of web analytics. */
const segment = entrySchema({ ...sharedOrOwn.shape, ...segmentFields })
export type Segment = z.infer<typeof segment>

const shownSegment = shownAs(
  'Segment',
  segment.omit({ projectId: true, memberId: true }).extend({ isShared }),
)

/** Lists the project's segments and the viewer's own. */
export const segmentCollection = declareCollection({
  name: 'segment',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: z.strictObject({ ...segmentFields, isShared: isShared.default(true) }),
  change: z.strictObject({ ...segmentFields, isShared }).partial(),
  table: entryTable('segments', segment, { orderBy: ['name'] }),
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: ({ name, filter: conditions, memberId }) => ({
      name,
      filter: conditions,
      isShared: memberId === undefined,
    }),
  },
  isVisible: isVisibleTo,
  applyNew: ({ isShared: shared, ...fields }, { created, viewer }) => {
    const owner = ownerOf(shared, viewer, 'segments')
    return 'done' in owner ? owner : { ...created, ...fields, ...owner }
  },
  applyChange: (before, { isShared: shared = before.memberId === undefined, ...change }, viewer) => {
    const owner = ownerOf(shared, viewer, 'segments')
    return 'done' in owner ? owner : { ...before, ...change, ...owner }
  },
  api: {
    summaries: {
      list: 'List the segments of the project',
      create: 'Save conditions as a segment',
      change: 'Change a segment',
      remove: 'Remove a segment',
    },
    shape: shownSegment.shape,
    show: (one) => shownSegment.show({ ...one, isShared: one.memberId === undefined }),
  },
})

export class Segments extends collectionClass(segmentCollection) {}
