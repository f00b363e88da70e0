import { overlayRules } from './overlay-rules'

/** A place in a script of the site folder, as a stack names it. */
export interface ScriptPlace {
  script: string
  line: number
  column: number
}

/** A mistake in the site folder. */
export interface Problem {
  message: string
  file?: string
  line?: number
  column?: number
  /** The components around it, the innermost first. */
  components?: readonly string[]
  /** The places of a browser's stack, which the server knows the files of. */
  places?: readonly ScriptPlace[]
}

interface Excerpt {
  file: string
  line: number
  lines: { number: number; text: string }[]
}

/** All texts of an error are put in as text. */
function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name)
  created.textContent = text
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value)
  return created
}

/** Shows mistakes above the page until they are gone, or until Escape is pressed. */
export class Overlay {
  private readonly dialog = element('dialog', '', {
    role: 'alertdialog',
    'aria-labelledby': 'title',
    'aria-describedby': 'problems',
  })
  private readonly title = element('h2', '', { id: 'title' })
  private readonly list = element('div', '', { id: 'problems' })
  private readonly shown = new Map<unknown, HTMLElement>()

  constructor() {
    const close = element('button', 'Close', { type: 'button', autofocus: '', 'aria-keyshortcuts': 'Escape' })
    close.addEventListener('click', () => this.dialog.close())
    this.dialog.append(this.title, this.list, close)
    // apart from the styles of the page; the policy of pages allows sheets that a script makes
    const host = element('div')
    const root = host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(overlayRules)
    root.adoptedStyleSheets = [sheet]
    root.append(this.dialog)
    // beside the body, which changes with the page
    document.documentElement.append(host)
  }

  /** Shows a problem until its source is removed. */
  add(source: unknown, problem: Problem): void {
    this.shown.get(source)?.remove()
    const drawn = draw(problem)
    this.shown.set(source, drawn)
    this.list.append(drawn)
    this.update()
  }

  remove(source: unknown): void {
    this.shown.get(source)?.remove()
    this.shown.delete(source)
    this.update()
  }

  private update(): void {
    const { size } = this.shown
    this.title.textContent =
      size === 1 ? 'A mistake in the site folder' : `${size} mistakes in the site folder`
    if (size === 0) this.dialog.close()
    else if (!this.dialog.open) this.dialog.showModal()
  }
}

function draw(problem: Problem): HTMLElement {
  const drawn = element('section')
  const place = element('p', placeText(problem), { class: 'place' })
  drawn.append(element('p', problem.message, { class: 'message' }), place)
  const { components = [] } = problem
  if (components.length > 0) {
    const list = element('ol', '', { 'aria-label': 'Components, the innermost first' })
    list.append(...components.map((name) => element('li', name)))
    drawn.append(list)
  }
  void addExcerpt(problem, place)
  return drawn
}

async function addExcerpt(problem: Problem, place: HTMLElement): Promise<void> {
  const excerpt = await excerptOf(problem)
  if (!excerpt) return
  place.textContent = placeText({ ...problem, ...excerpt })
  place.after(drawLines(excerpt))
}

const placeText = ({ file, line, column }: Pick<Problem, 'file' | 'line' | 'column'>): string =>
  [file, line, column].filter((part) => part !== undefined).join(':')

function drawLines({ lines, line }: Excerpt): HTMLElement {
  const drawn = element('pre', '', { tabindex: '0', 'aria-label': 'Source' })
  const rows = lines.map(({ number, text }) =>
    element(number === line ? 'mark' : 'span', `${number}  ${text}\n`),
  )
  drawn.append(...rows)
  return drawn
}

/** The first place that is in a file of the team's; what the server does not know is shown without lines. */
async function excerptOf({ file, line, places = [] }: Problem): Promise<Excerpt | undefined> {
  const known = file === undefined || line === undefined ? [] : [{ file, line }]
  for (const place of [...known, ...places]) {
    const query = new URLSearchParams(Object.entries(place).map(([name, value]) => [name, String(value)]))
    const response = await fetch(`/_tilth/site-source?${query}`).catch(() => undefined)
    if (response?.ok) return (await response.json()) as Excerpt
  }
  return undefined
}
