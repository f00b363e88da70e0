import type { ReactElement, ReactNode } from 'react'
import type { ProjectCollections, ProjectFlags, ProjectSurveys } from './index'

export type FlagKey = keyof ProjectFlags extends never ? string : Extract<keyof ProjectFlags, string>

/** The values of a flag: its variants' keys, or false for visitors without it. */
export type FlagValue<Key extends FlagKey = FlagKey> = Key extends keyof ProjectFlags
  ? ProjectFlags[Key]
  : boolean | string

export type SurveyName = keyof ProjectSurveys extends never ? string : Extract<keyof ProjectSurveys, string>

export type CollectionName = keyof ProjectCollections extends never
  ? string
  : Extract<keyof ProjectCollections, string>

/** An entry of a collection, which is one file of its folder. */
export interface Entry<Name extends CollectionName = CollectionName> {
  /** The name of the file, without its ending. */
  slug: string
  /** The fields of the file, as the schema returns them. */
  data: EntryFields<Name>
  /** Draws the Markdown below the fields. Nothing for a JSON file. */
  Content: () => ReactElement | null
}

export type EntryFields<Name extends CollectionName> = Name extends keyof ProjectCollections
  ? SchemaOutput<ProjectCollections[Name]>
  : Readonly<Record<string, unknown>>

/** The type of what a schema of zod returns, or of another library that follows https://standardschema.dev. */
type SchemaOutput<Schema> = Schema extends { '~standard': { types?: { output: infer Output } | undefined } }
  ? Output
  : Readonly<Record<string, unknown>>

export interface VariantProps<Key extends FlagKey = FlagKey> {
  /** The flag's key. Inside an `Experiment` it may be left out. */
  of?: Key
  /** The variant's key, or false for visitors without the flag. By default any variant. */
  is?: FlagValue<Key> | true
  children?: ReactNode
}

export interface ExperimentProps {
  /** The key of the experiment's flag. */
  of: FlagKey
  /** A `Variant` for each; a visitor outside the experiment sees the first. */
  children?: ReactNode
}

export interface SignUpProps {
  name?: string
  button?: string
  thanks?: string
  children?: ReactNode
}

export interface Visit {
  /** The path of the page. */
  path: string
  flag<Key extends FlagKey>(key: Key): FlagValue<Key>
  /** The payload of the flag's value. */
  payload(key: FlagKey): unknown
}

export interface Picture {
  address: string
  alt: string
  width?: number
  height?: number
}

export interface Author {
  slug: string
  name: string
}

export interface Post {
  address: string
  title: string
  excerpt: string
  cover?: Picture
  publishedAt?: Date
  minutes: number
  authors: readonly Author[]
  tags: readonly string[]
  isFeatured: boolean
}

export interface Link {
  label: string
  address: string
}

/** The settings of the site. */
export interface Site {
  name: string
  description: string
  /** The language code, such as `en` or `pt-BR`. */
  language: string
  /** '' where there is none. */
  logo: string
  navigation: readonly Link[]
  footer: readonly Link[]
  footerText: string
  /** The origin, such as `https://example.com`. */
  origin: string
}

export type PageParams = Readonly<Record<string, string | string[]>>

/** The props of a page in `pages/`. */
export interface PageProps<Params extends PageParams = PageParams> {
  site: Site
  /** The parts of the address in brackets: `{ slug: 'start' }` in `pages/docs/[slug].tsx`. */
  params: Params
}

/** The second argument of the functions of a `route.ts`. */
export interface RouteContext<Params extends PageParams = PageParams> {
  /** The parts of the address in brackets: `{ shop: 'books' }` in `pages/hooks/[shop]/route.ts`. */
  params: Params
}

/** The metadata of a page: `export const metadata`, or a function of the page's props. */
export interface Metadata {
  title?: string
  description?: string
  /** The address of a picture for other networks. */
  picture?: string
  /** Keeps the page out of search engines, the site's own search, the sitemap and `llms.txt`. */
  isHidden?: boolean
  /** Shows the page in `tilth dev` only: to visitors its address is missing, and no list names it. */
  draft?: boolean
  /** The last change of the page, for the sitemap. By default that of the files that it is made of. */
  updatedAt?: Date | string
  /**
   * The addresses of the page in each of its languages: `{ en: '/pricing', de: '/preise' }`. The page is in the language of
   * its own address.
   */
  languages?: Readonly<Record<string, string>>
}

/** Texts of the theme in the language of the page. They can be changed under Posts → Site → Texts. */
export interface Words {
  mainNavigation: string
  footerNavigation: string
  search: string
  searchFor: string
  newestPosts: string
  allPosts: string
  newer: string
  older: string
  pages: string
  featured: string
  tags: string
  writtenBy: string
  onThisPage: string
  series: string
  previous: string
  next: string
  readNext: string
  feed: string
  contents: string
  version: string
  oldVersion: string
  toNewest: string
  languages: string
  notFound: string
  notFoundAdvice: string
  pageFailed: string
  pageFailedAdvice: string
  toFrontPage: string
}

/** A page, or a folder of pages, in the contents of a documentation. */
export interface ContentsEntry {
  title: string
  /** Absent for a folder without a page of its own. */
  address?: string
  isCurrent: boolean
  entries: readonly ContentsEntry[]
}

interface PageLink {
  title: string
  address: string
}

/** The pages in the same folder as a page: `docs/start` and `docs/install`, or those of one version in `docs/v2`. */
export interface Contents {
  entries: readonly ContentsEntry[]
  previous?: PageLink
  next?: PageLink
  /** The newest first, with the address of this page in each; empty where folders name no versions. */
  versions: readonly { name: string; address: string; isCurrent: boolean }[]
  /** The address of the page in the newest version, on pages of older ones. */
  newest?: string
}

/** The props of `layouts/default.tsx`, which stands around every page. */
export interface DefaultLayoutProps {
  site: Site
  path: string
  words: Words
  /** The pages of the folder that the page is in; absent for posts, lists and pages in no folder. */
  contents?: Contents
  children: ReactNode
  /** Tilth's own header and footer. The header holds the banner and the languages. */
  header: ReactNode
  footer: ReactNode
  /** The text that the settings put above every page. */
  banner: ReactNode
  /** Links to the page in other languages, if there are any. */
  languages: ReactNode
}

export interface Heading {
  level: number
  text: string
  /** `#id` leads to it. */
  id: string
}

/** The props of `layouts/post.tsx`. */
export interface PostLayoutProps {
  site: Site
  words: Words
  post: Post & { series?: string; updatedAt: Date }
  /** The headings of the text. */
  outline: readonly Heading[]
  /** The text of the post. */
  children: ReactNode
  /**
   * Tilth's own parts: the head with title and authors, the table of contents, what stands below the text, comments, and
   * what to read next.
   */
  head: ReactNode
  contents: ReactNode
  foot: ReactNode
  comments: ReactNode
  readNext: ReactNode
}

/** The props of `layouts/page.tsx`, for pages in Markdown. */
export interface PageLayoutProps {
  site: Site
  page: Pick<Post, 'address' | 'title' | 'excerpt' | 'cover'>
  /** Whether the text begins with its own title. */
  hasTitle: boolean
  outline: readonly Heading[]
  words: Words
  /** The pages of the folder that the page is in; absent for pages in no folder. */
  contents?: Contents
  /** The title and the cover, unless the text begins with its own title. */
  head: ReactNode
  children: ReactNode
}

/** The props of `layouts/list.tsx`: the blog, tags, authors, series. */
export interface ListLayoutProps {
  site: Site
  words: Words
  title: string
  description: string
  posts: readonly Post[]
  /** The title and the description as Tilth shows them. */
  head: ReactNode
  /** The list as Tilth shows it. */
  children: ReactNode
  /** Links to the pages of the list, if there is more than one. */
  pager: ReactNode
  /** A field for searching, below the blog. */
  search: ReactNode
}

/** The props of `layouts/home.tsx`: the front page where no page is at `/`. */
export interface HomeLayoutProps {
  site: Site
  words: Words
  posts: readonly Post[]
  /** The name and the description of the site. */
  head: ReactNode
  children: ReactNode
}

/** The props of `layouts/not-found.tsx`, the page for an address that leads nowhere. */
export interface NotFoundLayoutProps {
  site: Site
  words: Words
  /** A field for searching. */
  search: ReactNode
}

/** The props of `layouts/error.tsx`, which stands in for a page that threw. */
export interface ErrorLayoutProps {
  site: Site
  words: Words
}
