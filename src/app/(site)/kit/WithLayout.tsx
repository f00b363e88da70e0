import { createElement, type ReactNode } from 'react'
import type { LayoutName } from '#site-kit/kit-manifest'
import { openSite } from '../open-site'
import { layoutOf, type LayoutProps } from '../themes'
import { KitHtml } from './KitHtml'
import { KitProblems } from './KitProblems'
import { renderLayout } from './render-kit'
import { wordsForKit } from './site-for-kit'

/** The props that Tilth renders itself; a layout places them. */
interface LayoutParts {
  default: 'header' | 'children' | 'footer' | 'banner' | 'languages'
  home: 'head' | 'children'
  list: 'head' | 'children' | 'pager' | 'search'
  page: 'head' | 'children'
  post: 'head' | 'contents' | 'children' | 'foot' | 'comments' | 'readNext'
  'not-found': 'search'
  error: never
}

export interface WithLayoutProps<Name extends LayoutName> {
  name: Name
  props: Omit<LayoutProps[Name], LayoutParts[Name] | 'words'>
  parts: Readonly<Record<LayoutParts[Name], ReactNode>>
}

/** The main part of a page in the layout of the site folder, or in that of the theme. */
export async function WithLayout<Name extends LayoutName>({
  before,
  ...layout
}: WithLayoutProps<Name> & {
  /** Stands before the layout, and never depends on it: structured data, the bar of a preview. */
  before?: ReactNode
}) {
  return (
    <main id="content" tabIndex={-1}>
      {before}
      <InLayout {...layout} prefix={`l-${layout.name}`} />
    </main>
  )
}

/** Draws a layout. A theme of Tilth's own is drawn here, without the process that renders site folders. */
export async function InLayout<Name extends LayoutName>({
  name,
  props,
  parts,
  prefix,
}: WithLayoutProps<Name> & { prefix: string }) {
  const { site } = openSite()
  const data = { ...props, words: wordsForKit(site) }
  const rendered = await renderLayout(name, { prefix, props: data, parts: Object.keys(parts) })
  if (rendered && 'html' in rendered) return <KitHtml rendered={rendered} parts={parts} />
  // together they are all props of the layout
  const usual = createElement(layoutOf(site, name), { ...data, ...parts } as unknown as LayoutProps[Name])
  return (
    <>
      {usual}
      {rendered && <KitProblems problems={[rendered]} />}
    </>
  )
}
