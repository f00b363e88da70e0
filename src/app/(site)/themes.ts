import type { ComponentType } from 'react'
import type {
  DefaultLayoutProps,
  ErrorLayoutProps,
  HomeLayoutProps,
  ListLayoutProps,
  NotFoundLayoutProps,
  PageLayoutProps,
  PostLayoutProps,
} from '@tilth/site'
import type { Site, SiteTheme } from '#posts/site'
import type { LayoutName } from '#site-kit/kit-manifest'
import docsDefault from '#themes/docs/layouts/default'
import docsHome from '#themes/docs/layouts/home'
import docsList from '#themes/docs/layouts/list'
import docsPage from '#themes/docs/layouts/page'
import docsPost from '#themes/docs/layouts/post'
import productDefault from '#themes/product/layouts/default'
import productHome from '#themes/product/layouts/home'
import productList from '#themes/product/layouts/list'
import productPage from '#themes/product/layouts/page'
import productPost from '#themes/product/layouts/post'
import publicationDefault from '#themes/publication/layouts/default'
import publicationError from '#themes/publication/layouts/error'
import publicationHome from '#themes/publication/layouts/home'
import publicationList from '#themes/publication/layouts/list'
import publicationNotFound from '#themes/publication/layouts/not-found'
import publicationPage from '#themes/publication/layouts/page'
import publicationPost from '#themes/publication/layouts/post'
import { currentManifest } from './kit/render-kit'

/** The props of each layout, as `@tilth/site` promises them. */
export interface LayoutProps {
  default: DefaultLayoutProps
  home: HomeLayoutProps
  list: ListLayoutProps
  page: PageLayoutProps
  post: PostLayoutProps
  'not-found': NotFoundLayoutProps
  error: ErrorLayoutProps
}

/** Pages in place of others look alike in all themes. */
const statusLayouts = { 'not-found': publicationNotFound, error: publicationError }

type ThemeLayouts = { readonly [Name in LayoutName]: ComponentType<LayoutProps[Name]> }

/** The files that `tilth theme copy` gives to a team. Tilth's own pages draw them without a process of their own. */
const themes: Readonly<Record<SiteTheme, ThemeLayouts>> = {
  publication: {
    default: publicationDefault,
    home: publicationHome,
    list: publicationList,
    page: publicationPage,
    post: publicationPost,
    ...statusLayouts,
  },
  product: {
    default: productDefault,
    home: productHome,
    list: productList,
    page: productPage,
    post: productPost,
    ...statusLayouts,
  },
  docs: {
    default: docsDefault,
    home: docsHome,
    list: docsList,
    page: docsPage,
    post: docsPost,
    ...statusLayouts,
  },
}

/**
 * The theme of a site. A site folder with layouts of its own takes the place of the theme of the settings; pages in place
 * of others may be its only ones.
 */
export function themeNameOf({ theme }: Pick<Site, 'theme'>): SiteTheme {
  const layouts = Object.keys(currentManifest()?.layouts ?? {})
  return layouts.some((name) => !Object.hasOwn(statusLayouts, name)) ? 'publication' : theme
}

export const layoutOf = <Name extends LayoutName>(site: Pick<Site, 'theme'>, name: Name) =>
  themes[themeNameOf(site)][name]

/** Whether pages show what else is in their folder. */
export const showsContents = (site: Pick<Site, 'theme'>): boolean => {
  const { default: frame, page } = currentManifest()?.layouts ?? {}
  return themeNameOf(site) === 'docs' || frame !== undefined || page !== undefined
}
