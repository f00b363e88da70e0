import { z } from 'zod'
import { filter, type Filter } from '../filters/filter'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { nameFor } from '../projects/name'
import { type Outcome, parse, undone } from '../projects/problems'
import { newId } from '../projects/secrets'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import { forgetSegment, saveSegment, segmentsOf } from './segments/store'

/** Conditions that somebody looks through again and again, under a name. */
export interface Segment {
  id: string
  projectId: number
  /** Whose alone it is; undefined where it is the whole project's. */
  memberId: string | undefined
  name: string
  filter: Filter
  createdBy: string
  createdAt: Date
}

const told = {
  name: nameFor('Name the segment after who is in it.'),
  filter,
  /** Everybody in the project sees it. */
  isShared: z.boolean(),
}

export const newSegment = z.strictObject({ ...told, isShared: told.isShared.default(true) })
export const segmentChange = z.strictObject(told).partial()

const missing = undone('There is no such segment in this project.')

type Saved = Outcome<{ segment: Segment }>

export class Segments {
  constructor(private readonly ground: { store: Store; world: World }) {}

  /** The project's, and those of whoever asks. */
  async list(projectId: number, viewer: Viewer): Promise<Segment[]> {
    requireRight('events:read', projectId, viewer)
    return await this.seenBy(projectId, viewer)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Saved> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(newSegment, input)
    if (!parsed.done) return parsed
    const { isShared, ...segment } = parsed.value
    if (!isShared && viewer.kind !== 'member') return onlyPeople
    const created = {
      id: newId(this.ground.world),
      projectId,
      ...segment,
      memberId: ownerOf(isShared, viewer),
      createdBy: viewer.name,
      createdAt: this.ground.world.now(),
    }
    return await this.save('segment.create', created, viewer)
  }

  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Saved> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(segmentChange, input)
    if (!parsed.done) return parsed
    const before = await this.find(projectId, id, viewer)
    if (!before) return missing
    const { isShared = before.memberId === undefined, ...changed } = parsed.value
    if (!isShared && viewer.kind !== 'member') return onlyPeople
    const after = { ...before, ...changed, memberId: ownerOf(isShared, viewer) }
    return await this.save('segment.change', after, viewer, before)
  }

  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await this.find(projectId, id, viewer)
    if (!before) return missing
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await forgetSegment(transaction, before)
      const deed = {
        action: 'segment.remove',
        subject: before.name,
        projectId,
        before: shown(before),
      } as const
      await record(transaction, deed, viewer, world.now())
    })
    return { done: true }
  }

  private async find(projectId: number, id: string, viewer: Viewer): Promise<Segment | undefined> {
    const segments = await this.seenBy(projectId, viewer)
    return segments.find((one) => one.id === id)
  }

  private async seenBy(projectId: number, viewer: Viewer): Promise<Segment[]> {
    const segments = await segmentsOf(this.ground.store, projectId)
    return segments.filter(({ memberId }) => memberId === undefined || memberId === ownerOf(false, viewer))
  }

  private async save(
    action: Extract<AuditAction, `segment.${string}`>,
    segment: Segment,
    viewer: Viewer,
    before?: Segment,
  ): Promise<Saved> {
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await saveSegment(transaction, segment)
      const deed = { action, subject: segment.name, projectId: segment.projectId, after: shown(segment) }
      await record(transaction, before ? { ...deed, before: shown(before) } : deed, viewer, world.now())
    })
    return { done: true, segment }
  }
}

const onlyPeople = undone('Only people have segments of their own.', 'isShared')

const ownerOf = (isShared: boolean, viewer: Viewer): string | undefined =>
  isShared || viewer.kind !== 'member' ? undefined : viewer.memberId

const shown = ({ name, filter: conditions, memberId }: Segment) => ({
  name,
  filter: conditions,
  isShared: memberId === undefined,
})
