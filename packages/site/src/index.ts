import type { ReactElement } from 'react'
import type {
  CollectionName,
  Entry,
  FlagKey,
  FlagValue,
  Post,
  SurveyName,
  VariantProps,
  ExperimentProps,
  SignUpProps,
  Visit,
} from './props'

export type {
  Author,
  CollectionName,
  Contents,
  ContentsEntry,
  DefaultLayoutProps,
  Entry,
  EntryFields,
  ErrorLayoutProps,
  ExperimentProps,
  FlagKey,
  FlagValue,
  Heading,
  HomeLayoutProps,
  Link,
  ListLayoutProps,
  Metadata,
  NotFoundLayoutProps,
  PageLayoutProps,
  PageParams,
  PageProps,
  Picture,
  Post,
  PostLayoutProps,
  RouteContext,
  SignUpProps,
  Site,
  SurveyName,
  VariantProps,
  Visit,
  Words,
} from './props'

/** The flags of the project. `tilth dev` writes them into `tilth-env.d.ts`; until then every key is allowed. */
export interface ProjectFlags {}

/** The names of the project's surveys, likewise. */
export interface ProjectSurveys {}

/** The schemas of the folder's collections, likewise. */
export interface ProjectCollections {}

declare global {
  /** As Next declares it, so that a folder may have the types of both. */
  interface NextFetchRequestConfig {
    revalidate?: number | false
    tags?: string[]
  }

  interface RequestInit {
    /** The time for which the page with the answer may be kept, and the tags by which it is rendered again. */
    next?: NextFetchRequestConfig | undefined
  }
}

/** Tilth puts modules of its own in the place of this package when it builds a site folder. */
const onlyInSiteFolder = (name: string) => (): never => {
  throw new Error(`${name} of @tilth/site works in the site folder of Tilth only. Start it with "tilth dev".`)
}

/**
 * Returns what was decided for this visitor: the variant's key, or whether the flag is on. Works in server components and
 * in client components, with the same value. A call counts as an exposure, once.
 */
export const useFlag: <Key extends FlagKey>(key: Key) => FlagValue<Key> = onlyInSiteFolder('useFlag')

/** Shows its children to visitors with this variant. */
export const Variant: <Key extends FlagKey>(props: VariantProps<Key>) => ReactElement | null =
  onlyInSiteFolder('Variant')

/** Shows one of its variants. */
export const Experiment: (props: ExperimentProps) => ReactElement | null = onlyInSiteFolder('Experiment')

/** A survey of the project, in the page. Works without a script. Server components only. */
export const Survey: (props: { of: SurveyName }) => ReactElement = onlyInSiteFolder('Survey')

/** A form for an e-mail address. Server components only. */
export const SignUp: (props: SignUpProps) => ReactElement = onlyInSiteFolder('SignUp')

/** The newest posts, as cards. Server components only. */
export const LatestPosts: (props: { count?: number; tag?: string }) => ReactElement =
  onlyInSiteFolder('LatestPosts')

/** The posts that were read most. Server components only. */
export const MostRead: (props: { count?: number; days?: number }) => ReactElement =
  onlyInSiteFolder('MostRead')

/** The number of current readers. Server components only. */
export const Readers: () => ReactElement = onlyInSiteFolder('Readers')

/** The visit that the page is rendered for. Server components only. */
export const visit: () => Visit = onlyInSiteFolder('visit')

/** Answers with 404 and the site's page for missing addresses. Server components of pages only. */
export const notFound: () => never = onlyInSiteFolder('notFound()')

/** Answers with a redirect to a path or an address, for now or for good. Server components of pages only. */
export const redirect: (to: string, options?: { permanent?: boolean }) => never =
  onlyInSiteFolder('redirect()')

/** Names data that the page shows, such as 'jobs': revalidating a tag renders its pages again. Server components only. */
export const cacheTag: (...tags: string[]) => void = onlyInSiteFolder('cacheTag()')

/** Has every page with the tag rendered again when it is next requested. Routes and actions of forms only. */
export const revalidateTag: (tag: string) => void = onlyInSiteFolder('revalidateTag()')

/** Has the page at a path rendered again when it is next requested. Routes and actions of forms only. */
export const revalidatePath: (path: string) => void = onlyInSiteFolder('revalidatePath()')

/** The value of the environment variable TILTH_SITE_ with this name: `setting('JOBS_TOKEN')`. Server components only. */
export const setting: (name: string) => string = onlyInSiteFolder('setting()')

/** Records an event of this visitor. Call it in event handlers of client components. */
export const track: (name: string, properties?: Readonly<Record<string, unknown>>) => void =
  onlyInSiteFolder('track')

/** The posts of the site, newest first; 10 if no count is given. Server components only. */
export const posts: (query?: { count?: number; tag?: string }) => Promise<readonly Post[]> =
  onlyInSiteFolder('posts')

/** The entries of a collection, which is a folder in `content`, sorted by their slugs. Server components only. */
export const collection: <Name extends CollectionName>(name: Name) => Promise<readonly Entry<Name>[]> =
  onlyInSiteFolder('collection')

/** One entry of a collection; undefined for an unknown slug. Server components only. */
export const entry: <Name extends CollectionName>(
  name: Name,
  slug: string,
) => Promise<Entry<Name> | undefined> = onlyInSiteFolder('entry')
