import { join } from 'node:path'
import type { Seal } from '#flags/seal'
import { Authors } from './authors'
import { CacheTags } from './cache-tags'
import { Comments } from './comments/comments'
import { PostFolder } from './internal/folder'
import { Images } from './images'
import { ImageLibrary } from './pictures/image-library'
import { storePictures, type SharedPictures } from './shared-pictures'
import { PostNumbers } from './numbers'
import { Posts } from './posts'
import { PreparedContent } from './prepared-content'
import { noFolder, type PostSource, Published } from './published/published'
import { Redirects } from './redirects'
import { SummaryFile } from './internal/summary-file'
import { Sites } from './internal/sites'
import { trialJobs } from './internal/trial-jobs'
import { operator } from '#projects/access'
import { usualProject } from '#projects/demo-project'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import type { Goals } from '#insights/goals/goals'
import type { Insights } from '#insights/ask'
import type { OpenedModule } from '#jobs/jobs'
import type { Store } from '#store/store'
import type { ObjectStorageAddress } from '#outbound/object-storage'
import type { World } from '#world/world'
import { bucketPictures } from './internal/bucket-pictures'

interface PostServicesDependencies {
  store: Store
  world: World
  projects: Projects
  insights: Pick<Insights, 'ask'> & { goals: Pick<Goals, 'list'> }
  /** Seals links to drafts. */
  seal: Seal
  /** The addresses of this Tilth, for sites whose project names no host. */
  addresses: readonly string[]
  /** The origin below which each site has a preview address. */
  previews: string | undefined
  /** The data folder. */
  folder: string
  /** The folder with posts as files, if there is one. */
  siteFolder: string | undefined
  /** The bucket for pictures; if absent, fronts that share a store keep them in the store. */
  uploads?: ObjectStorageAddress | undefined
  isFront: boolean
  /** Names the program that renders pages, in a process that does. */
  pagesBuild?: string | undefined
  onTrouble: (problem: unknown) => void
}

/** The parts that are opened before the services. */
interface OpenedPostParts {
  folder: PostSource
  images: Images
  published: Published
  prepared: PreparedContent
  cacheTags: CacheTags
}

/** Posts, and the services for the site around them. */
export class PostServices extends Posts {
  readonly sites: Sites
  readonly authors: Authors
  readonly redirects: Redirects
  /** Pictures of posts. */
  readonly images: Images
  /** The uploaded ones with their uses. */
  readonly imageLibrary: ImageLibrary
  /** Readers' comments below posts. */
  readonly comments: Comments
  /** Public posts and pages, in memory in every process. */
  readonly published: Published
  /** Content computed in the background from all published posts. */
  readonly prepared: PreparedContent
  /** The tags by which pages of a site folder are rendered again. */
  readonly cacheTags: CacheTags
  /** Figures of posts and their readers from events. */
  readonly numbers: PostNumbers
  /** Signs the names of the form actions of a site folder. */
  readonly formKey: () => string

  constructor(
    { store, world, projects, insights, seal, addresses, previews }: PostServicesDependencies,
    { folder, images, published, prepared, cacheTags }: OpenedPostParts,
  ) {
    super({ store, world, projects, seal, folder, published })
    const { goals } = insights
    this.sites = new Sites({ store, world, projects, addresses, previews, published })
    this.authors = new Authors({ store, world, afterCommit: () => published.caughtUp() })
    this.redirects = new Redirects({ store, world, published })
    this.images = images
    this.imageLibrary = new ImageLibrary({ store, world, folder, images, published })
    this.comments = new Comments({ store, world })
    this.published = published
    this.prepared = prepared
    this.cacheTags = cacheTags
    this.numbers = new PostNumbers({ world, insights, goals, published })
    this.formKey = () => seal.digest('form actions of the site folder')
  }
}

export async function openPosts(dependencies: PostServicesDependencies): Promise<OpenedModule<PostServices>> {
  const { store, world, projects, addresses, previews, folder: dataFolder, onTrouble } = dependencies
  const { isFront, pagesBuild } = dependencies
  const images = new Images({
    store,
    world,
    folder: dataFolder,
    sharedPictures: sharedPicturesOf(dependencies),
  })
  if (isFront) void shareImages(images, dependencies)
  const files = await openPostFolder(dependencies, images)
  const folder = files ?? noFolder
  const published = await Published.open({ store, world, projects, folder, addresses, previews, onTrouble })
  const file =
    pagesBuild === undefined ? undefined : new SummaryFile(join(dataFolder, 'prepared'), pagesBuild)
  const prepared = new PreparedContent({ published, now: () => world.now(), onTrouble, file })
  const cacheTags = await CacheTags.open({ store, world, onTrouble })
  const posts = new PostServices(dependencies, { folder, images, published, prepared, cacheTags })
  return {
    services: posts,
    staleMs: () => ({ posts: Math.max(published.staleMs, cacheTags.staleMs) }),
    caughtUp: async () => void (await Promise.all([published.caughtUp(), cacheTags.caughtUp()])),
    jobs: trialJobs({ world, projects, published, posts, postNumbers: posts.numbers }),
    close: async () => {
      await files?.close()
      await prepared.close()
      await published.close()
      await cacheTags.close()
    },
  }
}

/** Deletes what other fronts removed while this one was away, shares the rest, and follows them from then on. */
async function shareImages(
  images: Images,
  { store, onTrouble }: Pick<PostServicesDependencies, 'store' | 'onTrouble'>,
): Promise<void> {
  store.onChange((topic) => {
    if (topic === 'images') void images.deleteRemoved().catch(onTrouble)
  })
  try {
    await images.deleteRemoved()
    await images.shareAll()
  } catch (problem) {
    onTrouble(problem)
  }
}

function sharedPicturesOf({ store, uploads }: PostServicesDependencies): SharedPictures | undefined {
  if (uploads) return bucketPictures({ address: uploads })
  return store.form === 'postgres' ? storePictures(store) : undefined
}

async function openPostFolder(
  { siteFolder, store, projects, onTrouble }: PostServicesDependencies,
  images: Images,
): Promise<PostFolder | undefined> {
  if (siteFolder === undefined) return undefined
  const files = await PostFolder.open({
    folder: siteFolder,
    projectNamed: (slug) => projectForFolder(projects.list(siteViewer), slug),
    keepImage: (bytes) => images.keepFile(bytes),
    onTrouble,
  })
  // files of a project that was just created are read at once
  store.onChange((topic) => {
    if (topic === 'projects') void projects.caughtUp().then(() => files.scan())
  })
  return files
}

const siteViewer = operator('site')

/** A file that names no project belongs to the default one. */
function projectForFolder(all: readonly Project[], slug: string | undefined): Project | undefined {
  if (slug === undefined) return usualProject(all)
  return all.find((project) => project.slug === slug && !project.archivedAt)
}
