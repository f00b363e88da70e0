import { declarationsIn, type DrawnElement } from './svg-document'
import { matchesSelector, parseSelectors, type Selector } from './selectors'

export interface StyleRule {
  selector: Selector
  declarations: ReadonlyMap<string, string>
}

/** Properties that are attributes in SVG as well. */
const attributeProperties = new Set(
  (
    'fill fill-opacity stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity opacity ' +
    'font-size font-weight font-style text-anchor dominant-baseline text-decoration stop-color'
  ).split(' '),
)

/** Turns the styles of a drawing into attributes, so that no style of a diagram program reaches a page. */
export function styleByAttributes(svg: DrawnElement): void {
  const sheets = [...svg.descendants()].filter(({ localName }) => localName === 'style')
  const rules = sheets.flatMap((sheet) => rulesIn(sheet.textContent))
  for (const sheet of sheets) sheet.remove()
  for (const element of [svg, ...svg.descendants()]) {
    const styles = stylesOf(element, rules)
    const isHidden = styles.get('display') === 'none' || styles.get('visibility') === 'hidden'
    if (isHidden && element !== svg) element.remove()
    for (const [name, value] of styles) if (attributeProperties.has(name)) element.setAttribute(name, value)
    element.removeAttribute('style')
  }
}

/** Reads rules; blocks such as `@keyframes` are skipped. */
export function rulesIn(css: string): StyleRule[] {
  const text = css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/@[^{;]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})/g, '')
  return [...text.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors = '', block = '']) => {
    const declarations = declarationsIn(block)
    return parseSelectors(selectors.trim()).map((selector) => ({ selector, declarations }))
  })
}

/** As in CSS: importance counts first, then the place of a declaration, then the weight of its selector, then the order. */
export function stylesOf(element: DrawnElement, rules: readonly StyleRule[]): Map<string, string> {
  const matching = rules
    .filter(({ selector }) => matchesSelector(element, selector))
    .toSorted((one, other) => one.selector.weight - other.selector.weight)
  const inOrder = [
    ...matching.map(({ declarations }) => declarations),
    declarationsIn(element.getAttribute('style') ?? ''),
  ]
  const styles = new Map<string, string>()
  for (const isImportant of [false, true])
    for (const declarations of inOrder)
      for (const [name, value] of declarations)
        if (importantPattern.test(value) === isImportant)
          styles.set(name, value.replace(importantPattern, '').trim())
  return styles
}

const importantPattern = /\s*!\s*important\s*$/i
