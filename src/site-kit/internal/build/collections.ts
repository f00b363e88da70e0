import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hash } from 'node:crypto'
import type { Plugin } from 'esbuild'
import { LineCounter, parseDocument, isNode } from 'yaml'
import { z } from 'zod'
import { readFrontMatter } from '#posts/front-matter'
import { compileEntry, pictureSizes } from '#posts/mdx'
import { forkProgram } from '#processes/fork-program'
import type { KitProblem } from '../../kit-manifest'
import type { CompiledTexts } from './compiled-texts'
import type { CollectionSource } from './kit-sources'

/** An entry of a collection as it is written. */
export interface WrittenEntry {
  collection: string
  file: string
  text: string
  fields: unknown
}

export type EntriesOutcome =
  | { done: true; entries: readonly WrittenEntry[] }
  | { done: false; problems: KitProblem[] }

/** Reads the entries of collections. A file whose text is unchanged is not parsed again. */
export class EntryFiles {
  private known = new Map<string, WrittenEntry | KitProblem>()

  async read(folder: string, collections: readonly CollectionSource[]): Promise<EntriesOutcome> {
    const problems = collections.flatMap(repeatedSlugs)
    const read = new Map<string, WrittenEntry | KitProblem>()
    for (const { name, entries } of collections)
      for (const { file } of entries) {
        const text = await readFile(join(folder, file), 'utf8')
        const known = this.known.get(file)
        const entry = known && 'text' in known && known.text === text ? known : parseEntry(name, file, text)
        read.set(file, entry)
        if (!('text' in entry)) problems.push(entry)
      }
    this.known = read
    if (problems.length > 0) return { done: false, problems }
    return { done: true, entries: [...read.values()].flatMap((entry) => ('text' in entry ? [entry] : [])) }
  }
}

function repeatedSlugs({ entries }: CollectionSource): KitProblem[] {
  const bySlug = Map.groupBy(entries, ({ slug }) => slug)
  return [...bySlug.values()].flatMap(([first, second]) =>
    first && second ? [{ file: second.file, message: `It has the same name as ${first.file}.` }] : [],
  )
}

function parseEntry(collection: string, file: string, text: string): WrittenEntry | KitProblem {
  if (file.endsWith('.json')) return parseJson(collection, file, text)
  const outcome = readFrontMatter(text)
  if (outcome.done) return { collection, file, text, fields: outcome.file.fields }
  const message = outcome.problems.map((problem) => problem.message).join(' ')
  const [, line] = /: line (\d+): /.exec(message) ?? []
  return { file, message, line: line === undefined ? 1 : Number(line) }
}

function parseJson(collection: string, file: string, text: string): WrittenEntry | KitProblem {
  try {
    return { collection, file, text, fields: JSON.parse(text) }
  } catch (problem) {
    const [, offset] = /at position (\d+)/.exec(String(problem)) ?? []
    const line = text.slice(0, Number(offset ?? text.length)).split('\n').length
    const message = problem instanceof Error ? problem.message : String(problem)
    return { file, line, message: `It cannot be read: ${message}` }
  }
}

/** Loads an entry in Markdown as a component, with the fields of its front matter and the pictures that stand beside it. */
export const entryModules = (folder: string, texts: CompiledTexts): Plugin => ({
  name: 'entry-modules',
  setup(build) {
    build.onLoad({ filter: /\.md$/ }, async ({ path }) => {
      if (!path.startsWith(join(folder, 'content'))) return undefined
      const code = await texts.compile('entry', await readFile(path, 'utf8'), codeOf)
      // only codeOf writes it
      return { contents: moduleOf(JSON.parse(code) as EntryCode, dirname(path)), loader: 'jsx' }
    })
  },
})

interface EntryCode {
  contents: string
  /** The addresses of pictures beside the file. */
  pictures: readonly string[]
}

async function codeOf(text: string): Promise<string> {
  const outcome = readFrontMatter(text)
  const fields = outcome.done ? outcome.file.fields : {}
  const { code, pictures } = await compileEntry(text)
  const entry: EntryCode = { contents: `${code}\nexport const fields = ${JSON.stringify(fields)}`, pictures }
  return JSON.stringify(entry)
}

function decodedAddress(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

/** A picture may be added later; its alternative text is shown until then. */
function moduleOf({ contents, pictures }: EntryCode, folder: string): string {
  const found = pictures
    .map((address) => ({ address, file: join(folder, decodedAddress(address)) }))
    .filter(({ file }) => existsSync(file))
  const imports = found.map(
    ({ file }, index) => `import picture${index} from ${JSON.stringify(`${file}?image`)}`,
  )
  const attributes = found.map(
    ({ address }, index) =>
      `${JSON.stringify(address)}: { ...picture${index}, sizes: picture${index}.srcSet && ${JSON.stringify(pictureSizes)} },`,
  )
  return [...imports, contents, `export const pictures = { ${attributes.join(' ')} }`].join('\n')
}

const checkedEntries = z.array(
  z.object({
    file: z.string(),
    issues: z.array(z.object({ message: z.string(), path: z.array(z.union([z.string(), z.number()])) })),
  }),
)
/** The refused entries, as the program that checks them answers. */
export type CheckedEntries = z.infer<typeof checkedEntries>

const maxCheckMs = 20_000

/**
 * Checks entries by the schemas of their collections. Schemas are code of the team, so they run as the renderer does: in
 * a process without settings that reads its own program only.
 */
export class EntryCheck {
  /** `program` is a module that has the schemas. It is written beside the builds. */
  async problems(
    entries: readonly WrittenEntry[],
    program: Uint8Array,
    output: string,
  ): Promise<KitProblem[]> {
    const asked = entries.map(({ collection, file, fields }) => ({ collection, file, fields }))
    const key = hash('sha256', `${hash('sha256', program)} ${JSON.stringify(asked)}`)
    const path = join(output, 'schemas', 'schemas.mjs')
    const passed = join(output, 'schemas', 'passed')
    if (existsSync(passed) && readFileSync(passed, 'utf8') === key) return []
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, program)
    const checked = await runCheck(path, asked)
    if (!Array.isArray(checked)) return [checked]
    const texts = new Map(entries.map(({ file, text }) => [file, text]))
    const problems = checked.flatMap(({ file, issues }) =>
      issues.map((issue) => problemOf(file, texts.get(file) ?? '', issue)),
    )
    if (problems.length === 0) writeFileSync(passed, key)
    return problems
  }
}

/** A schema that never ends is stopped. */
async function runCheck(path: string, asked: unknown): Promise<CheckedEntries | KitProblem> {
  const child = forkProgram(path, [], {
    execArgv: ['--permission', `--allow-fs-read=${dirname(path)}`, '--disable-warning=SecurityWarning'],
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = new AbortController()
  child.once('close', () => ended.abort())
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(maxCheckMs)])
    const reply = once(child, 'message', { signal })
    child.send({ asked }, () => {})
    return checkedEntries.parse((await reply)[0])
  } catch {
    const reason = ended.signal.aborted ? 'their process ended' : 'they took too long'
    return { file: 'content', message: `Entries cannot be checked by their schemas: ${reason}.` }
  } finally {
    child.kill('SIGKILL')
  }
}

type Issue = CheckedEntries[number]['issues'][number]

function problemOf(file: string, text: string, { message, path }: Issue): KitProblem {
  const field = path.join('.')
  return { file, message: field === '' ? message : `${field}: ${message}`, ...placeOf(file, text, path) }
}

/** The place of a field, or of what should hold it. JSON is read as YAML, which contains it. */
function placeOf(file: string, text: string, path: Issue['path']): Pick<KitProblem, 'line' | 'column'> {
  const isJson = file.endsWith('.json')
  const written = isJson ? text : text.replace(/^\uFEFF?---[^\n]*\n/, '').replace(/^---[^]*$/m, '')
  const lineCounter = new LineCounter()
  const document = parseDocument(written, { lineCounter })
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true)
    if (!isNode(node) || !node.range) continue
    const { line, col } = lineCounter.linePos(node.range[0])
    return { line: isJson ? line : line + 1, column: col }
  }
  return { line: 1 }
}
