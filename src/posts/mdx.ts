import { compile, createProcessor } from '@mdx-js/mdx'
import type { Root } from 'hast'
import type { Nodes } from 'mdast'
import { markdownOptions } from './markdown'
import { isLocalAddress } from './internal/local-pictures'
import { outlineOf } from './internal/outline'
import { finish } from './reading/internal/finish'
import { closeHeadingGaps } from './reading/internal/headings'
import { postSyntax } from './reading/internal/post-dialect'
import { englishWords } from './reading/internal/words'

export { pictureSizes } from './reading/internal/pictures'

/** A mistake in an MDX file, with its place. */
export class MdxError extends Error {
  constructor(
    message: string,
    readonly line: number | undefined,
    readonly column: number | undefined,
  ) {
    super(message)
  }
}

/** Compiles MDX to a module whose default export renders it. Markdown in it means what it means in other posts. */
export const compileMdx = (text: string): Promise<string> => compileText(text, 'mdx')

interface CompiledEntry {
  code: string
  /** The addresses of pictures that stand beside the file, as the code has them. */
  pictures: readonly string[]
}

/** The same for Markdown without components: signs that mean something in MDX are text. */
export async function compileEntry(text: string): Promise<CompiledEntry> {
  const pictures = new Set<string>()
  const code = await compileText(text, 'md', (address) => {
    if (isLocalAddress(address)) pictures.add(address)
  })
  return { code, pictures: [...pictures] }
}

async function compileText(
  text: string,
  format: 'mdx' | 'md',
  onPicture: (address: string) => void = () => {},
): Promise<string> {
  const options = {
    format,
    remarkPlugins: postSyntax,
    remarkRehypeOptions: markdownOptions('', englishWords),
    rehypePlugins: [() => finishMdx(onPicture)],
  }
  try {
    return String(await compile(withoutFrontMatter(text), options))
  } catch (problem) {
    throw problemOf(problem)
  }
}

/** The Markdown of a text in MDX, without its components: for feeds, searching and excerpts. */
export function markdownOfMdx(text: string): string {
  try {
    const tree = mdxParser().parse(text)
    const cut = cutsIn(tree).toSorted((one, other) => other.from - one.from)
    return cut
      .reduce((rest, { from, until }) => rest.slice(0, from) + rest.slice(until), text)
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  } catch (problem) {
    throw problemOf(problem)
  }
}

const mdxParser = () => createProcessor({ remarkPlugins: postSyntax })

interface Cut {
  from: number
  until: number
}

/** Elements lose their tags and keep what they hold; imports and expressions are left out as a whole. */
function cutsIn(node: Nodes): Cut[] {
  const children = 'children' in node ? node.children : []
  const inside = childrenShown(node).flatMap((child) => cutsIn(child))
  const whole = placeOf(node)
  if (!whole || !node.type.startsWith('mdx')) return inside
  const shown = childrenShown(node)
  const [first, last] = [shown[0], shown.at(-1)].map((child) => child && placeOf(child))
  if (children.length === 0 || !first || !last) return [whole]
  return [{ from: whole.from, until: first.from }, ...inside, { from: last.until, until: whole.until }]
}

/** Returns shown children. Visitors without a decision see an experiment's original, and no variant by itself. */
function childrenShown(node: Nodes): readonly Nodes[] {
  if (!('children' in node)) return []
  if (elementName(node) === 'Variant') return []
  if (elementName(node) !== 'Experiment') return node.children
  // variants on lines of their own are a paragraph to the parser
  const held = node.children.flatMap((child): Nodes[] =>
    child.type === 'paragraph' ? child.children : [child],
  )
  const original = held.find((child) => elementName(child) === 'Variant')
  return original && 'children' in original ? original.children : []
}

const elementName = (node: Nodes): string | null =>
  node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement' ? node.name : null

function placeOf({ position }: Nodes): Cut | undefined {
  const from = position?.start.offset
  const until = position?.end.offset
  return from === undefined || until === undefined ? undefined : { from, until }
}

/** Keeps the lines, so that places in messages are those of the file. */
const withoutFrontMatter = (text: string): string =>
  text.replace(/^\uFEFF?---[ \t]*\r?\n[^]*?^---[ \t]*(?=\r?\n|$)/m, (front) => front.replaceAll(/[^\n]/g, ''))

const finishMdx =
  (onPicture: (address: string) => void) =>
  (tree: Root): void => {
    finish(tree, {
      words: englishWords,
      pictureAt(address) {
        onPicture(address)
        return undefined
      },
    })
    closeHeadingGaps(tree)
    outlineOf(tree, '')
  }

/** The messages of the parser say where they belong. */
function problemOf(problem: unknown): unknown {
  if (!(problem instanceof Error) || !('reason' in problem)) return problem
  const place = (name: 'line' | 'column'): number | undefined => {
    const value: unknown = name in problem ? Reflect.get(problem, name) : undefined
    return typeof value === 'number' ? value : undefined
  }
  // some of its messages have their place in brackets alone
  const [, words = '', line, column] =
    /^(.*?)(?: \((\d+):(\d+)-[\d:]+\))?$/.exec(String(problem.reason)) ?? []
  return new MdxError(
    words,
    place('line') ?? (line ? Number(line) : undefined),
    place('column') ?? (column ? Number(column) : undefined),
  )
}
