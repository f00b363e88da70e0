import MiniSearch from 'minisearch'
import type { Post } from './post'

const maxResults = 100
const maxWords = 10
/** The searched length of one body. */
const maxSearchedLetters = 200_000

/** Finds posts by words, the best match first. It belongs to one state of the posts. */
export type PostSearch = (words: string) => Promise<Post[]>

/** Lets other requests be served between slices of the work. */
type YieldToOthers = () => Promise<unknown>

/** The number of posts in a slice. */
const sliceSize = 20

/**
 * Indexes titles, tags and excerpts, and tolerates typing errors in them. Bodies are scanned: an index of ten thousand
 * takes most of a minute and 800 MB, and scanning takes a twentieth of a second.
 */
export async function createSearch(
  posts: readonly Post[],
  yieldToOthers: YieldToOthers,
): Promise<PostSearch> {
  const byId = new Map(posts.map((post) => [post.id, post]))
  const index = await buildIndex(posts, yieldToOthers)
  return async (query) => {
    const words = wordsIn(query).slice(0, maxWords)
    if (words.length === 0) return []
    const best = index.search(words.join(' ')).flatMap(({ id }) => byId.get(String(id)) ?? [])
    const others: Post[] = []
    for (const some of slices(posts)) {
      others.push(...some.filter((post) => words.every((word) => plainOf(post).whole.includes(` ${word}`))))
      await yieldToOthers()
    }
    return [...new Set([...best, ...titleMatchesFirst(others, words)])].slice(0, maxResults)
  }
}

function* slices(posts: readonly Post[]): Generator<readonly Post[]> {
  for (let start = 0; start < posts.length; start += sliceSize) yield posts.slice(start, start + sliceSize)
}

async function buildIndex(posts: readonly Post[], yieldToOthers: YieldToOthers): Promise<MiniSearch> {
  const index = new MiniSearch({
    fields: ['title', 'tags', 'excerpt'],
    tokenize: wordsIn,
    searchOptions: { boost: { title: 4, tags: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  for (const some of slices(posts)) {
    index.addAll(some.map(({ id, title, excerpt, tags }) => ({ id, title, excerpt, tags: tags.join(' ') })))
    for (const post of some) plainOf(post)
    await yieldToOthers()
  }
  return index
}

/** Matches in the title count more than matches in the text. */
function titleMatchesFirst(posts: readonly Post[], words: readonly string[]): Post[] {
  const inHead = (post: Post): number =>
    words.filter((word) => plainOf(post).head.includes(` ${word}`)).length
  const counted = posts.map((post) => ({ post, count: inHead(post) }))
  return counted.toSorted((one, other) => other.count - one.count).map(({ post }) => post)
}

/** The searched text of unchanged posts. */
const plainTexts = new WeakMap<Post, { head: string; whole: string }>()

function plainOf(post: Post): { head: string; whole: string } {
  const found = plainTexts.get(post)
  if (found) return found
  const head = plain([post.title, ...post.tags].join(' '))
  const made = {
    head,
    whole: `${head}${plain(`${post.excerpt} ${withoutAddresses(post.body.slice(0, maxSearchedLetters))}`)}`,
  }
  plainTexts.set(post, made)
  return made
}

/** "Über-uns!" becomes " uber uns ": each word has a space before it. */
const plain = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `

const wordsIn = (text: string): string[] =>
  plain(text.slice(0, 10_000))
    .split(' ')
    .filter((word) => word !== '')

/** Removes the addresses of links and pictures. */
const withoutAddresses = (markdown: string): string =>
  markdown.replaceAll(/\]\([^)\s]*\)|https?:\/\/\S+/g, ' ')
