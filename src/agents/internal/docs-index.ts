import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A section of the documentation that comes with the package. */
export interface DocsSection {
  /** "docs/experiments.md#on-dashboards" */
  address: string
  /** The titles from that of the page down: "Experiments › On dashboards". */
  title: string
  text: string
}

interface IndexedSection extends DocsSection {
  /** The number of times that each word is in the section; words of its title count more. */
  words: ReadonlyMap<string, number>
  length: number
}

const titleWeight = 8

/** Finds sections by their words. */
export class DocsIndex {
  private readonly sections: readonly IndexedSection[]
  /** The number of sections that have a word. */
  private readonly sectionsWith = new Map<string, number>()
  private readonly meanLength: number

  constructor(pages: readonly { file: string; text: string }[]) {
    this.sections = pages.flatMap(({ file, text }) => sectionsOf(file, text)).map(indexed)
    for (const { words } of this.sections)
      for (const word of words.keys()) this.sectionsWith.set(word, (this.sectionsWith.get(word) ?? 0) + 1)
    const length = this.sections.reduce((sum, section) => sum + section.length, 0)
    this.meanLength = length / Math.max(1, this.sections.length)
  }

  /** Returns the sections that fit best, the best first; none without a word in common. */
  find(text: string, most: number): DocsSection[] {
    const wanted = new Set(wordsOf(text))
    return this.sections
      .map((section) => ({ section, score: this.scoreOf(section, wanted) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, most)
      .map(({ section: { address, title, text: found } }) => ({ address, title, text: found }))
  }

  /** Okapi BM25 with its usual constants (https://doi.org/10.1561/1500000019). */
  private scoreOf({ words, length }: IndexedSection, wanted: ReadonlySet<string>): number {
    const norm = 1.2 * (0.25 + (0.75 * length) / this.meanLength)
    let score = 0
    for (const word of wanted) {
      const times = words.get(word) ?? 0
      const having = this.sectionsWith.get(word) ?? 0
      const rarity = Math.log(1 + (this.sections.length - having + 0.5) / (having + 0.5))
      score += (rarity * times * 2.2) / (times + norm)
    }
    return score
  }
}

let read: Promise<DocsIndex> | undefined

/** The documentation of this Tilth, read at the first search. */
export const docsIndex = (): Promise<DocsIndex> => (read ??= readDocs())

async function readDocs(): Promise<DocsIndex> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('#package.json')), 'docs')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted()
  return new DocsIndex(
    await Promise.all(
      files.map(async (name) => ({
        file: `docs/${name}`,
        text: await readFile(join(folder, name), 'utf8'),
      })),
    ),
  )
}

/** Lines that begin with "#" in a fence are comments of a shell, not titles. */
function sectionsOf(file: string, text: string): DocsSection[] {
  const sections: DocsSection[] = []
  const titles: string[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, marks = '', title = ''] = (!isCode && /^(#{1,4}) (.+)$/.exec(line)) || []
    const last = sections.at(-1)
    if (title === '') {
      if (last) last.text += `${line}\n`
      continue
    }
    titles.splice(marks.length - 1, Infinity, title)
    const fragment = marks.length === 1 ? '' : `#${fragmentOf(title)}`
    sections.push({ address: `${file}${fragment}`, title: titles.filter(Boolean).join(' › '), text: '' })
  }
  return sections
}

/** The id of a title, as code hosts make it. */
const fragmentOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

function indexed(section: DocsSection): IndexedSection {
  const words = new Map<string, number>()
  const count = (text: string, weight: number) => {
    for (const word of wordsOf(text)) words.set(word, (words.get(word) ?? 0) + weight)
  }
  count(section.title, titleWeight)
  count(section.text, 1)
  return { ...section, text: section.text.trim(), words, length: wordsOf(section.text).length }
}

/** A plural is found by its singular. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).map((word) => word.replace(/(?<=..)s$/, ''))
