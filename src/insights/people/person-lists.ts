import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryTable } from '#collection/entry-table'
import { entrySchema, shownAs } from '#collection/entry-shape'
import { isVisibleTo, ownerOf, sharedOrOwn } from '#collection/shared-or-own'
import { filter } from '#filters/filter'
import { nameFor } from '#projects/name'
import { periodText } from '../calendar/period'
import { personSort } from './internal/person-sort'

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
    .meta({
      description: 'country, source, page, last, first, events, id, or property: with the name of a property',
    }),
})
export type PersonListFilter = z.infer<typeof personListQuery>

const personListFields = {
  name: nameFor('Name the list after who is in it.'),
  question: personListQuery,
}

/** Whether the whole project sees it. */
const isShared = z.boolean()

/** A saved list of persons. */
const personList = entrySchema({ ...sharedOrOwn.shape, ...personListFields })

const shownPersonList = shownAs(
  'PersonList',
  personList.omit({ projectId: true, memberId: true }).extend({ isShared }),
)

/** Lists the project's lists of persons and the viewer's own. */
export const personListCollection = declareCollection({
  name: 'personList',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: z.strictObject({ ...personListFields, isShared: isShared.default(true) }),
  change: z.strictObject({ ...personListFields, isShared }).partial(),
  table: entryTable('personLists', personList, { orderBy: ['name'] }),
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: ({ name, question, memberId }) => ({ name, question, isShared: memberId === undefined }),
  },
  isVisible: isVisibleTo,
  applyNew: ({ isShared: shared, ...list }, { created, viewer }) => {
    const owner = ownerOf(shared, viewer, 'lists')
    return 'done' in owner ? owner : { ...created, ...list, ...owner }
  },
  applyChange: (before, { isShared: shared = before.memberId === undefined, ...change }, viewer) => {
    const owner = ownerOf(shared, viewer, 'lists')
    return 'done' in owner ? owner : { ...before, ...change, ...owner }
  },
  api: {
    summaries: {
      list: 'List the saved lists of persons',
      create: 'Save a list of persons: filters, order and columns',
      change: 'Change a saved list of persons',
      remove: 'Remove a saved list of persons',
    },
    shape: shownPersonList.shape,
    show: (list) => shownPersonList.show({ ...list, isShared: list.memberId === undefined }),
  },
})

export class PersonLists extends collectionClass(personListCollection) {}
