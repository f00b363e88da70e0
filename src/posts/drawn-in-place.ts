import { visit } from 'unist-util-visit'
import { type Diagram, drawDiagram } from './diagrams'
import type { PostDocument } from './markdown'

/**
 * A document whose diagrams stand in it, drawn: for a draft, since only what is published has addresses to ask for them.
 */
export async function drawnInPlace(document: PostDocument): Promise<PostDocument> {
  if (document.diagrams.length === 0) return document
  const drawn = new Map(await Promise.all(document.diagrams.map(drawnAt)))
  const tree = structuredClone(document.tree)
  visit(tree, 'element', ({ tagName, properties }) => {
    const inPlace = tagName === 'img' ? drawn.get(String(properties['src'])) : undefined
    if (inPlace !== undefined) properties['src'] = inPlace
  })
  return { ...document, tree }
}

async function drawnAt({ address, code, language }: Diagram): Promise<[address: string, drawn: string]> {
  const image = Buffer.from(await drawDiagram(code, language)).toString('base64')
  return [address, `data:image/svg+xml;base64,${image}`]
}
