import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryTable } from '#collection/entry-table'
import { entryShape } from '#collection/entry-shape'
import { isVisibleTo, ownerOf } from '#collection/shared-or-own'
import { filter, type Filter } from '#filters/filter'
import { nameFor } from '#projects/name'

/** A saved filter for the pages of web analytics. */
export interface Segment {
  id: string
  projectId: number
  /** The member it belongs to; undefined if it is shared with the project. */
  memberId: string | undefined
  name: string
  filter: Filter
  createdBy: string
  createdAt: Date
}

const segmentFields = {
  name: nameFor('Name the segment after who is in it.'),
  filter,
  /** Whether the whole project sees it. */
  isShared: z.boolean(),
}

/** Lists the project's segments and the viewer's own. */
export const segmentCollection = declareCollection({
  name: 'segment',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: z.strictObject({ ...segmentFields, isShared: segmentFields.isShared.default(true) }),
  change: z.strictObject(segmentFields).partial(),
  table: entryTable<Segment>('segments', {
    fields: { memberId: 'value', name: 'value', filter: 'json' },
    orderBy: ['name'],
  }),
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
  applyNew: ({ isShared, ...segment }, { created, viewer }) => {
    const owner = ownerOf(isShared, viewer, 'segments')
    return 'done' in owner ? owner : { ...created, ...segment, ...owner }
  },
  applyChange: (before, { isShared = before.memberId === undefined, ...change }, viewer) => {
    const owner = ownerOf(isShared, viewer, 'segments')
    return 'done' in owner ? owner : { ...before, ...change, ...owner }
  },
  api: {
    summaries: {
      list: 'List the segments of the project',
      create: 'Save conditions as a segment',
      change: 'Change a segment',
      remove: 'Remove a segment',
    },
    shape: entryShape('Segment', { name: z.string(), filter, isShared: z.boolean() }),
    show: ({ projectId: _, memberId, ...segment }) => ({ ...segment, isShared: memberId === undefined }),
  },
})

export class Segments extends collectionClass(segmentCollection) {}
