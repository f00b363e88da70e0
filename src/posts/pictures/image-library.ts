import { z } from 'zod'
import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { type Outcome, failedOutcome, parseInput } from '#projects/problems'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type Images, imagePath, type StoredImage } from '../images'
import { line } from '../post-schema'
import type { PostSource, Published } from '../published/published'
import { storedSiteSettings } from '../internal/sites'
import { postsOf } from '../internal/store'
import { authorsOf } from '../internal/stored-authors'
import { filesOf, type ImageUse, imageUses } from './image-uses'
import { changeImage, findImage, imagesOf, isStored, markRemoved, removeImage } from './internal/store'

/** An uploaded picture, and where it is used. */
export interface LibraryImage extends StoredImage {
  uses: readonly ImageUse[]
}

export const imageListFilter = z.object({
  /** Words of the name or of the alternative text. */
  search: z.string().max(200).optional(),
  /** Whether a picture is used; both if absent. */
  used: z.enum(['yes', 'no'], { error: 'Say "yes" or "no".' }).optional(),
  from: z.coerce.number({ error: 'Give it as a number.' }).int().min(0).default(0),
  count: z.coerce.number({ error: 'Give it as a number.' }).int().min(1).max(1000).default(1000),
})
export type ImageListFilter = z.input<typeof imageListFilter>

export const imageChange = z.strictObject({
  name: line(200).min(1, 'Give the image a name.').optional(),
  alt: line(500).optional(),
})

export const imageRemoval = z.object({
  /** Confirms that the places that use the picture will not show it any longer. */
  alsoIfUsed: z.boolean().default(false),
})

interface Dependencies {
  store: Store
  world: World
  images: Pick<Images, 'deleteFile'>
  folder: PostSource
  published: Pick<Published, 'projectIds'>
}

const unknownImage = failedOutcome('There is no such image in this project.')

/** The uploaded pictures of a project: found by name, described, and deleted. */
export class ImageLibrary {
  constructor(private readonly dependencies: Dependencies) {}

  /** Lists the latest first; `total` counts every picture that matches. */
  async list(
    projectId: number,
    viewer: Viewer,
    filter: ImageListFilter = {},
  ): Promise<{ images: LibraryImage[]; total: number }> {
    requireRight('project:read', projectId, viewer)
    const { search, used, from, count } = imageListFilter.parse(filter)
    const found = (await imagesOf(this.dependencies.store, projectId)).filter(matches(search ?? ''))
    if (found.length === 0) return { images: [], total: 0 }
    const uses = await this.usesOf(projectId)
    const images = found
      .map((image) => ({ ...image, uses: uses.get(image.file) ?? [] }))
      .filter((image) => used === undefined || image.uses.length > 0 === (used === 'yes'))
    return { images: images.slice(from, from + count), total: images.length }
  }

  async find(projectId: number, file: string, viewer: Viewer): Promise<LibraryImage | undefined> {
    requireRight('project:read', projectId, viewer)
    return await this.imageWithUses(projectId, file)
  }

  /** Changes the name, or the alternative text that is offered from then on; posts keep the one they have. */
  async change(
    projectId: number,
    file: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ image: StoredImage }>> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(imageChange, input)
    if (!parsed.done) return parsed
    const { store, world } = this.dependencies
    return await store.transaction(async (transaction) => {
      const before = await findImage(transaction, projectId, file)
      if (!before) return unknownImage
      const { name = before.name, alt = before.alt } = parsed.value
      const image = { ...before, name, alt }
      await changeImage(transaction, projectId, image)
      const change = { before: { name: before.name, alt: before.alt }, after: { name, alt } }
      const record = { action: 'image.change', subject: name, projectId, ...change } as const
      await recordAudit(transaction, record, viewer, world.now())
      return { done: true, image }
    })
  }

  /** Deletes a picture for good. One that is used is kept, unless the member accepts the gaps that it leaves. */
  async remove(projectId: number, file: string, input: unknown, viewer: Viewer): Promise<Outcome> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(imageRemoval, input)
    if (!parsed.done) return parsed
    const image = await this.imageWithUses(projectId, file)
    if (!image) return unknownImage
    if (image.uses.length > 0 && !parsed.value.alsoIfUsed) return failedOutcome(usedMessage(image))
    const { store, world, images } = this.dependencies
    const isOrphan = await store.transaction(async (transaction) => {
      await removeImage(transaction, projectId, file)
      const record = { action: 'image.remove', subject: image.name, projectId } as const
      await recordAudit(transaction, record, viewer, world.now())
      const isNeeded = (await isStored(transaction, file)) || this.isInFolder(file)
      if (!isNeeded) await this.announceRemoval(transaction, file)
      return !isNeeded
    })
    if (isOrphan) await images.deleteFile(file)
    return { done: true }
  }

  private async imageWithUses(projectId: number, file: string): Promise<LibraryImage | undefined> {
    const image = await findImage(this.dependencies.store, projectId, file)
    return image && { ...image, uses: (await this.usesOf(projectId)).get(file) ?? [] }
  }

  private async announceRemoval(transaction: StoreTransaction, file: string): Promise<void> {
    await markRemoved(transaction, file)
    await transaction.announce('images')
  }

  /** Whether a file in the folder of posts shows the picture, in any project. */
  private isInFolder(file: string): boolean {
    const { folder, published } = this.dependencies
    return published.projectIds().some((id) => folder.posts(id).some((post) => filesOf(post).includes(file)))
  }

  private async usesOf(projectId: number): Promise<Map<string, ImageUse[]>> {
    const { store, folder } = this.dependencies
    const [posts, authors, site] = await Promise.all([
      postsOf(store, projectId),
      authorsOf(store, projectId),
      storedSiteSettings(store, projectId),
    ])
    return imageUses({ posts: [...posts, ...folder.posts(projectId)], authors, site })
  }
}

const matches = (search: string) => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return ({ name, alt, file }: StoredImage): boolean => {
    const text = `${name} ${alt} ${imagePath(file)}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
}

function usedMessage({ name, uses }: LibraryImage): string {
  const [first, ...others] = uses
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `“${name}” is used in “${first?.title}”${more}. Confirm that it may be deleted all the same.`
}
