import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import { type Outcome, undone } from '../projects/problems'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import {
  encode,
  measure,
  narrowed,
  pictureNames,
  pictureTypes,
  type PictureType,
  widths,
} from './pictures/encoding'
import { addImage, imagesOf } from './pictures/store'

/** A picture as it is on disk. */
export interface KeptFile {
  /** Its name there and the end of its address, made of what is in it: the same picture is kept once. */
  file: string
  width: number
  height: number
  bytes: number
}

/** One that a member gave us. */
export interface KeptImage extends KeptFile {
  /** What it was called where it came from. */
  name: string
  createdBy: string
  createdAt: Date
}

interface Ground {
  store: Store
  world: World
  /** The data folder. */
  folder: string
}

export const imagesAddress = '/_tilth/images'
export const mostImageBytes = 10 * 1024 * 1024

export const imageAddress = (file: string): string => `${imagesAddress}/${file}`

/** What a file is served as, wherever it came from. */
export const imageType = (file: string): string => pictureTypes[typeOf(file) ?? 'webp']

/** The pictures of posts and pages. Anybody may see them who knows where they are. */
export class Images {
  private readonly folder: string
  private readonly underWay = new Map<string, Promise<string>>()
  private turn: Promise<unknown> = Promise.resolve()

  constructor(private readonly ground: Ground) {
    this.folder = join(ground.folder, 'uploads')
  }

  async list(projectId: number, viewer: Viewer): Promise<KeptImage[]> {
    requireRight('project:read', projectId, viewer)
    return await imagesOf(this.ground.store, projectId)
  }

  async keep(
    projectId: number,
    { name, bytes }: { name: string; bytes: Uint8Array },
    viewer: Viewer,
  ): Promise<Outcome<{ image: KeptImage }>> {
    requireRight('posts:write', projectId, viewer)
    const kept = await this.keepFile(bytes)
    if (!kept.done) return kept
    const now = this.ground.world.now()
    const called = name.trim().slice(0, 200) || kept.kept.file
    const image: KeptImage = { ...kept.kept, name: called, createdBy: viewer.name, createdAt: now }
    await this.ground.store.transaction(async (transaction) => {
      await addImage(transaction, projectId, image)
      await record(transaction, { action: 'image.add', subject: called, projectId }, viewer, now)
    })
    return { done: true, image }
  }

  /** Without asking who gives it: for a folder of the owner's own. */
  async keepFile(bytes: Uint8Array): Promise<Outcome<{ kept: KeptFile }>> {
    if (bytes.length > mostImageBytes) return undone('The picture is over 10 MB. Make it smaller.')
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    const known = pictureNames
      .map((type) => `${id}.${type}`)
      .find((file) => existsSync(join(this.folder, file)))
    if (known) return { done: true, kept: await this.known(known) }
    const encoded = await this.inTurn(() => encode(bytes))
    if (!encoded.done) return encoded
    const { bytes: written, type, width, height } = encoded.picture
    const file = `${id}.${type}`
    await this.write(file, written)
    return { done: true, kept: { file, width, height, bytes: written.length } }
  }

  private async known(file: string): Promise<KeptFile> {
    const bytes = await readFile(join(this.folder, file))
    return { file, bytes: bytes.length, ...(await measure(bytes)) }
  }

  /** Where a picture is on disk, or a copy of it no wider than this; undefined where there is none of that name. */
  async find(file: string, width?: number): Promise<string | undefined> {
    if (!typeOf(file) || !existsSync(join(this.folder, file))) return undefined
    if (width === undefined || !widths.includes(width)) return join(this.folder, file)
    return await this.copyOf(file, width)
  }

  /** Made when first asked for, by one at a time: who asks next for the same one waits for it. */
  private async copyOf(file: string, width: number): Promise<string> {
    const name = `${file.split('.')[0]}-${width}.webp`
    const path = join(this.folder, name)
    if (existsSync(path)) return path
    const making = this.underWay.get(name) ?? this.inTurn(() => this.makeCopy(file, name, width))
    this.underWay.set(name, making)
    return await making.finally(() => this.underWay.delete(name))
  }

  private async makeCopy(file: string, name: string, width: number): Promise<string> {
    return await this.write(name, await narrowed(await readFile(join(this.folder, file)), width))
  }

  /** Under another name until all of it is there: a torn picture would stay torn. */
  private async write(file: string, bytes: Uint8Array): Promise<string> {
    const path = join(this.folder, file)
    const meanwhile = `${path}.${Buffer.from(this.ground.world.random(6)).toString('hex')}`
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    await writeFile(meanwhile, bytes, { mode: 0o600 })
    await rename(meanwhile, path)
    return path
  }

  /** Pictures are made one after the other: each takes a core for a while, and there are visitors to answer. */
  private async inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
    const made = this.turn.then(make, make)
    this.turn = made.catch(() => {})
    return await made
  }
}

/** Nothing but a name of our own making is ever looked for on disk. */
function typeOf(file: string): PictureType | undefined {
  const [, type = ''] = /^[\da-f]{32}(?:-\d+)?\.([a-z]+)$/.exec(file) ?? []
  // the entries of a list have the list's own names
  return Object.hasOwn(pictureTypes, type) ? (type as PictureType) : undefined
}
