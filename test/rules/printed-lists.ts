import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { families } from './modules'
import { isTest, type SourceFile } from './source-files'

/** Lists of files in ARCHITECTURE.md, which `architecture.test.ts` compares with the tree. */

const root = join(import.meta.dirname, '../..')

/** A Markdown table without padding: its rows are long. */
const tableOf = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const foldersIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'internal')
    .map(({ name }) => name)
    .sort()

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

export const printedFamilies = (): string =>
  tableOf(
    ['family', 'listed in', 'each has', 'may have', 'members'],
    families.map(({ folder, listedIn, has, mayHave = [] }) => [
      folder.replace('src/', ''),
      `\`${listedIn}\``,
      quoted(has),
      quoted(mayHave),
      foldersIn(folder).join(', '),
    ]),
  )

const nameOf = (path: string): string => basename(path).replace(/\.tsx?$/, '')

/** The components of forms: a file that draws one is a form. */
const formParts = ['Form', 'FormDialog', 'ChangeForm', 'ChangeDialog', 'SaveBar']

const formName = /(?:Forms?|Fields|Editor|Builder|Dialog)\.tsx$/

const isPage = ({ path }: SourceFile): boolean => path.endsWith('Page.tsx')
const isList = ({ path, names }: SourceFile): boolean =>
  /(?:Table|List|Grid)\.tsx$/.test(path) ||
  (names.has('Table') && path.endsWith('.tsx') && !path.endsWith('Page.tsx') && !formName.test(path))
const isForm = ({ path, names }: SourceFile): boolean =>
  path.endsWith('.tsx') &&
  !path.endsWith('Page.tsx') &&
  (formName.test(path) || formParts.some((part) => names.has(part)))
const isAction = ({ directive }: SourceFile): boolean => directive === 'use server'

/** The pages of the studio by folder, with the lists, forms and server actions that stand beside them. */
export function printedPages(files: readonly SourceFile[]): string {
  const own = files.filter(({ path }) => path.startsWith('src/studio/') && !isTest(path))
  const folders = Map.groupBy(own, ({ path }) => dirname(path).replace('src/studio/', ''))
  const rows = [...folders]
    .filter(
      ([folder, inside]) => !folder.includes('kinds') && inside.some((file) => isForm(file) || isPage(file)),
    )
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, inside]) => {
      const named = (is: (file: SourceFile) => boolean) =>
        inside
          .filter(is)
          .map(({ path }) => nameOf(path))
          .sort()
          .join(', ')
      return [folder, named(isPage), named(isList), named(isForm), named(isAction)]
    })
  return tableOf(['folder', 'pages', 'lists', 'forms', 'server actions'], rows)
}

/** The tokens of `ui/tokens.css` by kind. */
export function printedTokens(): string {
  const text = readFileSync(join(root, 'src/ui/tokens.css'), 'utf8')
  const names = Array.from(text.matchAll(/^ {2}--([a-z]+)-([a-z0-9-]+):/gm), ([, kind = '', name = '']) => ({
    kind,
    name,
  }))
  const kinds = Map.groupBy(
    names.filter(({ name }) => !name.includes('--')),
    ({ kind }) => kind,
  )
  const rows = [...kinds].map(([kind, of]) => [kind, of.map(({ name }) => name).join(', ')])
  return tableOf(['token', 'names'], rows)
}
