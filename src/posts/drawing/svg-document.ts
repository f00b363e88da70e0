import { boxOf, type DrawnBox, textLengthOf } from './svg-boxes'
import { matchesSome, parseSelectors } from './selectors'

/**
 * The part of the DOM that Mermaid needs to draw: elements, attributes, selectors and boxes. Browsers measure text with
 * the fonts that they have; here widths come from a table (`text-width.ts`), so that a drawing is the same everywhere.
 */
export abstract class DrawnNode {
  abstract readonly nodeType: number
  abstract readonly nodeName: string
  abstract textContent: string
  parentNode: DrawnParent | null = null
  readonly childNodes: DrawnNode[] = []
  abstract get ownerDocument(): DrawnDocument
  abstract cloneNode(isDeep?: boolean): DrawnNode

  get parentElement(): DrawnElement | null {
    return this.parentNode instanceof DrawnElement ? this.parentNode : null
  }

  get firstChild(): DrawnNode | null {
    return this.childNodes[0] ?? null
  }

  get lastChild(): DrawnNode | null {
    return this.childNodes.at(-1) ?? null
  }

  get nextSibling(): DrawnNode | null {
    const all = this.parentNode?.childNodes ?? []
    return all[all.indexOf(this) + 1] ?? null
  }

  get previousSibling(): DrawnNode | null {
    const all = this.parentNode?.childNodes ?? []
    return all[all.indexOf(this) - 1] ?? null
  }

  get isConnected(): boolean {
    return this.getRootNode() instanceof DrawnDocument
  }

  getRootNode(): DrawnNode {
    return this.parentNode?.getRootNode() ?? this
  }

  hasChildNodes(): boolean {
    return this.childNodes.length > 0
  }

  contains(other: DrawnNode | null): boolean {
    for (let node = other; node; node = node.parentNode) if (node === this) return true
    return false
  }

  remove(): void {
    this.parentNode?.removeChild(this)
  }

  /** Mermaid writes what it knows into its log, elements included. */
  toJSON(): object {
    return {}
  }

  /** As in browsers: 4 where the other one follows, 2 where it precedes. */
  compareDocumentPosition(other: DrawnNode): number {
    if (this.contains(other)) return this === other ? 0 : 20
    if (other.contains(this)) return 10
    const above = [...ancestors(this)].toReversed()
    const otherAbove = [...ancestors(other)].toReversed()
    const fork = above.findIndex((node, index) => node !== otherAbove[index])
    const [mine, theirs] = [above[fork], otherAbove[fork]]
    const siblings = mine?.parentNode?.childNodes ?? []
    return mine && theirs && siblings.indexOf(mine) > siblings.indexOf(theirs) ? 2 : 4
  }

  addEventListener(): void {}
  removeEventListener(): void {}
  dispatchEvent(): boolean {
    return true
  }
}

function* ancestors(node: DrawnNode): Generator<DrawnNode> {
  for (let one: DrawnNode | null = node; one; one = one.parentNode) yield one
}

/** An element or the document: what has children that can be found. */
export abstract class DrawnParent extends DrawnNode {
  get children(): DrawnElement[] {
    return this.childNodes.filter((node) => node instanceof DrawnElement)
  }

  get firstElementChild(): DrawnElement | null {
    return this.children[0] ?? null
  }

  get lastElementChild(): DrawnElement | null {
    return this.children.at(-1) ?? null
  }

  get childElementCount(): number {
    return this.children.length
  }

  appendChild<Node extends DrawnNode>(node: Node): Node {
    return this.insertBefore(node, null)
  }

  append(...nodes: (DrawnNode | string)[]): void {
    for (const node of nodes)
      this.appendChild(typeof node === 'string' ? this.ownerDocument.createTextNode(node) : node)
  }

  insertBefore<Node extends DrawnNode>(node: Node, before: DrawnNode | null): Node {
    if (node === before) return node
    node.parentNode?.removeChild(node)
    const index = before ? this.childNodes.indexOf(before) : -1
    this.childNodes.splice(index === -1 ? this.childNodes.length : index, 0, node)
    node.parentNode = this
    return node
  }

  removeChild<Node extends DrawnNode>(node: Node): Node {
    const index = this.childNodes.indexOf(node)
    if (index !== -1) this.childNodes.splice(index, 1)
    node.parentNode = null
    return node
  }

  replaceChild<Node extends DrawnNode>(node: DrawnNode, replaced: Node): Node {
    this.insertBefore(node, replaced)
    return this.removeChild(replaced)
  }

  replaceChildren(...nodes: DrawnNode[]): void {
    while (this.lastChild) this.removeChild(this.lastChild)
    this.append(...nodes)
  }

  get textContent(): string {
    return this.childNodes.map((node) => node.textContent).join('')
  }

  /** Programs also give null and numbers. */
  set textContent(text: string | number | null) {
    this.replaceChildren()
    if (text !== null && text !== '') this.appendChild(this.ownerDocument.createTextNode(`${text}`))
  }

  *descendants(): Generator<DrawnElement> {
    for (const child of this.childNodes) {
      if (!(child instanceof DrawnElement)) continue
      yield child
      yield* child.descendants()
    }
  }

  querySelectorAll(text: string): DrawnElement[] {
    const selectors = parseSelectors(text.replaceAll(':scope', '*'))
    return [...this.descendants()].filter((element) => matchesSome(element, selectors))
  }

  querySelector(text: string): DrawnElement | null {
    const selectors = parseSelectors(text.replaceAll(':scope', '*'))
    for (const element of this.descendants()) if (matchesSome(element, selectors)) return element
    return null
  }

  getElementsByTagName(name: string): DrawnElement[] {
    return this.querySelectorAll(name)
  }

  getElementsByClassName(names: string): DrawnElement[] {
    return this.querySelectorAll(
      names
        .split(/\s+/)
        .map((name) => `.${name}`)
        .join(''),
    )
  }
}

export class DrawnText extends DrawnNode {
  readonly nodeType = 3
  readonly nodeName = '#text'

  constructor(
    readonly ownerDocument: DrawnDocument,
    public textContent: string,
  ) {
    super()
  }

  get nodeValue(): string {
    return this.textContent
  }

  set nodeValue(text: string) {
    this.textContent = text
  }

  get data(): string {
    return this.textContent
  }

  cloneNode(): DrawnText {
    return new DrawnText(this.ownerDocument, this.textContent)
  }
}

/** The inline style of an element, kept in its attribute. */
function styleOf(element: DrawnElement) {
  const read = (): Map<string, string> => declarationsIn(element.getAttribute('style') ?? '')
  const write = (declarations: Map<string, string>): void => {
    const text = [...declarations].map(([name, value]) => `${name}: ${value};`).join(' ')
    if (text === '') element.removeAttribute('style')
    else element.setAttribute('style', text)
  }
  const style = {
    getPropertyValue: (name: string) => read().get(name) ?? '',
    setProperty: (name: string, value: string | number | null | undefined, priority = '') => {
      const isEmpty = value === null || value === undefined || value === ''
      const declarations = read()
      if (isEmpty) declarations.delete(name)
      else declarations.set(name, priority ? `${String(value)} !important` : String(value))
      write(declarations)
    },
    removeProperty: (name: string) => style.setProperty(name, ''),
  }
  return new Proxy(style, {
    get: (target, name) => {
      if (typeof name !== 'string' || Object.hasOwn(target, name)) return Reflect.get(target, name)
      if (name === 'cssText') return element.getAttribute('style') ?? ''
      return style.getPropertyValue(hyphenated(name))
    },
    set: (_target, name, value) => {
      if (name === 'cssText') element.setAttribute('style', String(value))
      else style.setProperty(hyphenated(String(name)), value as string)
      return true
    },
  })
}

const hyphenated = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The declarations of a style, such as `fill: red; stroke: none`. */
export function declarationsIn(text: string): Map<string, string> {
  const declarations = new Map<string, string>()
  for (const declaration of text.split(/;(?![^(]*\))/)) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (name !== '') declarations.set(name, declaration.slice(colon + 1).trim())
  }
  return declarations
}

export class DrawnElement extends DrawnParent {
  readonly nodeType = 1
  readonly attributeMap = new Map<string, string>()
  /** d3 keeps here what it binds to an element. */
  __data__: unknown

  constructor(
    readonly ownerDocument: DrawnDocument,
    readonly localName: string,
    readonly namespaceURI: string,
  ) {
    super()
  }

  get tagName(): string {
    return this.namespaceURI === htmlNamespace ? this.localName.toUpperCase() : this.localName
  }

  get nodeName(): string {
    return this.tagName
  }

  get attributes(): { name: string; value: string }[] {
    return [...this.attributeMap].map(([name, value]) => ({ name, value }))
  }

  get id(): string {
    return this.getAttribute('id') ?? ''
  }

  set id(id: string) {
    this.setAttribute('id', id)
  }

  get className(): string {
    return this.getAttribute('class') ?? ''
  }

  set className(names: string) {
    this.setAttribute('class', names)
  }

  get classList() {
    const names = (): string[] => (this.getAttribute('class') ?? '').split(/\s+/).filter(Boolean)
    return {
      contains: (name: string) => names().includes(name),
      add: (...added: string[]) => this.setAttribute('class', [...new Set([...names(), ...added])].join(' ')),
      remove: (...removed: string[]) =>
        this.setAttribute(
          'class',
          names()
            .filter((name) => !removed.includes(name))
            .join(' '),
        ),
    }
  }

  get style() {
    return styleOf(this)
  }

  get ownerSVGElement(): DrawnElement | null {
    return this.parentElement?.closest('svg') ?? null
  }

  /** Some kinds of diagrams are as wide as what they are in. */
  get clientWidth(): number {
    return this.namespaceURI === htmlNamespace ? columnWidth : 0
  }

  get offsetWidth(): number {
    return this.clientWidth
  }

  getAttribute(name: string): string | null {
    return this.attributeMap.get(name) ?? null
  }

  setAttribute(name: string, value: unknown): void {
    this.attributeMap.set(name, String(value))
  }

  removeAttribute(name: string): void {
    this.attributeMap.delete(name)
  }

  hasAttribute(name: string): boolean {
    return this.attributeMap.has(name)
  }

  getAttributeNS(_namespace: string | null, name: string): string | null {
    return this.getAttribute(name)
  }

  setAttributeNS(_namespace: string | null, name: string, value: unknown): void {
    this.setAttribute(name, value)
  }

  removeAttributeNS(_namespace: string | null, name: string): void {
    this.removeAttribute(name)
  }

  matches(text: string): boolean {
    return matchesSome(this, parseSelectors(text))
  }

  closest(text: string): DrawnElement | null {
    const selectors = parseSelectors(text)
    if (matchesSome(this, selectors)) return this
    return this.parentElement?.closest(text) ?? null
  }

  cloneNode(isDeep = false): DrawnElement {
    const clone = new DrawnElement(this.ownerDocument, this.localName, this.namespaceURI)
    for (const [name, value] of this.attributeMap) clone.attributeMap.set(name, value)
    if (isDeep) for (const child of this.childNodes) clone.appendChild(child.cloneNode(true))
    return clone
  }

  get innerHTML(): string {
    return this.childNodes.map(serialized).join('')
  }

  /** Markup stays text: it is the text of a style here, or of a label, whose elements are not drawn. */
  set innerHTML(text: string) {
    this.textContent = this.localName === 'style' ? text : text.replaceAll(/<[^>]*>/g, '')
  }

  getBBox(): DrawnBox {
    return boxOf(this)
  }

  getBoundingClientRect(): DrawnBox & { left: number; top: number; right: number; bottom: number } {
    const box = boxOf(this)
    return { ...box, left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height }
  }

  getComputedTextLength(): number {
    return textLengthOf(this)
  }
}

export class DrawnDocument extends DrawnParent {
  readonly nodeType = 9
  readonly nodeName = '#document'
  readonly readyState = 'complete'
  readonly location = { href: '', hash: '', pathname: '/', search: '', protocol: 'https:', host: '' }
  readonly documentElement = this.appendChild(this.createElement('html'))
  readonly head = this.documentElement.appendChild(this.createElement('head'))
  readonly body = this.documentElement.appendChild(this.createElement('body'))

  get ownerDocument(): DrawnDocument {
    return this
  }

  get defaultView(): typeof globalThis {
    return globalThis
  }

  createElement(name: string): DrawnElement {
    return new DrawnElement(this, name.toLowerCase(), htmlNamespace)
  }

  createElementNS(namespace: string, name: string): DrawnElement {
    return new DrawnElement(this, name.replace(/^.*:/, ''), namespace)
  }

  createTextNode(text: string): DrawnText {
    return new DrawnText(this, text)
  }

  importNode(node: DrawnNode, isDeep?: boolean): DrawnNode {
    return node.cloneNode(isDeep)
  }

  getElementById(id: string): DrawnElement | null {
    for (const element of this.descendants()) if (element.getAttribute('id') === id) return element
    return null
  }

  cloneNode(): DrawnDocument {
    return new DrawnDocument()
  }
}

const columnWidth = 800

export const htmlNamespace = 'http://www.w3.org/1999/xhtml'

export function serialized(node: DrawnNode): string {
  if (!(node instanceof DrawnElement)) return escaped(node.textContent)
  const attributes = [...node.attributeMap].map(([name, value]) => ` ${name}="${escapedAttribute(value)}"`)
  const begin = `<${node.localName}${attributes.join('')}`
  return node.hasChildNodes() ? `${begin}>${node.innerHTML}</${node.localName}>` : `${begin}/>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const escapedAttribute = (text: string): string => escaped(text).replaceAll('"', '&quot;')
