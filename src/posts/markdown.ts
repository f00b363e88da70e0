import type { Root } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { LRUCache } from 'lru-cache'
import type { Code } from 'mdast'
import type { ContainerDirective, LeafDirective } from 'mdast-util-directive'
import { toString } from 'mdast-util-to-string'
import remarkRehype, { type Options } from 'remark-rehype'
import { unified } from 'unified'
import { parseMarkdown } from '#markdown/parse'
import type { Embed } from './embeds'
import { type PostHeading, outlineOf } from './internal/outline'
import type { Picture, Post } from './post'
import { readingMinutes } from './internal/reading-time'
import { sanitize } from './reading/internal/sanitize'
import { renderBlock } from './reading/internal/blocks'
import { heapShare } from '#world/heap-share'
import { renderCode } from './reading/internal/code'
import { finish } from './reading/internal/finish'
import { closeHeadingGaps } from './reading/internal/headings'
import { postDialect } from './reading/internal/post-dialect'
import type { PictureLookup } from './reading/internal/pictures'
import { forFeed } from './reading/internal/feed-tree'
import { firstPart, openingPartSizes } from './reading/internal/opening-part'
import { isTruncated, summaryOf } from './reading/internal/summary'
import { englishWords, type DocumentWords } from './reading/internal/words'

/** A post's parsed Markdown: the tree to render, and facts about it. */
export interface PostDocument {
  /** Safe to render: it contains only what `reading/sanitize.ts` allows. */
  tree: Root
  outline: readonly PostHeading[]
  words: number
  /** The reading time, at least one minute. */
  minutes: number
  /** The whole text, without markup. */
  text: string
  /** The first sentences, for posts without an excerpt. */
  opening: string
  pictures: readonly Picture[]
  embeds: readonly Embed[]
}

interface MarkdownOptions {
  /** A prefix of every id, such as `42-`, for several posts on one page. */
  idPrefix?: string
  words?: DocumentWords
  /** Looks up the size of a picture. Results are cached together with the text. */
  pictureAt?: PictureLookup
}

/** Parses synchronously, including highlighted code. Recent texts are cached. */
export function readMarkdown(text: string, options: MarkdownOptions = {}): PostDocument {
  const { idPrefix = '', words = englishWords, pictureAt } = options
  const key = `${idPrefix}\0${Object.values(words).join('\0')}\0${text}`
  const known = pictureAt ? undefined : documentCache.get(key)
  if (known) return known
  const document = parseDocument(text, { idPrefix, words, pictureAt: pictureAt ?? (() => undefined) })
  if (!pictureAt) documentCache.set(key, document)
  return document
}

/** Parses without the cache, for results that are stored elsewhere: such trees would evict others. */
export const readMarkdownOnce = (text: string): PostDocument =>
  parseDocument(text, { idPrefix: '', words: englishWords, pictureAt: () => undefined })

/** Lists and feeds need the same posts repeatedly. A tree takes about ten times its text. */
const documentCache = new LRUCache<string, PostDocument>({
  maxSize: Math.min(3_000_000, heapShare(0.005)),
  sizeCalculation: (_, key) => key.length,
})

function parseDocument(
  text: string,
  { idPrefix, words, pictureAt }: Required<MarkdownOptions>,
): PostDocument {
  const markdown = parseMarkdown(text, postDialect)
  const elements = unified().use(remarkRehype, markdownOptions(idPrefix, words)).runSync(markdown)
  finish(elements, { words, pictureAt })
  closeHeadingGaps(elements)
  const outline = outlineOf(elements, idPrefix)
  const tree = sanitize(elements)
  return { tree, outline, minutes: readingMinutes(text), ...summaryOf(tree) }
}

export const markdownOptions = (idPrefix: string, words: DocumentWords): Options => ({
  clobberPrefix: `note-${idPrefix}`,
  footnoteLabel: words.footnotes,
  footnoteLabelProperties: { className: ['footnotes-title'] },
  footnoteBackLabel: words.back,
  handlers: {
    code: (_, node: Code) => renderCode(node),
    containerDirective: renderContainer,
    leafDirective: (_, node: LeafDirective) => renderBlock(node, [], toString(node)),
  },
})

const renderContainer: DirectiveHandler = (state, node: ContainerDirective) => {
  const [first, ...others] = node.children
  const isLabelled = first?.type === 'paragraph' && first.data?.directiveLabel === true
  const held = { ...node, children: isLabelled ? others : node.children }
  return renderBlock(node, state.all(held), isLabelled ? toString(first) : '')
}

type DirectiveHandler = NonNullable<NonNullable<Options['handlers']>['containerDirective']>

/**
 * Renders HTML for feed readers, which have neither styles nor scripts of the site: absolute URLs, and blocks as
 * plain elements.
 */
export function htmlOf({ tree }: Pick<PostDocument, 'tree'>, origin: string): string {
  return toHtml(forFeed(tree, origin))
}

/** The excerpt in lists: the post's own, or its beginning. */
export const excerptOf = ({ excerpt, body }: Pick<Post, 'excerpt' | 'body'>): string =>
  excerpt || openingText(body, readMarkdown)

/** Returns the beginning of a text, for lists. It parses only as much as it needs. */
export function openingText(
  body: string,
  readPart: (text: string) => PostDocument = readMarkdownOnce,
): string {
  let beginning = ''
  for (const enough of openingPartSizes) {
    const part = firstPart(body, enough)
    ;({ opening: beginning } = readPart(part))
    if (part.length === body.length || isTruncated(beginning)) break
  }
  return beginning
}
