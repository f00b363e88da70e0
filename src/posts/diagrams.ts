import { createHash } from 'node:crypto'
import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { sanitizeSvg } from './reading/sanitize-svg'

/** A diagram written as code. Its address contains a hash of the code, so it can be cached forever. */
export interface Diagram {
  address: string
  code: string
  language: string
}

const languages = ['mermaid', 'dot', 'graphviz']
const diagramsPath = '/_tilth/diagrams'
const maxCodeLength = 20_000
const maxEdges = 400

export const isDiagram = (language: string): boolean => languages.includes(language.toLowerCase())

export function diagramPath(code: string, language: string): string {
  const kind = language.toLowerCase() === 'mermaid' ? 'mermaid' : 'dot'
  const hash = createHash('sha256').update(`${renderingVersion} ${kind} ${code}`).digest('base64url')
  return `${diagramsPath}/${hash.slice(0, 22)}.svg`
}

/** Increases when the same code is to be rendered differently. */
const renderingVersion = 2

export function diagramsIn(markdown: Root): Diagram[] {
  const found: Diagram[] = []
  visit(markdown, 'code', ({ lang, value: code }) => {
    if (lang && isDiagram(lang))
      found.push({ address: diagramPath(code, lang), code, language: lang.toLowerCase() })
  })
  return found
}

/** Whether a text may hold diagrams; most texts need not be read for them. */
export const mayHoldDiagrams = (markdown: string): boolean =>
  /(?:`{3}|~{3})\s*(?:mermaid|dot|graphviz)\b/i.test(markdown)

/** Why a diagram is not drawn at all; undefined if it may be tried. */
export function diagramTrouble({ code, language }: Pick<Diagram, 'code' | 'language'>): string | undefined {
  const isTooLarge = code.length > maxCodeLength || (language !== 'mermaid' && countEdges(code) > maxEdges)
  return isTooLarge
    ? `A diagram has at most ${maxCodeLength.toLocaleString('en')} letters and ${maxEdges} edges. Make two of it.`
    : undefined
}

/**
 * Returns an upper limit of the edges of a graph. Graphviz connects groups member by member, so a few lines can produce
 * a million edges, and its memory has no limit of its own. Mermaid counts for itself.
 */
function countEdges(code: string): number {
  const edges = code.match(/->|--/g)?.length ?? 0
  const hasGroups = /\}\s*-[->]|-[->]\s*(?:subgraph\b[^{]{0,100})?\{/.test(code)
  const names = hasGroups ? (code.match(/[\p{L}\p{N}_]+|"[^"]*"/gu)?.length ?? 0) : 0
  return Math.max(edges, Math.floor((names / 2) ** 2))
}

/** Shows the code in the place of a drawing, with the reason, where there is only room for a picture. */
export function codePicture(code: string, reason: string): string {
  const lines = [reason, '', ...code.split('\n').slice(0, 40)].map((line) => line.slice(0, 100))
  const rows = lines.map(
    (line, place) => `<text x="16" y="${32 + place * 18}" xml:space="preserve">${escaped(line)}</text>`,
  )
  const size = `width="760" height="${40 + lines.length * 18}" viewBox="0 0 760 ${40 + lines.length * 18}"`
  return sanitizeSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="monospace" font-size="13">${rows.join('')}</svg>`,
  )
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
