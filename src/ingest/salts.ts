import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { World } from '#world/world'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const saltBytes = 32

/**
 * Yesterday's salt is kept a while so that a session can cross midnight. Half an hour without events ends a session.
 */
const keptAfterMidnightMs = hourMs
/** A clock that is set back a little does not begin yesterday again. */
const toleratedStepBackMs = 2 * hourMs
/** Shared salts for tomorrow are agreed on before they are needed. */
const agreedBeforeMidnightMs = hourMs

interface Salt {
  /** The UTC day, counted from 1970. */
  day: number
  key: KeyObject
}

/** Stores salts across restarts. */
export interface SaltStorage {
  /**
   * Whether other fronts store their salts here too. The first front to save decides each day's salt: saving adds
   * missing salts and deletes those older than all saved ones; loading returns the agreed ones.
   */
  readonly isShared?: boolean
  /** Returns the saved salts; undefined if there are none or they are unreadable. */
  load(): Promise<string | undefined>
  save(text: string): Promise<void>
}

/**
 * The secrets that turn an address and a user agent into a visitor id for a day. Each is 32 random bytes, used for one
 * UTC day and destroyed an hour after it. From then on the visitors of that day cannot be identified, not even by
 * Tilth.
 */
export class Salts {
  private saving: Promise<void> = Promise.resolve()
  /** No salt is due between these times. */
  private unchangedFrom = 0
  private unchangedUntil = 0

  private constructor(
    private readonly world: World,
    private readonly storage: SaltStorage,
    private readonly onTrouble: (error: unknown) => void,
    private salts: readonly Salt[],
  ) {}

  static async open(world: World, storage: SaltStorage, onTrouble: (error: unknown) => void): Promise<Salts> {
    const salts = new Salts(world, storage, onTrouble, parseSalts(await storage.load()))
    salts.rotate()
    await salts.saved()
    return salts
  }

  /** Today's salt. */
  current(): KeyObject {
    this.rotate()
    return this.today().key
  }

  /** Yesterday's salt, as long as it is needed. */
  previous(): KeyObject | undefined {
    this.rotate()
    return this.ofDay(this.today().day - 1)?.key
  }

  /**
   * Creates and destroys the salts that are due. It runs every few minutes, because salts must be destroyed even
   * without visits.
   */
  rotate(): void {
    const now = this.world.now().getTime()
    if (now >= this.unchangedFrom && now < this.unchangedUntil) return
    const next = this.saltsDueAt(now)
    if (isSame(next, this.salts)) return
    this.salts = next
    this.save()
  }

  /** Like `rotate`; if salts are shared, it also loads those of other fronts. */
  async synchronize(): Promise<void> {
    this.rotate()
    if (this.storage.isShared) this.save()
    await this.saved()
  }

  /** Resolves once the latest change is on disk. */
  async saved(): Promise<void> {
    await this.saving
  }

  private today(): Salt {
    const [today] = this.salts
    if (!today) throw new Error('There is no salt after a rotation.')
    return today
  }

  private ofDay(day: number): Salt | undefined {
    return this.salts.find((salt) => salt.day === day)
  }

  /** Returns the salts that are due, today's first, and records how long they stay valid. */
  private saltsDueAt(now: number): Salt[] {
    const kept = this.salts.filter((salt) => isOfUse(salt, now))
    const today = this.todaysOf(kept, now)
    const previous = kept.find((salt) => salt.day === today.day - 1)
    const midnight = (today.day + 1) * dayMs
    const agreesAt = this.storage.isShared ? midnight - agreedBeforeMidnightMs : midnight
    this.unchangedFrom = today.day * dayMs - (this.storage.isShared ? 0 : toleratedStepBackMs)
    this.unchangedUntil = previous
      ? today.day * dayMs + keptAfterMidnightMs
      : now < agreesAt
        ? agreesAt
        : midnight
    const tomorrow = now < agreesAt ? [] : [kept.find(isOf(today.day + 1)) ?? this.make(today.day + 1)]
    return [today, ...(previous ? [previous] : []), ...tomorrow]
  }

  /** If tomorrow's salt exists already, the clock alone decides which one is today's. */
  private todaysOf(kept: readonly Salt[], now: number): Salt {
    const day = Math.floor(now / dayMs)
    const known = kept.find(this.storage.isShared ? isOf(day) : (salt) => isCurrent(salt, now))
    return known ?? this.make(day)
  }

  private make(day: number): Salt {
    return { day, key: createSecretKey(this.world.random(saltBytes)) }
  }

  private save(): void {
    this.saving = this.saving.then(() => this.writeSalts()).catch(this.onTrouble)
  }

  private async writeSalts(): Promise<void> {
    await this.storage.save(
      JSON.stringify(this.salts.map(({ day, key }) => ({ day, salt: key.export().toString('base64') }))),
    )
    if (this.storage.isShared) this.adoptShared(parseSalts(await this.storage.load()))
  }

  /** Replaces own salts by those that were saved before. */
  private adoptShared(others: readonly Salt[]): void {
    this.salts = this.salts.map((ours) => {
      const otherSalt = others.find(isOf(ours.day))
      return otherSalt && !otherSalt.key.equals(ours.key) ? otherSalt : ours
    })
  }
}

const isOf =
  (day: number) =>
  (salt: Salt): boolean =>
    salt.day === day

function isCurrent({ day }: Salt, now: number): boolean {
  const begins = day * dayMs
  return now >= begins - toleratedStepBackMs && now < begins + dayMs
}

function isOfUse({ day }: Salt, now: number): boolean {
  return now >= day * dayMs - toleratedStepBackMs && now < (day + 1) * dayMs + keptAfterMidnightMs
}

function isSame(one: readonly Salt[], other: readonly Salt[]): boolean {
  return one.length === other.length && one.every((salt, i) => salt === other[i])
}

/** An unreadable file only means that one day's visitors get new ids. */
function parseSalts(text: string | undefined): Salt[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(kept) ? kept.flatMap(readSalt).sort((one, other) => other.day - one.day) : []
  } catch {
    return []
  }
}

function readSalt(kept: unknown): Salt[] {
  if (typeof kept !== 'object' || kept === null || !('day' in kept) || !('salt' in kept)) return []
  const { day, salt } = kept
  if (!Number.isInteger(day) || typeof day !== 'number' || typeof salt !== 'string') return []
  const bytes = Buffer.from(salt, 'base64')
  return bytes.length === saltBytes ? [{ day, key: createSecretKey(bytes) }] : []
}

/** The folder of salts within the data folder. Backups exclude it: a salt in a backup would never be destroyed. */
const saltsFolder = 'salts'

export function saltFileStorage(dataFolder: string): SaltStorage {
  const folder = join(dataFolder, saltsFolder)
  const file = join(folder, 'salts.json')
  const draft = `${file}.new`
  return {
    load: async () => await readFile(file, 'utf8').catch(() => undefined),
    async save(text) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rm(draft, { force: true })
      await writeFile(draft, text, { mode: 0o600, flush: true })
      await rename(draft, file)
    },
  }
}

/** The input that distinguishes visitors without an id while a salt exists. */
export interface CookielessIdInput {
  projectId: number
  /** The registrable domain: visitors are the same on all hosts of a site. */
  domain: string
  address: string
  userAgent: string
}

/** The id has 128 bits, so that two visitors of a day do not collide. */
export function cookielessId(
  salt: KeyObject,
  { projectId, domain, address, userAgent }: CookielessIdInput,
): string {
  const trail = `${projectId}\n${domain}\n${address}\n${userAgent}`
  return `cookieless_${createHmac('sha256', salt).update(trail).digest().subarray(0, 16).toString('base64url')}`
}
