import { z } from 'zod'
import { requireEvery, type Right, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { fingerprintOf, importName, inReadingOrder } from '../../import-files'
import type { Imports } from '../../imports'
import { type ImportSourceName, importSources, isImportSource } from '../../sources/sources'
import { addUpload, findUpload, removeUpload, saveUpload, uploadsOf } from './store'
import type { ImportUpload } from '../upload'
import { UploadFolder } from './upload-folder'

interface ImportUploadsDependencies {
  store: Store
  world: World
  imports: Pick<Imports, 'begin'>
  /** The data folder. */
  folder: string
  /** Returns the number of bytes that the data folder may still take. Only the front takes uploads. */
  freeBytes?: (() => Promise<number>) | undefined
}

/** The rights that imports themselves need, too. */
const needed: readonly Right[] = ['persons:write', 'events:read']

/** Announced when an upload waits for the front, or is gone. */
export const uploadTopic = 'import uploads'

/** A year of days of Matomo is 365 files. */
const mostFiles = 2000
const mostUploads = 10

const count = z.int().min(0)

const newUpload = z.strictObject({
  source: z.string().refine(isImportSource, 'Choose the product that the files come from.'),
  files: z
    .array(z.strictObject({ name: z.string().min(1).max(500), bytes: count }))
    .min(1, 'Choose one or more files.')
    .max(
      mostFiles,
      `Choose at most ${mostFiles.toLocaleString('en')} files, or pack them into a zip archive.`,
    ),
})

const previewInput = z.strictObject({
  until: z.iso
    .datetime({ offset: true, error: 'Choose a day and a time.' })
    .transform((text) => new Date(text))
    .optional(),
})

const uploadPart = z.strictObject({ upload: z.string(), file: count, at: count })

type ReceivedUpload = ImportUpload & { received: readonly number[] }

/** Files of other products that members send to be imported: received, previewed, imported and deleted. */
export class ImportUploads {
  /** The products whose files are known, with which of their files are read. */
  readonly sources: readonly { name: ImportSourceName; label: string; files: string }[] = Object.keys(
    importSources,
  )
    .filter(isImportSource)
    .map((name) => ({ name, label: importSources[name].label, files: importSources[name].files }))

  private readonly files: UploadFolder

  constructor(private readonly dependencies: ImportUploadsDependencies) {
    this.files = new UploadFolder(dependencies.folder)
  }

  /** Returns uploads with how much of each file has arrived, the latest first. */
  async list(projectId: number, viewer: Viewer): Promise<ReceivedUpload[]> {
    requireEvery(needed, projectId, viewer)
    const uploads = await uploadsOf(this.dependencies.store, projectId)
    return await Promise.all(uploads.map((upload) => this.withReceived(upload)))
  }

  /** Begins an upload, or returns the one of the same files that was interrupted. */
  async begin(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ upload: ReceivedUpload }>> {
    requireEvery(needed, projectId, viewer)
    const parsed = parseInput(newUpload, input)
    if (!parsed.done) return parsed
    const { store, world } = this.dependencies
    const { source } = parsed.value
    const files = inReadingOrder(parsed.value.files, isImportSource(source) ? importSources[source] : {})
    const fingerprint = fingerprintOf(source, files)
    const uploads = await uploadsOf(store, projectId)
    const same = uploads.find((one) => one.state === 'receiving' && one.fingerprint === fingerprint)
    if (same) return { done: true, upload: await this.withReceived(same) }
    if (uploads.length >= mostUploads)
      return failedOutcome(`This project has ${mostUploads} uploads. Import or discard one of them first.`)
    const refusal = await this.refusalOf(
      parsed.value.source,
      files.reduce((sum, { bytes }) => sum + bytes, 0),
    )
    if (refusal !== undefined) return failedOutcome(refusal, 'files')
    const now = world.now()
    const upload: ImportUpload = {
      id: newId(world),
      projectId,
      source: parsed.value.source,
      files,
      fingerprint,
      state: 'receiving',
      until: undefined,
      rows: 0,
      preview: undefined,
      problem: undefined,
      importId: undefined,
      createdBy: viewer.name,
      createdAt: now,
      changedAt: now,
    }
    await addUpload(store, upload)
    return { done: true, upload: { ...upload, received: files.map(() => 0) } }
  }

  /** Writes the next bytes of a file and returns how many there are. Bytes that are sent twice are kept once. */
  async write(
    projectId: number,
    input: unknown,
    bytes: Uint8Array,
    viewer: Viewer,
  ): Promise<Outcome<{ received: number }>> {
    requireEvery(needed, projectId, viewer)
    const parsed = parseInput(uploadPart, input)
    if (!parsed.done) return parsed
    const { upload: id, file: index, at } = parsed.value
    const upload = await findUpload(this.dependencies.store, projectId, id)
    const file = upload?.files[index]
    if (!upload || !file || upload.state !== 'receiving') return goneOutcome
    if (at + bytes.length > file.bytes)
      return failedOutcome(`${file.name} is larger than it was. Discard the upload and begin again.`)
    const refusal = await this.refusalOf(upload.source, bytes.length)
    if (refusal !== undefined) return failedOutcome(refusal)
    try {
      return { done: true, received: await this.files.write(upload, { index, at }, bytes) }
    } catch (problem) {
      if (isFull(problem)) return failedOutcome(diskRemedy('The disk of the server is full.', upload.source))
      throw problem
    }
  }

  /** Has files read to their end, to say what an import would bring. */
  async preview(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Outcome> {
    requireEvery(needed, projectId, viewer)
    const parsed = parseInput(previewInput, input)
    if (!parsed.done) return parsed
    const before = await findUpload(this.dependencies.store, projectId, id)
    if (!before || (before.state !== 'receiving' && before.state !== 'previewed')) return goneOutcome
    if (!(await this.files.has(before)))
      return failedOutcome('The files have not arrived completely. Choose the same files again to continue.')
    const { until } = parsed.value
    return await this.change(before, { state: 'previewing', until, rows: 0, preview: undefined })
  }

  /** Begins the import of files that were previewed, or continues one that broke off. */
  async start(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireEvery(needed, projectId, viewer)
    const before = await findUpload(this.dependencies.store, projectId, id)
    if (!before || (before.state !== 'previewed' && before.state !== 'interrupted')) return goneOutcome
    const { source, files, fingerprint, until, preview } = before
    if (preview?.problem !== undefined) return failedOutcome(preview.problem)
    const input = { source, name: importName(files), fingerprint, until: until?.toISOString() }
    const outcome = await this.dependencies.imports.begin(projectId, input, viewer)
    if (!outcome.done) return outcome
    return await this.change(before, { state: 'importing', importId: outcome.import.id, problem: undefined })
  }

  /** Deletes files. What was imported of them stays, and can be undone. */
  async discard(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireEvery(needed, projectId, viewer)
    const { store } = this.dependencies
    const before = await findUpload(store, projectId, id)
    if (!before) return goneOutcome
    await store.transaction(async (transaction) => {
      await removeUpload(transaction, before)
      await transaction.announce(uploadTopic)
    })
    await this.files.remove(before)
    return { done: true }
  }

  private async change(before: ImportUpload, changes: Partial<ImportUpload>): Promise<Outcome> {
    const { store, world } = this.dependencies
    return await store.transaction(async (transaction) => {
      const after = { ...before, ...changes, changedAt: world.now() }
      if (!(await saveUpload(transaction, before, after))) return goneOutcome
      await transaction.announce(uploadTopic)
      return { done: true }
    })
  }

  private async withReceived(upload: ImportUpload): Promise<ReceivedUpload> {
    return { ...upload, received: await this.files.receivedBytes(upload) }
  }

  /** Says why so many bytes are not taken. */
  private async refusalOf(source: string, bytes: number): Promise<string | undefined> {
    const { freeBytes } = this.dependencies
    if (!freeBytes) return 'Files can be uploaded only to the Tilth that collects events.'
    const free = Math.max(0, await freeBytes())
    if (bytes <= free) return undefined
    return diskRemedy(
      `The files need ${inGigabytes(bytes)}, and the server has ${inGigabytes(free)} for them.`,
      source,
    )
  }
}

const goneOutcome = failedOutcome('This upload has changed or is gone. Reload the page.')

const diskRemedy = (problem: string, source: string): string =>
  `${problem} Free some space, or run tilth import ${source} on the server, which reads files where they are.`

const isFull = (problem: unknown): boolean =>
  problem instanceof Error && 'code' in problem && (problem.code === 'ENOSPC' || problem.code === 'EDQUOT')

const inGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
