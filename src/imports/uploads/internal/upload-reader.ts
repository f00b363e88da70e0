import type { Engine } from '#engine/engine'
import { dateTime, sql, uint, uuids } from '#engine/sql'
import type { ProjectIngestSettings } from '#ingest/settings'
import { operator } from '#projects/access'
import type { Job } from '#jobs/jobs'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Import } from '../../import'
import type { ImportPreview } from '../../import-preview'
import type { Imports } from '../../imports'
import type { Portion } from '../../portions'
import type { ReadingReceiver, ReadingRequest } from '../../reading/reading'
import type { RunningReading, StartReading } from '../../reading/internal/reading-process'
import { isImportSource } from '../../sources/sources'
import { uploadTopic } from './import-uploads'
import { findUpload, removeUpload, saveUpload, uploadsOf } from './store'
import type { ImportUpload, UploadPreview } from '../upload'
import { UploadFolder } from './upload-folder'

interface UploadReaderDependencies {
  store: Store
  world: World
  engine: Pick<Engine, 'query'>
  imports: Pick<Imports, 'add' | 'end' | 'find'>
  /** The data folder. */
  folder: string
  startReading: StartReading
  onTrouble: (problem: unknown) => void
  intakeSettingsOf: (projectId: number) => ProjectIngestSettings
}

/** The job that reads uploaded files. */
export const uploadJob = 'read uploaded files'

/** Uploads that are left alone for so long are deleted. */
const keptMs = 7 * 24 * 3_600_000
const lookUpDeadlineMs = 60_000
const progressEveryMs = 1000

type Work = ReadingRequest['work']
const stateOf = { preview: 'previewing', import: 'importing' } as const satisfies Record<Work, string>

/** Reads uploaded files in the background: one preview and one import at a time. Only the front does. */
export class UploadReader {
  readonly jobs: readonly Job[] = [{ name: uploadJob, everyMs: 60_000, run: () => this.run() }]

  private readonly files: UploadFolder
  private readonly lanes: Record<Work, Lane> = { preview: {}, import: {} }
  private isClosed = false
  private readonly stopListening: () => void

  constructor(private readonly dependencies: UploadReaderDependencies) {
    this.files = new UploadFolder(dependencies.folder)
    this.stopListening = dependencies.store.onChange((topic) => {
      if (topic === uploadTopic) void this.stopRemoved().catch(dependencies.onTrouble)
    })
  }

  /** Begins to read whatever waits, and returns meanwhile. */
  async run(): Promise<void> {
    await this.removeOld()
    for (const work of ['preview', 'import'] as const) this.wake(work)
  }

  /** Stops reading. What was not read to its end is continued at the next start. */
  close(): void {
    this.isClosed = true
    this.stopListening()
    for (const { current } of Object.values(this.lanes)) current?.reading?.stop()
  }

  private wake(work: Work): void {
    const lane = this.lanes[work]
    lane.isAsked = true
    if (lane.isRunning) return
    lane.isRunning = true
    void this.drain(work, lane).catch((problem: unknown) => {
      lane.isRunning = false
      if (!this.isClosed) this.dependencies.onTrouble(problem)
    })
  }

  private async drain(work: Work, lane: Lane): Promise<void> {
    while (lane.isAsked && !this.isClosed) {
      lane.isAsked = false
      for (let next = await this.nextOf(work); next && !this.isClosed; next = await this.nextOf(work)) {
        lane.current = { upload: next }
        await (work === 'preview' ? this.preview(next, lane) : this.bring(next, lane))
        lane.current = undefined
      }
    }
    lane.isRunning = false
  }

  /** Files of another front are read by that one. */
  private async nextOf(work: Work): Promise<ImportUpload | undefined> {
    const uploads = await uploadsOf(this.dependencies.store)
    for (const upload of uploads.toReversed())
      if (upload.state === stateOf[work] && (await this.files.has(upload))) return upload
    return undefined
  }

  private async preview(upload: ImportUpload, lane: Lane): Promise<void> {
    let savedAt = performance.now()
    const reading = this.read(upload, lane, {
      progress: (rows) => {
        if (performance.now() - savedAt < progressEveryMs) return
        savedAt = performance.now()
        void this.save(upload, { rows }).catch(this.dependencies.onTrouble)
      },
      portion: async () => {},
    })
    const end = await reading.ended
    if (end.kind === 'stopped') return
    if (end.kind === 'previewed') {
      const preview = await this.withStored(upload.projectId, end.preview)
      await this.save(upload, { state: 'previewed', rows: preview.rows, preview })
    } else await this.save(upload, { state: 'previewed', preview: unreadPreview(whyOf(end)) })
  }

  private async bring(upload: ImportUpload, lane: Lane): Promise<void> {
    const startedImport = await this.importOf(upload)
    if (!startedImport || startedImport.state !== 'running') return await this.remove(upload)
    let current = startedImport
    let refusal: string | undefined
    const reading = this.read(
      upload,
      lane,
      {
        progress: () => {},
        portion: async (portion) => {
          const added = await this.add(current, portion, lane)
          if ('refusal' in added) ({ refusal } = added)
          else current = added.import
          if (refusal !== undefined) throw new Error(refusal)
        },
      },
      startedImport.rows,
    )
    const end = await reading.ended
    if (end.kind === 'stopped') return
    if (end.kind !== 'read') return await this.interrupt(upload, refusal ?? whyOf(end))
    await this.dependencies.imports.end(upload.projectId, current.id, reader)
    await this.remove(upload)
  }

  private async importOf({ projectId, importId }: ImportUpload): Promise<Import | undefined> {
    const found = await this.dependencies.imports.find(projectId, importId ?? '', reader)
    return found.done ? found.import : undefined
  }

  /** Writes a portion, once Tilth is not too busy for it. */
  private async add(
    { projectId, id, rows }: Import,
    portion: Portion,
    lane: Lane,
  ): Promise<{ import: Import } | { refusal: string }> {
    for (;;) {
      const added = await this.dependencies.imports.add(projectId, id, { from: rows, ...portion }, reader)
      if (!added.done) return { refusal: added.problems.map(({ message }) => message).join(' ') }
      if (added.retryAfterSeconds === undefined) return { import: added.import }
      if (this.isClosed || !lane.current) return { refusal: 'It was stopped.' }
      await new Promise((resolve) => setTimeout(resolve, (added.retryAfterSeconds ?? 1) * 1000))
    }
  }

  private read(upload: ImportUpload, lane: Lane, receiver: ReadingReceiver, skip = 0): RunningReading {
    const { source, until } = upload
    // only known sources are uploaded; a later version may have left one out
    if (!isImportSource(source)) throw new Error(`"${source}" is not in the list of sources.`)
    const { startReading, world, intakeSettingsOf } = this.dependencies
    const reading = startReading(
      {
        work: upload.state === 'previewing' ? 'preview' : 'import',
        source,
        paths: this.files.pathsOf(upload),
        until: until?.toISOString(),
        now: world.now().toISOString(),
        intake: intakeSettingsOf(upload.projectId),
        skip,
      },
      receiver,
      this.files.folderOf(upload),
    )
    if (lane.current) lane.current.reading = reading
    return reading
  }

  /** An import that was undone or ended elsewhere has no use for the files any more. */
  private async interrupt(upload: ImportUpload, problem: string): Promise<void> {
    const found = await this.importOf(upload)
    if (found?.state === 'running') await this.save(upload, { state: 'interrupted', problem })
    else await this.remove(upload)
  }

  private async save(upload: ImportUpload, changes: Partial<ImportUpload>): Promise<void> {
    const { store, world } = this.dependencies
    const before = await findUpload(store, upload.projectId, upload.id)
    if (before?.state === upload.state)
      await saveUpload(store, before, { ...before, ...changes, changedAt: world.now() })
  }

  private async remove(upload: ImportUpload): Promise<void> {
    await removeUpload(this.dependencies.store, upload)
    await this.files.remove(upload)
  }

  private async stopRemoved(): Promise<void> {
    for (const { current } of Object.values(this.lanes)) {
      if (!current) continue
      const { upload, reading } = current
      const found = await findUpload(this.dependencies.store, upload.projectId, upload.id)
      if (found?.state === upload.state) continue
      reading?.stop()
      if (!found) await this.files.remove(upload)
    }
  }

  /** Deletes uploads that were forgotten, and files without an upload. */
  private async removeOld(): Promise<void> {
    const { store, world } = this.dependencies
    // first, so that an upload that begins meanwhile is not taken for gone
    const ids = await this.files.ids()
    const uploads = await uploadsOf(store)
    const endsAt = world.now().getTime() - keptMs
    for (const upload of uploads)
      if (!isWaiting(upload) && upload.changedAt.getTime() < endsAt) await this.remove(upload)
    for (const id of ids) if (!uploads.some((one) => one.id === id)) await this.files.remove({ id })
  }

  /** Looks up how many of some events are stored already. */
  private async withStored(
    projectId: number,
    { first: _, sample, ...preview }: ImportPreview,
  ): Promise<UploadPreview> {
    const { firstAt, lastAt } = preview
    if (firstAt === undefined || lastAt === undefined) return { ...preview, there: undefined }
    const counted = await this.dependencies.engine
      .query<{ events: number }>(
        sql`
          select uniqExact(uuid) as events
          from events
          where project_id = ${uint(projectId)}
            and timestamp >= ${dateTime(new Date(firstAt))}
            and timestamp <= ${dateTime(new Date(lastAt))}
            and uuid in ${uuids(sample)}`,
        { lane: 'ingest', deadlineMs: lookUpDeadlineMs },
      )
      .catch((problem: unknown) => this.dependencies.onTrouble(problem))
    const there = counted && { lookedUp: sample.length, found: counted[0]?.events ?? 0 }
    return { ...preview, there: there ?? undefined }
  }
}

/** The upload that is being read. */
interface Lane {
  isRunning?: boolean
  /** Whether something may have been added since the last look. */
  isAsked?: boolean
  current?: { upload: ImportUpload; reading?: RunningReading } | undefined
}

const isWaiting = ({ state }: ImportUpload): boolean => Object.values(stateOf).some((one) => one === state)

const reader = operator('import of uploaded files')

const whyOf = (end: Awaited<RunningReading['ended']>): string =>
  'why' in end ? end.why : 'The files were not read to their end.'

const unreadPreview = (problem: string): UploadPreview => ({
  rows: 0,
  events: 0,
  repeated: 0,
  sums: 0,
  profiles: 0,
  dropped: {},
  firstAt: undefined,
  lastAt: undefined,
  names: [],
  nameCount: 0,
  problem,
  there: undefined,
})
