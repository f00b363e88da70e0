/** An element whose styles and those of the page do not meet. */
export function shadowHost(css: string): { element: HTMLElement; root: HTMLElement } {
  const element = document.createElement('div')
  const shadow = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`:host{all:initial}${css}`)
  shadow.adoptedStyleSheets = [sheet]
  const root = document.createElement('div')
  shadow.append(root)
  return { element, root }
}
