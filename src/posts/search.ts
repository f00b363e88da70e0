import MiniSearch from 'minisearch'
import type { Post } from './post'

const mostFound = 100
const mostWords = 10

/** Finds posts by words in them, the best first. Made for one state of the posts; a change makes another. */
export type Search = (words: string) => Post[]

/**
 * Titles, tags and excerpts are indexed, and forgive a slip. Bodies are read through: an index of ten thousand of them
 * takes most of a minute to make and 800 MB to keep, and reading them takes a twentieth of a second.
 */
export function searchAmong(posts: readonly Post[]): Search {
  const byId = new Map(posts.map((post) => [post.id, post]))
  const index = indexOf(posts)
  return (asked) => {
    const words = wordsIn(asked).slice(0, mostWords)
    if (words.length === 0) return []
    const best = index.search(words.join(' ')).flatMap(({ id }) => byId.get(String(id)) ?? [])
    const others = posts.filter((post) => words.every((word) => plainOf(post).whole.includes(` ${word}`)))
    return [...new Set([...best, ...mostInHeads(others, words)])].slice(0, mostFound)
  }
}

function indexOf(posts: readonly Post[]): MiniSearch {
  const index = new MiniSearch({
    fields: ['title', 'tags', 'excerpt'],
    tokenize: wordsIn,
    searchOptions: { boost: { title: 4, tags: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  index.addAll(posts.map(({ id, title, excerpt, tags }) => ({ id, title, excerpt, tags: tags.join(' ') })))
  return index
}

/** Where words are in the title, they count more than where they are in passing. */
function mostInHeads(posts: readonly Post[], words: readonly string[]): Post[] {
  const inHead = (post: Post): number =>
    words.filter((word) => plainOf(post).head.includes(` ${word}`)).length
  return posts.toSorted((one, other) => inHead(other) - inHead(one))
}

/** What is looked through, of posts that did not change since. */
const known = new WeakMap<Post, { head: string; whole: string }>()

function plainOf(post: Post): { head: string; whole: string } {
  const found = known.get(post)
  if (found) return found
  const head = plain([post.title, ...post.tags].join(' '))
  const made = { head, whole: `${head}${plain(`${post.excerpt} ${withoutAddresses(post.body)}`)}` }
  known.set(post, made)
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

/** Addresses of links and pictures are no words. */
const withoutAddresses = (markdown: string): string =>
  markdown.replaceAll(/\]\([^)\s]*\)|https?:\/\/\S+/g, ' ')
