import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryTable } from '#collection/entry-table'
import { entryShape, instant } from '#collection/entry-shape'
import type { Viewer } from '#projects/access'
import type { ChartNote } from '../chart/chart-settings'

const annotationScopes = ['project', 'insight', 'dashboard'] as const
export type AnnotationScope = (typeof annotationScopes)[number]

/** A note at an instant, shown on the charts that include it. */
export interface Annotation {
  id: string
  projectId: number
  at: Date
  text: string
  scope: AnnotationScope
  /** The insight or dashboard it belongs to; undefined for the whole project. */
  subjectId: string | undefined
  createdBy: string
  createdAt: Date
}

/** The page on which charts are shown. */
interface ChartLocation {
  insight?: string | undefined
  dashboard?: string | undefined
}

const annotationFields = {
  at: z.iso
    .datetime({ offset: true, error: 'Give the time as "2026-03-02T10:00:00Z".' })
    .transform((text) => new Date(text)),
  text: z
    .string({ error: 'Describe what happened.' })
    .trim()
    .min(1, 'Describe what happened.')
    .max(200, 'Use at most 200 characters.')
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out line breaks and other characters that cannot be seen.'),
  scope: z.enum(annotationScopes),
  /** The insight or dashboard; omitted for the whole project. */
  subject: z.string().max(100).optional(),
}

function namesItsSubject({ scope, subject }: { scope: AnnotationScope; subject?: string }): boolean {
  return (scope === 'project') === (subject === undefined)
}

/** Lists annotations, the latest first. */
export const annotationCollection = declareCollection({
  name: 'annotation',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: z
    .strictObject({ ...annotationFields, scope: annotationFields.scope.default('project') })
    .refine(namesItsSubject, { path: ['subject'], error: 'Name the insight or dashboard it belongs to.' }),
  change: z.strictObject({ at: annotationFields.at, text: annotationFields.text }).partial(),
  limit: { count: 2000, message: 'A project has at most 2000 annotations. Remove some first.' },
  table: entryTable<Annotation>('annotations', {
    fields: { at: 'value', text: 'value', scope: 'value', subjectId: 'value' },
    orderBy: ['at'],
    latestFirst: true,
  }),
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
    shape: entryShape('Annotation', {
      at: instant,
      text: z.string(),
      scope: z.enum(annotationScopes),
      subject: z.string().optional(),
    }),
    show: ({ projectId: _, subjectId: subject, ...annotation }) => ({ ...annotation, subject }),
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
