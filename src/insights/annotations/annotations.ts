import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryTable } from '#collection/entry-table'
import { entrySchema, shownAs } from '#collection/entry-shape'
import type { Viewer } from '#projects/access'
import type { ChartNote } from '../chart-settings'

/** A note at an instant, shown on the charts that include it. */
const annotationSchema = entrySchema({
  at: z.date(),
  text: z
    .string({ error: 'Describe what happened.' })
    .trim()
    .min(1, 'Describe what happened.')
    .max(200, 'Use at most 200 characters.')
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out line breaks and other characters that cannot be seen.'),
  scope: z.enum(['project', 'insight', 'dashboard']),
  /** The insight or dashboard it belongs to; undefined for the whole project. */
  subjectId: z.string().max(100).optional(),
})
export type Annotation = z.infer<typeof annotationSchema>

/** The page on which charts are shown. */
interface ChartLocation {
  insight?: string | undefined
  dashboard?: string | undefined
}

/** The input and the answers of the API name the insight or dashboard as the subject. */
const named = annotationSchema
  .omit({ projectId: true, subjectId: true })
  .extend({ subject: annotationSchema.shape.subjectId })

const shownAnnotation = shownAs('Annotation', named)

const annotationFields = {
  at: z.iso
    .datetime({ offset: true, error: 'Give the time as "2026-03-02T10:00:00Z".' })
    .transform((text) => new Date(text)),
  text: named.shape.text,
}

export const newAnnotation = z
  .strictObject({
    ...annotationFields,
    scope: named.shape.scope.default('project'),
    subject: named.shape.subject,
  })
  .refine(({ scope, subject }) => (scope === 'project') === (subject === undefined), {
    path: ['subject'],
    error: 'Name the insight or dashboard it belongs to.',
  })

/** Lists annotations, the latest first. */
export const annotationCollection = declareCollection({
  name: 'annotation',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: newAnnotation,
  change: z.strictObject(annotationFields).partial(),
  limit: { count: 2000, message: 'A project has at most 2000 annotations. Remove some first.' },
  table: entryTable('annotations', annotationSchema, { orderBy: ['at'], latestFirst: true }),
  idOf: ({ id }) => id,
  audit: {
    subject: ({ text }) => text,
    fields: ({ at, text, scope, subjectId }) => ({ at, text, scope, subjectId }),
  },
  applyNew: ({ subject: subjectId, ...fields }, { created }) => ({ ...created, ...fields, subjectId }),
  applyChange: (before, change) => ({ ...before, ...change }),
  api: {
    summaries: {
      list: 'List annotations, the latest first',
      create: 'Create an annotation on every chart, or on one insight or dashboard',
      change: 'Change an annotation',
      remove: 'Remove an annotation',
    },
    shape: shownAnnotation.shape,
    show: (annotation) => shownAnnotation.show({ ...annotation, subject: annotation.subjectId }),
  },
})

export class Annotations extends collectionClass(annotationCollection) {
  /** Returns the notes for charts: the project's, and those of the shown insight or dashboard. */
  async notesFor(projectId: number, location: ChartLocation, viewer: Viewer): Promise<ChartNote[]> {
    const all = await this.list(projectId, viewer)
    return all
      .filter((annotation) => belongsTo(annotation, location))
      .map(({ at, text }) => ({ at, label: text }))
  }
}

const belongsTo = ({ scope, subjectId }: Annotation, { insight, dashboard }: ChartLocation): boolean =>
  scope === 'project' || subjectId === (scope === 'insight' ? insight : dashboard)
