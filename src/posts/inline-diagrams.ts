import { visit } from 'unist-util-visit'
import { type Diagram, renderDiagram } from './diagrams'
import type { PostDocument } from './markdown'

/**
 * Puts a document's diagrams inline, as SVG. For drafts, because only published posts have addresses for their
 * diagrams.
 */
export async function inlineDiagrams(document: PostDocument): Promise<PostDocument> {
  if (document.diagrams.length === 0) return document
  const drawn = new Map(await Promise.all(document.diagrams.map(renderInline)))
  const tree = structuredClone(document.tree)
  visit(tree, 'element', ({ tagName, properties }) => {
    const inPlace = tagName === 'img' ? drawn.get(String(properties['src'])) : undefined
    if (inPlace !== undefined) properties['src'] = inPlace
  })
  return { ...document, tree }
}

async function renderInline({ address, code, language }: Diagram): Promise<[address: string, drawn: string]> {
  const image = Buffer.from(await renderDiagram(code, language)).toString('base64')
  return [address, `data:image/svg+xml;base64,${image}`]
}
