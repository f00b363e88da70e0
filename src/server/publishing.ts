import type { Seal } from '../flags/sealed'
import { Authors } from '../posts/authors'
import { Comments } from '../posts/comments'
import { PostFolder } from '../posts/folder'
import { Images } from '../posts/images'
import { Posts } from '../posts/posts'
import { noFolder, Published } from '../posts/published'
import { Redirects } from '../posts/redirects'
import { Sites } from '../posts/sites'
import { operator } from '../projects/access'
import { isDemo } from '../projects/demo-project'
import type { Project } from '../projects/project'
import type { Projects } from '../projects/projects'
import type { Store } from '../store/store'
import type { World } from '../world/world'

export interface PublishingGround {
  store: Store
  world: World
  projects: Projects
  /** Seals links to drafts. */
  seal: Seal
  /** Where Tilth is reached, for sites whose project names no host. */
  addresses: readonly string[]
  /** The data folder. */
  folder: string
  /** Where there are posts that are files under version control. */
  siteFolder: string | undefined
  onTrouble: (problem: unknown) => void
}

/** What sites publish, and what is written for them. */
export interface Publishing {
  /** What the product offers of it. */
  parts: {
    posts: Posts
    sites: Sites
    authors: Authors
    redirects: Redirects
    images: Images
    comments: Comments
    published: Published
  }
  close(): Promise<void>
}

export async function openPublishing(ground: PublishingGround): Promise<Publishing> {
  const images = new Images(ground)
  const files = await filesIn(ground, images)
  const around = { ...ground, folder: files ?? noFolder }
  const published = await Published.open(around)
  return {
    parts: {
      posts: new Posts({ ...around, published }),
      sites: new Sites({ ...around, published }),
      authors: new Authors({ ...around, published }),
      redirects: new Redirects({ ...around, published }),
      images,
      comments: new Comments(ground),
      published,
    },
    close: async () => {
      await files?.close()
      await published.close()
    },
  }
}

async function filesIn(
  { siteFolder, projects, onTrouble }: PublishingGround,
  images: Images,
): Promise<PostFolder | undefined> {
  if (siteFolder === undefined) return undefined
  return await PostFolder.open({
    folder: siteFolder,
    projectNamed: (slug) => projectOfFiles(projects.list(reader), slug),
    keepImage: (bytes) => images.keepFile(bytes),
    onTrouble,
  })
}

const reader = operator('site')

/** What names no project is the oldest one's that is not for show. */
function projectOfFiles(all: readonly Project[], slug: string | undefined): Project | undefined {
  const live = all.filter(({ archivedAt }) => !archivedAt).toSorted((one, other) => one.id - other.id)
  if (slug !== undefined) return live.find((project) => project.slug === slug)
  return live.find((project) => !isDemo(project)) ?? live[0]
}
