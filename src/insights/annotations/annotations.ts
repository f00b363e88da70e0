import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryShape, instant } from '#collection/entry-shape'
import type { Viewer } from '#projects/access'
import type { ChartNote } from '../chart/chart-settings'
import { annotationsOf, forgetAnnotation, saveAnnotation } from './store'

export const annotationScopes = ['project', 'insight', 'dashboard'] as const
export type AnnotationScope = (typeof annotationScopes)[number]

/** What happened at an instant, written on the charts that go through it. */
export interface Annotation {
  id: string
  projectId: number
  at: Date
  text: string
  scope: AnnotationScope
  /** Which insight or dashboard it belongs to; undefined where it is the whole project's. */
  subjectId: string | undefined
  createdBy: string
  createdAt: Date
}

/** Where charts are looked at. */
export interface ChartLocation {
  insight?: string | undefined
  dashboard?: string | undefined
}

const annotationFields = {
  at: z.iso
    .datetime({ offset: true, error: 'Say when, as "2026-03-02T10:00:00Z".' })
    .transform((text) => new Date(text)),
  text: z
    .string({ error: 'Say what happened.' })
    .trim()
    .min(1, 'Say what happened.')
    .max(200, 'Use at most 200 characters.')
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out line breaks and other characters that cannot be seen.'),
  scope: z.enum(annotationScopes),
  /** The insight or dashboard; left out where it is the whole project's. */
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
    .refine(namesItsSubject, { path: ['subject'], error: 'Say which insight or dashboard it belongs to.' }),
  change: z.strictObject({ at: annotationFields.at, text: annotationFields.text }).partial(),
  limit: { count: 2000, message: 'A project has 2000 annotations at most. Remove some first.' },
  table: { list: annotationsOf, save: saveAnnotation, remove: forgetAnnotation },
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
      create: 'Write what happened at an instant: on every chart, or on one insight or dashboard',
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
  /** As charts take them: the project's, and those of the insight or the dashboard that is looked at. */
  async notesFor(projectId: number, location: ChartLocation, viewer: Viewer): Promise<ChartNote[]> {
    const all = await this.list(projectId, viewer)
    return all
      .filter((annotation) => belongsTo(annotation, location))
      .map(({ at, text }) => ({ at, label: text }))
  }
}

const belongsTo = ({ scope, subjectId }: Annotation, { insight, dashboard }: ChartLocation): boolean =>
  scope === 'project' || subjectId === (scope === 'insight' ? insight : dashboard)
