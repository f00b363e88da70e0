import { z } from 'zod'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { type Outcome, parse, undone } from '../projects/problems'
import { newId } from '../projects/secrets'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import { annotationsOf, forgetAnnotation, saveAnnotation } from './annotations/store'
import type { Note } from './chart-ground'

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
export interface Looked {
  insight?: string | undefined
  dashboard?: string | undefined
}

const told = {
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

export const newAnnotation = z
  .strictObject({ ...told, scope: told.scope.default('project') })
  .refine(namesItsSubject, { path: ['subject'], error: 'Say which insight or dashboard it belongs to.' })

export const annotationChange = z.strictObject({ at: told.at, text: told.text }).partial()

function namesItsSubject({ scope, subject }: { scope: AnnotationScope; subject?: string }): boolean {
  return (scope === 'project') === (subject === undefined)
}

/** More than that, nobody could tell them apart. */
const mostAnnotations = 2000

const missing = undone('There is no such annotation in this project.')

type Saved = Outcome<{ annotation: Annotation }>

export class Annotations {
  constructor(private readonly ground: { store: Store; world: World }) {}

  async list(projectId: number, viewer: Viewer): Promise<Annotation[]> {
    requireRight('events:read', projectId, viewer)
    return await annotationsOf(this.ground.store, projectId)
  }

  /** As charts take them: the project's, and those of the insight or the dashboard that is looked at. */
  async notesFor(projectId: number, looked: Looked, viewer: Viewer): Promise<Note[]> {
    const all = await this.list(projectId, viewer)
    return all
      .filter((annotation) => belongs(annotation, looked))
      .map(({ at, text }) => ({ at, label: text }))
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Saved> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(newAnnotation, input)
    if (!parsed.done) return parsed
    const known = await annotationsOf(this.ground.store, projectId)
    if (known.length >= mostAnnotations)
      return undone(`A project has ${mostAnnotations} annotations at most. Remove some first.`)
    const { subject: subjectId, ...rest } = parsed.value
    const created: Annotation = {
      id: newId(this.ground.world),
      projectId,
      ...rest,
      subjectId,
      createdBy: viewer.name,
      createdAt: this.ground.world.now(),
    }
    return await this.save('annotation.create', created, viewer)
  }

  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Saved> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(annotationChange, input)
    if (!parsed.done) return parsed
    const before = await this.find(projectId, id)
    if (!before) return missing
    return await this.save('annotation.change', { ...before, ...parsed.value }, viewer, before)
  }

  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await this.find(projectId, id)
    if (!before) return missing
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await forgetAnnotation(transaction, before)
      const deed = {
        action: 'annotation.remove',
        subject: before.text,
        projectId,
        before: shown(before),
      } as const
      await record(transaction, deed, viewer, world.now())
    })
    return { done: true }
  }

  private async find(projectId: number, id: string): Promise<Annotation | undefined> {
    const annotations = await annotationsOf(this.ground.store, projectId)
    return annotations.find((one) => one.id === id)
  }

  private async save(
    action: Extract<AuditAction, `annotation.${string}`>,
    annotation: Annotation,
    viewer: Viewer,
    before?: Annotation,
  ): Promise<Saved> {
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await saveAnnotation(transaction, annotation)
      const deed = {
        action,
        subject: annotation.text,
        projectId: annotation.projectId,
        after: shown(annotation),
      }
      await record(transaction, before ? { ...deed, before: shown(before) } : deed, viewer, world.now())
    })
    return { done: true, annotation }
  }
}

const belongs = ({ scope, subjectId }: Annotation, { insight, dashboard }: Looked): boolean =>
  scope === 'project' || subjectId === (scope === 'insight' ? insight : dashboard)

const shown = ({ at, text, scope, subjectId }: Annotation) => ({ at, text, scope, subjectId })
