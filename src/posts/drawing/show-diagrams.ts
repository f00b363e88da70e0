import type { Element } from 'hast'
import { visit } from 'unist-util-visit'
import type { Diagram } from '../diagrams'
import type { PostDocument } from '../markdown'
import { renderDiagramCode } from '../reading/code'
import { attributeText, element, isElement, text } from '../reading/elements'
import type { Drawings } from './drawings'

type DrawingSource = Pick<Drawings, 'drawingOf'>

/**
 * Gives the images of diagrams their size, so that a page does not move when they arrive. The code of a diagram with a
 * mistake is shown instead of an image.
 */
export async function showDiagrams(document: PostDocument, drawings: DrawingSource): Promise<PostDocument> {
  return await replaceDiagrams(document, async (diagram, image) => {
    const drawing = await drawings.drawingOf(diagram)
    if (drawing && !drawing.done) return codeOf(diagram)
    if (drawing) Object.assign(image.properties, { width: drawing.width, height: drawing.height })
    return undefined
  })
}

/**
 * Puts the diagrams of a draft inline, because only published posts have addresses for theirs, and tells the writer what
 * is wrong with one.
 */
export async function showDraftDiagrams(
  document: PostDocument,
  drawings: DrawingSource,
): Promise<PostDocument> {
  return await replaceDiagrams(document, async (diagram, image) => {
    const drawing = await drawings.drawingOf(diagram, { isDraft: true })
    if (!drawing?.done) return withMistake(diagram, drawing?.message ?? 'Too many diagrams wait. Try again.')
    const src = `data:image/svg+xml;base64,${Buffer.from(drawing.svg).toString('base64')}`
    Object.assign(image.properties, { src, width: drawing.width, height: drawing.height })
    return undefined
  })
}

/** Calls `show` with each diagram and its image; what that returns takes the place of the figure. */
async function replaceDiagrams(
  document: PostDocument,
  show: (diagram: Diagram, image: Element) => Promise<Element | undefined>,
): Promise<PostDocument> {
  if (document.diagrams.length === 0) return document
  const byAddress = new Map(document.diagrams.map((diagram) => [diagram.address, diagram]))
  const tree = structuredClone(document.tree)
  const shown: Promise<void>[] = []
  visit(tree, 'element', (figure) => {
    const image = figure.children.find((child) => isElement(child, 'img'))
    const diagram = image && isElement(image) && byAddress.get(attributeText(image, 'src'))
    if (!diagram || !hasClass(figure, 'diagram')) return
    const replace = async (): Promise<void> => {
      const instead = await show(diagram, image)
      if (instead) Object.assign(figure, instead)
    }
    shown.push(replace())
  })
  await Promise.all(shown)
  return { ...document, tree }
}

const hasClass = ({ properties: { className } }: Element, name: string): boolean =>
  Array.isArray(className) && className.includes(name)

const codeOf = ({ code, language }: Diagram): Element => renderDiagramCode(code, language)

const withMistake = (diagram: Diagram, message: string): Element =>
  element('aside', { className: ['aside', 'aside-danger'] }, [
    element('p', { className: ['aside-title'] }, [text('This diagram cannot be drawn')]),
    element('p', {}, [text(message)]),
    codeOf(diagram),
  ])
