import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import {
  dateOf,
  emptyPost,
  type ImportedContent,
  type ImportedPost,
  restrictedNote,
  UnreadableExportError,
} from '../imported-content'

const text = z.string().default('')
const row = z.object({
  post_id: z.string(),
  post_date: text,
  is_published: text,
  type: text,
  audience: text,
  title: text,
  subtitle: text,
  podcast_url: text,
})
type Row = z.infer<typeof row>

/** Reads the files of Substack: Settings → Export. `posts.csv` lists the posts, and each has a file of HTML. */
export function readSubstack(files: ReadonlyMap<string, string>): ImportedContent {
  const list = [...files].find(([path]) => /(^|\/)posts\.csv$/.test(path))
  if (!list)
    throw new UnreadableExportError(
      'There is no posts.csv. Unpack the archive of Substack, and name its folder.',
    )
  const rows = z.array(row).safeParse(readCsv(list[1]))
  if (!rows.success) throw new UnreadableExportError('posts.csv is not a list of posts of Substack.')
  const texts = new Map([...files].map(([path, html]) => [path.replace(/^.*\//, ''), html]))
  const found = rows.data.map((one) => ({ one, html: texts.get(`${one.post_id}.html`) }))
  return {
    posts: found.flatMap(({ one, html }) => (html === undefined ? [] : [importedPost(one, html)])),
    authors: [],
    skipped: found.flatMap(({ one, html }) =>
      html === undefined ? [{ title: one.title || one.post_id, why: 'The archive has no text of it.' }] : [],
    ),
    origin: undefined,
  }
}

function readCsv(csv: string): unknown {
  try {
    return parse(csv, { columns: true, bom: true, relax_column_count: true })
  } catch {
    throw new UnreadableExportError('posts.csv is not CSV.')
  }
}

function importedPost(post: Row, html: string): ImportedPost {
  const slug = post.post_id.replace(/^\d+\./, '')
  const isPublic = post.audience === '' || post.audience === 'everyone'
  const date = dateOf(post.post_date)
  return {
    ...emptyPost,
    title: post.title || slug,
    slug,
    html: withoutWidgets(html),
    excerpt: post.subtitle,
    publishedAt: isPublic && post.is_published === 'true' ? date : undefined,
    createdAt: date,
    changedAt: date,
    oldPaths: [`/p/${slug}`],
    notes: [
      ...(isPublic ? [] : [restrictedNote]),
      ...(post.podcast_url === '' ? [] : [`Its recording stays at ${post.podcast_url}.`]),
    ],
  }
}

/** Buttons that ask to subscribe or to share are paragraphs of one class. */
const withoutWidgets = (html: string): string =>
  html.replaceAll(/<p class="button-wrapper"[^>]*>[^]*?<\/p>/g, '')
