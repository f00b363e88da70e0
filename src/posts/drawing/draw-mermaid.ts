import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { sanitizeSvg } from '../reading/sanitize-svg'
import { drawingFont, mermaidConfig } from './mermaid-theme'
import { declarationsIn, DrawnDocument, DrawnElement, DrawnNode, serialized } from './svg-document'
import { styleByAttributes } from './svg-styles'
import { palette, ThemeColours } from './theme-colours'

/** The part of Mermaid that is used. */
interface Mermaid {
  initialize(config: object): void
  render(id: string, code: string, container: DrawnElement): Promise<unknown>
}

/** Draws with Mermaid. Its script expects a browser, so that this runs in a process that does nothing else. */
export function openMermaid(script: string): (code: string) => Promise<string> {
  const document = new DrawnDocument()
  const mermaid = loadMermaid(script, document)
  return async (code) => {
    const container = new Container(document)
    document.body.replaceChildren(container)
    // names that Mermaid makes up for itself are the same in every drawing of a text
    Math.random = pseudoRandom()
    // what a text configures for itself ends with it
    mermaid.initialize(structuredClone(mermaidConfig))
    await mermaid.render('d', code, container)
    const svg = container.drawn?.querySelector('svg')
    if (!svg) throw new Error('Mermaid drew nothing.')
    return finished(svg, code)
  }
}

/** Mermaid removes a drawing once it has made a text of it; here the elements are of use. */
class Container extends DrawnElement {
  drawn: DrawnElement | undefined

  constructor(document: DrawnDocument) {
    super(document, 'div', document.body.namespaceURI)
  }

  override removeChild<Node extends DrawnNode>(node: Node): Node {
    if (node instanceof DrawnElement) this.drawn = node
    return super.removeChild(node)
  }
}

/** The generator mulberry32. https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
function pseudoRandom(): () => number {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function loadMermaid(script: string, document: DrawnDocument): Mermaid {
  const browser: object = {
    document,
    window: globalThis,
    self: globalThis,
    Element: DrawnElement,
    SVGElement: DrawnElement,
    HTMLElement: DrawnElement,
    Node: DrawnNode,
    CSSStyleSheet: StyleSheet,
    location: document.location,
    addEventListener: () => {},
    screen: { availWidth: 1200, availHeight: 800 },
    removeEventListener: () => {},
    requestAnimationFrame: (callback: () => void) => setImmediate(callback),
    getComputedStyle: (element: DrawnElement) => element.style,
  }
  for (const [name, value] of Object.entries(browser))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  runInThisContext(readFileSync(script, 'utf8'), { filename: script })
  // the script sets this global, as its documentation says
  return (globalThis as unknown as { mermaid: Mermaid }).mermaid
}

/** Mermaid collects styles in a sheet and writes it as text. */
class StyleSheet {
  readonly cssRules: StyleSheetRule[] = []

  insertRule(text: string, index = 0): number {
    this.cssRules.splice(index, 0, new StyleSheetRule(text))
    return index
  }

  replaceSync(text: string): void {
    this.cssRules.splice(0, this.cssRules.length, new StyleSheetRule(text))
  }
}

class StyleSheetRule {
  private readonly set = new Map<string, string>()
  readonly style: { length: number; setProperty: (name: string, value: string) => void }

  constructor(private readonly written: string) {
    const [, block = ''] = /\{([^{}]*)\}\s*$/.exec(written) ?? []
    const { set } = this
    this.style = {
      setProperty: (name, value) => set.set(name, value),
      get length() {
        return set.size + declarationsIn(block).size
      },
    }
  }

  get cssText(): string {
    const added = [...this.set].map(([name, value]) => `${name}: ${value};`).join(' ')
    return added === '' ? this.written : this.written.replace(/\}\s*$/, `${added}}`)
  }
}

function finished(svg: DrawnElement, code: string): string {
  styleByAttributes(svg)
  readableTexts(svg)
  const colours = new ThemeColours()
  for (const element of [svg, ...svg.descendants()])
    for (const name of colourAttributes) {
      const written = element.getAttribute(name)
      if (written !== null) element.setAttribute(name, colours.variableFor(written))
    }
  for (const label of svg.querySelectorAll('.statediagram-state > .label'))
    label.setAttribute(
      'transform',
      (label.getAttribute('transform') ?? '').replace(/translate\([^,]+/, 'translate(0'),
    )
  setSize(svg)
  const { light, dark } = colours.declarations()
  const darkStyle = hasOwnColours(code)
    ? ''
    : `@media(prefers-color-scheme:dark){:root{${paletteText(darkPalette)};${dark}}}`
  const style = `<style>:root{${paletteText(palette)};${light};background:var(--ground)}text{font-family:${drawingFont}}${darkStyle}</style>`
  return sanitizeSvg(serialized(svg), style)
}

const colourAttributes = ['fill', 'stroke', 'stop-color']

const darkPalette = {
  ink: '#eceae6',
  muted: '#aaa59c',
  line: '#5a564f',
  shade: '#2b2926',
  ground: '#141311',
}

const paletteText = (colours: Readonly<Record<string, string>>): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')

/** Authors choose their own colours for a light background. */
const hasOwnColours = (code: string): boolean =>
  /(?:fill|stroke|color)\s*[:=]|theme|\brect\s+rgb|\bbox\s+(?:rgb|#|\w+\s*\()|\bUpdate\w+Style\(/i.test(code)

/** Mermaid replaces character references by these letters until a drawing is finished. */
function readableTexts(svg: DrawnElement): void {
  for (const element of [svg, ...svg.descendants()])
    for (const node of element.childNodes)
      if (node.nodeType === 3)
        node.textContent = node.textContent.replaceAll(
          /ﬂ°(°?)(\w+)¶ß/g,
          (_, isNumber: string, name: string) =>
            isNumber
              ? String.fromCodePoint(Math.min(Number(name) || 0xfffd, 0x10ffff))
              : (references[name] ?? `&${name};`),
        )
}

const references: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

/** Images take their room from these, so that a page does not move when one arrives. */
function setSize(svg: DrawnElement): void {
  const [, , width = 0, height = 0] = (svg.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  if (!(width > 0 && height > 0)) throw new Error('It is empty.')
  svg.setAttribute('width', Math.ceil(width))
  svg.setAttribute('height', Math.ceil(height))
}
