import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { type Outcome, failedOutcome } from '#projects/problems'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import {
  encodePicture,
  measurePicture,
  resizeToWidth,
  pictureNames,
  pictureTypes,
  type PictureType,
  copyWidths,
} from './pictures/internal/encoding'
import type { SharedPictures } from './shared-pictures'
import { addImage, findImage, removedFiles, unmarkRemoved } from './pictures/internal/store'

/** A picture on disk. */
export interface ImageFile {
  /** The file name, which is the end of the address: a hash of the content, so that equal pictures are stored once. */
  file: string
  width: number
  height: number
  bytes: number
}

/** A picture that a member uploaded. */
export interface StoredImage extends ImageFile {
  /** The original file name. */
  name: string
  /** The alternative text that is offered where it is inserted; '' if none was written. */
  alt: string
  createdBy: string
  createdAt: Date
}

interface Dependencies {
  store: Store
  world: World
  /** The data folder. */
  folder: string
  /** The pictures of all fronts; undefined if there is only one front. */
  sharedPictures?: SharedPictures | undefined
}

export const imagesPath = '/_tilth/images'
const maxImageBytes = 10 * 1024 * 1024

export const imagePath = (file: string): string => `${imagesPath}/${file}`

/** The content type of a file. */
export const imageType = (file: string): string => pictureTypes[typeOf(file) ?? 'webp']

/** Stores the pictures of posts and pages. They are public to anyone who knows the address. */
export class Images {
  private readonly folder: string
  private readonly copying = new Map<string, Promise<string>>()
  private lastTask: Promise<unknown> = Promise.resolve()

  constructor(private readonly dependencies: Dependencies) {
    this.folder = join(dependencies.folder, 'uploads')
  }

  async keep(
    projectId: number,
    { name, bytes }: { name: string; bytes: Uint8Array },
    viewer: Viewer,
  ): Promise<Outcome<{ image: StoredImage }>> {
    requireRight('posts:write', projectId, viewer)
    const stored = await this.keepFile(bytes)
    if (!stored.done) return stored
    const now = this.dependencies.world.now()
    const displayName = name.trim().slice(0, 200) || stored.kept.file
    const added = { ...stored.kept, name: displayName, alt: '', createdBy: viewer.name, createdAt: now }
    const image = await this.dependencies.store.transaction(async (transaction) => {
      await addImage(transaction, projectId, added)
      await recordAudit(transaction, { action: 'image.add', subject: displayName, projectId }, viewer, now)
      return await findImage(transaction, projectId, added.file)
    })
    return { done: true, image: image ?? added }
  }

  /** Stores a file without a check of rights: for a folder of posts that belongs to the operator. */
  async keepFile(bytes: Uint8Array): Promise<Outcome<{ kept: ImageFile }>> {
    if (bytes.length > maxImageBytes) return failedOutcome('The picture is over 10 MB. Make it smaller.')
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    const known = pictureNames
      .map((type) => `${id}.${type}`)
      .find((file) => existsSync(join(this.folder, file)))
    if (known) {
      await this.unmarkRemoved(known)
      await this.share(known)
      return { done: true, kept: await this.measureFile(known) }
    }
    const encoded = await this.oneAtATime(() => encodePicture(bytes))
    if (!encoded.done) return encoded
    const { bytes: written, type, width, height } = encoded.picture
    const file = `${id}.${type}`
    await this.unmarkRemoved(file)
    // all processes must be able to serve the picture before its address is returned
    await this.dependencies.sharedPictures?.save(file, written)
    await this.write(file, written)
    return { done: true, kept: { file, width, height, bytes: written.length } }
  }

  /** Uploads pictures that only this front has, for example from before it shared them. */
  async shareAll(): Promise<void> {
    if (!this.dependencies.sharedPictures || !existsSync(this.folder)) return
    for (const file of await readdir(this.folder)) if (isOriginal(file)) await this.share(file)
  }

  /** Deletes a file, its copies, and what other fronts would fetch. The caller has made sure that no post needs it. */
  async deleteFile(file: string): Promise<void> {
    if (!isOriginal(file)) return
    await this.dependencies.sharedPictures?.remove(file)
    await this.deleteHere(file)
  }

  /** Deletes the files that were removed at another front. */
  async deleteRemoved(): Promise<void> {
    if (!this.dependencies.sharedPictures) return
    for (const file of await removedFiles(this.dependencies.store)) await this.deleteHere(file)
  }

  private async deleteHere(file: string): Promise<void> {
    const [id = ''] = file.split('.')
    const copies = copyWidths.map((width) => copyName(id, width))
    for (const name of [file, ...copies]) await rm(join(this.folder, name), { force: true })
  }

  private async unmarkRemoved(file: string): Promise<void> {
    if (this.dependencies.sharedPictures) await unmarkRemoved(this.dependencies.store, file)
  }

  private async share(file: string): Promise<void> {
    const { sharedPictures } = this.dependencies
    if (!sharedPictures || (await sharedPictures.has(file))) return
    await sharedPictures.save(file, await readFile(join(this.folder, file)))
  }

  /** Whether the file is in the folder, after fetching it from other fronts if needed. */
  private async isHere(file: string): Promise<boolean> {
    if (existsSync(join(this.folder, file))) return true
    const bytes = isOriginal(file) ? await this.dependencies.sharedPictures?.load(file) : undefined
    if (bytes) await this.write(file, bytes)
    return bytes !== undefined
  }

  private async measureFile(file: string): Promise<ImageFile> {
    const bytes = await readFile(join(this.folder, file))
    return { file, bytes: bytes.length, ...(await measurePicture(bytes)) }
  }

  /** The path of a picture on disk, or of a copy no wider than `width`; undefined for an unknown name. */
  async find(file: string, width?: number): Promise<string | undefined> {
    if (!typeOf(file) || !(await this.isHere(file))) return undefined
    if (width === undefined || !copyWidths.includes(width)) return join(this.folder, file)
    return await this.copyOf(file, width)
  }

  /** The path on disk of the picture at an address; undefined if it is elsewhere. */
  async findAt(address: string): Promise<string | undefined> {
    const beginning = imagePath('')
    return address.startsWith(beginning) ? await this.find(address.slice(beginning.length)) : undefined
  }

  /** Creates a copy on its first request. Concurrent requests for the same copy share the work. */
  private async copyOf(file: string, width: number): Promise<string> {
    const name = copyName(file.split('.')[0] ?? '', width)
    const path = join(this.folder, name)
    if (existsSync(path)) return path
    const making = this.copying.get(name) ?? this.oneAtATime(() => this.makeCopy(file, name, width))
    this.copying.set(name, making)
    return await making.finally(() => this.copying.delete(name))
  }

  private async makeCopy(file: string, name: string, width: number): Promise<string> {
    return await this.write(name, await resizeToWidth(await readFile(join(this.folder, file)), width))
  }

  /** Writes under a temporary name and renames the complete file, so that a crash leaves no partial picture. */
  private async write(file: string, bytes: Uint8Array): Promise<string> {
    const path = join(this.folder, file)
    const temporaryPath = `${path}.${Buffer.from(this.dependencies.world.random(6)).toString('hex')}`
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    await writeFile(temporaryPath, bytes, { mode: 0o600 })
    await rename(temporaryPath, path)
    return path
  }

  /** Processes pictures one after the other: each takes a core for a while, which requests need too. */
  private async oneAtATime<Made>(make: () => Promise<Made>): Promise<Made> {
    const made = this.lastTask.then(make, make)
    this.lastTask = made.catch(() => {})
    return await made
  }
}

const copyName = (id: string, width: number): string => `${id}-${width}.webp`

/** Narrower copies have their width in the name; every front makes its own. */
const isOriginal = (file: string): boolean => typeOf(file) !== undefined && !file.includes('-')

/** Only names of this format are looked up on disk. */
function typeOf(file: string): PictureType | undefined {
  const [, type = ''] = /^[\da-f]{32}(?:-\d+)?\.([a-z]+)$/.exec(file) ?? []
  // `pictureTypes` has this key
  return Object.hasOwn(pictureTypes, type) ? (type as PictureType) : undefined
}
