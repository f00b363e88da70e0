import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { Author } from '../post'

interface AuthorRow {
  projectId: number
  slug: string
  definition: Omit<Author, 'slug'>
  createdAt: Date
}

const open = openTables<{ postAuthors: AuthorRow }>({ json: ['definition'] })

/** Returns authors by project, sorted by name. */
export async function allAuthors(source: TableSource): Promise<Map<number, Author[]>> {
  const rows = await open(source).selectFrom('postAuthors').selectAll().execute()
  const byProject = Map.groupBy(rows, (row) => row.projectId)
  return new Map(Array.from(byProject, ([projectId, own]) => [projectId, byName(own.map(toAuthor))]))
}

export async function authorsOf(source: TableSource, projectId: number): Promise<Author[]> {
  const rows = await open(source)
    .selectFrom('postAuthors')
    .selectAll()
    .where('projectId', '=', projectId)
    .execute()
  return byName(rows.map(toAuthor))
}

const toAuthor = ({ slug, definition }: Pick<AuthorRow, 'slug' | 'definition'>): Author => ({
  ...definition,
  picture: definition.picture,
  slug,
})

const byName = (authors: readonly Author[]): Author[] =>
  authors.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))

export async function saveAuthor(
  source: TableSource,
  projectId: number,
  { slug, ...definition }: Author,
  createdAt: Date,
): Promise<void> {
  await open(source)
    .insertInto('postAuthors')
    .values({ projectId, slug, definition, createdAt })
    .onConflict((conflict) => conflict.columns(['projectId', 'slug']).doUpdateSet({ definition }))
    .execute()
}

export async function removeAuthor(source: TableSource, projectId: number, slug: string): Promise<void> {
  await open(source)
    .deleteFrom('postAuthors')
    .where('projectId', '=', projectId)
    .where('slug', '=', slug)
    .execute()
}
