import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { z } from 'zod'
import { type Manifest, manifestSchema } from './manifest'
import { BackupRefusedError } from './backup-refused'
import { type DatedSnapshot, chooseKeptSnapshots, type SnapshotRetention } from './snapshot-retention'
import { isRunning } from './internal/running-process'
import { ObjectSealer } from './object-sealer'
import type { BackupTarget, TargetObject } from './internal/target'

const headName = 'repository.json'
const lockName = 'lock.json'
const blobs = 'blobs/'
const snapshots = 'snapshots/'
const damagedBlobs = 'damaged/'

const headSchema = z.strictObject({
  format: z.literal(1),
  id: z.string(),
  /** Present in an encrypted repository. */
  check: z.string().optional(),
  /** Tells a damaged head from a whole one; absent in repositories of before. */
  sum: z.string().optional(),
})
type Head = z.output<typeof headSchema>

/** The content of a new head. */
function headText(head: Omit<Head, 'sum'>): string {
  const sum = createHash('sha256')
    .update(JSON.stringify([head.id, head.check]))
    .digest('hex')
  return `${JSON.stringify({ ...head, sum }, null, 2)}\n`
}

const lockSchema = z.object({ token: z.string(), host: z.string(), pid: z.int(), at: z.iso.datetime() })
type Lock = z.output<typeof lockSchema>

/** A lock outlives a holder that died. On another machine its death cannot be seen, so the lock expires. */
const lockLastsMs = 15 * 60_000
const lockRefreshedEveryMs = 60_000

export interface Chunk {
  name: string
  bytes: number
}

interface CheckReport {
  snapshots: number
  blobs: number
  bytes: number
  /** One sentence each. */
  problems: string[]
}

export interface PruneReport {
  snapshots: string[]
  blobs: number
  bytes: number
}

/**
 * Snapshots on a target. Content is kept as blobs, each content once; a snapshot is a manifest that names its blobs. The
 * manifest is written last, so a backup that was cut short is no snapshot, and the next one finds its blobs.
 */
export class Repository {
  /** Blobs that the target has, by name, with their size there. */
  private knownBlobs: Map<string, number> | undefined
  /** Bytes written to the target since this repository was opened. */
  bytesAdded = 0

  private constructor(
    readonly target: BackupTarget,
    private readonly sealer: ObjectSealer,
    readonly isEncrypted: boolean,
  ) {}

  /** Opens the repository, or begins one where the target has none. */
  static async openOrBegin(target: BackupTarget, key: Buffer | undefined): Promise<Repository> {
    if ((await target.get(headName)) === undefined) {
      await refuseForeignContent(target)
      const id = randomUUID()
      const { check } = new ObjectSealer(key, id)
      await target.put(headName, Buffer.from(headText({ format: 1, id, check })))
    }
    return await Repository.open(target, key)
  }

  static async open(target: BackupTarget, key: Buffer | undefined): Promise<Repository> {
    const text = await target.get(headName)
    if (text === undefined)
      throw new BackupRefusedError(`There is no backup at ${target.address}: it has no ${headName}.`)
    const head = readHead(text.toString(), target)
    if (head.check !== undefined && !key)
      throw new BackupRefusedError(`The backup at ${target.address} is encrypted. Set TILTH_BACKUP_KEY_FILE.`)
    if (head.check === undefined && key)
      throw new BackupRefusedError(
        `The backup at ${target.address} was begun without a key, and cannot get one later. Back up to another place, or ` +
          'leave TILTH_BACKUP_KEY_FILE out.',
      )
    const sealing = new ObjectSealer(key, head.id)
    if (sealing.check !== head.check)
      throw new BackupRefusedError(
        `This key does not open the backup at ${target.address}. Give the key that it was begun with.`,
      )
    return new Repository(target, sealing, key !== undefined)
  }

  /** Keeps content that may be there already. Returns what a manifest needs in order to name it. */
  async storeContent(content: Uint8Array): Promise<Chunk> {
    const name = this.sealer.nameOf(content)
    const known = await this.blobs()
    if (!known.has(name)) {
      const sealed = this.sealer.seal(pathOf(name), content)
      await this.target.put(pathOf(name), sealed)
      known.set(name, sealed.length)
      this.bytesAdded += sealed.length
    }
    return { name, bytes: content.byteLength }
  }

  async has({ name }: Chunk): Promise<boolean> {
    return (await this.blobs()).has(name)
  }

  async fetch({ name, bytes }: Chunk): Promise<Buffer> {
    const path = pathOf(name)
    const sealed = await this.target.get(path)
    if (!sealed)
      throw new BackupRefusedError(
        `${path} is missing at ${this.target.address}. Restore another snapshot, or restore the object from a copy of ` +
          'the repository.',
      )
    const content = this.sealer.open(path, sealed)
    if (content.length !== bytes || this.sealer.nameOf(content) !== name)
      throw new BackupRefusedError(`${path} holds other content than its name says.`)
    return content
  }

  async addSnapshot(manifest: Manifest): Promise<void> {
    const path = `${snapshots}${manifest.name}`
    await this.target.put(path, this.sealer.seal(path, Buffer.from(JSON.stringify(manifest))))
  }

  /** Oldest first. */
  async snapshots(): Promise<DatedSnapshot[]> {
    return (await this.listedSnapshots()).flatMap(({ name, at }) => (at ? [{ name, at }] : []))
  }

  /** Objects in the place of snapshots, by name, with the time in the name if it is that of a snapshot. */
  private async listedSnapshots(): Promise<{ name: string; at: Date | undefined }[]> {
    const objects = await this.target.list(snapshots)
    const names = objects.map(({ name }) => name.slice(snapshots.length)).toSorted()
    return names.map((name) => ({ name, at: parseSnapshotTime(name) }))
  }

  async manifest(name: string): Promise<Manifest> {
    const path = `${snapshots}${name}`
    const sealed = await this.target.get(path)
    if (!sealed) throw new BackupRefusedError(`There is no snapshot ${name} at ${this.target.address}.`)
    const reading = manifestSchema.safeParse(JSON.parse(this.sealer.open(path, sealed).toString()))
    if (reading.success) return reading.data
    throw new BackupRefusedError(
      `Snapshot ${name} was written by a newer Tilth. Use that version or a later one.`,
    )
  }

  /** The newest snapshot, or the one of this name; a part of the name that fits only one will do. */
  async find(nameOrPrefix = 'latest'): Promise<Manifest> {
    const all = await this.snapshots()
    const fitting =
      nameOrPrefix === 'latest' ? all.slice(-1) : all.filter(({ name }) => name.startsWith(nameOrPrefix))
    const [found, ...others] = fitting
    if (!found) throw new BackupRefusedError(noSuchSnapshot(nameOrPrefix, this.target.address))
    if (others.length > 0)
      throw new BackupRefusedError(
        `${fitting.length} snapshots begin with ${nameOrPrefix}. Name one of them in full.`,
      )
    return await this.manifest(found.name)
  }

  /**
   * Reads and verifies every manifest, and every blob that a snapshot names, each once. A damaged blob is set aside, so
   * that the next backup writes the same content anew where it still has it. It also reports what is there and belongs to
   * no snapshot, and snapshots that were taken of damaged data.
   */
  async check(progress: (done: number, all: number) => void = () => {}): Promise<CheckReport> {
    const report: CheckReport = { snapshots: 0, blobs: 0, bytes: 0, problems: [] }
    const chunks = new Map<string, Chunk>()
    // before the manifests are read: a backup that ends meanwhile adds blobs
    const present = await this.target.list(blobs)
    const listed = await this.listedSnapshots()
    if (listed.length === 0) report.problems.push(noSuchSnapshot('latest', this.target.address))
    const takenDamaged: string[] = []
    for (const { name, at } of listed) {
      await collectProblem(report, async () => {
        if (!at) throw new BackupRefusedError(`${snapshots}${name} is no snapshot. Remove it.`)
        const manifest = await this.manifest(name)
        report.snapshots += 1
        for (const damage of manifest.damage ?? [])
          takenDamaged.push(`Snapshot ${name} was taken of damaged data: ${damage}`)
        for (const chunk of manifest.groups.flatMap((group) => group.chunks)) chunks.set(chunk.name, chunk)
      })
    }
    // a manifest that cannot be read may name any blob
    if (report.problems.length === 0) report.problems.push(...(await this.strayBlobs(present, chunks)))
    report.problems.push(...takenDamaged)
    const damaged: string[] = []
    for (const chunk of chunks.values()) {
      const isWhole = await collectProblem(report, async () => {
        report.bytes += (await this.fetch(chunk)).length
        report.blobs += 1
      })
      if (!isWhole) damaged.push(pathOf(chunk.name))
      progress(report.blobs, chunks.size)
    }
    if (damaged.length > 0) await collectProblem(report, () => this.withLock(() => this.setAside(damaged)))
    return report
  }

  /** A backup that is being written names its blobs at its end. */
  private async strayBlobs(
    present: readonly TargetObject[],
    named: ReadonlyMap<string, Chunk>,
  ): Promise<string[]> {
    const holder = await this.lockHolder()
    if (holder && isLockValid(holder)) return []
    const known = new Set([...named.keys()].map(pathOf))
    const strays = present.filter(({ name }) => !known.has(name))
    return strays.length === 0
      ? []
      : [
          `${strays.length === 1 ? 'One blob belongs' : `${strays.length} blobs belong`} to no snapshot, such as ${strays[0]?.name}: a snapshot is missing, or a backup was ` +
            'cut short. The next backup removes them.',
        ]
  }

  private async setAside(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const content = await this.target.get(path)
      if (!content) continue
      await this.target.put(`${damagedBlobs}${path}`, content)
      await this.target.remove(path)
    }
  }

  /** Removes the snapshots that no rule keeps, and then the blobs that no snapshot names any more. */
  async prune(retention: SnapshotRetention): Promise<PruneReport> {
    const all = await this.snapshots()
    const kept = chooseKeptSnapshots(all, retention)
    const sound = await this.newestSound(all)
    if (sound !== undefined) kept.add(sound)
    const needed = new Set<string>()
    // before anything is removed: a manifest that cannot be read may name any blob
    for (const { name } of all.filter((snapshot) => kept.has(snapshot.name))) {
      const { groups } = await this.manifest(name)
      for (const { chunks } of groups) for (const chunk of chunks) needed.add(chunk.name)
    }
    const report: PruneReport = { snapshots: [], blobs: 0, bytes: 0 }
    for (const { name } of all.filter((snapshot) => !kept.has(snapshot.name))) {
      await this.target.remove(`${snapshots}${name}`)
      report.snapshots.push(name)
    }
    const known = await this.blobs()
    for (const [name, bytes] of known) {
      if (needed.has(name)) continue
      await this.target.remove(pathOf(name))
      known.delete(name)
      report.blobs += 1
      report.bytes += bytes
    }
    return report
  }

  /** The newest snapshot that was not taken of damaged data: those that come after it must not push it out. */
  private async newestSound(all: readonly DatedSnapshot[]): Promise<string | undefined> {
    for (const { name } of all.toReversed()) if (!(await this.manifest(name)).damage) return name
    return undefined
  }

  /** Returns the bytes that blobs take on the target. */
  async size(): Promise<number> {
    return [...(await this.blobs()).values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Lets one process at a time write to the repository. The work fails if another one holds it. */
  async withLock<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    const token = randomBytes(9).toString('base64url')
    const write = () => this.target.put(lockName, Buffer.from(JSON.stringify(newLock(token))))
    refuseLocked(await this.lockHolder(), this.target.address)
    await write()
    const holder = await this.lockHolder()
    if (holder && holder.token !== token) refuseLocked(holder, this.target.address)
    this.knownBlobs = undefined
    const refreshing = setInterval(() => void write().catch(() => {}), lockRefreshedEveryMs).unref()
    try {
      return await work()
    } finally {
      clearInterval(refreshing)
      await this.target.remove(lockName)
    }
  }

  private async lockHolder(): Promise<Lock | undefined> {
    const text = await this.target.get(lockName)
    const reading = lockSchema.safeParse(text && JSON.parse(text.toString()))
    return reading.success ? reading.data : undefined
  }

  private async blobs(): Promise<Map<string, number>> {
    if (this.knownBlobs) return this.knownBlobs
    const objects = await this.target.list(blobs)
    this.knownBlobs = new Map(
      objects.map(({ name, bytes }) => [name.slice(name.lastIndexOf('/') + 1), bytes]),
    )
    return this.knownBlobs
  }
}

/** A file name on every system. Names sort by time to the millisecond: two snapshots may be made within one second. */
export const snapshotName = (at: Date): string =>
  `${at.toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}`

function parseSnapshotTime(name: string): Date | undefined {
  const [, date, hours, minutes, seconds, milliseconds] =
    /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-[0-9a-f]{6}$/.exec(name) ?? []
  return date ? new Date(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`) : undefined
}

const pathOf = (name: string): string => `${blobs}${name.slice(0, 2)}/${name}`

/** Pruning removes what no snapshot names, so a repository has its place to itself. */
async function refuseForeignContent(target: BackupTarget): Promise<void> {
  const [stranger] = await target.list('')
  if (!stranger) return
  throw new BackupRefusedError(
    `${target.address} holds ${stranger.name} and is no backup. Name an empty place, which then belongs to backups alone.`,
  )
}

function readHead(text: string, target: BackupTarget): Head {
  try {
    const { sum, ...head } = headSchema.parse(JSON.parse(text))
    if (sum === undefined || text === headText(head)) return head
    throw new Error('The head is not the one that was written.')
  } catch {
    throw new BackupRefusedError(
      `${headName} at ${target.address} cannot be read. It is damaged, or was written by a newer Tilth.`,
    )
  }
}

const noSuchSnapshot = (nameOrPrefix: string, address: string): string =>
  nameOrPrefix === 'latest'
    ? `There is no snapshot at ${address} yet.`
    : `There is no snapshot ${nameOrPrefix} at ${address}. tilth backup list shows those that are there.`

const newLock = (token: string): Lock => ({
  token,
  host: hostname(),
  pid: process.pid,
  at: new Date().toISOString(),
})

function refuseLocked(holder: Lock | undefined, address: string): void {
  if (!holder || !isLockValid(holder)) return
  throw new BackupRefusedError(
    `Another backup is writing to ${address} (process ${holder.pid} on ${holder.host}). Wait for it to end.`,
  )
}

function isLockValid({ host, pid, at }: Lock): boolean {
  if (host === hostname()) return pid !== process.pid && isRunning(pid)
  return Date.now() - Date.parse(at) < lockLastsMs
}

/** Returns whether there was none. */
async function collectProblem(report: CheckReport, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (problem) {
    if (!(problem instanceof BackupRefusedError)) throw problem
    report.problems.push(problem.message)
    return false
  }
}
