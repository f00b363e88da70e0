import type { Root } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { LRUCache } from 'lru-cache'
import type { Code } from 'mdast'
import type { ContainerDirective, LeafDirective } from 'mdast-util-directive'
import { toString } from 'mdast-util-to-string'
import remarkRehype, { type Options } from 'remark-rehype'
import { unified } from 'unified'
import { type Diagram, diagramsIn } from './diagrams'
import type { Embed } from './embeds'
import { type Heading, outlineOf } from './outline'
import type { Picture, Post } from './post'
import { onlyAllowed } from './reading/allowed'
import { drawBlock } from './reading/blocks'
import { drawCode } from './reading/code'
import { finish } from './reading/finish'
import { withoutGaps } from './reading/headings'
import { parse } from './reading/parse'
import type { PictureAt } from './reading/pictures'
import { portable } from './reading/portable'
import { summaryOf } from './reading/summary'
import { englishWords, type ReadingWords } from './reading/words'

/** A post's Markdown, read: what is drawn, and what is known of it. */
export interface PostDocument {
  /** Safe to draw as it is: nothing in it but what `reading/allowed.ts` lists. */
  tree: Root
  outline: readonly Heading[]
  words: number
  /** To read it, at least one. */
  minutes: number
  /** All its words, without marks. */
  text: string
  /** The first sentences, for where a post says nothing shorter of itself. */
  beginning: string
  pictures: readonly Picture[]
  embeds: readonly Embed[]
  diagrams: readonly Diagram[]
}

export interface Reading {
  /** Stands in every id, such as `42-`: for several posts on one page. */
  within?: string
  words?: ReadingWords
  /** Tells how large pictures are. What it says is not asked for again while a text is the same. */
  pictureAt?: PictureAt
}

/** At once, highlighted code included. A text that was read lately costs nothing. */
export function readMarkdown(text: string, reading: Reading = {}): PostDocument {
  const { within = '', words = englishWords, pictureAt } = reading
  const key = `${within}\0${Object.values(words).join('\0')}\0${text}`
  const known = pictureAt ? undefined : kept.get(key)
  if (known) return known
  const document = read(text, { within, words, pictureAt: pictureAt ?? (() => undefined) })
  if (!pictureAt) kept.set(key, document)
  return document
}

/** Lists and feeds ask for the same posts over and over; a tree takes some ten times its text. */
const kept = new LRUCache<string, PostDocument>({
  maxSize: 3_000_000,
  sizeCalculation: (_, key) => key.length,
})

function read(text: string, { within, words, pictureAt }: Required<Reading>): PostDocument {
  const markdown = parse(text)
  const diagrams = diagramsIn(markdown)
  const drawing = unified().use(remarkRehype, optionsFor(within, words))
  const drawn = drawing.runSync(markdown)
  finish(drawn, { words, pictureAt })
  withoutGaps(drawn)
  const outline = outlineOf(drawn, within)
  const tree = onlyAllowed(drawn)
  return { tree, outline, diagrams, ...summaryOf(tree) }
}

const optionsFor = (within: string, words: ReadingWords): Options => ({
  clobberPrefix: `note-${within}`,
  footnoteLabel: words.footnotes,
  footnoteLabelProperties: { className: ['footnotes-title'] },
  footnoteBackLabel: words.back,
  handlers: {
    code: (_, node: Code) => drawCode(node),
    containerDirective: drawHolding,
    leafDirective: (_, node: LeafDirective) => drawBlock(node, [], toString(node)),
  },
})

const drawHolding: Handler = (state, node: ContainerDirective) => {
  const [first, ...others] = node.children
  const isLabelled = first?.type === 'paragraph' && first.data?.directiveLabel === true
  const held = { ...node, children: isLabelled ? others : node.children }
  return drawBlock(node, state.all(held), isLabelled ? toString(first) : '')
}

type Handler = NonNullable<NonNullable<Options['handlers']>['containerDirective']>

/** As other readers get it, who have neither our styles nor our scripts: addresses in full, and blocks as plain elements. */
export function htmlOf({ tree }: Pick<PostDocument, 'tree'>, origin: string): string {
  return toHtml(portable(tree, origin))
}

/** Long enough for a summary, and read quickly whatever follows. */
const enoughForExcerpt = 3000

/** What lists say of a post: its own excerpt, or how it begins. */
export const excerptOf = ({ excerpt, body }: Pick<Post, 'excerpt' | 'body'>): string =>
  excerpt || readMarkdown(beginningOf(body)).beginning

function beginningOf(body: string): string {
  const end = body.length > enoughForExcerpt ? body.indexOf('\n\n', enoughForExcerpt) : -1
  return end === -1 ? body : body.slice(0, end)
}
