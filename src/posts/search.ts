import MiniSearch from 'minisearch'
import type { Post } from './post'

const maxResults = 100
const maxWords = 10
/** The searched length of one body. */
const maxSearchedLetters = 200_000

export type SearchedPost = Pick<Post, 'id' | 'title' | 'tags' | 'excerpt' | 'body'>

/** Finds posts by words, the best match first. It belongs to one state of the posts. */
export type PostSearch<Searched extends SearchedPost = Post> = (words: string) => Promise<Searched[]>

/** Lets other requests be served between slices of the work. */
type YieldToOthers = () => Promise<unknown>

/** The number of posts in a slice. */
const sliceSize = 20

/**
 * Indexes titles, tags and excerpts, and tolerates typing errors in them. Bodies are scanned: an index of ten thousand
 * takes most of a minute and 800 MB, and scanning takes a twentieth of a second.
 */
export async function createSearch<Searched extends SearchedPost>(
  posts: readonly Searched[],
  yieldToOthers: YieldToOthers,
): Promise<PostSearch<Searched>> {
  const byId = new Map(posts.map((post) => [post.id, post]))
  const index = await buildIndex(posts, yieldToOthers)
  const scan = searchTexts(posts, yieldToOthers)
  return async (query) => {
    const best = index.search(searchedWords(query).join(' ')).flatMap(({ id }) => byId.get(String(id)) ?? [])
    return [...new Set([...best, ...(await scan(query))])].slice(0, maxResults)
  }
}

/** Finds posts that contain all words, those with them in the title first. It needs no index. */
export function searchTexts<Searched extends SearchedPost>(
  posts: readonly Searched[],
  yieldToOthers: YieldToOthers,
): PostSearch<Searched> {
  return async (query) => {
    const beginnings = searchedWords(query).map((word) => Buffer.from(` ${word}`))
    if (beginnings.length === 0) return []
    const found: Searched[] = []
    for (const some of slices(posts)) {
      found.push(...some.filter((post) => beginnings.every((word) => plainOf(post).whole.includes(word))))
      await yieldToOthers()
    }
    return titleMatchesFirst(found, beginnings).slice(0, maxResults)
  }
}

const searchedWords = (query: string): string[] => wordsIn(query).slice(0, maxWords)

function* slices<Searched>(posts: readonly Searched[]): Generator<readonly Searched[]> {
  for (let start = 0; start < posts.length; start += sliceSize) yield posts.slice(start, start + sliceSize)
}

async function buildIndex(posts: readonly SearchedPost[], yieldToOthers: YieldToOthers): Promise<MiniSearch> {
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
function titleMatchesFirst<Searched extends SearchedPost>(
  posts: readonly Searched[],
  beginnings: readonly Buffer[],
): Searched[] {
  const inHead = (post: Searched): number =>
    beginnings.filter((word) => plainOf(post).head.includes(word)).length
  const counted = posts.map((post) => ({ post, count: inHead(post) }))
  return counted.toSorted((one, other) => other.count - one.count).map(({ post }) => post)
}

/** A post's words in UTF-8: the title and tags, and those with the excerpt and the body. */
interface PlainText {
  head: Buffer
  whole: Buffer
}

/**
 * The searched text of unchanged posts. A string would stay a tree with a node for each word that `replaceAll` has
 * replaced, 60 kB for a post of 7 kB, and all of it on the heap.
 */
const plainTexts = new WeakMap<SearchedPost, PlainText>()

function plainOf(post: SearchedPost): PlainText {
  const found = plainTexts.get(post)
  if (found) return found
  const head = plain([post.title, ...post.tags].join(' '))
  const body = plain(`${post.excerpt} ${withoutAddresses(post.body.slice(0, maxSearchedLetters))}`)
  const made = { head: Buffer.from(head), whole: Buffer.from(head + body) }
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
