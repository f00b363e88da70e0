import type { Post } from '../post'

/** The project, kind and slug that a file's path gives. */
export interface PostFilePath {
  /** The slug of the project; undefined for the main project. */
  project: string | undefined
  kind: Post['kind']
  slug: string
  /** The language in the name, `hello.de.md`. */
  language: string | undefined
  /** The slug of a file without a language in its name. */
  original: string
  /** The date at the beginning of the name: 2026-11-21-hello.md. */
  date: string | undefined
}

const kinds: Readonly<Record<string, Post['kind']>> = { posts: 'post', pages: 'page' }

/** Parses `posts/hello.md`, `pages/docs/start.md`, or the same below a project's slug; undefined for others. */
export function readPostPath(path: string): PostFilePath | undefined {
  const parts = path.replace(/\.(?:md|markdown|mdx)$/i, '').split('/')
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
  const { language, names } = languageIn(parts)
  if (kind === 'page') {
    const original = withoutIndex(names).join('/')
    const lead = language?.toLowerCase()
    const slug = lead === undefined ? original : original === '' ? lead : `${lead}/${original}`
    return { project, kind, slug, language, original, date: undefined }
  }
  const name = withoutIndex(names).at(-1) ?? ''
  const [, date, rest] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(name) ?? []
  const original = rest ?? name
  const slug = language === undefined ? original : `${original}-${language.toLowerCase()}`
  return { project, kind, slug, language, original, date }
}

/** The language at the end of a file's name, and the names without it. */
function languageIn(parts: readonly string[]): { language: string | undefined; names: readonly string[] } {
  const [, name, language] = /^(.+)\.([a-z]{2,3}(?:-[A-Za-z]{2,4})?)$/.exec(parts.at(-1) ?? '') ?? []
  return { language, names: name === undefined ? parts : [...parts.slice(0, -1), name] }
}

/** A post may be in a folder of its own, together with its pictures. */
const withoutIndex = (parts: readonly string[]): readonly string[] =>
  parts.at(-1) === 'index' ? parts.slice(0, -1) : parts
