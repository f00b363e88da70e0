import type { Post } from '../post'

/** The project, kind and slug that a file's path gives. */
export interface PostFilePath {
  /** The slug of the project; undefined for the main project. */
  project: string | undefined
  kind: Post['kind']
  slug: string
  /** The date at the beginning of the name: 2026-11-21-hello.md. */
  date: string | undefined
}

const kinds: Readonly<Record<string, Post['kind']>> = { posts: 'post', pages: 'page' }

/** Parses `posts/hello.md`, `pages/docs/start.md`, or the same below a project's slug; undefined for others. */
export function readPostPath(path: string): PostFilePath | undefined {
  const parts = path.replace(/\.(?:md|markdown)$/i, '').split('/')
  const [first = '', second = ''] = parts
  if (kinds[first]) return fromParts(kinds[first], parts.slice(1), undefined)
  return kinds[second] && fromParts(kinds[second], parts.slice(2), first)
}

function fromParts(
  kind: Post['kind'],
  parts: readonly string[],
  project: string | undefined,
): PostFilePath | undefined {
  if (parts.length === 0) return undefined
  if (kind === 'page') return { project, kind, slug: withoutIndex(parts).join('/'), date: undefined }
  const name = withoutIndex(parts).at(-1) ?? ''
  const [, date, rest] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(name) ?? []
  return { project, kind, slug: rest ?? name, date }
}

/** A post may be in a folder of its own, together with its pictures. */
const withoutIndex = (parts: readonly string[]): readonly string[] =>
  parts.at(-1) === 'index' ? parts.slice(0, -1) : parts
