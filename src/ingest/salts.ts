import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { World } from '../world/world'

const hour = 3_600_000
const dayLength = 24 * hour
/** Of a salt, in bytes. */
const length = 32

/** Yesterday's salt lives on so that a session can cross midnight: half an hour of quiet ends one. */
const keptAfterMidnight = hour
/** A clock set back a little, as every clock is now and then, does not begin yesterday anew. */
const toleratedStepBack = 2 * hour
/** Where salts are shared, tomorrow's is agreed on before anybody needs it. */
const agreedBeforeMidnight = hour

interface Salt {
  /** The UTC day it is for, counted from 1970. */
  day: number
  key: KeyObject
}

/** Where salts outlive the process. */
export interface SaltKeeper {
  /**
   * Others keep theirs here as well, and every day's is whosever came first: saving adds what is missing and takes away
   * what is older than everything saved, and loading tells what counts.
   */
  readonly isShared?: boolean
  /** What was kept last; undefined when there is none, or none that can be read. */
  load(): Promise<string | undefined>
  save(text: string): Promise<void>
}

/**
 * The secrets that turn an address and a user agent into the visitor of a day. Each is 32 random bytes, used for one UTC
 * day and destroyed an hour after it: from then on nobody, not even we, can tell who a visitor of that day was.
 */
export class Salts {
  private saving: Promise<void> = Promise.resolve()
  /** Between these times nothing is due. */
  private settledFrom = 0
  private settledUntil = 0

  private constructor(
    private readonly world: World,
    private readonly keeper: SaltKeeper,
    private readonly onTrouble: (error: unknown) => void,
    private salts: readonly Salt[],
  ) {}

  static async open(world: World, keeper: SaltKeeper, onTrouble: (error: unknown) => void): Promise<Salts> {
    const salts = new Salts(world, keeper, onTrouble, parseSalts(await keeper.load()))
    salts.rotate()
    await salts.settled()
    return salts
  }

  /** Today's. */
  current(): KeyObject {
    this.rotate()
    return this.today().key
  }

  /** Yesterday's, while it still is of use. */
  previous(): KeyObject | undefined {
    this.rotate()
    return this.ofDay(this.today().day - 1)?.key
  }

  /** Makes and destroys what is due. To be called every few minutes: salts must go when nobody visits, too. */
  rotate(): void {
    const now = this.world.now().getTime()
    if (now >= this.settledFrom && now < this.settledUntil) return
    const next = this.dueAt(now)
    if (isSame(next, this.salts)) return
    this.salts = next
    this.save()
  }

  /** The same, and where salts are shared, a look at what the others have made. */
  async agree(): Promise<void> {
    this.rotate()
    if (this.keeper.isShared) this.save()
    await this.settled()
  }

  /** Resolves once what was decided last is on disk. */
  async settled(): Promise<void> {
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

  /** Today's first, and notes until when that will do. */
  private dueAt(now: number): Salt[] {
    const kept = this.salts.filter((salt) => isOfUse(salt, now))
    const today = this.todaysOf(kept, now)
    const previous = kept.find((salt) => salt.day === today.day - 1)
    const midnight = (today.day + 1) * dayLength
    const agreesAt = this.keeper.isShared ? midnight - agreedBeforeMidnight : midnight
    this.settledFrom = today.day * dayLength - (this.keeper.isShared ? 0 : toleratedStepBack)
    this.settledUntil = previous
      ? today.day * dayLength + keptAfterMidnight
      : now < agreesAt
        ? agreesAt
        : midnight
    const tomorrow = now < agreesAt ? [] : [kept.find(isOf(today.day + 1)) ?? this.make(today.day + 1)]
    return [today, ...(previous ? [previous] : []), ...tomorrow]
  }

  /** Where tomorrow's is there already, the clock alone decides which one it is. */
  private todaysOf(kept: readonly Salt[], now: number): Salt {
    const day = Math.floor(now / dayLength)
    const known = kept.find(this.keeper.isShared ? isOf(day) : (salt) => isCurrent(salt, now))
    return known ?? this.make(day)
  }

  private make(day: number): Salt {
    return { day, key: createSecretKey(this.world.random(length)) }
  }

  private save(): void {
    this.saving = this.saving.then(() => this.keep()).catch(this.onTrouble)
  }

  private async keep(): Promise<void> {
    await this.keeper.save(
      JSON.stringify(this.salts.map(({ day, key }) => ({ day, salt: key.export().toString('base64') }))),
    )
    if (this.keeper.isShared) this.adopt(parseSalts(await this.keeper.load()))
  }

  /** Ours give way to those that were there before. */
  private adopt(others: readonly Salt[]): void {
    this.salts = this.salts.map((ours) => {
      const theirs = others.find(isOf(ours.day))
      return theirs && !theirs.key.equals(ours.key) ? theirs : ours
    })
  }
}

const isOf =
  (day: number) =>
  (salt: Salt): boolean =>
    salt.day === day

function isCurrent({ day }: Salt, now: number): boolean {
  const begins = day * dayLength
  return now >= begins - toleratedStepBack && now < begins + dayLength
}

function isOfUse({ day }: Salt, now: number): boolean {
  return now >= day * dayLength - toleratedStepBack && now < (day + 1) * dayLength + keptAfterMidnight
}

function isSame(one: readonly Salt[], other: readonly Salt[]): boolean {
  return one.length === other.length && one.every((salt, i) => salt === other[i])
}

/** A file that cannot be read costs one day's visitors their continuity, and nothing else. */
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
  return bytes.length === length ? [{ day, key: createSecretKey(bytes) }] : []
}

/** A folder of its own in the data folder, which backups leave out: a salt in a backup would never be destroyed. */
export const saltsFolder = 'salts'

export function saltFile(dataFolder: string): SaltKeeper {
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

/** What tells one visitor without an id from another, for as long as the salt lives. */
export interface Trail {
  projectId: number
  /** What one registers: visitors are the same on all hosts of a site. */
  domain: string
  address: string
  userAgent: string
}

/** 128 bits: enough that no two visitors of a day are taken for one. */
export function cookielessId(salt: KeyObject, { projectId, domain, address, userAgent }: Trail): string {
  const trail = `${projectId}\n${domain}\n${address}\n${userAgent}`
  return `cookieless_${createHmac('sha256', salt).update(trail).digest().subarray(0, 16).toString('base64url')}`
}
