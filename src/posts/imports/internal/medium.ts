import type { Element, Nodes } from 'hast'
import { toHtml } from 'hast-util-to-html'
import rehypeParse from 'rehype-parse'
import { unified } from 'unified'
import { EXIT, visit } from 'unist-util-visit'
import { isConvertible } from './html-to-markdown'
import {
  dateOf,
  emptyPost,
  type ImportedContent,
  type ImportedPost,
  UnreadableExportError,
} from '../imported-content'

/** Reads the files of Medium: Settings → Security → Download your information. Each post is a page of HTML in `posts`. */
export function readMedium(files: ReadonlyMap<string, string>): ImportedContent {
  const pages = [...files].filter(([path]) => path.endsWith('.html') && !/(^|\/)README/i.test(path))
  const inFolder = pages.filter(([path]) => /(^|\/)posts\//.test(path))
  const found = (inFolder.length > 0 ? inFolder : pages).map(([path, html]) => ({
    path,
    post: importedPost(path.replace(/^.*\//, ''), html),
  }))
  if (!found.some(({ post }) => post))
    throw new UnreadableExportError('There are no posts of Medium. Unpack its archive, and name its folder.')
  const posts = found.flatMap(({ post }) => post ?? [])
  return {
    posts,
    authors: [...new Set(posts.flatMap(({ authors }) => authors))].map((name) => ({ name, bio: '' })),
    skipped: found.flatMap(({ path, post }) =>
      post ? [] : [{ title: path, why: 'It is not a post, or is empty.' }],
    ),
    origin: undefined,
  }
}

const parser = unified().use(rehypeParse)

/** Medium marks the parts of a page as h-entry: https://microformats.org/wiki/h-entry. */
function importedPost(file: string, html: string): ImportedPost | undefined {
  if (!isConvertible(html) || !html.includes('e-content')) return undefined
  const tree = parser.parse(html)
  const part = (name: string): Element | undefined => elementOfClass(tree, name)
  const body = part('e-content')
  const title = textOf(part('p-name')) || file.replace(/\.html$/, '')
  const canonical = URL.parse(hrefOf(part('p-canonical')))
  const published = part('dt-published')?.properties['dateTime']
  const author = textOf(part('p-author'))
  const date = dateOf(typeof published === 'string' ? published : undefined)
  // the last part of a name is Medium's number of the post
  const slug = (canonical?.pathname.split('/').at(-1) ?? title).replace(/-[\da-f]{8,12}$/, '')
  return {
    ...emptyPost,
    title,
    slug,
    html: body ? toHtml(withoutTitle(body)) : '',
    excerpt: textOf(part('p-summary')),
    authors: author === '' ? [] : [author],
    publishedAt: file.startsWith('draft_') ? undefined : date,
    createdAt: date,
    changedAt: date,
    // addresses at medium.com cannot lead elsewhere
    oldPaths: canonical && !/(^|\.)medium\.com$/.test(canonical.hostname) ? [canonical.pathname] : [],
  }
}

/** The text begins with its title once more. */
function withoutTitle(body: Element): Element {
  visit(body, 'element', ({ properties }, index, parent) => {
    const classes = properties['className']
    if (!parent || index === undefined || !Array.isArray(classes) || !classes.includes('graf--title'))
      return undefined
    parent.children.splice(index, 1)
    return EXIT
  })
  return body
}

function elementOfClass(tree: Nodes, name: string): Element | undefined {
  let found: Element | undefined
  visit(tree, 'element', (element) => {
    const classes = element.properties['className']
    if (!Array.isArray(classes) || !classes.includes(name)) return undefined
    found = element
    return EXIT
  })
  return found
}

function textOf(element: Element | undefined): string {
  const parts: string[] = []
  if (element) visit(element, 'text', ({ value }) => void parts.push(value))
  return parts.join('').replaceAll(/\s+/g, ' ').trim()
}

const hrefOf = (element: Element | undefined): string => {
  const href = element?.properties['href']
  return typeof href === 'string' ? href : ''
}
