import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryTable } from '#collection/entry-table'
import { entryShape } from '#collection/entry-shape'
import { isVisibleTo, ownerOf } from '#collection/shared-or-own'
import { filter } from '#filters/filter'
import { nameFor } from '#projects/name'
import { periodText } from '../../calendar/period'
import { personSort } from '../internal/person-sort'

const maxPersonColumns = 12

/** The filters, order and columns of a list of persons. Absent fields have their defaults. */
const personListQuery = z.strictObject({
  period: periodText.optional(),
  search: z.string().trim().max(200).optional(),
  filter: filter.optional(),
  cohort: z.string().max(100).optional(),
  sort: personSort.optional(),
  descending: z.boolean().optional(),
  columns: z
    .array(z.string().min(1).max(220))
    .max(maxPersonColumns, `Choose at most ${maxPersonColumns} columns.`)
    .optional()
    .meta({ description: 'last, first, events, id, or property: with the name of a property' }),
})
export type PersonListFilter = z.infer<typeof personListQuery>

/** A saved list of persons. */
export interface PersonList {
  id: string
  projectId: number
  /** The member it belongs to; undefined if it is shared with the project. */
  memberId: string | undefined
  name: string
  question: PersonListFilter
  createdBy: string
  createdAt: Date
}

const personListFields = {
  name: nameFor('Name the list after who is in it.'),
  question: personListQuery,
  /** Whether the whole project sees it. */
  isShared: z.boolean(),
}

/** Lists the project's lists of persons and the viewer's own. */
export const personListCollection = declareCollection({
  name: 'personList',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: z.strictObject({ ...personListFields, isShared: personListFields.isShared.default(true) }),
  change: z.strictObject(personListFields).partial(),
  table: entryTable<PersonList>('personLists', {
    fields: { memberId: 'value', name: 'value', question: 'json' },
    orderBy: ['name'],
  }),
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: ({ name, question, memberId }) => ({ name, question, isShared: memberId === undefined }),
  },
  isVisible: isVisibleTo,
  applyNew: ({ isShared, ...list }, { created, viewer }) => {
    const owner = ownerOf(isShared, viewer, 'lists')
    return 'done' in owner ? owner : { ...created, ...list, ...owner }
  },
  applyChange: (before, { isShared = before.memberId === undefined, ...change }, viewer) => {
    const owner = ownerOf(isShared, viewer, 'lists')
    return 'done' in owner ? owner : { ...before, ...change, ...owner }
  },
  api: {
    summaries: {
      list: 'List the saved lists of persons',
      create: 'Save a list of persons: filters, order and columns',
      change: 'Change a saved list of persons',
      remove: 'Remove a saved list of persons',
    },
    shape: entryShape('PersonList', {
      name: z.string(),
      question: personListQuery,
      isShared: z.boolean(),
    }),
    show: ({ projectId: _, memberId, ...list }) => ({ ...list, isShared: memberId === undefined }),
  },
})

export class PersonLists extends collectionClass(personListCollection) {}
